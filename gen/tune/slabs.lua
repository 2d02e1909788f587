-- The boxes that a block's points are, at a size: the slabs of a shell, else
-- the domain.

local lists = require "gen.list"

local M = {}

local THIN = 32                 -- points, where nobody says how wide a shell is

local OPERATORS = {
  add = function(a, b) return a + b end, sub = function(a, b) return a - b end,
  mul = function(a, b) return a * b end, div = function(a, b) return a // b end,
}

-- A bound of a region as a number, or nil where it is up to a scalar that is
-- not known.
local function number(bound, extent, scalars)
  if bound.kind == "number" then
    return tonumber(bound.n) // (tonumber(bound.d) or 1)
  elseif bound.kind == "n" then
    return extent
  elseif bound.kind == "neg" then
    local value = number(bound.arg, extent, scalars)
    return value and -value
  elseif OPERATORS[bound.kind] then
    local left = number(bound.left, extent, scalars)
    local right = number(bound.right, extent, scalars)
    return left and right and OPERATORS[bound.kind](left, right)
  end
  return tonumber(scalars[bound.name])
end

-- The width of a shell on one side, within what is left of an extent.
local function width(bound, extent, left, scalars)
  local value = number(bound, extent, scalars) or THIN
  return math.max(0, math.min(left, math.floor(value)))
end

-- The extents of each box along the axes of a block, none empty; `size`: along
-- the axes of the module; scalars: values by name, as far as they are known.
function M.of(lowered, block, axes, size, scalars)
  local region = lists.find(lowered.model.regions or {}, "name", block.region)
  local whole, boxes = {}, {}
  for i, axis in ipairs(axes) do
    whole[i] = math.max(1, size[axis.index + 1])
  end
  if not region or not region.shell then return { whole } end
  for i = #axes, 1, -1 do
    local extent = whole[i]
    for _, bound in ipairs(region.shell[axes[i].name] or {}) do
      local n = width(bound, extent, whole[i], scalars)
      local box = table.move(whole, 1, #whole, 1, {})
      box[i], whole[i] = n, whole[i] - n
      boxes[#boxes + 1] = n > 0 and box or nil
    end
    if whole[i] == 0 then break end
  end
  return boxes[1] and boxes or { whole }
end

return M
