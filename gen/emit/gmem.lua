-- The values of templates/gmem.cu.tpl.

local access = require "gen.c.access"
local block_lines = require "gen.c.block"
local cuda = require "gen.emit.cuda"
local text = require "gen.c.text"

local M = {}

-- Loads and stores go straight to the arrays.
function M.places(context)
  local fields, names = {}, context.names
  for _, field in ipairs(context.fields) do fields[field.name] = field end
  local function place(at)
    return text.place(fields[at.field], at.offset or {}, names)
  end
  return {
    register = function() return nil end,
    element = function(load)
      return access.element(names.array[load.buffer], place(load),
        fields[load.field].type, context.kernel.compute)
    end,
    target = function(store)
      return access.at(names.array[store.buffer], place(store))
    end,
  }
end

function M.view(plan, lowered)
  local values, context = cuda.view(plan, lowered)
  local names = context.names
  values.coordinates = text.coordinates(context.axes, plan.block_size, names)
  values.outside = text.outside(context.axes, names)
  values.offsets = text.offsets(context.fields, names, "const index_t")
  values.body = block_lines.join(block_lines.lines(lowered, context.kernel,
    context.block, names, M.places(context)))
  return values
end

return M
