-- How many points there are: all fields and kernels have the module's extents,
-- but for the points that `extra` adds; and how many a halo has.

local M = {}

-- The points that a field or a block of a kernel has more along an axis.
function M.extra(of, axis)
  return of.extra and of.extra[axis] or 0
end

-- "(n + 1)" of the text of the module's extent, `n` where there is no more.
function M.text(of, axis, n)
  local extra = M.extra(of, axis)
  return extra == 0 and n or ("(%s + %d)"):format(n, extra)
end

-- How far a block goes beyond the last point of a field: what it loads at an
-- offset is beyond the field's high face at its last offset + past points.
function M.past(block, field, axis)
  return M.extra(block, axis) - M.extra(field, axis)
end

-- The halo of a lowered field along an axis, low and high: as wide as it is
-- read, or as is asked for where no boundary answers at the face.
function M.halo(field, axis)
  local reach, sides = field.reach[axis], field.boundary[axis] or {}
  local asked = field.halo and field.halo[axis] or 0
  return math.max(reach[1], sides.low and 0 or asked),
    math.max(reach[2], sides.high and 0 or asked)
end

return M
