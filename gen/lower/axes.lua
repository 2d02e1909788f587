-- The axes of a module, those of its kernels, and which of them are levels.

local M = {}

-- Those of the grid, then the level axes that some field lies on.
function M.of_model(model)
  local list, used = table.move(model.axes, 1, #model.axes, 1, {}), {}
  for _, name in ipairs(model.order.fields) do
    for _, space in ipairs(model.fields[name].on) do used[space] = true end
  end
  for _, name in ipairs(model.order.spaces or {}) do
    local level = used[name] and model.spaces[name].kind == "level"
    list[#list + 1] = level and name or nil
  end
  return list
end

function M.is_level(model, axis)
  return model.spaces[axis].kind == "level"
end

return M
