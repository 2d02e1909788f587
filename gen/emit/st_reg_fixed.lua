-- The values of templates/st_reg_fixed.cu.tpl.

local stream_text = require "gen.c.stream"
local walk = require "gen.emit.walk"
local window = require "gen.emit.window"

local M = {}

-- How often the walk is unrolled: until the longest window is where it was. A
-- shorter one has as many names; only those that are read later are alive.
local function turns_of(streams)
  local turns = 1
  for _, stream in ipairs(streams) do
    turns = math.max(turns, stream.high - stream.low + 1)
  end
  return turns
end

local function name_all(streams, context)
  local turns = turns_of(streams)
  for _, stream in ipairs(streams) do
    stream_text.name_values(stream, context.names, turns)
    stream_text.name(stream, context.names, context.axes, #streams == 1,
      context.now)
  end
end

-- One step of the walk, the n-th.
local function step_of(values, context, streams, n)
  for _, stream in ipairs(streams) do stream_text.turn(stream, n - 1) end
  local step = window.step(values, context, streams, 84, {})
  step.number, step.first = n, n == 1
  return step
end

function M.view(plan, lowered)
  local values, context, streams = window.view(plan, lowered, name_all,
    stream_text.prime_values)
  values.turns, values.unrolled = turns_of(streams), {}
  for n = 1, values.turns do
    values.unrolled[n] = step_of(values, context, streams, n)
  end
  values.streams, values.headers = nil, walk.headers(plan)
  return values
end

return M
