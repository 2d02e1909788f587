-- Finds in the source what a constructor was called with: its names, keys and
-- formulas. What is not there as a literal was built by Lua and has the place
-- of the call.

local diag = require "gen.diag"
local scan = require "gen.spec.scan"
local schema = require "gen.spec.schema"

local M = {}

local LONG = 8                  -- letters of a text looked for outside its call

local function scan_of(source)
  return scan.scan(source.text, schema.constructors, function(offset)
    return (diag.place { source = source, offset = offset })
  end)
end

-- The strings inside an argument, in no order that matters.
local function strings_in(value, out)
  if type(value) == "string" then
    out[#out + 1] = value
  elseif type(value) == "table" then
    for _, item in next, value do strings_in(item, out) end
  end
  return out
end

local function score(view, call, strings)
  local found = 0
  for _, text in ipairs(strings) do
    if scan.find_string(view, text, call.first, call.last) then
      found = found + 1
    end
  end
  return found
end

-- The call in the source that a noted call is: of those on its line, the first
-- that has most of its strings.
local function written_call(view, noted)
  local list = view.calls[noted.kind .. ":" .. noted.line] or {}
  if #list < 2 then return list[1] end
  local strings = strings_in(noted.argument, {})
  local best, most = nil, -1
  for _, call in ipairs(list) do
    local found = score(view, call, strings)
    if found > most then best, most = call, found end
  end
  return best
end

-- A finder for one noted call. `scans` caches the scans of the sources.
function M.new(scans, source, noted)
  scans[source] = scans[source] or scan_of(source)
  local view = scans[source]
  local call = written_call(view, noted)
  local pos = diag.line_position(source, noted.line)
  if call then pos = { source = source, offset = call.at } end
  return { view = view, source = source, call = call, pos = pos }
end

local function at_token(finder, index)
  return { source = finder.source, offset = finder.view.tokens[index].at }
end

-- The position of the next positional item, if it stands there as a literal.
function M.item(finder, value)
  local call = finder.call
  if not call then return finder.pos end
  local from, index = finder.next_item or call.first
  repeat
    index = scan.find_string(finder.view, value, from, call.last)
    from = (index or from) + 1
  until not index or call.items[index]
  if not index then return finder.pos end
  finder.next_item = from
  return at_token(finder, index)
end

-- The position of a key. Second: whether it is known.
function M.key(finder, key)
  local index = finder.call and finder.call.keys[key]
  if not index then return finder.pos, false end
  return at_token(finder, index), true
end

local function find_literal(finder, value, key)
  local call, view = finder.call, finder.view
  if not call then return nil end
  local from = call.keys[key] or call.first
  return scan.find_string(view, value, from, call.last)
    or scan.find_string(view, value, call.first, call.last)
    or #value >= LONG and scan.find_string(view, value, 1, #view.tokens)
    or nil
end

-- The position of a word under a key, that of the key if it is built.
function M.word(finder, value, key)
  local call = finder.call
  local from = call and (call.keys[key] or call.first) + 1
  local index = call and scan.find_word(finder.view, value, from, call.last)
  if index then return at_token(finder, index) end
  return (M.key(finder, key))
end

-- The shortest decimal of a number.
local function decimal(value)
  if math.tointeger(value) then
    return string.format("%d", math.tointeger(value))
  end
  for digits = 1, 17 do
    local text = string.format("%." .. digits .. "g", value)
    if tonumber(text) == value then return text end
  end
end

-- A formula: where it stands, or a source of its own.
function M.text(finder, value, key)
  if type(value) == "number" then value = decimal(value) end
  local index = find_literal(finder, value, key)
  if index then
    return { kind = "text", text = value, source = finder.source,
             offset = finder.view.tokens[index].at }
  end
  local from = key and M.key(finder, key) or finder.pos
  return { kind = "text", text = value, offset = 1,
           source = { name = finder.source.name, text = value, from = from } }
end

return M
