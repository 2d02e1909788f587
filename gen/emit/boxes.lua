-- How the host finds the points of a region at launch: it starts with the
-- range asked for, then keeps or cuts one box after the other.

local extent = require "gen.extent"
local region_text = require "gen.c.region"
local words = require "gen.c.words"

local M = {}

-- The regions that decide where `block` of `kernel` runs, in the order of
-- priority, its own last (the rest is what all others leave); nothing for a
-- block of the whole domain.
local function deciding(model, kernel, block)
  if not block.region then return {} end
  local named, list = {}, {}
  for _, other in ipairs(kernel.blocks) do named[other.region] = true end
  for _, region in ipairs(model.regions) do
    local own = region.name == block.region
    if named[region.name] and not region.rest then
      list[#list + 1] = region
    end
    if own and not region.rest then break end
  end
  return list
end

-- Up to two pieces per axis that the region names.
local function pieces(region, axes)
  local count = 0
  for _, axis in ipairs(axes) do
    if (region.shell or region.ranges)[axis.name] then count = count + 2 end
  end
  return math.max(count, 1)
end

local COMMENT = {
  keep = { shell = "%s comes first: keep its hollow.", ranges = "Keep %s." },
  cut = { shell = "Keep %s: cut its hollow.",
          ranges = "%s comes first: cut it." },
}

-- What a region's box does to the list: "keep" or "cut". A shell's box is its
-- hollow.
local function verb_of(region, block)
  local own = region.name == block.region
  return own == (region.shell ~= nil) and "cut" or "keep"
end

local function step(region, block, axes, scope)
  local lower, upper = {}, {}
  for i, axis in ipairs(axes) do
    local n, extra = ("a->n[%d]"):format(axis.index),
      extent.extra(block, axis.name)
    lower[i], upper[i] = region_text.limits(region, axis.name, n,
      extra == 0 and n or n .. " + " .. extra)
  end
  local verb = verb_of(region, block)
  local kind = region.shell and "shell" or "ranges"
  return { verb = verb, name = scope(region.name),
    comment = COMMENT[verb][kind]:format(region.name),
    lower = table.concat(lower, ", "), upper = table.concat(upper, ", ") }
end

-- "a->n[0], a->n[1]" for each axis of a kernel.
local function per_axis(axes, form)
  local list = {}
  for i, axis in ipairs(axes) do list[i] = form:format(axis.index) end
  return table.concat(list, ", ")
end

M.per_axis = per_axis

-- Extents along the axes, and where a range ends: one up to the extent has the
-- extra points of the kernel.
local function ends(block, axes)
  local n, lower, upper = {}, {}, {}
  for i, axis in ipairs(axes) do
    local extra, k = extent.extra(block, axis.name), axis.index
    n[i] = ("a->n[%d]"):format(k) .. (extra ~= 0 and " + " .. extra or "")
    lower[i] = ("a->lower[%d]"):format(k)
    upper[i] = extra == 0 and ("a->upper[%d]"):format(k)
      or ("quern_end(a->upper[%d], a->n[%d], %d)"):format(k, k, extra)
  end
  return n, lower, upper
end

-- The texts of where the range begins and ends along each axis.
function M.range(block, axes)
  local _, lower, upper = ends(block, axes)
  return lower, upper
end

-- How many boxes a block's points can fall into at most.
function M.most(lowered, kernel, block, axes)
  local most = 1
  for _, region in ipairs(deciding(lowered.model, kernel, block)) do
    if verb_of(region, block) == "cut" then
      most = most * pieces(region, axes)
    end
  end
  return most
end

-- The faces without a halo that a block reads across: what lies next to them in
-- one box falls into as many boxes at most.
function M.sides(block, axes)
  local count = 0
  for _, axis in ipairs(block.edge and axes or {}) do
    for _, near in ipairs(block.edge[axis.name]) do
      if near > 0 then count = count + 1 end
    end
  end
  return count
end

-- The values of templates/part/boxes.tpl, and the regions that decide.
function M.view(lowered, kernel, block, axes)
  local scope = words.scope()
  local view = { steps = {},
    most_boxes = M.most(lowered, kernel, block, axes) }
  local n, lower, upper = ends(block, axes)
  view.range_n = table.concat(n, ", ")
  view.range_lower = table.concat(lower, ", ")
  view.range_upper = table.concat(upper, ", ")
  local regions = deciding(lowered.model, kernel, block)
  if regions[1] then
    view.boxes_comment = ("The points of region %s in the range asked for, as "
      .. "disjoint boxes; returns how many."):format(block.region)
    view.count_type = regions[2] and "int" or "const int"
    view.uses_args = false
  end
  for i, region in ipairs(regions) do
    local made = step(region, block, axes, scope)
    made.result = i == #regions and "return" or "count ="
    view.steps[i] = made
    view.uses_args = view.uses_args
      or (made.lower .. made.upper):find("a->", 1, true) ~= nil
  end
  view.boxes_call = regions[1] and "boxes(a, &domain, list)"
    or "quern_whole(&domain, list)"
  return view, regions
end

return M
