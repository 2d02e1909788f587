-- What the faces of a block add: literals, and values of the host.

local M = {}

-- The expressions, in the order of faces, axes and sides.
function M.list(block)
  local list = {}
  for _, face in ipairs(block.faces or {}) do
    for _, axis in ipairs(face.axes) do
      for _, side in ipairs { axis.low or {}, axis.high or {} } do
        list[#list + 1] = side.value
        list[#list + 1] = side.slope
      end
    end
  end
  return list
end

return M
