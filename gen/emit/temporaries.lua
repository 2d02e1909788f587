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

-- All of a module, in the order in which they lie in the workspace: { name,
-- member, rank, points, type }.
function M.of_module(lowered)
  local list = {}
  for _, field in ipairs(lowered.fields) do
    list[#list + 1] = field.temporary and { name = field.name,
      member = words.name(field.stored[1].name), rank = #field.axes,
      points = points(lowered, field), type = access.type(field.type) } or nil
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
