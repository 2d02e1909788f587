-- The values of templates/st_reg_shft.cu.tpl.

local lists = require "gen.list"
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

function M.view(plan, lowered)
  local values, context, streams = window.view(plan, lowered, name_all,
    stream_text.prime_window)
  local moved = {}
  for _, stream in ipairs(values.streams) do
    lists.append(moved, stream_text.moved_lines(stream))
  end
  values.step = window.step(values, context, streams, 88, moved)
  values.step.first, values.headers = true, walk.headers(plan)
  return values
end

return M
