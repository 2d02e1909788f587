-- Functions that C has not: `sign`, in the types that a kernel's file calls it.

local entries = require "gen.entries"
local expression = require "gen.c.expression"

local M = {}

local function calls(e, fn)
  if e.op == "call" and e.fn == fn then return true end
  for _, child in ipairs(e) do
    if calls(child, fn) then return true end
  end
  return false
end

local function any_calls(code, fn)
  for _, entry in ipairs(entries.flat(code)) do
    if calls(entry.value, fn) then return true end
  end
  return false
end

-- Adds the values of templates/part/functions.tpl.
function M.add(values, context, on_device)
  local block, compute = context.block, context.kernel.compute
  local types = {}
  if any_calls(block.code, "sign") or any_calls(block.stores, "sign") then
    types[1] = compute
  end
  local pulses = types[1] and context.plan.prepares     -- those are in double
  if types[1] ~= "double" and (pulses or any_calls(block.host, "sign")) then
    types[#types + 1] = "double"
  end
  values.functions = {}
  for i, type in ipairs(types) do
    values.functions[i] = { type = type,
      name = expression.function_name("sign", { type = type }) }
  end
  if types[1] then values.on_device = on_device end
end

return M
