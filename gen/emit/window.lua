-- The values of the templates whose threads hold a window of their column in
-- registers, and share the current plane.

local block_lines = require "gen.c.block"
local cuda = require "gen.emit.cuda"
local lists = require "gen.list"
local statement = require "gen.c.statement"
local stream_text = require "gen.c.stream"
local walk = require "gen.emit.walk"

local M = {}

-- The window of a stream whose plane is filled from memory holds no more than
-- what is read of it, which may be nothing.
local function narrow(stream, block, axes)
  local low, high
  for _, load in ipairs(block.loads) do
    if load.buffer == stream.buffer and not walk.in_plane(load, axes) then
      local along = load.offset[axes[#axes].name] or 0
      low, high = math.min(low or along, along), math.max(high or along, along)
    end
  end
  stream.low, stream.high = low or 1, high or 0
end

-- The plan's streams; a plane is filled whole where its corners are read or
-- its halo is wider than the block.
function M.streams(context)
  local streams = {}
  for i, planned in ipairs(context.plan.streams) do
    local stream = lists.copy(planned)
    stream.whole = stream.corners
    for axis, reach in ipairs(stream.reach) do
      local wide = math.max(reach[1], reach[2])
      stream.whole = stream.whole or wide > context.plan.block_size[axis]
    end
    if stream.whole and not stream.ahead then
      narrow(stream, context.block, context.axes)
    end
    streams[i] = stream
  end
  return streams
end

-- Where a load's value is when a point is computed: in the window, in the
-- plane, or in a register loaded early.
local function places(context, streams, width)
  local axes, names = context.axes, context.names
  return {
    width = width,
    register = function(load)
      local stream = walk.find_stream(streams, load)
      if not stream then
        return block_lines.load_name(load, names)
      elseif not walk.in_plane(load, axes) then
        return stream.window[load.offset[axes[#axes].name] or 0]
      end
    end,
    element = function(load)
      local stream = walk.find_stream(streams, load)
      return stream.tile
        .. stream_text.in_plane(stream, walk.in_plane(load, axes))
    end,
    target = walk.target(context),
  }
end

-- The shared planes: their declarations, their places, the roles of threads.
local function add_planes(values, context, streams)
  local planes, places_rows, roles = {}, {}, {}
  for _, stream in ipairs(streams) do
    if stream.plane then
      stream.extents = stream_text.extents(stream.size)
      lists.append(places_rows, stream_text.place_lines(stream))
      lists.append(roles, stream_text.role_rows(stream, context))
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

local function with_windows(streams)
  local list = {}
  for _, stream in ipairs(streams) do
    if stream.low <= stream.high then list[#list + 1] = stream end
  end
  return list
end

-- How a plane is filled: { comment, tile, whole, fill } or { .., here, moves }.
function M.filled(stream, context)
  local plane = { tile = stream.tile, whole = stream.whole }
  plane.comment = ("Share the %s plane of %s%s"):format(
    stream.ahead and "newest" or "current", stream.buffer, stream.whole
    and ", halo and corners included." or " and its halo.")
  if stream.whole then
    plane.fill = stream_text.whole(stream, context)
  else
    plane.here = stream_text.in_plane(stream, {})
    plane.current = stream.window[stream.ahead or 0]
    plane.moves = stream_text.side_moves(stream, context)
  end
  return plane
end

-- One step of the walk, as the windows are named now: the planes furthest
-- ahead, the shared planes, the code of a point in `width` columns.
function M.step(values, context, streams, width)
  local step = { newest = {}, fills = {} }
  for i, stream in ipairs(values.streams) do
    step.newest[i] = stream_text.newest_line(stream, context)
  end
  for i, stream in ipairs(values.planes) do
    step.fills[i] = M.filled(stream, context)
  end
  step.body = block_lines.join(block_lines.lines(context.lowered,
    context.kernel, context.block, context.names,
    places(context, streams, width)))
  return step
end

-- The values, the context and the streams; `name_all` gives these their names,
-- `primed` the rows of a window before the first step.
function M.view(plan, lowered, name_all, primed)
  local values, context = cuda.view(plan, lowered)
  local streams = M.streams(context)
  name_all(streams, context)
  walk.add(values, context)
  add_planes(values, context, streams)
  values.streams = with_windows(streams)
  local rows = {}
  for _, stream in ipairs(values.streams) do
    lists.append(rows, primed(stream, context))
  end
  if rows[1] then values.prime = statement.columns(rows) end
  values.fetch = walk.early(context, context.block.loads, function(load)
    return not walk.find_stream(streams, load)
  end, "inside")
  return values, context, streams
end

return M
