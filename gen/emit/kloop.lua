-- The values of templates/kloop.cu.tpl.

local block_lines = require "gen.c.block"
local cuda = require "gen.emit.cuda"
local kinds = require "gen.c.kinds"
local kept = require "gen.c.kept"
local lists = require "gen.list"
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

-- Which threads there are: values and context.
function M.context(plan, lowered)
  local values, context = cuda.view(plan, lowered)
  local names, level = context.names, plan.level
  local first = context.axes[1].name == level
  local point = context.axes[first and 2 or 1].name
  values.apart = first and plan.block_size[1] or false
  if first then cuda.turn_grid(values) end
  names.rows.index = "index_t"
  values.point, values.k = names.axis[point], names.axis[level]
  values.point_begin, values.point_end = names.lower[point], names.upper[point]
  values.k_begin, values.k_end = names.lower[level], names.upper[level]
  values.width, values.depth = table.unpack(plan.block_size)
  values.levels, values.unroll = plan.levels, plan.unroll
  values.strides = kinds.lines(names, plan, function(of)
    return rows.own_entry(of, names.rows)
  end)
  return values, context
end

-- Places in arrays: of the fields that change with the level, or of the others.
local function offsets(context, level, changing)
  local list = {}
  for _, field in ipairs(rows.direct_fields(context)) do
    local has = lists.contains(field.axes, level)
    list[#list + 1] = has == changing and field or nil
  end
  return text.offsets(list, context.names, "const index_t")
end

-- What is kept, and the lines of one level.
function M.add_levels(values, context, plan, lowered)
  local names, own = context.names, place_of.direct(context)
  local lines, register = kept.lines(context, plan.level, own.element,
    function(load) return block_lines.load_name(load, names) end)
  values.kept = lines
  values.still = offsets(context, plan.level, false)
  values.moving = offsets(context, plan.level, true)
  values.body = block_lines.join(block_lines.lines(lowered, context.kernel,
    context.block, names, places(context, register)))
end

-- What is found anew at each level: where it is too much for registers.
function M.add_unkept(values, context, _, lowered)
  local names = context.names
  values.kept, values.still = {}, {}
  names.rows.rolled = true
  values.moving = text.offsets(rows.direct_fields(context), names,
    "const index_t")
  values.body = block_lines.join(block_lines.lines(lowered, context.kernel,
    context.block, names, place_of.direct(context)))
end

function M.view(plan, lowered)
  local values, context = M.context(plan, lowered)
  M.add_levels(values, context, plan, lowered)
  return values
end

return M
