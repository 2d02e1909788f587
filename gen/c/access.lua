-- Places in arrays: `u[u_at + 2*u_z - 1]`.

local M = {}

local C_TYPE = { float = "float", double = "double", int = "int32_t" }

function M.type(storage) return C_TYPE[storage] end

-- One term of an offset: coefficient times stride ("" for 1).
local function term(coefficient, stride)
  local size = math.abs(coefficient)
  if stride == "" then return tostring(size) end
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
  return storage == compute and s or ("(%s)%s"):format(compute, s)
end

return M
