-- Turned tiles in C: the lines of one point, eight of whose levels lie side by
-- side. What is done for a level stands in loops over j, which are vectors;
-- what one such loop hands to another has an element for each level.

local access = require "gen.c.access"
local block_lines = require "gen.c.block"
local entries = require "gen.entries"
local indented = require("gen.c.text").indented
local lists = require "gen.list"
local rows = require "gen.c.rows"
local scopes = require "gen.c.scope"
local statement = require "gen.c.statement"

local M = {}

-- ---------------------------------------------------------------------------
-- Which values go from one loop over levels to another

local function seek_values(e, visit)
  if e.op == "value" then visit(e.name) end
  for _, child in ipairs(e) do seek_values(child, visit) end
end

-- Values that are used in another stretch of code than they are computed in: a
-- stretch ends where a loop over slots begins or ends. { [name] = true }
local function crossing(block)
  local stretch, made, cross = 1, {}, {}
  local function use(e)
    seek_values(e, function(name)
      if made[name] and made[name] ~= stretch then cross[name] = true end
    end)
  end
  local function walk(code)
    for _, entry in ipairs(code) do
      if entry.loop then
        stretch = stretch + 1
        walk(entry.code)
        for _, reduced in ipairs(entry.sums) do
          use(reduced.value)
          cross[reduced.name] = true
        end
        stretch = stretch + 1
      else
        use(entry.value)
        made[entry.name] = stretch
      end
    end
  end
  walk(block.code)
  for _, store in ipairs(block.stores) do use(store.value) end
  return cross
end

-- ---------------------------------------------------------------------------
-- Where values are

-- Neighbours whose number matters beside their place in the copies: what is
-- the same at all levels is read there, or they are compared, or may be
-- missing. { [name] = true }
local function numbered(e)
  local found = {}
  for _, load in ipairs(e.block.loads) do
    local field = e.context.by_name[load.field]
    local near = e.near[load.place]
    if near and not lists.contains(field.axes, e.level)
       and field.table ~= near.table then
      found[load.place] = true
    end
  end
  entries.each(lists.joined(e.block.code, e.block.stores), function(entry)
    entries.compared(entry.value, function(name) found[name] = true end)
  end)
  for _, near in pairs(e.near) do -- any order
    if near.row then found[near.row] = true end
  end
  return found
end

-- What the place of a neighbour is called.
local function at_of(e, name)
  e.at[name] = e.at[name] or e.names.claim(e.names.value(name) .. "_at")
  return e.at[name]
end

-- The point itself among its neighbours.
local function own_of(e)
  e.own = e.own or e.names.claim(e.names.axis[e.context.axes[1].name] .. "_at")
  return e.own
end

-- places.element of gen/c/block.lua; what changes with the level is at j.
local function element(e, load)
  local field, compute = e.context.by_name[load.field], e.context.kernel.compute
  if not lists.contains(field.axes, e.level) then return e.direct(load) end
  local place, array = e.names.axis[e.level] .. " + " .. e.j
  if e.near[load.place] or #field.axes == 2
     and not e.here_array[load.buffer] then
    local at = load.place and at_of(e, load.place) or own_of(e)
    return access.at(e.near_array[load.buffer], at .. " + " .. e.j)
  elseif #field.axes == 2 then
    place, array = e.here .. " + " .. e.j, e.here_array[load.buffer]
  else
    array = e.names.array[load.buffer]
  end
  return access.element(array, place, field.type, compute)
end

-- Named are values of before the loop alone: others are at hand.
local function places_of(e, places)
  local one = lists.copy(places)
  one.element = function(load) return element(e, load) end
  one.register = function(load)
    local field = e.context.by_name[load.field]
    return lists.contains(field.axes, e.level) and element(e, load) or nil
  end
  return one
end

-- "const int64_t near_edge_at = 8 * (int64_t)near.v2e[slot * 2048 + ..];"
local function place_line(e, near)
  local slot = near.slot or e.names.rows.variable(near.loop)
  return { "const int64_t " .. at_of(e, near.name),
    (" = 8 * (int64_t)%s;"):format(e.place(near, tostring(slot))) }
end

-- The lines of neighbours: their numbers, where these matter, and their places.
local function neighbour_lines(e, nears)
  local lines, list = {}, {}
  for i, near in ipairs(nears) do
    list[i] = lists.copy(near)
    list[i].unsought = not e.numbered[near.name] or nil
    if e.placed[near.name] then lines[#lines + 1] = place_line(e, near) end
  end
  return lists.append(rows.neighbours(list, e.names.rows),
    statement.columns(lines))
end

-- ---------------------------------------------------------------------------
-- Lines

local function each(e, lines, first)
  local head = { "QUERN_LEVELS",
    ("for (int %s = 0; %s < %d; %s++) {"):format(e.j, e.j, e.count, e.j) }
  return lists.append(first and {} or { "" },
    lists.append(head, lists.append(indented(lines), { "}" })))
end

local function add_entry(e, scope, entry)
  if e.cross[entry.name] then
    scopes.declare(e, scope, entry.name)
    scopes.assign(e, scope, entry.name, entry.value)
  else
    lists.append(scope.waiting, statement.code(entry, e.style))
  end
end

local add_code

-- A loop over slots: it is one for all levels.
local function add_loop(e, scope, entry)
  scopes.start(e, scope, entry)
  local inner, nears = scopes.open(), lists.joined(entry.neighbours, {})
  if entry.loop.guard then
    e.numbered[entry.loop.guard] = true
    local guard = table.remove(nears, 1)
    local lines = neighbour_lines(e, { guard })
    lists.append(inner.lines, { table.remove(lines, 1) })
    lists.append(inner.lines, rows.guard(entry.loop, e.names.rows))
    lists.append(inner.lines, lines)
  end
  lists.append(inner.lines, neighbour_lines(e, nears))
  lists.append(inner.lines, e.taken(entry))
  add_code(e, inner, entry.code)
  scopes.add(e, inner, entry)
  lists.append(scope.lines, { rows.head(entry.loop, e.names.rows) })
  lists.append(scope.lines, indented(scopes.close(e, inner)))
  scope.lines[#scope.lines + 1] = "}"
end

function add_code(e, scope, code)
  for _, entry in ipairs(code) do
    local add = entry.loop and add_loop or add_entry
    add(e, scope, entry)
  end
end

-- The style of statements in a loop over j.
local function style_of(e, style)
  local one = lists.copy(style)
  one.value = function(name)
    local text = style.value(name)
    return e.cross[name] and text .. "[" .. e.j .. "]" or text
  end
  return one
end

-- The neighbours at which something is read that changes with the level.
local function placed(e)
  local found = {}
  for _, load in ipairs(e.block.loads) do
    if e.near[load.place] and lists.contains(
        e.context.by_name[load.field].axes, e.level) then
      found[load.place] = true
    end
  end
  return found
end

-- The lines of one point. how = { j, here = names; near_array, here_array,
-- store_array = { [buffer] = name }, place(near, slot) = the text of where a
-- neighbour is in the copies, in points }.
function M.lines(lowered, context, places, how)
  local names, block = context.names, context.block
  local e = { context = context, names = names, block = block, j = how.j,
    here = how.here, near_array = how.near_array, place = how.place,
    here_array = how.here_array, level = context.axes[2].name,
    near = entries.neighbours(block), direct = places.element, at = {},
    cross = crossing(block), count = 8 }
  e.numbered, e.placed = numbered(e), placed(e)
  local parts = block_lines.parts(lowered, context.kernel, block, names,
    places_of(e, places))
  e.style = style_of(e, parts.style)
  e.vector = "quern_levels_" .. e.style.type
  e.taken = function(entry)
    return lists.append(parts.taken(entry, true), parts.taken(entry, false))
  end
  e.each = function(lines, first) return each(e, lines, first) end
  local scope = scopes.open()
  if e.own then
    scope.lines[1] = ("const int64_t %s = 8 * (%s - lower + lower %% 8);")
      :format(e.own, names.axis[context.axes[1].name])
  end
  lists.append(scope.lines, neighbour_lines(e, block.neighbours))
  lists.append(scope.lines, e.taken(nil))
  add_code(e, scope, block.code)
  for _, store in ipairs(block.stores) do
    local target = access.at(how.store_array[store.buffer], e.here .. " + "
      .. e.j)
    lists.append(scope.waiting, statement.store(target,
      context.by_name[store.field].type, store.value, e.style))
  end
  return scopes.close(e, scope)
end

return M
