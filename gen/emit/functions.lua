-- Functions that C has not: `sign`, where a block calls it.

local M = {}

local function calls(e, fn)
  if e.op == "call" and e.fn == fn then return true end
  for _, child in ipairs(e) do
    if calls(child, fn) then return true end
  end
  return false
end

local function uses(block, fn)
  for _, list in ipairs { block.code, block.stores } do
    for _, entry in ipairs(list) do
      if calls(entry.value, fn) then return true end
    end
  end
  return false
end

-- Adds the values of templates/part/functions.tpl.
function M.add(values, context, on_device)
  values.signs = uses(context.block, "sign")
  if values.signs then
    values.compute = context.kernel.compute
    values.sign_name = values.compute == "float" and "signf" or "sign"
    values.on_device = on_device
  end
end

return M
