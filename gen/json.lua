-- JSON that has the same bytes in every process: keys in order, for files that
-- are kept. lua-cjson, which knows no order, reads it and writes the texts. An
-- empty table is an empty object.

local cjson = require "cjson"

local M = {}

local function number(value)
  if math.type(value) == "integer" then return ("%d"):format(value) end
  assert(value == value and math.abs(value) < math.huge)
  return ("%.17g"):format(value)
end

local encode

local function list(value)
  local parts = {}
  for i, item in ipairs(value) do parts[i] = encode(item) end
  return "[" .. table.concat(parts, ",") .. "]"
end

local function object(value)
  local names, parts = {}, {}
  for name in pairs(value) do names[#names + 1] = name end -- any order
  table.sort(names)
  for i, name in ipairs(names) do
    parts[i] = cjson.encode(name) .. ":" .. encode(value[name])
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

function encode(value)
  if type(value) == "number" then return number(value) end
  if type(value) ~= "table" then return cjson.encode(value) end
  if value[1] ~= nil then return list(value) end
  return object(value)
end

M.encode = encode

-- Whole numbers as integers, as they were written.
local function whole(value)
  if type(value) == "number" then return math.tointeger(value) or value end
  if type(value) ~= "table" then return value end
  local copy = {}
  for key, item in pairs(value) do copy[key] = whole(item) end -- any order
  return copy
end

-- A value, or nil where the text is none.
function M.decode(text)
  local well, value = pcall(cjson.decode, text)
  if well then return whole(value) end
end

return M
