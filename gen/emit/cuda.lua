-- What the CUDA shapes share: parameters, launcher, limits.

local functions = require "gen.emit.functions"
local host = require "gen.c.host"
local kernel_view = require "gen.emit.kernel"
local params = require "gen.c.params"
local text = require "gen.c.text"

local M = {}

local function joined(list) return table.concat(list, ", ") end

-- As emit/kernel.view, with the launcher's values.
function M.view(plan, lowered)
  local values, context = kernel_view.view(plan, lowered)
  local kernel, block = context.kernel, context.block
  local arrays, fields = context.arrays, context.fields
  local axes, names = context.axes, context.names
  functions.add(values, context, true)
  values.parameters = params.parameters(kernel, block, arrays, fields, axes,
    names)
  values.addresses = params.addresses(block, arrays, fields, axes, names)
  values.locals = params.locals(arrays, fields, names)
  values.hosts = host.lines(lowered, kernel, block, names)
  values.bounds = params.bounds(axes, names)
  values.grid = text.grid(#axes)
  values.block = joined(plan.block_size)
  values.threads = plan.threads
  values.tile = joined(plan.tile)
  values.margin = joined(plan.margin)
  values.more_checks = { "part/cuda_grid" }
  return values, context
end

return M
