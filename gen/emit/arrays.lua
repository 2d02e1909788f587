-- The arrays that one block touches: one per buffer of a field, in the order
-- of the fields, oldest buffer first.

local extent = require "gen.extent"

local M = {}

-- What a boundary answers is not stored, so not reached.
local function widen(field, reach, offset)
  for _, axis in ipairs(field.axes) do
    local r, sides = reach[axis], field.boundary and field.boundary[axis] or {}
    local at = offset[axis] or 0
    if not sides.low then r[1] = math.max(r[1], -at) end
    if not sides.high then r[2] = math.max(r[2], at) end
  end
end

local function new(block, field, buffer, index)
  local reach, more = {}, {}
  for _, axis in ipairs(field.axes) do
    more[axis] = -extent.past(block, field, axis)
    reach[axis] = { 0, math.min(more[axis], 0) }
  end
  return { field = field, buffer = buffer.name, level = buffer.level,
           index = index, read = false, written = false, reach = reach,
           more = more }
end

-- Adds what a plan does with an array by itself.
local function add(array, more)
  if not more then return end
  array.read, array.written = array.read or more.read, array.written
    or more.written
  array.handed = more.handed
  for axis, reach in pairs(more.reach or {}) do -- any order
    local r = array.reach[axis]
    r[1], r[2] = math.max(r[1], reach[1]), math.max(r[2], reach[2])
  end
end

-- Gives the arrays of one buffer of one packed declaration one number.
local function number_groups(list)
  local known, count = {}, 0
  for _, array in ipairs(list) do
    local packed = array.field.packed
    local key = packed and packed.names[1] .. " " .. array.index
    if key and not known[key] then
      count = count + 1
      known[key] = count
    end
    array.group = known[key]
  end
  return list
end

-- { field, buffer, level, index (from 0, in its field), read, written,
--   reach = { x = { below, above } }, more = { x = points that it has more than
--   the kernel }, group = number of those that interleave with it, from 1, or
--   nil, handed }..
-- `also`, of a plan: what arrays are to its kernel beside that, by buffer, {
-- read, written, reach, handed = true if it is nobody else's }.
function M.list(lowered, block, also)
  local list = {}
  for _, field in ipairs(lowered.fields) do
    for i, buffer in ipairs(field.stored) do
      local array = new(block, field, buffer, i - 1)
      for _, load in ipairs(block.loads) do
        if load.buffer == buffer.name then
          array.read = true
          widen(field, array.reach, load.offset)
        end
      end
      for _, store in ipairs(block.stores) do
        if store.buffer == buffer.name then
          array.written = true
          array.read = array.read or store.adds ~= nil
        end
      end
      add(array, also and also[buffer.name])
      if array.read or array.written then list[#list + 1] = array end
    end
  end
  return number_groups(list)
end

-- The fields of a list of arrays, each once.
function M.fields(arrays)
  local list = {}
  for _, array in ipairs(arrays) do
    if list[#list] ~= array.field then list[#list + 1] = array.field end
  end
  return list
end

return M
