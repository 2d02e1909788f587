-- Values of the command line: from texts to what passes take, each with a
-- sentence for what cannot be.

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

function M.arch(text)
  if text:find("^sm_%d+a?$") then return text end
  return nil, ("--arch %s: wanted sm_NN"):format(text)
end

return M
