-- The code of one block in C: which loads get a name, the statements, the
-- stores. A shape says where a load is found, this says the rest.

local entries = require "gen.entries"
local lists = require "gen.list"
local rows = require "gen.c.rows"
local statement = require "gen.c.statement"

local M = {}

local function count(e, uses)
  if e.op == "load" then uses[e.id] = (uses[e.id] or 0) + 1 end
  for _, child in ipairs(e) do count(child, uses) end
end

-- How often each load stands in the block, and whether it is read after a
-- store into its own array (then its value must be taken before).
local function survey(block)
  local uses, late = {}, {}
  entries.each(block.code, function(entry) count(entry.value, uses) end)
  for i, store in ipairs(block.stores) do
    count(store.value, uses)
    if i > 1 then count(store.value, late) end
  end
  return uses, late
end

-- The ids of the loads that get a name before the code.
local function named(block, places)
  local uses, late = survey(block)
  local written, ids = {}, {}
  for _, store in ipairs(block.stores) do written[store.buffer] = true end
  for _, load in ipairs(block.loads) do
    local again = (uses[load.id] or 0) > 1
    local wanted = places.named and places.named(load)
    local early = late[load.id] and written[load.buffer]
    if not places.register(load) and (again or wanted or early) then
      ids[load.id] = true
    end
  end
  return ids
end

-- The name that a load's value has in code.
function M.load_name(load, names)
  local name = load.name
  if not next(load.offset) and not load.place then name = name .. "_here" end
  names.load[load.id] = names.load[load.id] or names.claim(name)
  return names.load[load.id]
end

local function find_fields(lowered)
  local fields = {}
  for _, field in ipairs(lowered.fields) do fields[field.name] = field end
  return fields
end

-- The statements; a blank line sets a running sum or a loop off.
local function add_code(lines, code, style)
  local long = false
  for _, entry in ipairs(code) do
    local more = entry.loop and rows.loop(entry, style, add_code)
      or statement.code(entry, style)
    local sum = #more > 3
    if #lines > 0 and (sum or long) then lines[#lines + 1] = "" end
    for _, line in ipairs(more) do lines[#lines + 1] = line end
    long = sum
  end
end

-- Appends the lines of some code in a style.
M.add_code = add_code

-- How the code of a block is written: the style of statements. `places` and
-- `ids`: as M.lines has them; `taken`: what a loop has to load.
local function style_of(kernel, block, names, places, ids, taken)
  local by_id = {}
  for _, load in ipairs(block.loads) do by_id[load.id] = load end
  return { type = kernel.compute, width = places.width, texts = {},
    divide = places.divide,
    value = names.value, rows = names.rows, taken = taken,
    near = names.rows.variable,
    pattern = function(of) return names.value(of .. "_pattern") end,
    slot = function(slot)
      return math.type(slot) and tostring(slot) or names.value(slot)
    end,
    host = function(name) return names.host[name] end,
    load = function(id)
      local load = by_id[id]
      local register = places.register(load)
      if register then return register end
      return ids[id] and M.load_name(load, names)
        or places.element(load)
    end }
end

-- The same of a block all of whose loads have a register.
function M.style(kernel, block, names, places)
  return style_of(kernel, block, names, places, {})
end

-- { style, taken(entry, early) = the lines of the named loads of a loop (nil:
-- outside of all), ids = which loads have names }; places as M.lines has it.
function M.parts(lowered, kernel, block, names, places)
  local ids = named(block, places)
  -- The named loads of a loop, outside of all where it is nil: early ones, or
  -- the others. Several loops may have one variable for their slots.
  local function taken(entry, early)
    local list, used = {}, entry and entries.loads { entry }
    local slot = entry and entry.loop.slot
    for _, load in ipairs(block.loads) do
      local first = places.early and places.early(load) or false
      if ids[load.id] and load.loop == slot and first == early
         and (not used or used[load.id]) then
        list[#list + 1] = { ("const %s %s"):format(kernel.compute,
          M.load_name(load, names)), (" = %s;"):format(places.element(load)) }
      end
    end
    return statement.columns(list)
  end
  return { ids = ids, taken = taken, fields = find_fields(lowered),
    style = style_of(kernel, block, names, places, ids, taken) }
end

-- The lines of the stores; parts as M.parts gives them.
function M.stores(block, places, parts)
  local lines = {}
  for _, store in ipairs(block.stores) do
    lists.append(lines, statement.store(places.target(store),
      parts.fields[store.field].type, store.value, parts.style, store.adds))
  end
  return lines
end

-- places.register(load): the name of a variable that holds it already, or nil;
-- places.element(load): the text of where it is found; places.target(store):
-- the text of where it goes; places.named(load), if given: whether it has to
-- have a name; places.early(load), if given: whether it may be read where its
-- neighbour is missing, and so is before that is asked; places.width: columns
-- for a line; places.divide: how floats are divided, if not C's own way.
-- Gives { loads, code, stores }: lists of lines.
function M.lines(lowered, kernel, block, names, places)
  local parts = M.parts(lowered, kernel, block, names, places)
  local style, taken = parts.style, parts.taken
  local lines = { code = {} }
  lines.loads = lists.append(rows.neighbours(block.neighbours, names.rows),
    taken(nil, true))
  lists.append(lines.loads, taken(nil, false))
  add_code(lines.code, block.code, style)
  lines.stores = M.stores(block, places, parts)
  return lines
end

-- The three parts as one list, a blank line between those that are there.
function M.join(lines)
  local all = {}
  for _, part in ipairs { lines.loads, lines.code, lines.stores } do
    if #all > 0 and #part > 0 then all[#all + 1] = "" end
    for _, line in ipairs(part) do all[#all + 1] = line end
  end
  return all
end

return M
