-- The values of templates/gmem.cu.tpl.

local block_lines = require "gen.c.block"
local colours = require "gen.emit.colours"
local cuda = require "gen.emit.cuda"
local kinds = require "gen.c.kinds"
local lists = require "gen.list"
local place_of = require "gen.emit.place"
local rows = require "gen.c.rows"
local several = require "gen.c.several"
local text = require "gen.c.text"

local M = {}

-- The lines that find a thread's point.
local function coordinates(plan, context)
  local axes, names = context.axes, context.names
  if not context.forms[1] then
    return text.coordinates(axes, plan.tile, names, context.index)
  end
  local ahead = colours.ahead(context, colours.DEVICE, function(_, axis)
    return names.lower[axis]
  end)
  return text.stepped_coordinates(axes, plan.block_size, names, ahead,
    plan.tile)
end

-- The code of a point, for the points of a thread that are there; a thread of
-- one point has ended where that is not.
local function add_code(values, context)
  local place = place_of.direct(context)
  place.width = context.rows.count > 1 and 84 or nil
  local lines = block_lines.join(block_lines.lines(context.lowered,
    context.kernel, context.block, context.names, place))
  values.ends = context.rows.count == 1
  if values.ends then
    values.outside = text.outside(context.axes, context.names,
      colours.tests(context, colours.DEVICE))
    values.body = lines
  else
    values.rows, values.along = context.rows.count, context.axes[2].name
    values.body = several.loop(context, several.inside(context, lines,
      text.inside(context.axes, context.names)))
  end
end

-- Where points lie behind levels the two take each other's place in the grid.
local function turn(values, context)
  if not context.kernel.domain or #context.axes ~= 2 then return end
  local first = context.lowered.model.spaces[context.axes[1].name]
  if first.kind == "domain" then return end
  for i, line in ipairs(values.coordinates) do
    values.coordinates[i] = line:gsub("blockIdx%.([xy])",
      { x = "blockIdx.y", y = "blockIdx.x" })
  end
  cuda.turn_grid(values)
end

function M.view(plan, lowered)
  local values, context = cuda.view(plan, lowered)
  cuda.add_entry(values, context)
  local names = context.names
  names.rows.index = "index_t"
  context.rows = several.new(context)
  values.coordinates = several.placed(context, coordinates(plan, context))
  turn(values, context)
  values.offsets = several.first(context, text.offsets(
    rows.direct_fields(context), names, "const index_t"))
  lists.append(values.offsets, kinds.lines(names, plan, function(of)
    return rows.own_entry(of, names.rows)
  end))
  add_code(values, context)
  return values
end

return M
