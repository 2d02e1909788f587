-- The values of templates/st_smem.cu.tpl.

local block_lines = require "gen.c.block"
local cuda = require "gen.emit.cuda"
local lists = require "gen.list"
local planes = require "gen.c.planes"
local several = require "gen.c.several"
local statement = require "gen.c.statement"
local stream_text = require "gen.c.stream"
local vectors = require "gen.c.vectors"
local walk = require "gen.emit.walk"

local M = {}

-- The plan's streams with their names.
local function named_streams(context)
  local streams = {}
  for i, planned in ipairs(context.plan.streams) do
    local stream = {}
    for key, value in pairs(planned) do -- any order
      stream[key] = value
    end
    planes.name(stream, context.names, context.axes,
      #context.plan.streams == 1, context.rows.vec)
    streams[i] = stream
  end
  return streams
end

-- Where a load's value is in one step: in a plane, or in a register loaded
-- early.
local function places(context, streams, turn)
  local function stream_of(load) return walk.find_stream(streams, load) end
  return {
    width = 84 - (context.rows.count > 1 and 4 or 0)
      - (context.rows.vec > 1 and 4 or 0),
    register = function(load)
      local stream = stream_of(load)
      if not stream then
        return block_lines.load_name(load, context.names) .. context.rows.each
      end
      return stream.rows and vectors.element(stream, load, context.axes)
    end,
    element = function(load)
      return planes.element(stream_of(load), turn, load, context.axes)
    end,
    target = walk.target(context),
  }
end

-- The lines that read what vectors are made of, in one step.
local function rows_of(context, streams, turn)
  local lines, axes = {}, context.axes
  for _, stream in ipairs(streams) do
    for _, row in ipairs(stream.rows or {}) do
      local offset = {}
      for i = 2, #axes do offset[axes[i].name] = row.at[i - 1] end
      lines[#lines + 1] = vectors.row_line(row, context,
        planes.element(stream, turn, { offset = offset }, axes))
    end
  end
  return lines
end

-- One step of the walk, the n-th of plan.turns.
local function step_of(context, streams, n)
  local step = { number = n, first = n == 1, newest = {} }
  for i, stream in ipairs(streams) do
    step.newest[i] = planes.newest(stream, context, n - 1)
  end
  step.newest = several.first(context, step.newest)
  step.body = walk.points(context, block_lines.lines(context.lowered,
    context.kernel, context.block, context.names,
    places(context, streams, n - 1)), rows_of(context, streams, n - 1))
  return step
end

-- A thread's place in the planes, and who updates a point.
local function add_places(values, context, rows)
  local inside = { "const bool inside",
    (" = %s;"):format(stream_text.inside(context)) }
  for i, row in ipairs(rows) do rows[i] = several.placed(context, row) end
  if context.rows.count == 1 then
    values.places = statement.columns(lists.joined(rows, { inside }))
  else
    values.places = lists.append(statement.columns(rows),
      lists.joined(several.split(context, { inside }, statement.columns)))
  end
  if context.rows.vec > 1 then
    values.places = lists.append(vectors.ends(context), values.places)
  end
end

-- The copies that are started before the walk: for each of the next steps,
-- { step, calls = lines }.
local function primed_ahead(context, streams)
  local list = {}
  for ahead = 1, context.plan.stages - 1 do
    local calls = {}
    for i, stream in ipairs(streams) do
      calls[i] = planes.prime_ahead(stream, context, ahead)
    end
    list[ahead] = { step = ahead, calls = several.first(context, calls) }
  end
  return list
end

-- The structure of shared memory, and the functions that fill it.
local function add_planes(values, context, streams)
  local rows, prime = {}, {}
  values.shared, values.shares = {}, {}
  for i, stream in ipairs(streams) do
    values.shared[i] = ("%s %s[%d]%s;"):format(vectors.type(context),
      stream.planes, stream.slots, stream_text.extents(stream.size))
    values.shares[i] = planes.share(stream, context)
    lists.append(rows, stream_text.place_lines(stream))
    lists.append(rows, planes.bound_rows(stream, context))
    local loop = planes.prime(stream, context)
    prime[#prime + 1] = loop and several.first(context, loop)
  end
  add_places(values, context, rows)
  values.priming = prime
  values.next_steps = primed_ahead(context, streams)
end

function M.view(plan, lowered)
  local values, context = cuda.view(plan, lowered)
  cuda.add_entry(values, context)
  context.rows = several.new(context, true)
  local streams = named_streams(context)
  for _, stream in ipairs(streams) do several.add_place(context, stream) end
  if context.rows.vec > 1 then
    vectors.claim(context, streams)
    vectors.name_results(context)
    for _, stream in ipairs(streams) do
      vectors.add_rows(stream, context, function() return false end)
    end
  end
  walk.add(values, context)
  add_planes(values, context, streams)
  values.fetch, values.fetched = walk.early(context, context.block.loads,
    function(load)
      return not walk.find_stream(streams, load)
    end)
  cuda.add_dynamic(values)
  values.headers = walk.headers(plan, true)
  values.spare = plan.spare > 0
  values.stages = (plan.stages > 0 or values.priming[1]) and plan.stages or nil
  values.filling = "part/planes_" .. (plan.stages > 0 and "copied" or "filled")
  values.behind = plan.stages > 0 and plan.stages - 1 or nil
  values.turns, values.unrolled = plan.turns, {}
  for n = 1, plan.turns do
    values.unrolled[n] = step_of(context, streams, n)
  end
  return values
end

return M
