-- Plan parameters: their texts, their defaults, the name of a plan.

local diag = require "gen.diag"

local M = {}

local MOST = 1000000

-- "32x4x4" -> { 32, 4, 4 }, or nil. With a base, what is too long for a whole
-- number would be another number.
local function sizes(text)
  local list = {}
  for part in (text .. "x"):gmatch("(.-)x") do
    local size = part:match("^%d+$") and tonumber(part)
    if not size then return nil end
    list[#list + 1] = size
  end
  return list
end

-- A sentence about the first param that the shape does not know, or nil.
function M.unknown(shape, settings, params)
  local known, names, given = {}, {}, {}
  for i, setting in ipairs(settings) do
    known[setting.name], names[i] = true, setting.name
  end
  for name in pairs(params) do given[#given + 1] = name end -- any order
  table.sort(given)
  for _, name in ipairs(given) do
    if not known[name] then
      return ("%s: no param '%s'%s"):format(shape, name,
        diag.hint(name, names))
    end
  end
end

local WANTED = "%s: %s=%s: wanted %s, such as %s"
local BOUNDS = "%s: %s=%s: wanted %d to %d"

-- One value from its text, or nil and a sentence.
local function value_of(shape, setting, text)
  local count, list = #setting.default, sizes(text)
  local least, most = setting.least or 1, setting.most or MOST
  if not list or #list ~= count then
    return nil, WANTED:format(shape, setting.name, text,
      count == 1 and "a whole number" or count .. " whole numbers",
      table.concat(setting.default, "x"))
  end
  for _, size in ipairs(list) do
    if size < least or size > most then
      return nil, BOUNDS:format(shape, setting.name, text, least, most)
    end
  end
  return list
end

-- Each value read against the shape's settings, a list of
-- { name, default = { 32, 4, 4 }, least (1), most }, the bounds of single
-- numbers: { block = { 32, 4, 4 }, .. } or nil and a sentence.
function M.read(shape, settings, params)
  local values = {}
  for _, setting in ipairs(settings) do
    local text, value, wrong = params[setting.name], setting.default, nil
    if text then value, wrong = value_of(shape, setting, text) end
    if not value then return nil, wrong end
    values[setting.name] = value
  end
  return values
end

-- <instance>_<kernel>[_<region>]_<shape>_<block>[_<param><value>..].
function M.plan_name(lowered, kernel, block, shape, settings, values)
  local parts = { lowered.instance, kernel.name }
  if block.region then parts[#parts + 1] = block.region end
  parts[#parts + 1] = shape
  for _, setting in ipairs(settings) do
    local value = table.concat(values[setting.name], "x")
    if setting.name == "block" then
      parts[#parts + 1] = value
    elseif value ~= table.concat(setting.default, "x") then
      parts[#parts + 1] = setting.name .. value
    end
  end
  return table.concat(parts, "_")
end

return M
