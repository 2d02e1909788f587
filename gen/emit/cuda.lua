-- What the CUDA shapes share: parameters, launcher, limits.

local colours = require "gen.emit.colours"
local edge = require "gen.emit.edge"
local functions = require "gen.emit.functions"
local hosts_of = require "gen.emit.hosts"
local kinds = require "gen.c.kinds"
local kernel_view = require "gen.emit.kernel"
local params = require "gen.c.params"
local text = require "gen.c.text"

local M = {}

local function joined(list) return table.concat(list, ", ") end

-- How far idle threads are from the domain, those of the edge kernel and what
-- they read too.
local function margin(plan, context)
  local list = { table.unpack(plan.margin) }
  for i, axis in ipairs(plan.edge and context.axes or {}) do
    list[i] = math.max(list[i], plan.edge.tile[i])
      + context.block.edge[axis.name][2]
  end
  return list
end

-- Adds how the text of a kernel begins, where templates have it in a part.
function M.add_entry(values, context)
  values.entry = params.entry(context.plan)
  values.threads = nil
end

-- A kernel whose launch asks for its shared memory, struct shared_planes.
function M.add_dynamic(values)
  values.dynamic, values.launch_bytes = true, "sizeof(shared_planes)"
  table.insert(values.more_checks, "part/cuda_shared_check")
end

-- Of points behind levels there may be more than a grid has blocks along y:
-- they are along x there.
function M.turn_grid(values)
  values.grid = { "(unsigned)quern_tiles(&list[b], TILE, 1),",
    "(unsigned)quern_tiles(&list[b], TILE, 0)" }
  values.more_checks = { "part/mesh_grid" }
end

-- As emit/kernel.view, with the launcher's values.
function M.view(plan, lowered)
  local values, context = kernel_view.view(plan, lowered)
  local kernel, hosts = context.kernel, context.hosts
  local arrays, fields = context.arrays, context.fields
  local axes, names = context.axes, context.names
  functions.add(values, context, true)
  colours.add(values, context, colours.DEVICE)
  values.parameters = params.parameters(kernel, hosts, arrays, fields, axes,
    names)
  values.addresses = params.addresses(hosts, arrays, fields, axes, names)
  values.locals = params.locals(arrays, fields, names)
  values.structs = kernel.domain and kinds.structs(names) or {}
  values.hosts = hosts_of.lines(context, hosts)
  values.bounds = params.bounds(axes, names, "list[b]")
  values.grid = text.grid(#axes, "TILE")
  values.block = joined(plan.block_size)
  values.threads = plan.threads
  values.tile = joined(plan.tile)
  values.margin = joined(margin(plan, context))
  values.more_checks = { "part/cuda_grid" }
  values.dynamic, values.launch_bytes = false, "0"      -- of shared memory
  edge.add_device(values, context)
  return values, context
end

return M
