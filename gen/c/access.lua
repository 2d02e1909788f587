-- Places in arrays, `u[u_at + 2*u_z - 1]`, and what an element is in the type
-- of the arithmetic.

local M = {}

local C_TYPE = { float = "float", double = "double", int = "int32_t",
  half = "uint16_t", bfloat16 = "uint16_t" }

function M.type(storage) return C_TYPE[storage] end

-- Is it a 16-bit type, which templates/quern_types.h converts?
function M.is_small(storage)
  return storage == "half" or storage == "bfloat16"
end

-- The stride of a field along its first axis, as the others are named: "" for
-- 1, else how many names interleave.
function M.step(field)
  return field.packed and tostring(#field.packed.names) or ""
end

-- One term of an offset: coefficient times stride.
local function term(coefficient, stride)
  local size = math.abs(coefficient)
  if stride == "" then return tostring(size) end
  local step = math.tointeger(tonumber(stride))
  if step then return tostring(size * step) end
  return size == 1 and stride or ("%d*%s"):format(size, stride)
end

-- The text of base plus terms { coefficient, stride }; zeros vanish.
function M.offset(base, terms)
  local parts = { base }
  for _, t in ipairs(terms) do
    if t[1] ~= 0 then
      parts[#parts + 1] = (t[1] < 0 and "- " or "+ ") .. term(t[1], t[2])
    end
  end
  return table.concat(parts, " ")
end

function M.at(array, place) return ("%s[%s]"):format(array, place) end

-- An element, converted to the compute type where that differs.
function M.element(array, place, storage, compute)
  local s = M.at(array, place)
  if M.is_small(storage) then
    return ("quern_%s_to_%s(%s)"):format(storage, compute, s)
  end
  return storage == compute and s or ("(%s)%s"):format(compute, s)
end

-- What stands before the brackets of a value that is stored; nil: nothing.
function M.conversion(storage, compute)
  if M.is_small(storage) then
    return ("quern_%s_to_%s"):format(compute, storage)
  end
  return storage ~= compute and ("(%s)"):format(C_TYPE[storage]) or nil
end

return M
