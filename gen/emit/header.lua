-- The values of templates/header.h.tpl.

local head = require "gen.emit.head"
local launches = require "gen.emit.launches"
local lists = require "gen.list"
local layout = require "gen.c.layout"
local mesh = require "gen.c.mesh"
local passes = require "gen.emit.passes"
local step = require "gen.emit.step"
local shares = require "gen.emit.shares"
local tiles = require "gen.emit.tiles"
local temporaries = require "gen.emit.temporaries"

local M = {}

local function first_stride(lowered)
  for _, field in ipairs(lowered.fields) do
    if field.packed then return "1, or as said" end
  end
  return "1"
end

-- What callers have to know of two steps at once, or false.
local function twice_of(plans)
  local twice = step.twice(plans)
  if not twice then return false end
  if twice.alike then
    return { note = {
      ("/* Two time steps at once: the same bits where all levels of %s have "
        .. "the same halo, and the"):format(twice.field),
      " * same values at all points that are not updated. */" } }
  end
  return { note = twice.kept and {
    "/* Two time steps at once: every array is as two steps leave it. */" }
    or { ("/* Two time steps at once: the same bits in %s. The first reads its "
        .. "halo, the second that"):format(twice.field),
      " * of the next level; then the two arrays have changed places, once. */"
    } }
end

function M.view(plans, lowered, options)
  local fields, functions = {}, {}
  for i, field in ipairs(lowered.fields) do
    fields[i] = layout.members(field, options.backend == "reference")
  end
  for i, plan in ipairs(plans) do
    functions[i] = { name = plan.name, moves = plan.parts ~= nil,
      apart = passes.apart(plan), marches = plan.shape == "column",
      tiled = plan.tiling ~= nil, prepares = plan.prepares or false }
  end
  local called = launches.list(plans, lowered)
  local values = {
    instance = lowered.instance, source = head.source(lowered),
    guard = lowered.instance:upper() .. "_H",
    axis_count = #lowered.axes,
    axis_list = table.concat(lowered.axes, ", "),
    first_stride = first_stride(lowered),
    tables = lists.joined(mesh.members(lowered, plans),
      lists.joined(tiles.lines(plans, lowered), shares.lines(plans, lowered))),
    fields = fields, scalars = layout.scalars(lowered.scalars),
    launches = called, plans = functions,
    temporaries = temporaries.of_module(lowered)[1] ~= nil,
    has_step = step.launches(called, lowered) ~= nil,
    prepares = lists.find(plans, "prepares", true) ~= nil,
  }
  values.twice = twice_of(plans)
  if values.has_step then
    values.step_list = table.concat(lowered.step, ", ")
  end
  return values
end

return M
