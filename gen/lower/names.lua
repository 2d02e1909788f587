-- Names of what a block computes: unique in it, and none that the spec gave
-- to something else. Reserved words are emit's business.

local M = {}

-- Every name of the model that generated code may use for itself.
function M.new(model, fields)
  local taken = {}
  for _, list in ipairs { model.axes, model.order.spaces or {},
      model.order.scalars, model.order.fields } do
    for _, name in ipairs(list) do taken[name] = true end
  end
  for _, field in ipairs(fields) do
    for _, stored in ipairs(field.stored) do taken[stored.name] = true end
  end
  return { taken = taken }
end

-- wanted, or wanted_2, wanted_3, ..: the first that is free. `own` may be
-- taken although the spec has it: a field's value at the point, a scalar.
function M.take(names, wanted, own)
  local name, n = wanted, 1
  while names.taken[name] and name ~= own do
    n = n + 1
    name = wanted .. "_" .. n
  end
  names.taken[name] = true
  return name
end

-- A field at a time level: u, u_prev, u_prev2, u_next.
function M.of_level(field, level)
  if level == 0 then return field end
  if level == 1 then return field .. "_next" end
  return field .. "_prev" .. (level < -1 and -level or "")
end

return M
