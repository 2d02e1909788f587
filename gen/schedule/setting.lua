-- Plan parameters: their texts, their defaults, the name of a plan.

local diag = require "gen.diag"

local M = {}

local MOST = 1000000

-- "32x4x4" -> { 32, 4, 4 }, or nil.
local function sizes(text)
  local list = {}
  for part in (text .. "x"):gmatch("(.-)x") do
    local size = part:match("^%d+$") and tonumber(part, 10)
    if not size or size < 1 or size > MOST then return nil end
    list[#list + 1] = size
  end
  return list
end

-- Each value read against the shape's settings, a list of
-- { name, default = { 32, 4, 4 } }: { block = { 32, 4, 4 }, .. } or nil and
-- a sentence.
function M.read(shape, settings, params)
  local values, names = {}, {}
  for _, setting in ipairs(settings) do
    local text = params[setting.name]
    names[#names + 1] = setting.name
    values[setting.name] = text and sizes(text) or setting.default
    if text and (not sizes(text) or #sizes(text) ~= #setting.default) then
      return nil, ("%s: %s=%s: wanted %s, such as %s"):format(shape,
        setting.name, text, #setting.default == 1 and "a whole number"
        or #setting.default .. " whole numbers",
        table.concat(setting.default, "x"))
    end
  end
  local given = {}
  for name in pairs(params) do -- any order
    given[#given + 1] = name
  end
  table.sort(given)
  for _, name in ipairs(given) do
    if not values[name] then
      return nil, ("%s: no param '%s'%s"):format(shape, name,
        diag.hint(name, names))
    end
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
