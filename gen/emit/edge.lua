-- The kernel for the points next to faces without a halo: the block's own code,
-- in which what may lie beyond such a face is read by a function of the index.

local access = require "gen.c.access"
local block_lines = require "gen.c.block"
local boxes = require "gen.emit.boxes"
local colours = require "gen.emit.colours"
local edge_text = require "gen.c.edge"
local extent = require "gen.extent"
local hosts_of = require "gen.emit.hosts"
local lists = require "gen.list"
local params = require "gen.c.params"
local place_of = require "gen.emit.place"
local text = require "gen.c.text"
local tiles = require "gen.c.tiles"

local M = {}

-- Does the load cross a face of its field?
local function crosses(context, face, load)
  local field = context.by_name[load.field]
  for _, axis in ipairs(face and face.axes or {}) do
    local offset = load.offset[axis.axis] or 0
    local above = offset + extent.past(context.block, field, axis.axis)
    if offset < 0 and axis.low or above > 0 and axis.high then return true end
  end
  return false
end

-- As gmem's places, but for what crosses a face.
local function places(context, edge)
  local own, list = place_of.direct(context), {}
  for key, value in pairs(own) do -- any order
    list[key] = value
  end
  local function across(load)
    return crosses(context, edge.face[load.field], load)
  end
  list.named = function(load) return across(load) or own.named(load) end
  list.element = function(load)
    if not across(load) then return own.element(load) end
    return ("%s(%s, &edge, %s)"):format(edge.reader[load.field],
      context.names.array[load.buffer],
      edge_text.index(load, context.by_name[load.field], context.names))
  end
  return list
end

M.places = places

-- The fields that the kernel also finds at the point itself, or beside it
-- where no face is.
local function direct_fields(context, edge)
  local found, list = {}, {}
  for _, store in ipairs(context.block.stores) do found[store.field] = true end
  for _, load in ipairs(context.block.loads) do
    if not crosses(context, edge.face[load.field], load) then
      found[load.field] = true
    end
  end
  for _, field in ipairs(context.fields) do
    list[#list + 1] = found[field.name] and field or nil
  end
  return list
end

-- The box away from all faces that have no halo.
local function interior(context)
  local lower, upper = {}, {}
  for i, axis in ipairs(context.axes) do
    local near = context.block.edge[axis.name]
    lower[i] = tostring(near[1])
    upper[i] = access.offset(("a->n[%d]"):format(axis.index),
      { { extent.extra(context.block, axis.name) - near[2], "" } })
  end
  return table.concat(lower, ", "), table.concat(upper, ", ")
end

-- What both kinds of edge kernel have, and how their functions are called.
local function new(context, how, most_boxes)
  local plan = context.plan.name
  local edge = { face = {}, reader = {}, tag = how.tag:format(plan),
    type = how.type:format(plan), compute = context.kernel.compute,
    on_device = how.on_device }
  context.names.extent = {}
  for _, axis in ipairs(context.axes) do
    context.names.extent[axis.name] = context.names.claim(axis.name .. "_n")
  end
  for _, face in ipairs(context.block.faces) do
    edge.face[face.field] = face
    edge.reader[face.field] = context.names.claim(face.field .. "_at_edge")
  end
  edge.readers = edge_text.readers(context, edge, how)
  edge.members, edge.values = edge_text.members(context,
    hosts_of.faces(context.block), how)
  edge.lower, edge.upper = interior(context)
  edge.most_boxes = most_boxes * boxes.sides(context.block, context.axes)
  return edge
end

-- The code of the kernel and the arrays that it walks in.
local function add_code(edge, context, width)
  local at = places(context, edge)
  at.width = width
  edge.fields = direct_fields(context, edge)
  edge.body = block_lines.join(block_lines.lines(context.lowered,
    context.kernel, context.block, context.names, at))
end

local HOW = { host = edge_text.HOST, device = edge_text.DEVICE }

-- For a kernel that has no other text for the interior: adds what its reads
-- beyond faces need, false where there are none. where: "host" or "device".
function M.add_everywhere(values, context, where)
  values.edge = false
  if not context.block.edge then return end
  local edge = new(context, HOW[where], values.most_boxes)
  edge.fields = direct_fields(context, edge)
  values.edge = edge
end

-- How a launcher finds the boxes of the shape's own kernel.
local function add_calls(values, has_edge)
  local call = values.boxes_call
  values.own_boxes = has_edge and "interior_boxes(a, &domain, list)" or call
  if has_edge then values.boxes_within = (call:gsub("&", "")) end
end

-- Adds `edge` to the values of a CUDA template, false where there is none.
function M.add_device(values, context)
  values.edge = false
  add_calls(values, context.plan.edge)
  if not context.plan.edge then return end
  local edge = new(context, edge_text.DEVICE, values.most_boxes)
  local names, axes, plan = context.names, context.axes, context.plan.edge
  local hosts = context.hosts
  add_code(edge, context)
  edge.parameters = params.parameters(context.kernel, hosts, context.arrays,
    edge.fields, axes, names)
  edge.addresses = params.addresses(hosts, context.arrays, edge.fields, axes,
    names)
  edge.locals = params.locals(context.arrays, edge.fields, names)
  edge.hosts = hosts_of.lines(context, context.block.host)
  edge.coordinates = text.coordinates(axes, plan.block, names)
  edge.outside = text.outside(axes, names,
    colours.tests(context, colours.DEVICE, true))
  edge.offsets = text.offsets(edge.fields, names, "const index_t")
  edge.block, edge.threads = table.concat(plan.block, ", "), plan.threads
  edge.tile = table.concat(plan.tile, ", ")
  edge.grid = text.grid(#axes, "EDGE_TILE")
  table.insert(values.more_checks, "part/cuda_grid_edge")
  values.edge = edge
end

-- The same for a template in C.
function M.add_host(values, context)
  values.edge = false
  add_calls(values, context.plan.edge)
  if not context.plan.edge then return end
  local edge = new(context, edge_text.HOST, values.most_boxes)
  edge.loops = tiles.loops(context, "box", "++", 0)
  edge.inner = edge.loops[#edge.loops].pad
  add_code(edge, context, 92 - #edge.inner)
  edge.locals = tiles.locals(context, edge.fields)
  edge.hosts = hosts_of.lines(context, context.block.host)
  edge.offsets = lists.append(colours.skips(context, true),
    text.offsets(edge.fields, context.names, "const int64_t"))
  edge.rows = math.max(#context.axes - 1, 1)
  values.edge = edge
end

return M
