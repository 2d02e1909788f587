-- What a thread keeps while it goes through the levels of its point: the
-- neighbours, and the values that are the same at all levels. Those of a loop
-- over slots are arrays, which unrolled loops turn into registers.

local entries = require "gen.entries"
local indented = require("gen.c.text").indented
local lists = require "gen.list"
local rows = require "gen.c.rows"

local M = {}

-- Is a load's value the same at all levels?
local function is_level_free(context, load, level)
  return not lists.contains(context.by_name[load.field].axes, level)
end

-- Does a neighbour change with the loop that has this variable?
local function changes(k, near, slot)
  while near do
    if near.loop == slot then return true end
    near = near.row and k.names.rows.found[near.row]
  end
  return false
end

-- Is something to be filled here: for the first time, or where fewer loops may
-- have passed over it?
local function is_unfilled(k, text)
  return not k.text[text] or #k.inside < k.filled[text]
end

-- The state of one walk: `inside` = { { slot, count }.. } of the loops around.
-- `near`: the neighbour that it is, or where it is read (nil: at the point).
local function declare(k, type, name, text, near)
  local sizes, indices = {}, {}
  for _, loop in ipairs(k.inside) do
    if not loop.of or changes(k, near, loop.of) then
      sizes[#sizes + 1] = ("[%d]"):format(loop.count)
      indices[#indices + 1] = ("[%s]"):format(loop.slot)
    end
  end
  local again = k.text[text]
  k.text[text] = name .. table.concat(indices)
  k.filled[text] = #k.inside
  if again then return again .. " = %s;" end
  if #sizes > 0 then
    k.claimed[#k.claimed + 1] = name
    k.arrays[#k.arrays + 1] = ("%s %s%s;"):format(type, name,
      table.concat(sizes))
    return k.text[text] .. " = %s;"
  end
  return ("const %s %s = %%s;"):format(type, name)
end

-- Of a row that is found here it is the row that says so: a thread without a
-- point finds those of another, which its places know nothing of.
local function missing(k, name)
  return k.text[name] and k.text[name] .. " < 0"
    or rows.missing(name, k.names.rows)
end

-- The lines that find neighbours, and leave the turn of one that is missing.
local function find(k, list, guard)
  local lines, variable = {}, k.names.value
  for _, near in ipairs(list) do
    local place = rows.neighbour(near, k.names.rows)
    local wanted = not near.unsought and k.wanted(near)
    if wanted == "here" then
      k.text[near.name], k.filled[near.name] = variable(near.name), 0
      lines[#lines + 1] = ("const index_t %s = %s;"):format(
        k.text[near.name], place)
    elseif wanted and is_unfilled(k, near.name) then
      lines[#lines + 1] = declare(k, "index_t", variable(near.name),
        near.name, near):format(place)
    end
    if near.name == guard then
      lists.append(lines, { ("if (%s)"):format(missing(k, guard)),
        "    continue;" })
    end
  end
  return lines
end

-- The lines that load what a loop (nil: none) uses and changes with.
local function take(k, entry)
  local lines, used = {}, entry and entries.loads { entry }
  local slot = entry and entry.loop.slot
  for _, load in ipairs(k.context.block.loads) do
    if load.loop == slot and is_unfilled(k, "load " .. load.id)
       and (not used or used[load.id])
       and is_level_free(k.context, load, k.level) then
      k.loads[load.id] = load
      local form = declare(k, k.context.kernel.compute,
        k.load_name(load), "load " .. load.id,
        load.place and k.names.rows.found[load.place])
      lines[#lines + 1] = form:format(k.element(load))
    end
  end
  return lines
end

local collect

local function loop_lines(k, entry)
  local of = k.names.rows.of[entry.loop.table]
  table.insert(k.inside, { slot = k.names.value(entry.loop.slot),
    of = entry.loop.slot, count = of.count })
  local before = #k.arrays
  local body = find(k, entry.neighbours, entry.loop.guard)
  local keeps = lists.append(take(k, entry), collect(k, entry.code))
  table.remove(k.inside)
  if #keeps == 0 and #k.arrays == before then return {} end
  lists.append(body, keeps)
  return lists.joined(lists.append({ rows.head(entry.loop, k.names.rows) },
    indented(body)), { "}" })
end

-- The lines of the loops in some code.
function collect(k, code)
  local lines = {}
  for _, entry in ipairs(code) do
    if entry.loop then lists.append(lines, loop_lines(k, entry)) end
  end
  return lines
end

-- The lines that fill what is kept, before the levels, and those that declare
-- its arrays; from then on names.rows finds neighbours there, and
-- register(load) names a load that is kept, nil for others; and the names of
-- the arrays. level: its axis;
-- element(load), load_name(load). `around`: loops that these lines stand in,
-- { { slot = variable, count }.. }; wanted(near): is a neighbour's row wanted?
-- "here": by these lines alone (nil: always).
function M.parts(context, level, element, load_name, around, wanted)
  local k = { context = context, names = context.names, level = level,
    element = element, load_name = load_name, inside = around, arrays = {},
    claimed = {}, text = {}, filled = {}, loads = {},
    wanted = wanted or function() return true end }
  local variable = k.names.value
  k.names.rows.variable = function(name)
    return k.text[name] or variable(name)
  end
  local lines = find(k, context.block.neighbours)
  lists.append(lines, take(k, nil))
  local loops = collect(k, context.block.code)
  k.names.rows.kept = true
  return lines, loops, k.arrays,
    function(load) return k.text["load " .. load.id] end, k.claimed
end

-- The same of threads with one point, as one list of lines; and register.
function M.lines(context, level, element, load_name)
  local lines, loops, arrays, register = M.parts(context, level, element,
    load_name, {})
  lists.append(lines, arrays)
  return lists.append(lines, loops), register
end

return M
