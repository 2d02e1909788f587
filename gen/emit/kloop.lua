-- The values of templates/kloop.cu.tpl.

local block_lines = require "gen.c.block"
local cuda = require "gen.emit.cuda"
local kept = require "gen.c.kept"
local place_of = require "gen.emit.place"
local rows = require "gen.c.rows"
local text = require "gen.c.text"

local M = {}

-- As gmem's, but for what is kept.
local function places(context, register)
  local at = place_of.direct(context)
  at.register = register
  return at
end

function M.view(plan, lowered)
  local values, context = cuda.view(plan, lowered)
  local names, level = context.names, plan.level
  names.rows.index = "index_t"
  values.point = context.axes[1].name
  values.point = names.axis[values.point]
  values.point_begin = names.lower[context.axes[1].name]
  values.point_end = names.upper[context.axes[1].name]
  values.k, values.levels = names.axis[level], plan.levels
  values.k_begin, values.k_end = names.lower[level], names.upper[level]
  values.width, values.depth = table.unpack(plan.block_size)
  local own = place_of.direct(context)
  local lines, register = kept.lines(context, level, function(load)
    return own.element(load)
  end, function(load) return block_lines.load_name(load, names) end)
  values.kept = lines
  values.still, values.moving = {}, {}
  for _, field in ipairs(rows.direct_fields(context)) do
    local free = true
    for _, axis in ipairs(field.axes) do free = free and axis ~= level end
    table.insert(free and values.still or values.moving, field)
  end
  values.still = text.offsets(values.still, names, "const index_t")
  values.moving = text.offsets(values.moving, names, "const index_t")
  values.body = block_lines.join(block_lines.lines(lowered, context.kernel,
    context.block, names, places(context, register)))
  return values
end

return M
