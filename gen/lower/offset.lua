-- Offsets, { x = n }, axes at 0 left out: of shifts and taps and of the places
-- of expressions in half points, of loads in whole points of their field.

local M = {}

function M.add(axes, a, b)
  local sum = {}
  for _, axis in ipairs(axes) do
    local n = (a[axis] or 0) + (b[axis] or 0)
    if n ~= 0 then sum[axis] = n end
  end
  return sum
end

-- Whole points of a field that lies at `at`, for a place in half points;
-- rounded down where there is no point.
function M.points(axes, place, at)
  local offset = {}
  for _, axis in ipairs(axes) do
    local n = ((place[axis] or 0) - (at[axis] or 0)) // 2
    if n ~= 0 then offset[axis] = n end
  end
  return offset
end

function M.less(axes, a, b)
  return M.add(axes, a, M.mirror(axes, b))
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

-- What decides the order of taps, in this order: rings outward; in a ring
-- faces, edges, corners; axes in order; nearer first; low side first.
local function place(axes, offset)
  local list = { M.ring(axes, offset), M.rank(axes, offset) }
  local n = #axes
  for i, axis in ipairs(axes) do
    local o = offset[axis] or 0
    list[2 + i] = o == 0 and 1 or 0
    list[2 + n + i] = math.abs(o)
    list[2 + 2 * n + i] = o
  end
  return list
end

-- Sorts taps { offset, .. } in their one order.
function M.sort(axes, taps)
  local places = {}
  for _, tap in ipairs(taps) do places[tap] = place(axes, tap.offset) end
  table.sort(taps, function(a, b)
    local pa, pb = places[a], places[b]
    for i = 1, #pa do
      if pa[i] ~= pb[i] then return pa[i] < pb[i] end
    end
    return false
  end)
end

-- The order of loads: as in memory, slowest axis first.
function M.before_in_memory(axes, a, b)
  for i = #axes, 1, -1 do
    local na, nb = a[axes[i]] or 0, b[axes[i]] or 0
    if na ~= nb then return na < nb end
  end
  return false
end

local function suffix(axes, offset, size)
  local words = {}
  for _, axis in ipairs(axes) do
    local n = offset[axis]
    if n then
      words[#words + 1] = ("_%s%s%s"):format(axis, n < 0 and "m" or "p",
        size(math.abs(n)))
    end
  end
  return table.concat(words)
end

-- "" at the centre, else "_xm1_yp2".
function M.suffix(axes, offset)
  return suffix(axes, offset, tostring)
end

local function halves(n)
  return n % 2 == 0 and tostring(n // 2) or n .. "h"
end

-- The same for half points: "_xm1_yp3h", one point below, three halves above.
function M.half_suffix(axes, offset)
  return suffix(axes, offset, halves)
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
