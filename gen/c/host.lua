-- What the launcher computes once: the host values, in double, rounded once to
-- the compute type.

local statement = require "gen.c.statement"
local words = require "gen.c.words"

local M = {}

-- "float dd_x1 = (float)(1.6 / (a->hx * a->hx));", one or more lines each.
function M.lines(lowered, kernel, block, names)
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
  local heads, lines = {}, {}
  for i, host in ipairs(block.host) do
    heads[i] = { ("%s %s"):format(kernel.compute, names.host[host.name]),
      " = " }
  end
  heads = statement.columns(heads)
  for i, host in ipairs(block.host) do
    local cast = kernel.compute ~= "double"
    for _, line in ipairs(statement.assignment(
      heads[i] .. (cast and ("(%s)("):format(kernel.compute) or ""),
      host.value, style, cast and ")" or "")) do
      lines[#lines + 1] = line
    end
  end
  return lines
end

return M
