-- The values of templates/st_tma.cu.tpl.

local c_names = require "gen.c.names"
local cuda = require "gen.emit.cuda"
local hosts_of = require "gen.emit.hosts"
local lists = require "gen.list"
local params = require "gen.c.params"
local ring = require "gen.c.ring"
local ring_steps = require "gen.emit.ring_steps"
local rings = require "gen.emit.rings"
local scatter = require "gen.emit.scatter"
local space = require "gen.schedule.space"
local statement = require "gen.c.statement"
local text = require "gen.c.text"
local turns = require "gen.emit.turns"

local M = {}

local function copies(list)
  local out = {}
  for i, from in ipairs(list) do out[i] = lists.copy(from) end
  return out
end

-- The fields whose arrays the kernel finds by itself: what it writes, and what
-- lies behind a ring.
local function add_offsets(values, w)
  local context, wanted, arrays = w.context, {}, {}
  for _, s in ipairs(w.streams) do
    if s.front or s.low < math.min(s.first, s.high) then
      wanted[s.buffer] = true
    end
  end
  for _, store in ipairs(context.block.stores) do
    wanted[store.buffer] = true
  end
  local fields = {}
  for _, array in ipairs(context.arrays) do
    if wanted[array.buffer] then
      arrays[#arrays + 1] = array
      if fields[#fields] ~= array.field then
        fields[#fields + 1] = array.field
      end
    end
  end
  values.offsets = text.offsets(fields, context.names, "index_t",
    { [w.axes[3].name] = w.tile_z })
  local steps = {}
  for _, store in ipairs(context.block.stores) do
    local at = context.names.at[store.field]
    steps[at] = ("%s += %s;"):format(at,
      context.names.stride[store.field][w.axes[3].name])
    if not lists.contains(steps, steps[at]) then
      steps[#steps + 1] = steps[at]
    end
  end
  lists.append(w.scatter and values.point_onward or values.onward, steps)
  return arrays, fields
end

-- The kernel's parameters: tensors first.
local function add_parameters(values, w, arrays, fields)
  local context, tensors, addresses = w.context, {}, {}
  local makes = {}
  for i, b in ipairs(lists.joined(w.streams, w.points)) do
    tensors[i] = ("const __grid_constant__ quern_tensor %s,"):format(b.tensor)
    addresses[i] = ("&%s,"):format(b.tensor)
    for k, array in ipairs(context.arrays) do
      if array.buffer == b.buffer then
        makes[i] = { tensor = b.tensor, array = k - 1, lead = w.lead,
          width = b.size[1], height = rings.height(w, b, "tile[1]") }
      end
    end
  end
  values.tensors, values.tensor_addresses, values.makes = tensors, addresses,
    makes
  values.parameters = params.parameters(context.kernel, context.hosts, arrays,
    fields, {}, context.names)
  values.addresses = params.addresses(context.hosts, arrays, fields, {},
    context.names)
  values.locals = params.locals(arrays, fields, context.names)
  table.insert(values.parameters, 1, ("int %s,"):format(w.lead))
  table.insert(values.addresses, 1, ("&%s,"):format(w.lead))
  values.hosts = hosts_of.lines(context, context.hosts)
end

-- Names and texts of the tile.
local function add_tile(values, w)
  local names, plan, axes = w.context.names, w.context.plan, w.axes
  local tiles, tile = {}, w.walk.tile
  for i, axis in ipairs(axes) do
    tiles[i] = names.claim(axis.name .. "_tile")
  end
  w.tile_x, w.tile_y, w.tile_z = tiles[1], tiles[2], tiles[3]
  w.lead = "lead"
  local x, y = names.axis[axes[1].name], names.axis[axes[2].name]
  values.tile_x, values.tile_y, values.tile_z = w.tile_x, w.tile_y, w.tile_z
  values.tile_width = tile[1]
  values.tile_height = w.fit and "height" or tile[2]
  values.tile_text = (w.fit and "%d points, of up to %d rows"
    or "%dx%d points"):format(tile[1], tile[2])
  values.vector, values.rows = plan.vector, plan.rows
  values.along, values.resident = names.axis[axes[3].name], w.walk.resident
  values.coordinates = { ("const index_t %s = %s + tx, %s = %s + ty;"):format(x,
    w.tile_x, y, w.tile_y) }
  values.shift = w.shift or false
  w.from, w.to = names.claim "from", names.claim "to"
  values.own_x = names.claim(axes[1].name .. "_own")
  values.ends = { ("const int %s = (int)(max(box.lower[0], %s) - %s);"):format(
      w.from, values.own_x, x),
    ("const int %s = (int)(box.upper[0] - %s);"):format(w.to, x) }
  values.near, values.in_row = names.claim "near", y .. " + j < box.upper[1]"
  values.in_columns = ("%s < %d && %s > 0"):format(w.from, plan.vector, w.to)
end

local function workspace(plan, walk, context)
  local names = context.names
  local w = { context = context, walk = walk, axes = context.axes,
    rows = plan.rows, vector = plan.vector, streams = copies(walk.streams),
    points = copies(walk.points), result = {} }
  local turn = w.points[1] and "points" or "turn"
  w.points_full, w.points_slot = names.claim "points_full",
    names.claim(turn .. "_slot")
  w.points_phase, w.fetch_points = names.claim(turn .. "_phase"),
    names.claim "fetch_points"
  w.fit = plan.fit
  w.scatter = plan.sums and { sums = plan.sums, ahead = plan.ahead }
  w.freed, w.turns = names.claim "freed", walk.ahead + 1
  w.own = names.claim "own"
  w.shift = walk.shift and lists.copy(walk.shift)
  if w.shift then
    w.shift.column = names.claim "column"
    w.shift.place = w.shift.lowest and ("min(max(tx - box.shift, %d), %d)")
      :format(w.shift.lowest, w.shift.highest) or "tx - box.shift"
  end
  for _, s in ipairs(w.streams) do
    s.column = w.shift and w.shift.column
    ring.name(s, names, #w.streams == 1)
    s.rows, s.by_key = ring.rows(s, context.block, w.axes, w.vector, names)
  end
  for _, p in ipairs(w.points) do
    ring.name(p, names)
    local stream = rings.find(w.streams, p.buffer)
    if stream then stream.front_ring = p.ring end
    if stream and stream.joined then stream.slot = w.points_slot end
    p.here = not p.front and names.claim(p.buffer .. "_here") or nil
  end
  for _, store in ipairs(context.block.stores) do
    w.result[store.buffer] = names.claim(store.buffer .. "_result")
  end
  return w
end

-- The context as one walk sees it: its own order of the axes, its own names.
local function context_of(context, walk)
  local own = lists.copy(context)
  own.axes = walk.axes
  own.names = c_names.new(context.lowered, context.arrays, context.block,
    walk.axes, context.plan.kept)
  own.names.colour = context.names.colour
  return own
end

-- Where a walk's texts stand, and its axes among those of the domain.
local function add_space(values, w, axes)
  local at, order = {}, {}
  for i, axis in ipairs(axes) do at[axis.name] = i - 1 end
  for i, axis in ipairs(w.axes) do order[i] = at[axis.name] end
  values.space = w.walk.thin and "thin_" .. w.walk.thin or false
  values.thin = w.walk.thin and at[w.walk.thin] or false
  values.order = table.concat(order, ", ")
  values.tile = table.concat(w.walk.tile, ", ")
  values.fit = w.fit
  values.block = w.fit and ("%d, (unsigned)tile[1]%s"):format(
    w.walk.block_size[1], w.rows > 1 and " / " .. w.rows or "")
    or table.concat(w.walk.block_size, ", ")
  values.threads = w.walk.threads
end

-- The values of one walk: its kernel and its launcher.
local function walk_view(plan, walk, context)
  local values, w = {}, workspace(plan, walk, context)
  add_tile(values, w)
  turns.add(values, w, plan)
  values.scatter = plan.sums ~= nil
  if plan.sums then scatter.add(values, w) else ring_steps.add(values, w) end
  local slots = {}
  for _, s in ipairs(w.streams) do lists.append(slots, ring.slot_rows(s)) end
  values.slots = statement.columns(slots)
  rings.add(values, w)
  local arrays, fields = add_offsets(values, w)
  add_parameters(values, w, arrays, fields)
  add_space(values, w, space.axes(context.lowered, context.block))
  return values
end

-- What walks have of their own, and what nobody needs.
local DROPPED = { "parameters", "addresses", "locals", "hosts", "grid",
                  "dynamic", "launch_bytes", "block", "threads" }

function M.view(plan, lowered)
  local values, context = cuda.view(plan, lowered)
  for _, name in ipairs(DROPPED) do values[name] = nil end
  if not plan.edge then values.bounds = nil end
  values.sector, values.walks, values.tile = plan.sector, {}, false
  values.waves = plan.choose or plan.lockstep > 0
  for i, walk in ipairs(plan.walks) do
    values.walks[i] = walk_view(plan, walk, context_of(context, walk))
  end
  values.reach = 0
  for _, array in ipairs(context.arrays) do
    values.reach = math.max(values.reach,
      array.reach[context.axes[1].name][1])
  end
  values.more_checks[1] = "part/cuda_walk_check"      -- not the grid's
  return values
end

return M
