-- The Lua types that keys of declarations take. A type is a table: `wanted`,
-- words for a message; `accept(value)`, whether a value is of the type.

local M = {}

local function new(wanted, accept)
  return { wanted = wanted, accept = accept }
end

local function is_whole(value)
  return type(value) == "number" and math.tointeger(value) ~= nil
    and math.abs(value) <= 1000000
end

local function is_finite(value)
  return type(value) == "number" and value - value == 0
end

local function is_string(value) return type(value) == "string" end

local function is_formula(value) return is_string(value) or is_finite(value) end

-- A table with the keys 1..#value only.
local function is_list(value)
  if type(value) ~= "table" then return false end
  local count = 0
  for _ in next, value do count = count + 1 end
  return count == #value
end

local function is_list_of(accept, least, most)
  return function(value)
    if not is_list(value) or #value < least then return false end
    if most and #value > most then return false end
    for _, item in ipairs(value) do
      if not accept(item) then return false end
    end
    return true
  end
end

-- A table from names to what is accepted.
local function is_map_of(accept)
  return function(value)
    if type(value) ~= "table" or next(value) == nil then return false end
    for key, item in next, value do
      if type(key) ~= "string" or not accept(item) then return false end
    end
    return true
  end
end

function M.one_of(...)
  local words, set = {}, {}
  for i, word in ipairs { ... } do
    set[word] = true
    words[i] = type(word) == "string" and '"' .. word .. '"' or tostring(word)
  end
  local last = table.remove(words)
  local wanted = #words > 0 and table.concat(words, ", ") .. " or " .. last
    or last
  local out = new(wanted, function(value) return set[value] == true end)
  out.words = { ... }
  return out
end

function M.at_least(least)
  return new("a whole number, at least " .. least, function(value)
    return is_whole(value) and value >= least
  end)
end

M.name = new("a name", is_string)
M.formula = new("a formula", is_formula)
M.number = new("a number", is_finite)
M.boolean = new("true or false", function(v) return type(v) == "boolean" end)
M.names = new('a list of names { "x", .. }', is_list_of(is_string, 1))
M.chained_names = new("a list of two names or more",
  is_list_of(is_string, 2))
M.formulas = new("a list of formulas", is_list_of(is_formula, 1))
M.range = new("two numbers { low, high }, low not above high", function(v)
  return is_list_of(is_finite, 2, 2)(v) and v[1] <= v[2]
end)
M.spacing = new("a list of names or positive numbers", is_list_of(function(v)
  return is_string(v) or is_finite(v) and v > 0
end, 1))

local function is_value(v)
  return is_string(v) or is_finite(v) or type(v) == "boolean"
end
M.value = new("a number, a string, true or false", is_value)
M.values = new("a list of values { a, b, .. }", is_list_of(is_value, 1))

-- Positions of a field within a cell.
M.position = new("half steps per axis { x = 1/2 }", is_map_of(function(v)
  return v == 0.5 or v == -0.5 or v == 0
end))
M.widths = new("whole numbers from 0 on per axis { x = 1 }", is_map_of(
  function(v) return is_whole(v) and v >= 0 end))

M.levels = new("consecutive levels from -9 .. 0 to 0 or 1, as { -1, 0, 1 }",
  function(v)
    if not is_list_of(is_whole, 1)(v) then return false end
    for i = 2, #v do if v[i] ~= v[i - 1] + 1 then return false end end
    return v[1] >= -9 and v[1] <= 0 and v[#v] >= 0 and v[#v] <= 1
  end)

local function is_order(v) return is_whole(v) and v >= 1 end
M.order = new("a whole number, or one per axis { x = 4 }", function(v)
  return is_order(v) or is_map_of(is_order)(v)
end)

M.offsets = new("a list of whole or half numbers", is_list_of(function(v)
  return is_finite(v) and is_whole(2 * v)
end, 1))

M.taps = new("a list of entries { i, j, .., weight }", is_list_of(function(v)
  if not is_list(v) or #v < 2 or not is_formula(v[#v]) then return false end
  for i = 1, #v - 1 do if not is_whole(v[i]) then return false end end
  return true
end, 1))

M.pattern = new("a list of lists of whole numbers from 0", is_list_of(
  is_list_of(function(v) return is_whole(v) and v >= 0 end, 1), 1))

local bounds = is_list_of(is_formula, 2, 2)
M.bounds = new("two bounds { low, high }", bounds)
M.shell = new("a width, or two per axis { x = { low, high } }", function(v)
  return is_formula(v) or is_map_of(bounds)(v)
end)

-- A short list of plain values as Lua text; nil if it is anything else.
local function show_list(value)
  local out = {}
  for i, item in ipairs(is_list(value) and value or {}) do
    if i > 6 or not is_value(item) then return nil end
    out[i] = M.show(item)
  end
  return #out > 0 and "{ " .. table.concat(out, ", ") .. " }" or nil
end

-- The same of a table from names to plain values.
local function show_map(value)
  local keys, out = {}, {}
  for key, item in next, value do
    if type(key) ~= "string" or not is_value(item) then return nil end
    keys[#keys + 1] = key
  end
  if #keys > 6 then return nil end
  table.sort(keys)
  for i, key in ipairs(keys) do
    out[i] = ("%s = %s"):format(key, M.show(value[key]))
  end
  return "{ " .. table.concat(out, ", ") .. " }"
end

-- How a value that was found is shown.
function M.show(value)
  local kind = type(value)
  if kind == "string" then
    if #value > 40 then value = string.sub(value, 1, 37) .. ".." end
    return '"' .. string.gsub(value, "%c", " ") .. '"'
  elseif value ~= value then
    return "nan"
  elseif kind == "number" then
    return string.format("%.14g", value)
  elseif kind == "boolean" or kind == "nil" then
    return tostring(value)
  elseif kind == "table" and next(value) == nil then
    return "an empty table"
  end
  return kind == "table" and (show_list(value) or show_map(value))
    or "a " .. kind
end

return M
