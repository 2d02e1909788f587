-- How the reference spells what the model names: scalars, arrays, sizes.

local slab = require "gen.c.reference_slab"
local words = require "gen.c.words"

local M = {}

-- The array that holds a time level: the newest may stand in for the oldest.
local function buffer_of(field, level)
  for _, buffer in ipairs(field.stored) do
    if buffer.level == level then return buffer.name end
  end
  return field.stored[1].name
end

-- { scalar(name), array(field, level) -> { name, member, strides } }.
function M.new(lowered)
  local fields = {}
  for _, field in ipairs(lowered.fields) do fields[field.name] = field end
  return {
    scalar = function(name) return "in->a->" .. words.name(name) end,
    array = function(field, level)
      local buffer = buffer_of(fields[field], level or 0)
      return { name = buffer, member = words.name(buffer),
        strides = field .. "_stride" }
    end }
end

-- How arguments at hand spell scalars.
M.plain = { scalar = function(name) return "a->" .. words.name(name) end }

-- The points that a field stores; position[axis] counts from 0.
function M.points(model, field, position)
  local list = {}
  for i, axis in ipairs(field.on) do
    list[i] = slab.count(model, field, axis,
      ("a->n[%d]"):format(position[axis]), "a")
  end
  return table.concat(list, " * ")
end

return M
