-- The values of templates/together.c.tpl.

local arrays_of = require "gen.emit.arrays"
local head = require "gen.emit.head"
local temporaries = require "gen.emit.temporaries"

local M = {}

function M.view(plan, lowered)
  local values = head.view { plan = plan, lowered = lowered,
    kernel = plan.kernel, block = plan.block }
  values.plan, values.header = plan.name, lowered.instance .. ".h"
  values.args = lowered.instance .. "_args"
  values.placed, values.parts = false, {}
  for i, part in ipairs(plan.helpers) do values.parts[i] = part.name end
  local arrays = arrays_of.list(lowered, plan.block)
  if temporaries.of_arrays(arrays)[1] then
    values.workspace = temporaries.functions(lowered).workspace
    values.placed = true
  end
  return values
end

return M
