-- The values of templates/folded.c.tpl: tiles as those of blocked.

local edge = require "gen.emit.edge"
local folded_of = require "gen.c.folded"
local functions = require "gen.emit.functions"
local hosts_of = require "gen.emit.hosts"
local kernel_view = require "gen.emit.kernel"
local tiles = require "gen.c.tiles"

local M = {}

-- Which of a kernel's axes has its points, from 1.
local function axis_of_points(context)
  for i, axis in ipairs(context.axes) do
    if axis.name == context.kernel.domain then return i end
  end
end

-- What the lines of a function use of the arguments.
local function locals(context, ...)
  return tiles.locals(context, context.fields, { ... })
end

local function elements(groups)
  local list = {}
  for _, group in ipairs(groups) do
    for _, input in ipairs(group.inputs) do list[#list + 1] = input.element end
  end
  return list
end

local function targets(results)
  local list = {}
  for i, result in ipairs(results) do list[i] = result.target end
  return list
end

local function add_loops(values, context, plan)
  values.tile = table.concat(plan.tile, ", ")
  values.tiles = tiles.loops(context, "box", " += size[%d]", 0)
  values.tile_sizes = tiles.sizes(context)
  values.outer = tiles.loops(context, "tile", "++", -1)
  values.inner = table.remove(values.outer)
  values.tile_lower, values.tile_upper = tiles.tile(context)
  local at = axis_of_points(context)
  values.first_row = ("tile.lower[%d]"):format(at - 1)
  values.last_row = ("tile.upper[%d]"):format(at - 1)
  values.point_axis = context.axes[at].index
  values.points_there = ("(a->n[%d] + 31) / 32 * 32"):format(values.point_axis)
  values.gathers = at == 1
end

-- How the workspace lies: what belongs to a point side by side where levels
-- are, else point by point.
local function add_order(values, context, plan)
  local folded, side = plan.block.folded, axis_of_points(context) > 1
  local point = context.names.axis[context.kernel.domain]
  local function order(count)
    return (side and "[points][%d]" or "[%d][points]"):format(count)
  end
  local function row(count) return side and point .. " * " .. count or point end
  values.point = point
  values.pitch = side and "1" or "points"
  values.known_pitch = side and "1" or "folded->pitch"
  values.near_step = side and folded.slots or 1
  values.near_row, values.near_order = row(folded.slots), order(folded.slots)
  values.coefficient_row = row(folded.coefficients)
  values.coefficient_order = order(folded.coefficients)
end

-- `folded`: gen/emit/folded.lua.
function M.view(plan, lowered, folded)
  local values, context = kernel_view.view(plan, lowered)
  functions.add(values, context, false)
  values.hosts = hosts_of.lines(context, context.hosts)
  local k = context.names.axis[plan.level]
  folded.add_sums(values, context, plan, { level = k, of = "",
    element = function(input)
      return folded_of.direct(context, plan.block.folded, input, k)
    end })
  add_loops(values, context, plan)
  values.response_locals = locals(context, values.still, values.response)
  values.meeting_locals = locals(context, values.meetings)
  values.locals = locals(context, values.others, elements(values.groups),
    targets(values.results))
  edge.add_host(values, context)
  values.edge = nil
  add_order(values, context, plan)
  return values
end

return M
