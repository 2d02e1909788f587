-- Values of the command line: from texts to what passes take, each with a
-- sentence for what cannot be.

local lfs = require "lfs"

local M = {}

-- "NAME=VALUE".. as a table; a message where there is no "=".
function M.settings(list, option)
  local set = {}
  for _, text in ipairs(list or {}) do
    local name, value = text:match("^([%a][%w_]*)=(.*)$")
    if not name then
      return nil, ("%s %s: wanted NAME=VALUE"):format(option, text)
    elseif set[name] then
      return nil, ("%s %s: %s has the value %s already"):format(option, text,
        name, set[name])
    end
    set[name] = value
  end
  return set
end

local function shape_params(text)
  local params = {}
  for part in (text .. ","):gmatch("([^,]*),") do
    local name, value = part:match("^([%a][%w_]*)=([%w_]+)$")
    if not name then return nil, part end
    if params[name] then return nil, name .. " twice" end
    params[name] = value
  end
  return params
end

local SHAPE = "--shape %s: wanted [REGION:]NAME[:PARAM=V,..]"

-- "[REGION:]NAME[:PARAM=V,..]" as { region, name, params }.
function M.shape(text)
  local parts = {}
  for part in (text .. ":"):gmatch("([^:]*):") do parts[#parts + 1] = part end
  local params = {}
  if parts[#parts]:find("=", 1, true) then
    local wrong
    params, wrong = shape_params(table.remove(parts))
    if not params then return nil, SHAPE:format(text) .. ", found " .. wrong end
  end
  for _, part in ipairs(parts) do
    if not part:find("^[%a][%w_]*$") then return nil, SHAPE:format(text) end
  end
  if #parts == 0 or #parts > 2 then return nil, SHAPE:format(text) end
  return { region = parts[2] and parts[1], name = parts[#parts],
           params = params }
end

-- "512,512,512" as a list of whole numbers.
function M.size(text)
  local extents = {}
  for part in (text .. ","):gmatch("([^,]*),") do
    local extent = part:find("^%d+$") and math.tointeger(tonumber(part))
    if not extent then
      return nil, ("--size %s: wanted X,Y,Z, found '%s'"):format(text, part)
    end
    extents[#extents + 1] = extent
  end
  return extents
end

function M.each(list, convert)
  local values = {}
  for i, text in ipairs(list or {}) do
    local value, message = convert(text)
    if not value then return nil, message end
    values[i] = value
  end
  return values
end

-- Without repetitions, in the order given; `default` where there is none.
function M.distinct(list, default)
  local seen, values = {}, {}
  for _, value in ipairs(list or {}) do
    if not seen[value] then values[#values + 1] = value end
    seen[value] = true
  end
  if #values == 0 then values[1] = default end
  return values
end

local MESHES = { "^torus:%d+x%d+$", "^plane:%d+x%d+$",
                 "^icosahedron:R%d+B%d+$" }
local MESH = "%s: wanted torus:LONxLAT, plane:LONxLAT, icosahedron:RnBk or a "
  .. "file"

-- A mesh that can be made, or that is there to be read; `about` is what the
-- command line calls it.
function M.mesh(text, about)
  for _, form in ipairs(MESHES) do
    if text:find(form) then return text end
  end
  local kind = text:match("^(%a+):")
  local made = kind == "torus" or kind == "plane" or kind == "icosahedron"
  if not made and lfs.attributes(text, "mode") then return text end
  return nil, MESH:format(about)
end

local ORDERS = { near = true, rcm = true, curve = true, random = true }
local DOMAINS = { vertex = true, edge = true, cell = true }
local ORDER = "--reorder %s: no order '%s': near, rcm, curve, random, rcm:edge "
  .. "or several, by commas"

-- "random,rcm:edge", each an order and, if it is not by vertex, a domain.
function M.reorder(text)
  for part in (text .. ","):gmatch("([^,]*),") do
    local how, domain = part:match("^(%l+):?(%l*)$")
    local whole = domain == "" and how == part or DOMAINS[domain]
    if not (ORDERS[how] and whole) then return nil, ORDER:format(text, part) end
  end
  return text
end

function M.arch(text)
  if text:find("^sm_%d+a?$") then return text end
  return nil, ("--arch %s: wanted sm_NN"):format(text)
end

return M
