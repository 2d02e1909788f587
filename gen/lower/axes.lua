-- The axes of a module: whatever has an extent. Those of the grid, levels, the
-- domains of a mesh, and ragged tables, whose extent is that of their entries.

local M = {}

-- The spaces that some field lies on, or some table starts or ends at.
local function used_spaces(model)
  local used = {}
  for _, name in ipairs(model.order.fields) do
    for _, space in ipairs(model.fields[name].on) do used[space] = true end
  end
  for _, name in ipairs(model.order.tables or {}) do
    local of = model.tables[name]
    if not of.through then used[of.from], used[of.to] = true, true end
  end
  return used
end

-- Those of the grid, then levels and domains in use, then ragged tables.
function M.of_model(model)
  local list = table.move(model.axes, 1, #model.axes, 1, {})
  local used = used_spaces(model)
  for _, name in ipairs(model.order.spaces or {}) do
    local more = used[name] and model.spaces[name].kind ~= "axis"
    list[#list + 1] = more and name or nil
  end
  for _, name in ipairs(model.order.tables or {}) do
    list[#list + 1] = model.tables[name].ragged and name or nil
  end
  return list
end

-- Where a field's values lie in memory: the values of a ragged row are beside
-- those of the next.
function M.of_field(model, field)
  local of = field.table and model.tables[field.table]
  if not of or not of.ragged then return field.on end
  local list = {}
  for _, space in ipairs(field.on) do
    list[#list + 1] = space ~= of.from and space or nil
  end
  return list
end

-- Does a field store points before and after an axis?
function M.has_halo(model, axis)
  local space = model.spaces[axis]
  return space ~= nil and space.kind == "axis"
end

return M
