-- What a spec can call besides the constructors: parts of Lua's own library.
-- Nothing here loops for long inside C: the loops are Lua, which the budget
-- counts instruction by instruction, or are capped and charged for. `charge`
-- takes a number of instructions from the budget. This code runs while the
-- string metatable is the spec's: it uses no string methods.

local M = {}

local LONGEST = 1 << 20         -- bytes of a string that the library returns
local MOST = 10000              -- values unpacked at once

-- Without a place: that of the running line of the spec is put before it.
local function fail(message)
  error(message, 0)
end

local function show(value)
  local kind = type(value)
  if kind == "string" or kind == "number" or kind == "boolean"
     or kind == "nil" then
    return tostring(value)
  end
  return fail("a " .. kind .. " has no text")
end

local function check_string(value, what)
  if type(value) == "number" then return tostring(value) end
  if type(value) ~= "string" then
    fail(what .. ": wanted a string, found a " .. type(value))
  end
  return value
end

local function check_table(value, what)
  if type(value) ~= "table" then
    fail(what .. ": wanted a table, found a " .. type(value))
  end
  return value
end

-- ---------------------------------------------------------------------------
-- Order

local function merge(from, to, low, middle, high, less)
  local i, j = low, middle + 1
  for k = low, high do
    if j > high or (i <= middle and not less(from[j], from[i])) then
      to[k], i = from[i], i + 1
    else
      to[k], j = from[j], j + 1
    end
  end
end

-- A stable merge sort; whatever the comparison says, it ends.
local function sort(list, less)
  less = less or function(a, b) return a < b end
  local n, from, to, width = #list, list, {}, 1
  while width < n do
    for low = 1, n, 2 * width do
      merge(from, to, low, math.min(low + width - 1, n),
            math.min(low + 2 * width - 1, n), less)
    end
    from, to, width = to, from, 2 * width
  end
  if from ~= list then for i = 1, n do list[i] = from[i] end end
end

local RANK = { number = 1, string = 2, boolean = 3 }

local function key_before(a, b)
  local ra, rb = RANK[type(a)], RANK[type(b)]
  if ra ~= rb then return ra < rb end
  if ra == 3 then return not a and b end
  return a < b
end

-- pairs in the order of the keys: numbers, strings, false, true.
local function sorted_pairs(t)
  check_table(t, "pairs")
  local keys = {}
  for key in next, t do
    if not RANK[type(key)] then
      fail("pairs: a key that is a " .. type(key) .. " has no order")
    end
    keys[#keys + 1] = key
  end
  sort(keys, key_before)
  local i = 0
  return function()
    local key
    repeat
      i = i + 1
      key = keys[i]
    until key == nil or t[key] ~= nil
    return key, t[key]
  end
end

-- ---------------------------------------------------------------------------
-- Strings

local function byte(s, i, j)
  s, i = check_string(s, "byte"), i or 1
  j = j or i
  if j - i >= MOST or (j < 0 and #s >= MOST) then
    fail("byte: more than " .. MOST .. " values")
  end
  return string.byte(s, i, j)
end

local function rep(charge, s, n, separator)
  s, separator = check_string(s, "rep"), separator or ""
  local longest = (#s + #separator) * math.max(n, 0)
  if n > LONGEST or longest > LONGEST then
    fail("rep: the result would be longer than " .. LONGEST .. " bytes")
  end
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
    if conversion == "s" and i <= values.n then values[i] = show(values[i]) end
    if type(values[i]) == "string" then total = total + 4 * #values[i] end
  end
  if total > LONGEST then
    fail("format: the result would be longer than " .. LONGEST .. " bytes")
  end
  charge(total // 64)
  return string.format(text, table.unpack(values, 1, values.n))
end

local function strings(charge)
  return {
    byte = byte, char = string.char, len = string.len,
    lower = once(charge, "lower", string.lower),
    upper = once(charge, "upper", string.upper),
    sub = once(charge, "sub", string.sub),
    format = function(...) return format(charge, ...) end,
    rep = function(s, n, separator) return rep(charge, s, n, separator) end }
end

-- ---------------------------------------------------------------------------
-- Tables

local function concat(charge, list, separator, i, j)
  check_table(list, "concat")
  separator = separator or ""
  local total = 0
  for k = i or 1, j or #list do
    local kind = type(list[k])
    if kind ~= "string" and kind ~= "number" then
      fail("concat: item " .. k .. " is a " .. kind .. ", no string")
    end
    total = total + #tostring(list[k]) + #separator
    if total > 16 * LONGEST then
      fail("concat: the result would be longer than " .. 16 * LONGEST
            .. " bytes")
    end
  end
  charge(total // 64)
  return table.concat(list, separator, i, j)
end

local function insert(list, ...)
  check_table(list, "insert")
  local n = #list + 1
  if select("#", ...) == 1 then
    list[n] = ...
    return
  end
  local at, value = ...
  if math.type(at) ~= "integer" or at < 1 or at > n then
    fail("insert: position out of bounds")
  end
  for i = n, at + 1, -1 do list[i] = list[i - 1] end
  list[at] = value
end

local function remove(list, at)
  check_table(list, "remove")
  local n = #list
  if at == nil then at = n end
  if n == 0 and at == 0 then return nil end
  if math.type(at) ~= "integer" or at < 1 or at > n + 1 then
    fail("remove: position out of bounds")
  end
  local value = list[at]
  for i = at, n - 1 do list[i] = list[i + 1] end
  if at <= n then list[n] = nil end
  return value
end

local function unpack(list, i, j)
  check_table(list, "unpack")
  i, j = i or 1, j or #list
  if j - i >= MOST then fail("unpack: more than " .. MOST .. " values") end
  return table.unpack(list, i, j)
end

local function tables(charge)
  return {
    concat = function(...) return concat(charge, ...) end,
    insert = insert, remove = remove, pack = table.pack, unpack = unpack,
    sort = function(list, less) sort(check_table(list, "sort"), less) end }
end

-- ---------------------------------------------------------------------------

local function copy_of_math()
  local out = {}
  for name, value in next, math do out[name] = value end
  out.random, out.randomseed = nil, nil
  return out
end

local function looked_up(values, name)
  if not name then fail("fill: a $ without a name") end
  if values[name] == nil then
    fail("fill: the text names $" .. name .. ", but the values have no '"
          .. name .. "'")
  end
  return show(values[name])
end

-- `$name` and `${name}` in a text, replaced by values[name].
local function fill(charge, text, values)
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
    if total > LONGEST then
      fail("fill: the result would be longer than " .. LONGEST .. " bytes")
    end
  end
  return table.concat(out) .. string.sub(text, from)
end

-- A library whose unknown members are errors.
local function strict(members, name)
  return setmetatable(members, { __metatable = false, __index = function(_, key)
    fail(name .. " has no '" .. tostring(key) .. "' in a spec")
  end })
end

-- Fresh libraries for one spec.
function M.new(charge)
  return {
    ipairs = ipairs, pairs = sorted_pairs, type = type, tonumber = tonumber,
    tostring = function(value) return show(value) end, select = select,
    assert = assert, error = error, math = strict(copy_of_math(), "math"),
    string = strict(strings(charge), "string"),
    table = strict(tables(charge), "table"),
    fill = function(text, values) return fill(charge, text, values) end }
end

return M
