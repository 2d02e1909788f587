-- The string library of a spec, and `fill`: no patterns, and nothing longer
-- than safe.LONGEST. `charge` takes a number of instructions from the budget.

local safe = require "gen.spec.safe"
local fail, check_string, check_table =
  safe.fail, safe.check_string, safe.check_table

local M = {}

local function byte(s, i, j)
  s, i = check_string(s, "byte"), i or 1
  j = j or i
  if i < 0 then i = #s + 1 + i end
  if j < 0 then j = #s + 1 + j end
  safe.check_number(j - i + 1, "byte")
  return string.byte(s, i, j)
end

local function rep(charge, s, n, separator)
  s, separator = check_string(s, "rep"), separator or ""
  n = math.tointeger(n)
  if not n then fail("rep: wanted a whole number") end
  safe.check_length(n, safe.LONGEST, "rep")
  local longest = (#s + #separator) * math.max(n, 0)
  safe.check_length(longest, safe.LONGEST, "rep")
  charge(longest // 64)
  return string.rep(s, n, separator)
end

-- Charges for a function that goes once over its string.
local function once(charge, name, f)
  return function(s, ...)
    s = check_string(s, name)
    charge(#s // 64)
    return f(s, ...)
  end
end

-- `%s` takes what tostring takes; `%p` would show an address.
local function format(charge, text, ...)
  text = check_string(text, "format")
  local values, total, i = table.pack(...), #text, 0
  if total > 4096 then fail("format: the format is too long") end
  for conversion in string.gmatch(text, "%%[-+ #0-9.]*(.)") do
    if conversion == "p" then fail("format: %p is not allowed") end
    if conversion ~= "%" then i = i + 1 end
    if conversion == "s" and i <= values.n then
      values[i] = safe.show(values[i])
    end
    if type(values[i]) == "string" then total = total + 4 * #values[i] end
  end
  safe.check_length(total, safe.LONGEST, "format")
  charge(total // 64)
  return string.format(text, table.unpack(values, 1, values.n))
end

-- A fresh string library.
function M.new(charge)
  return {
    byte = byte, char = string.char, len = string.len,
    lower = once(charge, "lower", string.lower),
    upper = once(charge, "upper", string.upper),
    sub = once(charge, "sub", string.sub),
    format = function(...) return format(charge, ...) end,
    rep = function(s, n, separator) return rep(charge, s, n, separator) end }
end

local function looked_up(values, name)
  if not name then fail("fill: a $ without a name") end
  if values[name] == nil then
    fail("fill: the text names $" .. name .. ", but the values have no '"
          .. name .. "'")
  end
  return safe.show(values[name])
end

-- `$name` and `${name}` in a text, replaced by values[name].
function M.fill(charge, text, values)
  text = check_string(text, "fill")
  check_table(values, "fill")
  local out, from, total = {}, 1, #text
  charge(#text // 64)
  while true do
    local at = string.find(text, "$", from, true)
    if not at then break end
    local name, after = string.match(text, "^([%a_][%w_]*)()", at + 1)
    if not name then
      name, after = string.match(text, "^{([%a_][%w_]*)}()", at + 1)
    end
    out[#out + 1] = string.sub(text, from, at - 1)
    out[#out + 1] = looked_up(values, name)
    total, from = total + #out[#out], after
    safe.check_length(total, safe.LONGEST, "fill")
  end
  return table.concat(out) .. string.sub(text, from)
end

return M
