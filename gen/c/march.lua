-- How a column marches: the loop over its levels, and values that a thread has
-- just computed and still holds when the next level reads them.

local access = require "gen.c.access"
local block_lines = require "gen.c.block"
local statement = require "gen.c.statement"
local text = require "gen.c.text"

local M = {}

-- The step from a level to the one behind it.
local function behind(sweep) return sweep.direction == "up" and -1 or 1 end

-- "for (index_t k = k_begin; k < k_end; k++)".
function M.loop(sweep, type, name, lower, upper)
  if sweep.direction == "up" then
    return ("for (%s %s = %s; %s < %s; %s++)"):format(type, name, lower, name,
      upper, name)
  end
  return ("for (%s %s = %s - 1; %s >= %s; %s--)"):format(type, name, upper,
    name, lower, name)
end

-- How many levels behind a load is, if only that; nil where it is not.
local function distance(load, sweep)
  for axis in pairs(load.offset) do -- any order
    if axis ~= sweep.axis then return nil end
  end
  local along = (load.offset[sweep.axis] or 0) * behind(sweep)
  return along > 0 and along or nil
end

local function has_faces(block, field)
  for _, face in ipairs(block.faces or {}) do
    if face.field == field.name then return true end
  end
  return false
end

-- What is carried: { { store, field, depth, name = of the value just computed,
-- known = has it that name anyway,
-- registers = { [1] = name, .. } }.. }, one for each array that the block
-- stores and reads behind, in the type of the arithmetic, not across a face.
local function find(context, sweep)
  local list = {}
  for _, store in ipairs(context.block.stores) do
    local field, deepest = context.by_name[store.field], 0
    for _, load in ipairs(context.block.loads) do
      local away = load.buffer == store.buffer and distance(load, sweep) or 0
      deepest = math.max(deepest, away)
    end
    if deepest > 0 and field.type == context.kernel.compute
       and not has_faces(context.block, field) then
      local known = store.value.op == "value"
      list[#list + 1] = { store = store, field = field, depth = deepest,
        known = known, registers = {}, name = known
          and context.names.value(store.value.name)
          or context.names.claim(store.buffer .. "_new") }
    end
  end
  return list
end

-- A register is called like the load that it stands for.
local function name_registers(context, sweep, one)
  for _, load in ipairs(context.block.loads) do
    local away = load.buffer == one.store.buffer and distance(load, sweep)
    if away then
      one.registers[away] = block_lines.load_name(load, context.names)
    end
  end
  for away = 1, one.depth do
    one.registers[away] = one.registers[away]
      or context.names.claim(("%s_behind_%d"):format(one.store.buffer, away))
  end
end

-- Where a value is that the level before the first has.
local function start_rows(context, sweep, one)
  local rows, names, field = {}, context.names, one.field
  local base = text.offset(field, names, { [sweep.axis] = "first" })
  local stride = names.stride[field.name][sweep.axis]
  for away = one.depth, 1, -1 do
    rows[#rows + 1] = { ("%s %s"):format(context.kernel.compute,
      one.registers[away]), (" = %s;"):format(access.at(
      names.array[one.store.buffer],
      access.offset(base, { { away * behind(sweep), stride } }))) }
  end
  return rows
end

-- After a level: the value goes to memory, unless it did, and the registers
-- move on.
local function end_lines(context, one)
  local names, lines = context.names, {}
  if not one.known then
    lines[1] = ("%s = %s;"):format(access.at(names.array[one.store.buffer],
      text.place(one.field, {}, names)), one.name)
  end
  for away = one.depth, 2, -1 do
    lines[#lines + 1] = ("%s = %s;"):format(one.registers[away],
      one.registers[away - 1])
  end
  lines[#lines + 1] = ("%s = %s;"):format(one.registers[1], one.name)
  return lines
end

-- Wraps the places of gen/c/block.lua for a loop in which arrays are carried.
-- Gives them and { start = lines before the loop, finish = lines at its end }.
function M.carrying(context, sweep, places)
  local carried, by_buffer = find(context, sweep), {}
  local list, start, finish = {}, {}, {}
  for key, value in pairs(places) do list[key] = value end -- any order
  for _, one in ipairs(carried) do
    name_registers(context, sweep, one)
    by_buffer[one.store.buffer] = one
    for _, row in ipairs(start_rows(context, sweep, one)) do
      start[#start + 1] = row
    end
    for _, line in ipairs(end_lines(context, one)) do
      finish[#finish + 1] = line
    end
  end
  list.register = function(load)
    local one, away = by_buffer[load.buffer], distance(load, sweep)
    return one and away and one.registers[away] or places.register(load)
  end
  list.target = function(store)
    local one = by_buffer[store.buffer]
    if not one or one.known then return places.target(store) end
    return ("const %s %s"):format(context.kernel.compute, one.name)
  end
  return list, { start = statement.columns(start), finish = finish }
end

return M
