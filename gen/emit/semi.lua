-- The values of templates/semi.cu.tpl.

local block_lines = require "gen.c.block"
local lists = require "gen.list"
local phases = require "gen.c.phases"
local place_of = require "gen.emit.place"
local several = require "gen.c.several"
local stream_text = require "gen.c.stream"
local vectors = require "gen.c.vectors"
local walk = require "gen.emit.walk"
local window = require "gen.emit.window"

local M = {}

local function name_all(streams, context)
  for _, stream in ipairs(streams) do
    stream_text.name_window(stream, context.names, #streams == 1)
    stream_text.name(stream, context.names, context.axes, #streams == 1,
      context.now)
  end
  stream_text.align(streams)
end

-- The value of a load in the window, if it is there.
local function in_window(context, streams, load)
  local stream = walk.find_stream(streams, load)
  if not stream or walk.in_plane(load, context.axes) then return nil end
  return stream.window[load.offset[context.axes[#context.axes].name] or 0]
end

-- Is a load neither in the window nor off the point? Then it comes early.
local function is_early(context, streams, load)
  return not next(load.offset) and not in_window(context, streams, load)
end

-- Where a load's value is when a sum is completed: in the window, in a register
-- loaded early, or in memory.
local function places(context, streams)
  local direct = place_of.direct(context)
  local vec = context.rows.vec > 1
  return { width = vec and 84 or 88, element = direct.element,
    target = vec and walk.target(context) or direct.target,
    named = not vec and direct.named or nil,
    register = function(load)
      return in_window(context, streams, load)
        or is_early(context, streams, load)
        and block_lines.load_name(load, context.names) .. context.rows.each
        or nil
    end }
end

-- What is loaded early, and the code that completes a point.
local function add_backward(values, context, streams, sums)
  local rest = phases.completed(sums, context)
  values.fetch, values.fetched = walk.early(context, rest.loads,
    function(load)
      return is_early(context, streams, load)
    end, "complete")
  values.body = walk.code(context, block_lines.lines(context.lowered,
    context.kernel, rest, context.names, places(context, streams)), {})
end

-- A value of the newest plane: of the thread's own column, or shared.
local function beside(context, stream, offset)
  local place, any = {}, false
  for i = 1, #context.axes - 1 do
    place[i] = offset[context.axes[i].name] or 0
    any = any or place[i] ~= 0
  end
  if not any then return stream.window[context.plan.ahead] end
  return stream.rows
    and vectors.element(stream, { offset = offset }, context.axes)
    or stream.tile .. stream_text.in_plane(stream, place)
end

-- The plan's sums with their names and those of their streams: begun[i] is
-- what plane i from the point has so far.
local function named_sums(context, streams)
  local list = {}
  for n, planned in ipairs(context.plan.sums) do
    local sum = setmetatable({ begun = {} }, { __index = planned })
    local name = context.names.value(sum.value)
    local stream = walk.find_stream(streams, sum)
    sum.window = stream.window
    sum.beside = function(offset) return beside(context, stream, offset) end
    for i = 0, context.plan.ahead do
      sum.begun[i] = context.names.claim(name .. "_" .. i)
        .. context.rows.each
    end
    sum.made = context.names.claim(name .. "_begun")
    list[n] = sum
  end
  return list
end

-- The sums as they begin: their declarations, how they move on, and the forward
-- phase.
local function add_forward(values, context, streams, sums)
  local forward, onward = {}, {}
  values.sums = {}
  for n, sum in ipairs(sums) do
    lists.append(values.sums, phases.declaration(sum, context))
    if n > 1 then forward[#forward + 1] = "" end
    lists.append(forward, phases.forward(sum, context, 84))
    for i = 1, context.plan.ahead do
      onward[#onward + 1] = ("%s = %s;"):format(sum.begun[i - 1],
        sum.begun[i])
    end
  end
  values.forward = lists.joined(window.rows(context, streams),
    several.elements(context, forward))
  values.begun = several.elements(context, onward)
end

-- How the windows move on, and the planes furthest ahead.
local function add_advance(values, context)
  local moved, newest = {}, {}
  for _, stream in ipairs(values.streams) do
    lists.append(moved, stream_text.moved_lines(stream))
    lists.append(newest, stream_text.newest_lines(stream, context))
  end
  values.moved, values.newest = several.elements(context, moved), newest
end

-- How the newest planes are shared.
local function add_fills(values, context)
  values.fills = {}
  for i, stream in ipairs(values.planes) do
    values.fills[i] = window.filled(stream, context)
  end
end

function M.view(plan, lowered)
  local values, context, streams = window.view(plan, lowered, name_all,
    stream_text.prime_window)
  local sums = named_sums(context, streams)
  values.ahead, values.headers = plan.ahead, walk.headers(plan)
  add_advance(values, context)
  add_forward(values, context, streams, sums)
  add_fills(values, context)
  add_backward(values, context, streams, sums)
  values.streams = nil
  return values
end

return M
