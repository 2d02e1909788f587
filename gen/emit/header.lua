-- The values of templates/header.h.tpl.

local head = require "gen.emit.head"
local layout = require "gen.c.layout"
local step = require "gen.emit.step"

local M = {}

function M.view(plans, lowered, options)
  local fields, names = {}, {}
  for i, field in ipairs(lowered.fields) do
    fields[i] = layout.members(field, options.backend == "reference")
  end
  for i, plan in ipairs(plans) do names[i] = plan.name end
  local values = {
    instance = lowered.instance, source = head.source(lowered),
    guard = lowered.instance:upper() .. "_H",
    axis_count = #lowered.model.axes,
    axis_list = table.concat(lowered.model.axes, ", "),
    fields = fields, scalars = layout.scalars(lowered.scalars), plans = names,
    has_step = step.plans(plans, lowered) ~= nil,
  }
  if values.has_step then
    values.step_list = table.concat(lowered.step, ", ")
  end
  return values
end

return M
