-- What tuning found for one block of one kernel, kept in a file of its own. Two
-- lines: the record as JSON, and the hash of that line. A file is whole or not
-- there, many processes may write at once, and whatever is not as it was
-- written is a miss.

local hash = require "gen.spec.hash"
local json = require "gen.json"
local lfs = require "lfs"
local output = require "gen.output"

local M = { FORMAT = 2 }

-- What a record is about, in the order that it is hashed in.
local KEY = { "spec", "kernel", "region", "backend", "fp", "arch", "compiler",
              "device", "size_class", "mesh" }

local OPTIONAL = { region = true, mesh = true }

-- Beside the key, each with its type.
local FIELDS = { instance = "string", plan = "string", shape = "string",
  source = "string", params = "table", size = "table", median = "number",
  points_per_second = "number", ratio = "number", timed = "number",
  candidates = "number" }

-- The class of a size: along each axis the power of two that is nearest, on
-- the scale of powers.
function M.size_class(size)
  local classes = {}
  for i, n in ipairs(size) do
    local power = n > 0 and math.floor(math.log(n, 2) + 0.5) or 0
    classes[i] = ("%d"):format(1 << power)
  end
  return table.concat(classes, "x")
end

-- What a compiler and its flags (compile.recipe) are called in a record.
function M.compiler(recipe) return hash.of { recipe } end

local function key_of(record)
  local parts = { "record " .. M.FORMAT }
  for i, name in ipairs(KEY) do parts[i + 1] = tostring(record[name] or "") end
  return hash.of(parts)
end

local function prefix(instance, kernel, region, backend)
  local parts = { instance, kernel, region }
  parts[#parts + 1] = backend
  return table.concat(parts, "_") .. "_"
end

-- The name of a record's file.
function M.name(record)
  return prefix(record.instance, record.kernel, record.region, record.backend)
    .. key_of(record) .. ".json"
end

-- The text of a record's file.
function M.text(record)
  local line = json.encode(record)
  return line .. "\n" .. hash.of { line } .. "\n"
end

-- Whether each value of a table is of a type, and each name of another.
local function all_are(list, names, values)
  for name, value in pairs(list) do -- any order
    if type(name) ~= names or type(value) ~= values then return false end
  end
  return true
end

local function is_whole(record)
  if type(record) ~= "table" or record.format ~= M.FORMAT then return false end
  for name, wanted in pairs(FIELDS) do -- any order
    if type(record[name]) ~= wanted then return false end
  end
  for _, name in ipairs(KEY) do
    local there = type(record[name]) == "string"
    if not there and not OPTIONAL[name] then return false end
  end
  return all_are(record.params, "string", "string")
    and all_are(record.size, "number", "number")
end

-- The record of a text, or nil if it is not one, whole.
function M.parse(text)
  local line, sum = text:match("^([^\n]*)\n(%x+)\n$")
  if not line or hash.of { line } ~= sum then return nil end
  local record = json.decode(line)
  return is_whole(record) and record or nil
end

-- Publishes a record in a folder. Gives its path, or nil and a sentence.
function M.write(folder, record)
  local path = folder .. "/" .. M.name(record)
  local well, why = output.publish(path, M.text(record))
  if not well then return nil, why end
  return path
end

-- A record from its file, or nil: of another name it is another's.
function M.read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local record = M.parse(file:read("a") or "")
  file:close()
  if record and M.name(record) == path:match("[^/]+$") then return record end
end

-- The whole records of a folder that are about a block of an instance, for a
-- backend, in the order of their names: { record, path }.., and the paths of
-- those that are not whole.
function M.list(folder, instance, kernel, region, backend)
  local list, torn, names = {}, {}, {}
  if lfs.attributes(folder, "mode") ~= "directory" then return list, torn end
  local first = prefix(instance, kernel, region, backend)
  for name in lfs.dir(folder) do
    local rest = name:sub(1, #first) == first and name:sub(#first + 1) or ""
    if rest:find("^%x+%.json$") then names[#names + 1] = name end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local path = folder .. "/" .. name
    local record = M.read(path)
    if not record then
      torn[#torn + 1] = path
    elseif record.instance == instance and record.kernel == kernel
       and record.region == region then
      list[#list + 1] = { record = record, path = path }
    end
  end
  return list, torn
end

return M
