-- The values of templates/temporal.cu.tpl.

local access = require "gen.c.access"
local block_lines = require "gen.c.block"
local cuda = require "gen.emit.cuda"
local halo = require "gen.emit.temporal_halo"
local lists = require "gen.list"
local params = require "gen.c.params"
local ring = require "gen.c.ring"
local turns = require "gen.emit.temporal_turns"
local temporal = require "gen.c.temporal"
local text = require "gen.c.text"

local M = {}

-- The places of a column that a step reads; its own too where it stands between
-- its neighbours.
local function used(w)
  local seen, list = {}, {}
  for _, load in ipairs(w.context.block.loads) do
    local x, y, z = load.offset[w.axes[1].name], load.offset[w.axes[2].name],
      load.offset[w.axes[3].name]
    if load.buffer == w.stream.buffer then seen[(x or y) and 0 or z or 0] = true
    end
  end
  for r = -w.wide[3], w.wide[3] do list[#list + 1] = seen[r] and r or nil end
  return list
end

-- The plan's buffers with their names, and names for what the kernel keeps.
local function workspace(plan, context)
  local names = context.names
  local claim = names.claim
  local w = { context = context, plan = plan, lay = plan.lay,
    axes = context.axes, wide = plan.stream.wide, names = names,
    field = context.by_name[plan.stream.field],
    stream = lists.copy(plan.stream), points = {}, tile = {} }
  for i, p in ipairs(plan.points) do w.points[i] = lists.copy(p) end
  w.rings = { w.stream, table.unpack(w.points) }
  for _, b in ipairs(w.rings) do
    b.ring, b.tensor = claim(b.buffer .. "_ring"), claim(b.buffer .. "_tensor")
    for _, word in ipairs { "full", "slot", "phase", "back", "here" } do
      b[word] = claim(b.buffer .. "_" .. word)
    end
    b.fetch = claim("fetch_" .. b.buffer)
  end
  -- What is read at points alone begins with the sector of index 0.
  for i, b in ipairs(w.rings) do
    b.lead = i == 1 and "lead" or "lead % " .. plan.sector
  end
  for _, p in ipairs(w.points) do p.out = p.lag > 0 and p.back or p.slot end
  local wide = w.wide[3]
  w.window = temporal.window(claim, "", -wide, wide)
  w.places = temporal.window(claim, "from_", 1, wide)
  w.top = plan.held and wide or 0
  w.stream.window = temporal.window(claim, w.stream.buffer .. "_", -wide,
    w.top)
  w.middle = { window = temporal.window(claim, "middle_", -wide, w.top),
    ring = "middle_ring", slot = "middle_slot", back = claim "middle_back",
    slots = wide + 1 + plan.lay.sent, size = plan.lay.middle }
  w.made = plan.held and w.middle.window[wide] or "made"
  for i, letter in ipairs { "x", "y", "z" } do
    w.tile[letter] = claim(w.axes[i].name .. "_tile")
    w[letter] = names.axis[w.axes[i].name]
  end
  w.at, w.row = claim(w.stream.buffer .. "_place"),
    claim(w.stream.buffer .. "_row")
  w.rows = claim(w.stream.buffer .. "_rows")
  w.used = used(w)
  return w
end

-- Where a load's value is in make_step.
local function places(w)
  local context, reach = w.context, w.stream.reach
  local function text_of(load)
    local field = context.by_name[load.field]
    local function of(array, shift)
      return access.element(array, ring.element(shift), field.type,
        context.kernel.compute)
    end
    for _, p in ipairs(w.points) do
      if p.buffer == load.buffer then return of(p.here .. "[j]", 0) end
    end
    local x, y, z = load.offset[w.axes[1].name], load.offset[w.axes[2].name],
      load.offset[w.axes[3].name]
    if x then return of(w.row, x + reach[1][1]) end
    if y then
      return of(("%s[%s]"):format(w.rows, access.offset("j",
        { { y + reach[2][1], "" } })), 0)
    end
    if (z or 0) > w.top then return of(w.window[z], 0) end
    return of(w.window[z or 0] .. "[j]", 0)
  end
  return { width = 76, register = text_of,
    target = function() return access.at("result[j]", "e") end }
end

-- The function that makes one step.
local function add_step(values, w)
  local stream, lay = w.stream, w.lay
  local list = { temporal.points(stream.type, "result", lay, temporal.OUT) }
  local type = access.type(stream.type)
  values.fronts = {}
  for _, r in ipairs(w.used) do
    if r > w.top then
      list[#list + 1] = ("const %s *%s,"):format(type, w.places[r])
      lists.append(values.fronts, {
        ("%s %s[%d];"):format(type, w.window[r], lay.vector),
        ("quern_read(%s, %s + j * PITCH);"):format(w.window[r], w.places[r]) })
    else
      list[#list + 1] = temporal.points(stream.type, w.window[r], lay,
        temporal.IN)
    end
  end
  list[#list + 1] = ("const %s *%s,"):format(type, w.at)
  for _, p in ipairs(w.points) do
    list[#list + 1] = temporal.points(p.type, p.here, lay, temporal.IN)
  end
  values.step_parameters = lists.append(list, params.parameters(
    w.context.kernel, w.context.hosts, {}, {}, {}, w.names))
  local last = #values.step_parameters
  values.step_parameters[last] = (values.step_parameters[last]:gsub(",$", ""))
  local below, above = stream.reach[2][1], stream.reach[2][2]
  values.column = below + above > 0 and { type = access.type(stream.type),
    name = w.rows, height = below + lay.rows + above, below = below,
    own = w.window[0], above_from = lay.rows,
    above_to = lay.rows + above } or false
  values.at = w.at
  local along = stream.reach[1]
  values.line = along[1] + along[2] > 0 and { ("const quern_line<%s, %d, %d, "
    .. "%d> %s(%s[j], %s + j * PITCH);"):format(access.type(stream.type),
    lay.vector, along[1], along[2], w.row, w.window[0], w.at) } or {}
  values.body = block_lines.join(block_lines.lines(w.context.lowered,
    w.context.kernel, w.context.block, w.names, places(w)))
end

-- A call of it, of planes in a ring of which the newest is as far ahead as a
-- step reads; up, along: where in a plane the tile begins.
local function call(w, buffer, result, up, along, points)
  local list, wide = { result }, w.wide[3]
  local function place(r)
    return "&" .. temporal.in_plane(buffer.ring, r == 0 and buffer.back
      or temporal.back(buffer, wide - r), up, along)
  end
  for _, r in ipairs(w.used) do
    list[#list + 1] = buffer.window[r] or place(r)
  end
  list[#list + 1] = place(0)
  lists.append(list, points)
  for _, host in ipairs(w.context.hosts) do
    list[#list + 1] = w.names.host[host.name]
  end
  return temporal.call(("make_step<%d>"):format(buffer.size[1]), list, 76)
end

local function point_reads(w, again)
  local list, names = {}, {}
  for _, p in ipairs(w.points) do
    if not again or p.again then
      list[#list + 1] = {
        declared = temporal.points(p.type, p.here, w.lay) .. ";",
        read = temporal.read(p.here, temporal.in_plane(p.ring,
          again and p.out or p.slot, 0, p.margin[1], true)) }
      names[#names + 1] = p.here
    else
      names[#names + 1] = w.stream.window[-w.wide[3]]
    end
  end
  return list, names
end

-- A write of one row, `planes` on from the middle step's.
local function write(w, buffer, planes, value)
  return temporal.call("quern_write", { ("&%s[%s]"):format(
    w.names.array[buffer], temporal.at(w.field, planes, w.axes, w.names)),
    value .. "[j]", "box.lower[0] - " .. w.x, "box.upper[0] - " .. w.x }, 76)
end

local function add_steps(values, w)
  local lay, stream, wide, m = w.lay, w.stream, w.wide, w.middle
  local first, points = point_reads(w, false)
  values.first_call = call(w, stream, w.made, wide[2], stream.margin[1],
    points)
  local second, again = point_reads(w, true)
  values.second_call = call(w, m, "result", lay.pad, lay.sides, again)
  values.first_points, values.second_points = first, second
  values.made_declared = not w.plan.held and temporal.points(stream.type,
    w.made, lay) .. ";" or nil
  values.result_declared = temporal.points(stream.type, "result", lay) .. ";"
  values.second_when = ("within && p >= %d && ty + %d > %d && ty < %d"):format(
    4 * wide[3], lay.rows, wide[2], wide[2] + lay.tile[2])
  values.in_tile = ("ty + j >= %d && ty + j < %d && %s + j < box.upper[1]")
    :format(wide[2], wide[2] + lay.tile[2], w.y)
  local targets = w.plan.targets
  values.write = write(w, targets.last, -wide[3], "result")
  values.kept_middle = targets.middle and { when = ("within && %s >= %s && "
    .. "%s < %s + planes"):format(w.z, w.tile.z, w.z, w.tile.z),
    in_tile = values.in_tile, write = write(w, targets.middle, 0, w.made) }
    or false
  halo.add(values, w)
end

local function array_text(list) return table.concat(list, ", ") end

-- Numbers and names of the tile.
local function add_tile(values, w)
  local lay, reach, wide = w.lay, w.stream.reach, w.wide
  local below, above = {}, {}
  for i = 1, 3 do below[i], above[i] = reach[i][1], reach[i][2] end
  values.reach_text = ("{ { %s }, { %s } }"):format(array_text(below),
    array_text(above))
  values.tile_x, values.tile_y, values.tile_z = w.tile.x, w.tile.y, w.tile.z
  values.tile_width, values.tile_height = lay.tile[1], lay.tile[2]
  values.tile_text = lay.tile[1] .. "x" .. lay.tile[2]
  values.chunk, values.vector, values.rows = w.plan.chunk, lay.vector, lay.rows
  values.walk, values.sector, values.resident = w.z, w.plan.sector,
    w.plan.resident
  values.threads_text = temporal.threads(lay, w.plan.block_size[1])
  values.high, values.span = lay.high, 4 * wide[3]
  values.primed, values.middle_lag = 2 * wide[3], 3 * wide[3]
  values.lag_text = wide[3] == 1 and "a plane" or wide[3] .. " planes"
  values.coordinates = {
    ("const int %s = %s + tx, %s = %s;"):format(w.x, w.tile.x, w.y,
      access.offset(w.tile.y .. " + ty", { { -wide[2], "" } })) }
  values.in_planes = ("const bool in_planes = %s >= box.lower[2] && %s < "
    .. "box.upper[2];"):format(w.z, w.z)
end

-- The parameters of the kernel and how the launcher fills them.
local function add_parameters(values, w)
  local context, arrays = w.context, {}
  for _, array in ipairs(context.arrays) do
    arrays[#arrays + 1] = array.written and array or nil
  end
  values.tensors, values.tensor_addresses, values.makes = {}, {}, {}
  for i, b in ipairs(w.rings) do
    values.tensors[i] = ("const __grid_constant__ quern_tensor %s,"):format(
      b.tensor)
    values.tensor_addresses[i] = ("&%s,"):format(b.tensor)
    for k, array in ipairs(context.arrays) do
      if array.buffer == b.buffer then
        values.makes[i] = { tensor = b.tensor, array = k - 1, lead = b.lead,
          width = b.size[1], height = b.size[2] }
      end
    end
  end
  local fields, names, hosts = { w.field }, w.names, context.hosts
  values.offsets = text.offsets(fields, names, "index_t",
    { [w.axes[3].name] = ("(%s - %d)"):format(w.tile.z, w.wide[3]) })
  values.parameters = params.parameters(context.kernel, hosts, arrays, fields,
    {}, names)
  values.addresses = params.addresses(hosts, arrays, fields, {}, names)
  values.locals = params.locals(arrays, fields, names)
  table.insert(values.parameters, 1, "int lead,")
  table.insert(values.addresses, 1, "&lead,")
  values.bounds, values.grid, values.dynamic, values.launch_bytes = nil, nil,
    nil, nil
  values.reach = w.before
end

-- What the launcher of the one walk has of its own.
local LAUNCHER = { "locals", "hosts", "makes", "tensor_addresses", "addresses",
                   "tile", "block" }

local function add_launcher(values)
  local walk = { space = false, waves = false, fit = false, shift = false,
    order = "0, 1, 2" }
  for _, name in ipairs(LAUNCHER) do
    walk[name], values[name] = values[name], nil
  end
  values.walks, values.tile = { walk }, false
end

function M.view(plan, lowered)
  local values, context = cuda.view(plan, lowered)
  local w = workspace(plan, context)
  add_tile(values, w)
  add_step(values, w)
  add_steps(values, w)
  turns.add(values, w)
  add_parameters(values, w)
  values.more_checks[1] = "part/cuda_walk_check"      -- not the grid's
  add_launcher(values)
  return values
end

return M
