-- What the launcher computes once: the host values, in double, rounded once to
-- the compute type. A power of a scalar that stands more than once is computed
-- once, which changes no bit.

local expression = require "gen.c.expression"
local statement = require "gen.c.statement"
local words = require "gen.c.words"

local M = {}

-- "hx2" of a power of a scalar that is worth a name, or nil.
local function power_name(e)
  local exponent = e.op == "pow" and e[1].op == "scalar"
    and math.abs(e.exponent)
  return exponent and exponent > 1 and e[1].name .. exponent or nil
end

-- Counts the powers of an expression by name, `found` in order of appearance.
local function count_powers(e, found)
  local name = power_name(e)
  if name and not found[name] then
    found[name] = { count = 0, value = { op = "pow",
      exponent = math.abs(e.exponent), e[1] } }
    found[#found + 1] = name
  end
  if name then found[name].count = found[name].count + 1 end
  for _, child in ipairs(e) do count_powers(child, found) end
end

-- The expression with the powers that have a name in `given` by that name.
local function with_powers(e, given)
  local name = given[power_name(e)]
  if name then
    local named = { op = "raw", text = name }
    if e.exponent > 0 then return named end
    return { op = "div", { op = "literal", n = "1", d = "1" }, named }
  end
  local copy = {}
  for key, value in pairs(e) do -- any order
    copy[key] = type(value) == "table" and value.op
      and with_powers(value, given) or value
  end
  return copy
end

-- "const double hx2 = a->hx * a->hx;" for each power that is used twice, and
-- their names as C spells them.
local function power_lines(hosts, names, style)
  local found, given, rows = {}, {}, {}
  for _, host in ipairs(hosts) do count_powers(host.value, found) end
  for _, name in ipairs(found) do
    if found[name].count > 1 then
      names.power[name] = names.power[name] or names.claim(name)
      given[name] = names.power[name]
      rows[#rows + 1] = { "const double " .. given[name], (" = %s;"):format(
        expression.text(found[name].value, style)) }
    end
  end
  return statement.columns(rows), given
end

local function style_of(lowered, names)
  local whole = {}
  for _, scalar in ipairs(lowered.scalars) do
    whole[scalar.name] = scalar.type == "int"
  end
  return { type = "double",
    scalar = function(name)
      local s = "a->" .. words.name(name)
      return whole[name] and "(double)" .. s or s
    end,
    host = function(name) return names.host[name] end }
end

-- "float dd_x1 = (float)(1.6 / hx2);", one or more lines each.
function M.lines(lowered, kernel, hosts, names)
  local style, heads = style_of(lowered, names), {}
  local lines, given = power_lines(hosts, names, style)
  for i, host in ipairs(hosts) do
    heads[i] = { ("%s %s"):format(kernel.compute, names.host[host.name]),
      " = " }
  end
  heads = statement.columns(heads)
  for i, host in ipairs(hosts) do
    local cast = kernel.compute ~= "double"
    for _, line in ipairs(statement.assignment(
      heads[i] .. (cast and ("(%s)("):format(kernel.compute) or ""),
      with_powers(host.value, given), style, cast and ")" or "")) do
      lines[#lines + 1] = line
    end
  end
  return lines
end

return M
