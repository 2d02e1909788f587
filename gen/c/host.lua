-- What the launcher computes once: the host values, in double, rounded once to
-- the compute type.

local expression = require "gen.c.expression"
local words = require "gen.c.words"

local M = {}

-- "float dd_x1 = (float)(1.6 / (a->hx * a->hx));" rows: { head, tail }.
function M.rows(lowered, kernel, block, names)
  local whole = {}
  for _, scalar in ipairs(lowered.scalars) do
    whole[scalar.name] = scalar.type == "int"
  end
  local style = { type = "double",
    scalar = function(name)
      local s = "a->" .. words.name(name)
      return whole[name] and "(double)" .. s or s
    end,
    host = function(name) return names.host[name] end }
  local rows = {}
  for i, host in ipairs(block.host) do
    local value = expression.text(host.value, style)
    local cast = ("(%s)(%s)"):format(kernel.compute, value)
    if kernel.compute == "double" then cast = value
    elseif host.value.op == "scalar" and not whole[host.value.name] then
      cast = ("(%s)%s"):format(kernel.compute, value)
    end
    rows[i] = { ("%s %s"):format(kernel.compute, names.host[host.name]),
      " = " .. cast .. ";" }
  end
  return rows
end

return M
