-- The values of templates/semi.cu.tpl.

local block_lines = require "gen.c.block"
local lists = require "gen.list"
local phases = require "gen.c.phases"
local place_of = require "gen.emit.place"
local statement = require "gen.c.statement"
local stream_text = require "gen.c.stream"
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
  return { width = 88, target = direct.target, element = direct.element,
    named = direct.named,
    register = function(load)
      return in_window(context, streams, load)
        or is_early(context, streams, load)
        and block_lines.load_name(load, context.names) or nil
    end }
end

-- What is loaded early, and the code that completes a point.
local function add_backward(values, context, streams, sums)
  local rest = phases.completed(sums, context)
  values.fetch = walk.early(context, rest.loads, function(load)
    return is_early(context, streams, load)
  end, "complete")
  values.body = block_lines.join(block_lines.lines(context.lowered,
    context.kernel, rest, context.names, places(context, streams)))
end

-- A value of the newest plane: of the thread's own column, or shared.
local function beside(context, stream, offset)
  local place, any = {}, false
  for i = 1, #context.axes - 1 do
    place[i] = offset[context.axes[i].name] or 0
    any = any or place[i] ~= 0
  end
  return any and stream.tile .. stream_text.in_plane(stream, place)
    or stream.window[context.plan.ahead]
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
    end
    sum.made = context.names.claim(name .. "_begun")
    list[n] = sum
  end
  return list
end

local function add_forward(values, context, sums)
  values.sums, values.forward = {}, {}
  for n, sum in ipairs(sums) do
    values.sums[n] = phases.declaration(sum, context)
    if n > 1 then values.forward[#values.forward + 1] = "" end
    lists.append(values.forward, phases.forward(sum, context, 84))
  end
  values.begun = sums
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
  local newest = {}
  for i, stream in ipairs(values.streams) do
    newest[i] = { stream_text.newest_line(stream, context) }
  end
  values.newest, values.ahead = statement.columns(newest), plan.ahead
  add_forward(values, context, sums)
  add_fills(values, context)
  add_backward(values, context, streams, sums)
  return values
end

return M
