-- Temporary fields: where they lie in the workspace, and what a kernel's file
-- says of those that it touches.

local access = require "gen.c.access"
local extent = require "gen.extent"
local slab = require "gen.emit.slab"
local words = require "gen.c.words"

local M = {}

-- The points of a field along each of its axes.
local function points(lowered, field)
  local index, list = {}, {}
  for i, axis in ipairs(lowered.axes) do index[axis] = i - 1 end
  for i, axis in ipairs(field.axes) do
    local extra = extent.extra(field, axis)
    list[i] = slab.stored(field, axis, ("a->n[%d]"):format(index[axis]))
      .. (extra ~= 0 and " + " .. extra or "")
  end
  return table.concat(list, ", ")
end

local function is_first(field)
  return not field.packed or field.packed.index == 0
end

-- A field of an array: where that begins, for interleaved ones an element each
-- further on.
local function part(field)
  local place = field.packed and field.packed.index or 0
  return { name = field.name, member = words.name(field.stored[1].name),
    begin = place == 0 and "begin"
      or ("begin + %d * sizeof(%s)"):format(place, access.type(field.type)) }
end

local function array_of(lowered, field)
  local size = ("sizeof(%s)"):format(access.type(field.type))
  local apart = field.packed and #field.packed.names or 1
  return { name = field.name, rank = #field.axes, apart = apart,
    points = points(lowered, field), fields = {},
    size = apart > 1 and apart .. " * " .. size or size }
end

-- All arrays of a module, in the order in which they lie in the workspace:
-- { name (of the first field), rank, points, size (of an element of each),
-- apart (how many interleave), fields = { { name, member, begin }.. } }.
function M.of_module(lowered)
  local list = {}
  for _, field in ipairs(lowered.fields) do
    if field.temporary then
      if is_first(field) then list[#list + 1] = array_of(lowered, field) end
      local fields = list[#list].fields
      fields[#fields + 1] = part(field)
    end
  end
  return list
end

-- Those among the arrays of a block, { name, member }.
function M.of_arrays(arrays)
  local list = {}
  for _, array in ipairs(arrays) do
    list[#list + 1] = array.field.temporary and { name = array.field.name,
      member = words.name(array.buffer) } or nil
  end
  return list
end

-- The names of the module's functions about them.
function M.functions(lowered)
  return { placed = lowered.instance .. "_placed",
           workspace = lowered.instance .. "_workspace" }
end

return M
