-- Any intermediate as stable text: keys in order (numbers, then strings),
-- positions as file:line:column, sources by name, and of a table within itself
-- where it began: "<kernels[1].blocks[1]>". Two runs, two machines, two locales
-- give the same bytes.

local diag = require "gen.diag"

local M = {}

local WIDTH = 100               -- a table that fits stands on one line

local function number(value)
  if math.type(value) == "integer" then return string.format("%d", value) end
  for digits = 14, 17 do
    local text = string.format("%." .. digits .. "g", value)
    if tonumber(text) == value then return text end
  end
  return string.format("%.17g", value)          -- inf and nan
end

local ESCAPES = { ["\n"] = "\\n", ["\t"] = "\\t", ["\\"] = "\\\\",
                  ['"'] = '\\"' }

local function quoted(text)
  return '"' .. string.gsub(text, '[%c\\"]', function(c)
    return ESCAPES[c] or string.format("\\x%02x", string.byte(c))
  end) .. '"'
end

local TYPE_RANK = { number = 1, string = 2, boolean = 3 }

local function before(a, b)
  local ra, rb = TYPE_RANK[type(a)], TYPE_RANK[type(b)]
  if ra ~= rb then return ra < rb end
  if ra == 3 then return not a and b end
  return a < b
end

-- The keys that are not 1..#value, in order.
local function other_keys(value)
  local keys = {}
  for key in next, value do
    assert(TYPE_RANK[type(key)], "dump: a key of type " .. type(key))
    local item = math.type(key) == "integer" and key >= 1 and key <= #value
    if not item then keys[#keys + 1] = key end
  end
  table.sort(keys, before)
  return keys
end

local function label(key)
  if type(key) == "string" and string.find(key, "^[%a_][%w_]*$") then
    return key
  end
  return "[" .. (type(key) == "string" and quoted(key) or tostring(key)) .. "]"
end

local function is_source(value)
  return type(value.name) == "string" and type(value.text) == "string"
    and value.kind == nil
end

local function is_position(value)
  return type(value.source) == "table" and value.offset and not value.kind
end

local function leaf(value)
  local kind = type(value)
  if kind == "number" then return number(value) end
  if kind == "string" then return quoted(value) end
  if kind ~= "table" then return tostring(value) end
  if is_position(value) then return "<" .. diag.where(value) .. ">" end
  if is_source(value) then return "<source " .. value.name .. ">" end
  return nil
end

local render

-- Where an entry lies: "kernels[1].name".
local function below(path, key)
  local name = label(key)
  if name:find "^%[" then return path .. name end
  return path == "" and name or path .. "." .. name
end

local function entries(value, indent, open)
  local out, path = {}, open[value]
  for i, item in ipairs(value) do
    out[#out + 1] = render(item, indent, open, below(path, i))
  end
  for _, key in ipairs(other_keys(value)) do
    out[#out + 1] = label(key) .. " = "
      .. render(value[key], indent, open, below(path, key))
  end
  return out
end

-- `open`: the tables around this one, and where each lies.
local function block(value, indent, open, path)
  if open[value] then
    return "<" .. (open[value] == "" and "all" or open[value]) .. ">"
  end
  open[value] = path
  local inner = indent .. "  "
  local list = entries(value, inner, open)
  open[value] = nil
  if #list == 0 then return "{}" end
  local line = "{ " .. table.concat(list, ", ") .. " }"
  if #indent + #line <= WIDTH and not string.find(line, "\n", 1, true) then
    return line
  end
  return "{\n" .. inner .. table.concat(list, ",\n" .. inner)
    .. "\n" .. indent .. "}"
end

function render(value, indent, open, path)
  return leaf(value) or block(value, indent, open, path)
end

function M.text(value)
  return render(value, "", {}, "") .. "\n"
end

return M
