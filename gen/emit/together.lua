-- The values of templates/together.cu.tpl: those of each region's part as its
-- shape has them, and what the kernel hands to them.

local arrays_of = require "gen.emit.arrays"
local boxes = require "gen.emit.boxes"
local c_names = require "gen.c.names"
local functions = require "gen.emit.functions"
local head = require "gen.emit.head"
local hosts_of = require "gen.emit.hosts"
local kernel_view = require "gen.emit.kernel"
local lists = require "gen.list"
local params = require "gen.c.params"
local space = require "gen.schedule.space"
local temporaries = require "gen.emit.temporaries"
local text = require "gen.c.text"
local together = require "gen.c.together"

local M = {}

-- What the templates call their own.
local KEPT = { "regions", "block", "small", "allowed", "shared_planes",
  "dynamic_shared" }

-- The checks of a part by itself: its blocks are counted with all others.
local function own_checks(values)
  local list = {}
  for _, check in ipairs(values.more_checks) do
    list[#list + 1] = check ~= "part/cuda_grid" and check or nil
  end
  return list
end

-- The values of a part, the i-th; call: what its function is handed, in the
-- order of its parameters.
local function region_of(i, part, lowered, context)
  local values = require("gen.emit." .. part.shape).view(part, lowered)
  local arrays = arrays_of.list(lowered, part.block)
  values.name, values.number = part.region, i - 1
  values.space = together.space(part.region)
  values.kernel_text = "part/" .. part.template:gsub("%.cu$", "_kernel")
  values.more_checks = own_checks(values)
  values.call = params.names(hosts_of.code(part.block), arrays,
    arrays_of.fields(arrays), context.axes,
    together.seen(arrays, context.names))
  values.blocks = together.blocks(part, arrays, #context.axes)
  values.bytes = part.block.counts.bytes
  return values
end

local function filtered(list, key)
  local found = {}
  for _, item in ipairs(list) do
    found[#found + 1] = item[key] and item or nil
  end
  return found
end

-- The headers of all parts, each once.
local function headers_of(regions)
  local list, dynamic = {}, false
  for _, region in ipairs(regions) do
    dynamic = dynamic or region.dynamic
    for _, part in ipairs(region.headers or {}) do
      if not lists.contains(list, part) then list[#list + 1] = part end
    end
  end
  if dynamic and not list[1] then list[1] = "part/cuda_dynamic" end
  return list
end

-- The kernel's own scope: all arrays, all host values that some code has.
local function context_of(plan, lowered)
  local block, used = plan.block, {}
  local axes = space.axes(lowered, block)
  local arrays = arrays_of.list(lowered, block)
  for _, part in ipairs(plan.parts) do
    for _, host in ipairs(hosts_of.code(part.block)) do
      used[host.name] = true
    end
  end
  local hosts = {}
  for _, host in ipairs(block.host) do
    hosts[#hosts + 1] = used[host.name] and host or nil
  end
  local names = c_names.new(lowered, arrays, block, axes, KEPT)
  names.colour = {}
  return { plan = plan, lowered = lowered, kernel = plan.kernel, block = block,
    axes = axes, arrays = arrays, hosts = hosts, names = names,
    fields = arrays_of.fields(arrays) }
end

-- What the kernel and its launcher are, beside the regions.
local function add_kernel(values, context)
  local plan, names = context.plan, context.names
  local hosts, arrays, fields = context.hosts, context.arrays, context.fields
  values.threads, values.block = plan.threads, table.concat(plan.block_size,
    ", ")
  values.parameters = params.parameters(context.kernel, hosts, arrays, fields,
    {}, names)
  values.addresses = params.addresses(hosts, arrays, fields, {}, names)
  values.locals = params.locals(arrays, fields, names)
  values.hosts = hosts_of.lines(context, hosts)
  values.ends = together.ends(context.axes, names)
  functions.add(values, context, true)
end

-- What is asked for, and by which scalars regions are bounded.
local function add_domain(values, context)
  local deciding, most, lowered = {}, 0, context.lowered
  for _, part in ipairs(context.plan.parts) do
    local view, regions = boxes.view(lowered, context.kernel, part.block,
      context.axes)
    lists.append(deciding, regions)
    most = most + view.most_boxes
    for _, key in ipairs { "range_n", "range_lower", "range_upper" } do
      values[key] = view[key]
    end
  end
  values.most_all = most
  values.bound_scalars = kernel_view.bound_scalars(lowered, deciding)
  values.rank = #context.axes
  values.axis_names = text.quoted(kernel_view.axis_names(context.axes))
end

function M.view(plan, lowered)
  local context = context_of(plan, lowered)
  local values = head.view(context)
  values.plan, values.header = plan.name, lowered.instance .. ".h"
  values.args = lowered.instance .. "_args"
  values.mesh, values.placed = false, false
  values.uses_types = kernel_view.uses_types(context.fields)
  if temporaries.of_arrays(context.arrays)[1] then
    local functions_of = temporaries.functions(lowered)
    values.placed, values.workspace = functions_of.placed,
      functions_of.workspace
  end
  add_domain(values, context)
  add_kernel(values, context)
  local spaces = {}
  values.regions = {}
  for i, part in ipairs(plan.parts) do
    values.regions[i] = region_of(i, part, lowered, context)
    spaces[i] = values.regions[i].space
  end
  values.headers = headers_of(values.regions)
  local sharing = filtered(values.regions, "dynamic")
  values.edges = filtered(values.regions, "edge")
  values.dynamic, values.sharing = sharing[1] ~= nil, sharing[1] and sharing
  values.launch_bytes = values.dynamic and "sizeof(shared_planes)" or "0"
  values.fits = together.fit(spaces)
  return values
end

return M
