-- The values of templates/gmem.cu.tpl.

local block_lines = require "gen.c.block"
local cuda = require "gen.emit.cuda"
local place_of = require "gen.emit.place"
local text = require "gen.c.text"

local M = {}

function M.view(plan, lowered)
  local values, context = cuda.view(plan, lowered)
  local names = context.names
  values.coordinates = text.coordinates(context.axes, plan.block_size, names)
  values.outside = text.outside(context.axes, names)
  values.offsets = text.offsets(context.fields, names, "const index_t")
  values.body = block_lines.join(block_lines.lines(lowered, context.kernel,
    context.block, names, place_of.direct(context)))
  return values
end

return M
