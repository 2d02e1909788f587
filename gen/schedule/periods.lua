-- Colours on periodic axes: at some extents alone they go on across the faces.

local space = require "gen.schedule.space"

local M = {}

local function gcd(a, b)
  while b ~= 0 do a, b = b, a % b end
  return math.abs(a)
end

function M.common(a, b) return a // gcd(a, b) * b end

-- The least extent along an axis at which all forms are what they were.
function M.multiple(kernel, axis)
  local multiple = 1
  for _, form in ipairs(kernel.colours or {}) do
    local coefficient = 0
    for _, term in ipairs(form.terms) do
      if term.axis == axis then
        coefficient = coefficient + term.coefficient
      end
    end
    multiple = M.common(multiple,
      form.modulus // gcd(form.modulus, coefficient))
  end
  return multiple
end

local function is_periodic(field, axis)
  local sides = (field.boundary or {})[axis] or {}
  return sides.low and sides.low.kind == "periodic"
    or sides.high and sides.high.kind == "periodic"
end

-- { field, axis = its number among `axes`, from 0, name, multiple }.. of what a
-- block assigns: the extent has to be a multiple.
function M.list(lowered, kernel, block, axes)
  local list, seen = {}, {}
  for _, store in ipairs(block.stores) do
    local field = space.field(lowered, store.field)
    for i, axis in ipairs(axes) do
      local multiple = M.multiple(kernel, axis.name)
      if multiple > 1 and is_periodic(field, axis.name)
         and not seen[field.name] then
        list[#list + 1] = { field = field.name, axis = i - 1,
          name = axis.name, multiple = multiple }
      end
    end
    seen[field.name] = true
  end
  return list
end

return M
