-- The values of the templates whose threads hold a window of their column in
-- registers, and share the current plane.

local access = require "gen.c.access"
local block_lines = require "gen.c.block"
local cuda = require "gen.emit.cuda"
local fill = require "gen.c.fill"
local lists = require "gen.list"
local several = require "gen.c.several"
local statement = require "gen.c.statement"
local stream_text = require "gen.c.stream"
local vectors = require "gen.c.vectors"
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
    stream.each, stream.own = context.rows.each, context.rows.own
    stream.whole = stream.corners
    for axis, room in ipairs(stream.room) do
      local wide = math.max(room[1], room[2])
      stream.whole = stream.whole or wide > context.plan.tile[axis]
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
        return block_lines.load_name(load, names) .. context.rows.each
      elseif not walk.in_plane(load, axes) then
        return stream.window[load.offset[axes[#axes].name] or 0]
      end
      return stream.rows and vectors.element(stream, load, axes)
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
      stream.extents = (context.plan.spare > 0
        and ("[%d]"):format(1 + context.plan.spare) or "")
        .. stream_text.extents(stream.size)
      lists.append(places_rows, stream_text.place_lines(stream))
      lists.append(roles, stream_text.role_rows(stream, context))
      planes[#planes + 1] = stream
    end
  end
  values.planes = planes
  if context.plan.part and planes[1] then cuda.add_dynamic(values) end
  if planes[1] then values.shared = vectors.type(context) end
  for i, row in ipairs(places_rows) do
    places_rows[i] = several.placed(context, row)
  end
  values.places = statement.columns(places_rows)
  table.insert(roles, 1, { "const bool inside",
    (" = %s;"):format(stream_text.inside(context)) })
  local declared, lines = several.split(context, roles, statement.columns)
  values.roles = lists.joined(declared, lines)
  if context.rows.vec > 1 then
    values.roles = lists.append(vectors.ends(context), values.roles)
  end
end

local function with_windows(streams)
  local list = {}
  for _, stream in ipairs(streams) do
    if stream.low <= stream.high then list[#list + 1] = stream end
  end
  return list
end

-- The lines that fill a plane from memory: whole, or the halo of its sides.
-- Which of its planes, and how many planes on from the point.
local function from_memory(stream, context, tile, on)
  local how = stream.whole and fill.whole or fill.side_moves
  return how(stream, context, tile, on)
end

-- How a plane is filled in a step: { comment, lines }. What is copied ahead is
-- there by then.
function M.filled(stream, context)
  local lines = {}
  if not stream.whole then
    local own = stream.window[stream.ahead or 0]
    lines[1] = (context.rows.vec > 1 and "quern_put(&%s%s, %s);"
      or "%s%s = %s;"):format(stream.tile, stream_text.in_plane(stream, {}),
      vectors.whole(own))
  end
  if context.plan.stages == 0 then
    lists.append(lines, from_memory(stream, context, stream.tile,
      stream.ahead))
  end
  if not stream.whole then lines = several.loop(context, lines) end
  return { lines = lines, comment = ("Share the %s plane of %s%s"):format(
    stream.ahead and "newest" or "current", stream.buffer, stream.whole
    and ", halo and corners included." or " and its halo.") }
end

-- The copies that are started for a step, `on` planes on, into planes[slot].
local function copies(values, context, slot, on)
  local lines = {}
  for _, stream in ipairs(values.planes) do
    local more = from_memory(stream, context,
      ("%s[%s]"):format(stream.planes, slot), on)
    lists.append(lines, stream.whole and more or several.loop(context, more))
  end
  return lines
end

-- What the templates say of planes that are copied ahead, and of spare ones.
local function add_stages(values, context)
  local plan, now = context.plan, context.now
  local shares = values.planes[1] ~= nil
  values.stages = shares and plan.stages or 0
  values.spare = shares and plan.spare or 0
  if values.spare == 0 then return end
  values.now, values.turn = now, plan.spare == 1 and ("%s ^= 1;"):format(now)
    or ("%s = %s == %d ? 0 : %s + 1;"):format(now, now, plan.spare, now)
  if values.stages == 0 then return end
  values.next, values.behind = context.names.claim "next", plan.stages - 1
  values.copies, values.primed = copies(values, context, values.next,
    plan.stages), {}
  for on = 0, plan.stages - 1 do
    values.primed[on + 1] = { condition = access.offset("first",
      { { on, "" } }) .. " < last", copies = copies(values, context, on, on) }
  end
end

-- The lines that read what vectors are made of from the shared planes.
function M.rows(context, streams)
  local lines = {}
  for _, stream in ipairs(streams) do
    for _, row in ipairs(stream.rows or {}) do
      local place = stream.tile .. stream_text.in_plane(stream,
        { nil, #row.at > 1 and row.at[1] or nil })
      lines[#lines + 1] = vectors.row_line(row, context, place,
        (row.at[1] or 0) == 0 and stream.window[stream.ahead or 0] or nil)
    end
  end
  return lines
end

-- One step of the walk, as the windows are named now: `moved`, the lines that
-- move the windows on, and the planes furthest ahead; the shared planes; the
-- code of the points, in `width` columns.
function M.step(values, context, streams, width, moved)
  local step, newest = { fills = {} }, several.elements(context, moved)
  for _, stream in ipairs(values.streams) do
    lists.append(newest, stream_text.newest_lines(stream, context))
  end
  step.newest = several.loop(context, newest)
  for i, stream in ipairs(values.planes) do
    step.fills[i] = M.filled(stream, context)
  end
  if context.rows.count > 1 then width = width - 4 end
  if context.rows.vec > 1 then width = width - 4 end
  step.body = walk.points(context, block_lines.lines(context.lowered,
    context.kernel, context.block, context.names,
    places(context, streams, width)), M.rows(context, streams))
  return step
end

-- The lines that read the vectors of a window before the first step.
local function taken(list, stream, context)
  local lines = {}
  for _, value in ipairs(list) do
    lines[#lines + 1] = value.plane and stream_text.take(value.name, stream,
      context, value.plane)
  end
  return lines[1] and several.inside(context, lines, stream.near) or lines
end

-- What the windows are before the first step; `primed(stream)`: their values
-- then.
local function prime(values, context, primed)
  local rows, names, lines = {}, {}, {}
  for _, stream in ipairs(values.streams) do
    local list = primed(stream)
    if context.rows.vec > 1 then
      for _, value in ipairs(list) do names[#names + 1] = value.name end
      lists.append(lines, taken(list, stream, context))
    else
      lists.append(rows, stream_text.prime_rows(list, stream, context))
    end
  end
  if context.rows.vec == 1 then
    return lists.joined(several.split(context, rows, statement.columns))
  end
  return lists.append(vectors.declared(context, names),
    several.loop(context, lines))
end

-- What only vectors have: where they end, the rows that are read, results.
local function add_vectors(context, streams)
  if context.rows.vec == 1 then return end
  vectors.claim(context, streams)
  vectors.name_results(context)
  for _, stream in ipairs(streams) do
    if stream.plane then
      vectors.add_rows(stream, context, function(load)
        return walk.in_plane(load, context.axes) == nil
      end)
    end
  end
end

-- The values, the context and the streams; `name_all` gives these their names,
-- `primed` says what a window is before the first step.
function M.view(plan, lowered, name_all, primed)
  local values, context = cuda.view(plan, lowered)
  cuda.add_entry(values, context)
  context.rows = several.new(context)
  context.now = plan.spare > 0 and context.names.claim "now" or nil
  local streams = M.streams(context)
  name_all(streams, context)
  for _, stream in ipairs(streams) do
    several.add_place(context, stream)
  end
  add_vectors(context, streams)
  walk.add(values, context)
  add_planes(values, context, streams)
  add_stages(values, context)
  values.streams = with_windows(streams)
  if values.streams[1] then values.prime = prime(values, context, primed) end
  values.fetch, values.fetched = walk.early(context, context.block.loads,
    function(load)
      return not walk.find_stream(streams, load)
    end)
  return values, context, streams
end

return M
