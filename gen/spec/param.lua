-- The value of a param: its default, or what `--set` says. Runs inside a
-- spec's run, too: no string methods.

local M = {}

-- The value that a `--set` text stands for, of the type of the default.
local function converted(text, default)
  if type(default) == "number" then
    local value = tonumber(text)
    if not value or value - value ~= 0 then return nil, "a number" end
    if math.type(default) == "integer" then
      value = math.tointeger(value)
      if not value then return nil, "a whole number" end
    end
    return value
  elseif type(default) == "boolean" then
    if text == "true" then return true end
    if text == "false" then return false end
    return nil, "true or false"
  end
  return text
end

local function listed(values)
  local out = {}
  for i, v in ipairs(values) do out[i] = tostring(v) end
  return table.concat(out, ", ")
end

-- What is wrong with a value, or nil.
local function outside(value, keys)
  if type(value) == "string"
     and (not string.find(value, "^[%w_.+-]*$") or #value > 40) then
    return "wanted at most 40 letters, digits, _ . + or -"
  elseif keys.values then
    for _, v in ipairs(keys.values) do if v == value then return nil end end
    return "wanted one of " .. listed(keys.values)
  elseif keys.min and value < keys.min then
    return "wanted at least " .. keys.min
  elseif keys.max and value > keys.max then
    return "wanted at most " .. keys.max
  end
  return nil
end

-- The keys of a param agree with each other; else key and sentence.
local function disagreement(keys)
  local default = keys.default
  for _, key in ipairs { "min", "max" } do
    if keys[key] and type(default) ~= "number" then
      return key, string.format("'%s' needs a number as default", key)
    end
  end
  if keys.values and (keys.min or keys.max) then
    return "values", "wanted either 'values' or 'min' and 'max'"
  elseif keys.min and keys.max and keys.min > keys.max then
    return "min", string.format("min %s is above max %s", keys.min, keys.max)
  end
  for _, v in ipairs(keys.values or {}) do
    if type(v) ~= type(default) then
      return "values", "the values and the default are of different types"
    end
  end
  return nil
end

-- The value of a param with these (well typed) keys. Second, if something is
-- wrong: the key at fault (nil: `--set` is) and a sentence.
function M.value(name, keys, set)
  local key, problem = disagreement(keys)
  if problem then return keys.default, { key = key, message = problem } end
  problem = outside(keys.default, keys)
  if problem then
    return keys.default, { key = "default", message = string.format(
      "the default of '%s' is %s, %s", name, tostring(keys.default), problem) }
  end
  local text = set and set[name]
  if text == nil then return keys.default end
  local value, wanted = converted(text, keys.default)
  if value == nil then problem = "wanted " .. wanted
  else problem = outside(value, keys) end
  if problem then
    return keys.default, { message = string.format(
      "--set %s=%s: found %s, %s", name, text,
      text == "" and "nothing" or text, problem) }
  end
  return value
end

return M
