-- The values of templates/st_reg_shft.cu.tpl.

local access = require "gen.c.access"
local block_lines = require "gen.c.block"
local cuda = require "gen.emit.cuda"
local statement = require "gen.c.statement"
local stream_text = require "gen.c.stream"
local text = require "gen.c.text"
local lists = require "gen.list"

local M = {}

local function copy(from)
  local to = {}
  for key, value in pairs(from) do -- any order
    to[key] = value
  end
  return to
end

-- The window of a stream whose plane is filled from memory holds no more than
-- what is read of it, which may be nothing.
local function narrow(stream, block, axes)
  local low, high
  for _, load in ipairs(block.loads) do
    local in_plane = false
    for i = 1, #axes - 1 do
      in_plane = in_plane or (load.offset[axes[i].name] or 0) ~= 0
    end
    if load.buffer == stream.buffer and not in_plane then
      local along = load.offset[axes[#axes].name] or 0
      low, high = math.min(low or along, along), math.max(high or along, along)
    end
  end
  stream.low, stream.high = low or 1, high or 0
end

-- The plan's streams with their names and texts; a plane is filled whole where
-- its corners are read or its halo is wider than the block.
local function named_streams(context)
  local streams = {}
  for i, planned in ipairs(context.plan.streams) do
    local stream = copy(planned)
    stream.whole = stream.corners
    for axis, reach in ipairs(stream.reach) do
      local wide = math.max(reach[1], reach[2])
      stream.whole = stream.whole or wide > context.plan.block_size[axis]
    end
    if stream.whole then narrow(stream, context.block, context.axes) end
    stream_text.name(stream, context.names, context.axes,
      #context.plan.streams == 1)
    streams[i] = stream
  end
  stream_text.align(streams)
  return streams
end

local function find_stream(streams, load)
  for _, stream in ipairs(streams) do
    if stream.buffer == load.buffer then return stream end
  end
end

-- Where a load's value is when a point is computed: in the window, in the
-- plane, or in a register loaded early.
local function places(context, streams)
  local axes, names = context.axes, context.names
  local function in_plane(load)
    local offset, any = {}, false
    for i = 1, #axes - 1 do
      offset[i] = load.offset[axes[i].name] or 0
      any = any or offset[i] ~= 0
    end
    return any and offset or nil
  end
  local early = {}
  return {
    width = 88, early = early,
    register = function(load)
      local stream = find_stream(streams, load)
      if not stream then
        early[load.id] = early[load.id]
          or block_lines.load_name(load, names)
        return early[load.id]
      elseif not in_plane(load) then
        return stream.window[load.offset[axes[#axes].name] or 0]
      end
    end,
    element = function(load)
      local stream = find_stream(streams, load)
      return stream.tile .. stream_text.in_plane(stream, in_plane(load))
    end,
    target = function(store)
      return access.at(names.array[store.buffer],
        text.place(context.by_name[store.field], {}, names))
    end,
  }
end

-- The planes furthest ahead, and what else the point needs.
local function add_loads(values, context, streams, at)
  local newest, rows = {}, {}
  for i, stream in ipairs(values.streams) do
    newest[i] = stream_text.newest_line(stream, context)
  end
  for _, load in ipairs(context.block.loads) do
    if not find_stream(streams, load) then
      rows[#rows + 1] = stream_text.early_row(load, at.register(load), context)
    end
  end
  values.newest = newest
  values.fetch = statement.columns(rows)
end

-- Values of the planes: their declarations, roles, and how they are filled.
local function add_planes(values, context, streams)
  local planes, places_rows, roles = {}, {}, {}
  for _, stream in ipairs(streams) do
    if stream.plane then
      stream.extents = stream_text.extents(stream.size)
      stream.here = stream_text.in_plane(stream, {})
      lists.append(places_rows, stream_text.place_lines(stream))
      lists.append(roles, stream_text.role_rows(stream, context))
      if stream.whole then
        stream.fill = stream_text.whole(stream, context)
      else
        stream.moves = stream_text.side_moves(stream, context)
      end
      planes[#planes + 1] = stream
    end
  end
  values.planes = planes
  if planes[1] then values.compute = context.kernel.compute end
  values.places = statement.columns(places_rows)
  table.insert(roles, 1, { "const bool inside",
    (" = %s;"):format(stream_text.inside(context)) })
  values.roles = statement.columns(roles)
end

-- The offsets of a thread, those that walk apart from those that stay.
local function add_offsets(values, context)
  local walk = context.axes[#context.axes].name
  local stay, go, steps = {}, {}, {}
  for _, field in ipairs(context.fields) do
    local stride = context.names.stride[field.name][walk]
    if stride then
      go[#go + 1] = field
      steps[#steps + 1] = { context.names.at[field.name],
        (" += %s;"):format(stride == "" and "1" or stride) }
    else
      stay[#stay + 1] = field
    end
  end
  local names = context.names
  values.offsets = text.offsets(stay, names, "const index_t")
  lists.append(values.offsets, text.offsets(go, names, "index_t",
    { [walk] = "first" }))
  values.onward = statement.columns(steps)
end

local function with_windows(streams)
  local list = {}
  for _, stream in ipairs(streams) do
    if stream.low <= stream.high then list[#list + 1] = stream end
  end
  return list
end

local function prime_lines(streams, context)
  local rows = {}
  for _, stream in ipairs(streams) do
    lists.append(rows, stream_text.prime_rows(stream, context))
  end
  return statement.columns(rows)
end

function M.view(plan, lowered)
  local values, context = cuda.view(plan, lowered)
  local axes, names = context.axes, context.names
  local walk = axes[#axes].name
  local streams = named_streams(context)
  local at = places(context, streams)
  values.walk, values.walk_block = names.axis[walk], ("xyz"):sub(#axes, #axes)
  values.walk_begin, values.walk_end = names.lower[walk], names.upper[walk]
  values.chunk, values.streams = plan.chunk, with_windows(streams)
  values.tile_text = table.concat(plan.block_size, "x")
  values.coordinates = text.coordinates(
    table.move(axes, 1, #axes - 1, 1, {}), plan.block_size, names)
  add_planes(values, context, streams)
  add_offsets(values, context)
  if values.streams[1] then
    values.prime = prime_lines(values.streams, context)
  end
  add_loads(values, context, streams, at)
  values.body = block_lines.join(block_lines.lines(lowered, context.kernel,
    context.block, names, at))
  return values
end

return M
