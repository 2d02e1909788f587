-- What the templates of all shapes get whose blocks walk along the last axis.

local access = require "gen.c.access"
local block_lines = require "gen.c.block"
local lists = require "gen.list"
local several = require "gen.c.several"
local statement = require "gen.c.statement"
local stream_text = require "gen.c.stream"
local text = require "gen.c.text"

local M = {}

-- The offsets of a thread, those that walk apart from those that stay.
-- `first`: the text of the plane where the walk begins.
local function add_offsets(values, context, first)
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
    { [walk] = first }))
  values.offsets = several.first(context, values.offsets)
  values.onward = several.first(context, statement.columns(steps))
end

-- The walk itself: its axis, its ends, where a thread is. A plan may have
-- threads begin some planes ahead of what they update: plan.ahead.
function M.add(values, context)
  local plan, axes, names = context.plan, context.axes, context.names
  local walk = axes[#axes].name
  values.walk, values.walk_block = names.axis[walk], ("xyz"):sub(#axes, #axes)
  values.walk_begin, values.walk_end = names.lower[walk], names.upper[walk]
  values.chunk = plan.chunk
  values.tile_text = table.concat(plan.block_size, "x")
  values.coordinates = several.placed(context, text.coordinates(
    table.move(axes, 1, #axes - 1, 1, {}), plan.tile, names))
  add_offsets(values, context, plan.ahead
    and ("(first - %d)"):format(plan.ahead) or "first")
end

function M.find_stream(streams, load)
  return lists.find(streams, "buffer", load.buffer)
end

-- The offsets of a load within its plane, or nil where all are 0.
function M.in_plane(load, axes)
  local offset, any = {}, false
  for i = 1, #axes - 1 do
    offset[i] = load.offset[axes[i].name] or 0
    any = any or offset[i] ~= 0
  end
  return any and offset or nil
end

-- Where a store goes.
function M.target(context)
  local names = context.names
  return function(store)
    return access.at(names.array[store.buffer],
      text.place(context.by_name[store.field], {}, names))
  end
end

-- The lines that load what belongs to the points before the block waits: of
-- `loads`, those that `wanted` says; `guard`: who may. Before them, the lines
-- that declare it.
function M.early(context, loads, wanted, guard)
  local rows = {}
  for _, load in ipairs(loads) do
    if wanted(load) then
      rows[#rows + 1] = stream_text.early_row(load,
        block_lines.load_name(load, context.names), context, guard)
    end
  end
  local declared, lines = several.split(context, rows, statement.columns)
  return lines, declared
end

return M
