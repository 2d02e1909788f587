-- The points along one axis that a block certainly stays within.
--
-- A form { n = 0 or 1, c } is n * extent + c. Int scalars are taken to lie in
-- their range; a bound that is no such form is the end of the axis.

local rational = require "gen.rational"
local regions = require "gen.model.regions"

local M = {}

-- n * extent + [lo, hi] of a bound's tree; nil if it is not linear.
local linear

local function combine(tree, x, y)
  if tree.kind == "add" then
    return { n = x.n + y.n, lo = x.lo + y.lo, hi = x.hi + y.hi }
  elseif tree.kind == "sub" then
    return { n = x.n - y.n, lo = x.lo - y.hi, hi = x.hi - y.lo }
  elseif x.n ~= 0 or y.n ~= 0 then
    return nil
  end
  local a, b, c, d = x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi
  return { n = 0, lo = math.min(a, b, c, d), hi = math.max(a, b, c, d) }
end

local OF = {
  number = function(_, tree)
    local value = rational.to_integer(rational.new(tree.n, tree.d))
    return value and { n = 0, lo = value, hi = value }
  end,
  n = function() return { n = 1, lo = 0, hi = 0 } end,
  scalar = function(b, tree)
    local range = b.model.scalars[tree.name].range
    return { n = 0, lo = math.floor(range[1]), hi = math.ceil(range[2]) }
  end,
  neg = function(b, tree)
    local x = linear(b, tree.arg)
    return x and { n = -x.n, lo = -x.hi, hi = -x.lo }
  end,
}

function linear(b, tree)
  if OF[tree.kind] then return OF[tree.kind](b, tree) end
  local x, y = linear(b, tree.left), linear(b, tree.right)
  return x and y and combine(tree, x, y)
end

-- The ranges of a region along an axis, if it speaks of no other: pairs of
-- linear bounds.
local function ranges_along(b, region, axis)
  local axes = regions.axes(b, region)
  local range = region.ranges and region.ranges[axis]
  if not range or #axes ~= 1 or not range[1] or not range[2] then return nil end
  local low, high = linear(b, range[1]), linear(b, range[2])
  return low and high and { low = low, high = high }
end

local function others(b, kernel, axis)
  local list = {}
  for _, block in ipairs(kernel.blocks) do
    local region = b.regions[block.region]
    list[#list + 1] = region and ranges_along(b, region, axis)
  end
  return list
end

-- Moves first and last inward past ranges that certainly lie at an end.
local function rest_of(list, first, last)
  for _ = 1, #list do
    for _, r in ipairs(list) do
      if r.low.n == 0 and r.high.n == 0 and r.low.hi <= first.c then
        first.c = math.max(first.c, r.high.lo)
      elseif r.low.n == 1 and r.high.n == 1 and r.high.lo >= last.c then
        last.c = math.min(last.c, r.low.hi)
      end
    end
  end
end

local function clamp(range, first, last)
  local low, high = range.low, range.high
  if low.n == 0 then first.c = math.max(first.c, low.lo)
  elseif low.n == 1 then first.n, first.c = 1, low.lo end
  if high.n == 1 then last.c = math.min(last.c, high.hi)
  elseif high.n == 0 then last.n, last.c = 0, high.hi end
end

-- The first point of a block along an axis, and the one behind its last.
function M.of(b, kernel, block, axis)
  local first = { n = 0, c = 0 }
  local last = { n = 1, c = kernel.extra[axis] or 0 }
  local region = b.regions[block.region]
  if not region then return first, last end
  if region.rest then
    rest_of(others(b, kernel, axis), first, last)
    return first, last
  end
  local range = region.ranges and region.ranges[axis]
  local low = range and range[1] and linear(b, range[1])
  local high = range and range[2] and linear(b, range[2])
  if low and high then clamp({ low = low, high = high }, first, last) end
  return first, last
end

return M
