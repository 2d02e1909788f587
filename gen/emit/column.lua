-- The values of templates/column.c.tpl and column.cu.tpl.

local block_lines = require "gen.c.block"
local colours = require "gen.emit.colours"
local cuda = require "gen.emit.cuda"
local edge = require "gen.emit.edge"
local functions = require "gen.emit.functions"
local hosts_of = require "gen.emit.hosts"
local kernel_view = require "gen.emit.kernel"
local lists = require "gen.list"
local march = require "gen.c.march"
local params = require "gen.c.params"
local place_of = require "gen.emit.place"
local text = require "gen.c.text"
local tiles = require "gen.c.tiles"

local M = {}

-- The body of the loop over levels, and what stands before it.
local function add_body(values, context, carries)
  local at = values.edge and edge.places(context, values.edge)
    or place_of.direct(context)
  local more = { start = {}, finish = {} }
  if carries then
    at, more = march.carrying(context, context.kernel.sweep, at)
  end
  at.width = 88
  local body = block_lines.join(block_lines.lines(context.lowered,
    context.kernel, context.block, context.names, at))
  if more.finish[1] then body[#body + 1] = "" end
  lists.append(body, more.finish)
  values.body, values.start = body, more.start
end

-- What both templates say of the sweep; it has one pass.
local function add_sweep(values, context)
  values.pass, values.colours = nil, nil
  values.dynamic, values.launch_bytes = nil, nil
  local sweep = context.kernel.sweep
  values.axis = sweep.axis
  values.direction = sweep.direction == "up" and "upwards" or "downwards"
  values.refused = context.plan.backend == "c" and "1"
    or "cudaErrorInvalidValue"
  values.position = context.plan.position - 1
  values.up = values.most_boxes > 1 and (sweep.direction == "up" and 1 or 0)
    or nil
end

local function first_level(sweep, lower, upper)
  return sweep.direction == "up" and lower or upper .. " - 1"
end

-- ---------------------------------------------------------------------------
-- On a GPU

local function grid(across, position)
  local lines = {}
  for i in ipairs(across) do
    local k = i < position and i - 1 or i
    lines[i] = ("(unsigned)quern_tiles(&list[b], TILE, %d)%s"):format(k,
      i < #across and "," or "")
  end
  return lines[1] and lines or { "1" }
end

-- With edges: only the fields that are found at the point itself have strides
-- of their own, and the launcher computes what boundaries add, too.
local function add_edges(values, context)
  local names, hosts, axes = context.names, context.hosts, context.axes
  edge.add_everywhere(values, context, "device")
  values.own_boxes = nil
  if not values.edge then return context.fields end
  local fields, arrays = values.edge.fields, context.arrays
  values.parameters = params.parameters(context.kernel, hosts, arrays, fields,
    axes, names)
  values.addresses = params.addresses(hosts, arrays, fields, axes, names)
  values.locals = params.locals(arrays, fields, names)
  values.hosts = hosts_of.lines(context, context.block.host)
  return fields
end

local function device(plan, lowered)
  local values, context = cuda.view(plan, lowered)
  local names, sweep = context.names, context.kernel.sweep
  local lower, upper = names.lower[sweep.axis], names.upper[sweep.axis]
  local fields = add_edges(values, context)
  values.outside = false
  if plan.across[1] then
    values.coordinates = text.coordinates(plan.across, plan.block_size, names)
    values.outside = text.outside(plan.across, names)
  end
  values.offsets = text.offsets(fields, names, "const index_t")
  add_body(values, context, true)
  if values.start[1] then
    table.insert(values.start, 1, ("const index_t first = %s;"):format(
      first_level(sweep, lower, upper)))
  end
  values.loop = march.loop(sweep, "index_t", names.axis[sweep.axis], lower,
    upper)
  values.grid = grid(plan.across, plan.position)
  if #plan.block_size == 0 then values.block = "1" end
  add_sweep(values, context)
  return values
end

-- ---------------------------------------------------------------------------
-- In C

local POINTS = "for (int64_t %s = tile->lower[%d]; %s < tile->upper[%d]; %s++)"
local TILES = "for (int64_t %s = box->lower[%d]; %s < box->upper[%d]; %s += "
  .. "TILE[%d])"

local function position_of(context, axis)
  for i, other in ipairs(context.axes) do
    if other.name == axis.name then return i - 1 end
  end
end

-- The loops over the columns of a tile, slowest first.
local function columns(context, form)
  local list, across = {}, context.plan.across
  for i = #across, 1, -1 do
    local name, k = context.names.axis[across[i].name],
      position_of(context, across[i])
    list[#list + 1] = form:format(name, k, name, k, name, k)
  end
  return list
end

-- { pad, text } for each loop, one in the other.
local function padded(list)
  local loops = {}
  for i, line in ipairs(list) do
    loops[i] = { pad = ("    "):rep(i - 1), text = line }
  end
  return loops
end

-- Where levels are contiguous each column marches by itself; else a row of
-- columns takes a level at a time.
local function add_loops(values, context, by_column)
  local sweep, k = context.kernel.sweep, context.plan.position - 1
  local lower = ("tile->lower[%d]"):format(k)
  local upper = ("tile->upper[%d]"):format(k)
  local list = columns(context, POINTS)
  table.insert(list, by_column and #list + 1 or 1, march.loop(sweep, "int64_t",
    context.names.axis[sweep.axis], lower, upper))
  values.outer = padded(list)
  values.inner = table.remove(values.outer)
  values.simd = not by_column
  if values.start[1] then
    table.insert(values.start, 1, ("const int64_t first = %s;"):format(
      first_level(sweep, lower, upper)))
  end
  local last = values.outer[#values.outer]
  if last then
    last.text, values.outer_pad = last.text .. " {", last.pad
  end
end

-- The loops over tiles; none where there is one column.
local function add_tiles(values, context)
  local names, lines, tiled = context.names, {}, columns(context, TILES)
  values.tile_count = #tiled
  if #tiled == 0 then return end
  tiled[#tiled] = tiled[#tiled] .. " {"
  values.tiles = padded(tiled)
  values.tile_pad = values.tiles[#tiled].pad
  values.tile = table.concat(context.plan.tile, ", ")
  for _, axis in ipairs(context.plan.across) do
    local name, k = names.axis[axis.name], position_of(context, axis)
    lines[#lines + 1] = ("tile.lower[%d] = %s;"):format(k, name)
    lines[#lines + 1] = ("tile.upper[%d] = quern_least(%s + TILE[%d], "
      .. "box->upper[%d]);"):format(k, name, k, k)
  end
  values.tile_limits = lines
end

local function host(plan, lowered)
  local values, context = kernel_view.view(plan, lowered)
  local by_column = plan.position == 1
  if context.block.edge then context.hosts = context.block.host end
  functions.add(values, context, false)
  colours.add(values, context, colours.HOST)
  edge.add_everywhere(values, context, "host")
  local fields = values.edge and values.edge.fields or context.fields
  values.parameters = tiles.parameters(context, values.args)
  values.locals = tiles.locals(context, fields)
  values.hosts = hosts_of.lines(context, context.hosts)
  values.call = tiles.call(context)
  values.offsets = text.offsets(fields, context.names, "const int64_t")
  add_body(values, context, by_column)
  add_loops(values, context, by_column)
  add_tiles(values, context)
  add_sweep(values, context)
  return values
end

function M.view(plan, lowered, options)
  return (options.backend == "c" and host or device)(plan, lowered)
end

return M
