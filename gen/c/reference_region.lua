-- Which region a point belongs to, as C conditions on the point alone: the
-- spec's own words, no boxes.

local M = {}

local OPERATOR = { add = "+", sub = "-", mul = "*",
  div = "/" }

-- A bound of a region as a C expression of whole numbers; `extent` stands
-- for n.
local function bound(tree, extent, names)
  if tree.kind == "number" then return tree.n end
  if tree.kind == "n" then return extent end
  if tree.kind == "scalar" then return names.scalar(tree.name) end
  if tree.kind == "neg" then
    return ("(-%s)"):format(bound(tree.arg, extent, names))
  end
  return ("(%s %s %s)"):format(bound(tree.left, extent, names),
    OPERATOR[tree.kind], bound(tree.right, extent, names))
end

M.bound = bound

-- Conditions as lines, the operator in front of all but the first.
local function joined(list, operator)
  for i = 2, #list do list[i] = operator .. list[i] end
  return list
end

-- "within lo points of the low face or hi of the high one", any axis.
local function shell(region, axes, names)
  local list = {}
  for i, axis in ipairs(axes) do
    local width = region.shell[axis]
    if width then
      local at, n = ("p.at[%d]"):format(i - 1), ("n[%d]"):format(i - 1)
      list[#list + 1] = ("%s < %s || %s >= %s - %s"):format(at,
        bound(width[1], n, names), at, n, bound(width[2], n, names))
    end
  end
  return joined(list, "|| ")
end

-- Half-open ranges along some axes, all at once.
local function ranges(region, axes, names)
  local list = {}
  for i, axis in ipairs(axes) do
    local range = region.ranges[axis]
    if range then
      local at, n = ("p.at[%d]"):format(i - 1), ("n[%d]"):format(i - 1)
      list[#list + 1] = ("%s >= %s && %s < %s"):format(at,
        bound(range[1], n, names), at, bound(range[2], n, names))
    end
  end
  return joined(list, "&& ")
end

-- The conditions, in order of priority, of the regions that a kernel names:
-- { { name, test } }, the rest last and without a test.
function M.tests(model, kernel, axes, names)
  local named, list, rest = {}, {}, nil
  for _, block in ipairs(kernel.blocks) do
    if block.region then named[block.region] = true end
  end
  for _, region in ipairs(model.regions) do
    if named[region.name] and region.rest then
      rest = { name = region.name }
    elseif named[region.name] then
      list[#list + 1] = { name = region.name, test = region.shell
        and shell(region, axes, names) or ranges(region, axes, names) }
    end
  end
  list[#list + 1] = rest
  return list
end

return M
