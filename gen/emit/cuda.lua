-- What the CUDA shapes share: parameters, launcher, limits.

local host = require "gen.c.host"
local kernel_view = require "gen.emit.kernel"
local params = require "gen.c.params"
local statement = require "gen.c.statement"
local text = require "gen.c.text"

local M = {}

local GRID = { "INT32_MAX", "65535", "65535" }

local function joined(list) return table.concat(list, ", ") end

local function launcher_locals(context)
  local lines = params.locals(context.arrays, context.fields, context.names)
  local rows = host.rows(context.lowered, context.kernel, context.block,
    context.names)
  for _, line in ipairs(statement.columns(rows)) do
    lines[#lines + 1] = line
  end
  return lines
end

local function calls(e, fn)
  if e.op == "call" and e.fn == fn then return true end
  for _, child in ipairs(e) do
    if calls(child, fn) then return true end
  end
  return false
end

local function uses_sign(block)
  for _, list in ipairs { block.code, block.stores } do
    for _, entry in ipairs(list) do
      if calls(entry.value, "sign") then return true end
    end
  end
  return false
end

local function add_sign(values, context)
  values.signs = uses_sign(context.block)
  if values.signs then
    values.compute = context.kernel.compute
    values.sign_name = values.compute == "float" and "signf" or "sign"
    values.sign_prefix = "static __device__ __forceinline__"
  end
end

-- As emit/kernel.view, with the launcher's values.
function M.view(plan, lowered)
  local values, context = kernel_view.view(plan, lowered)
  local kernel, block = context.kernel, context.block
  local arrays, fields = context.arrays, context.fields
  local axes, names = context.axes, context.names
  add_sign(values, context)
  values.parameters = params.parameters(kernel, block, arrays, fields, axes,
    names)
  values.addresses = params.addresses(block, arrays, fields, axes, names)
  values.locals = launcher_locals(context)
  values.bounds = params.bounds(axes, names)
  values.grid = text.grid(#axes)
  values.grid_limits = joined(table.move(GRID, 1, #axes, 1, {}))
  values.block = joined(plan.block_size)
  values.threads = plan.threads
  values.tile = joined(plan.tile)
  values.margin = joined(plan.margin)
  values.more_checks = { "part/cuda_grid" }
  return values, context
end

return M
