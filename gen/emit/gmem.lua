-- The values of templates/gmem.cu.tpl.

local block_lines = require "gen.c.block"
local colours = require "gen.emit.colours"
local cuda = require "gen.emit.cuda"
local place_of = require "gen.emit.place"
local rows = require "gen.c.rows"
local text = require "gen.c.text"

local M = {}

-- The lines that find a thread's point.
local function coordinates(plan, context)
  local axes, names = context.axes, context.names
  if not context.forms[1] then
    return text.coordinates(axes, plan.block_size, names)
  end
  local ahead = colours.ahead(context, colours.DEVICE, function(_, axis)
    return names.lower[axis]
  end)
  return text.stepped_coordinates(axes, plan.block_size, names, ahead,
    plan.tile)
end

function M.view(plan, lowered)
  local values, context = cuda.view(plan, lowered)
  local names = context.names
  names.rows.index = "index_t"
  values.coordinates = coordinates(plan, context)
  values.outside = text.outside(context.axes, names,
    colours.tests(context, colours.DEVICE))
  values.offsets = text.offsets(rows.direct_fields(context), names,
    "const index_t")
  values.body = block_lines.join(block_lines.lines(lowered, context.kernel,
    context.block, names, place_of.direct(context)))
  return values
end

return M
