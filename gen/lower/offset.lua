-- Offsets of reads and taps: { x = whole points }, axes at 0 left out.

local M = {}

function M.add(axes, a, b)
  local sum = {}
  for _, axis in ipairs(axes) do
    local n = (a[axis] or 0) + (b[axis] or 0)
    if n ~= 0 then sum[axis] = n end
  end
  return sum
end

-- One text for equal offsets.
function M.key(axes, offset)
  local words = {}
  for i, axis in ipairs(axes) do words[i] = offset[axis] or 0 end
  return table.concat(words, ",")
end

function M.mirror(axes, offset)
  local image = {}
  for _, axis in ipairs(axes) do
    if offset[axis] then image[axis] = -offset[axis] end
  end
  return image
end

-- The part of an offset along some axes only.
function M.along(axes, offset)
  local part = {}
  for _, axis in ipairs(axes) do part[axis] = offset[axis] end
  return part
end

function M.is_zero(offset)
  return next(offset) == nil
end

-- How far out the ring is that the offset lies on.
function M.ring(axes, offset)
  local ring = 0
  for _, axis in ipairs(axes) do
    ring = math.max(ring, math.abs(offset[axis] or 0))
  end
  return ring
end

-- How many axes it leaves the centre along.
function M.rank(axes, offset)
  local rank = 0
  for _, axis in ipairs(axes) do
    if offset[axis] then rank = rank + 1 end
  end
  return rank
end

local function differ(axes, a, b, measure, larger_first)
  for _, axis in ipairs(axes) do
    local ma, mb = measure(a[axis] or 0), measure(b[axis] or 0)
    if ma ~= mb then
      if larger_first then return ma > mb end
      return ma < mb
    end
  end
end

local function away(n) return n ~= 0 and 1 or 0 end
local function same(n) return n end

-- The order of taps: rings outward; in a ring faces, edges, corners; axes in
-- order; nearer first; low side first. Total.
function M.before(axes, a, b)
  local ra, rb = M.ring(axes, a), M.ring(axes, b)
  if ra ~= rb then return ra < rb end
  ra, rb = M.rank(axes, a), M.rank(axes, b)
  if ra ~= rb then return ra < rb end
  local first = differ(axes, a, b, away, true)
  if first == nil then first = differ(axes, a, b, math.abs) end
  if first == nil then first = differ(axes, a, b, same) end
  return first or false
end

-- The order of loads: as in memory, slowest axis first.
function M.before_in_memory(axes, a, b)
  for i = #axes, 1, -1 do
    local na, nb = a[axes[i]] or 0, b[axes[i]] or 0
    if na ~= nb then return na < nb end
  end
  return false
end

-- "" at the centre, else "_xm1_yp2".
function M.suffix(axes, offset)
  local words = {}
  for _, axis in ipairs(axes) do
    local n = offset[axis]
    if n then
      words[#words + 1] = ("_%s%s%d"):format(axis, n < 0 and "m" or "p",
        math.abs(n))
    end
  end
  return table.concat(words)
end

-- Widens reach = { x = { lo, hi } } (points needed below and above) by one.
function M.widen(axes, reach, offset)
  for _, axis in ipairs(axes) do
    local r, n = reach[axis], offset[axis] or 0
    r[1], r[2] = math.max(r[1], -n), math.max(r[2], n)
  end
end

function M.no_reach(axes)
  local reach = {}
  for _, axis in ipairs(axes) do reach[axis] = { 0, 0 } end
  return reach
end

return M
