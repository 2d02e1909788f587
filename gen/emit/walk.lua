-- What the templates of all shapes get whose blocks walk along the last axis.

local access = require "gen.c.access"
local block_lines = require "gen.c.block"
local lists = require "gen.list"
local several = require "gen.c.several"
local statement = require "gen.c.statement"
local stream_text = require "gen.c.stream"
local text = require "gen.c.text"
local vector = require "gen.schedule.vector"
local vectors = require "gen.c.vectors"

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

-- Where a thread's point is: lines. Vectors may begin before the points.
local function coordinates(context)
  local names, axes, plan = context.names, context.axes, context.plan
  local lines, plane = {}, table.move(axes, 1, #axes - 1, 1, {})
  if context.rows.vec > 1 then
    local name, line = vectors.start(context)
    local lower = setmetatable({ [axes[1].name] = name },
      { __index = names.lower })
    names, lines = setmetatable({ lower = lower }, { __index = names }),
      { line }
  end
  return lists.append(lines, several.placed(context,
    text.coordinates(plane, plan.tile, names, context.index)))
end

-- What a walk with vectors has beside: its header, its tiles, its check.
local function add_vectors(values, context)
  if context.rows.vec == 1 then return end
  values.vector_bytes = vector.bytes(context.plan)
  values.grid[1] = "(unsigned)" .. vectors.tiles(context, context.names.array)
    .. (#values.grid > 1 and "," or "")
  table.insert(values.more_checks, "part/cuda_vector_check")
end

-- The walk itself: its axis, its ends, where a thread is. A plan may have
-- threads begin some planes ahead of what they update: plan.ahead.
function M.add(values, context)
  local plan, axes, names = context.plan, context.axes, context.names
  local walk = axes[#axes].name
  values.walk = names.axis[walk]
  values.walk_block = context.index .. "." .. ("xyz"):sub(#axes, #axes)
  values.walk_begin, values.walk_end = names.lower[walk], names.upper[walk]
  values.chunk = plan.chunk
  values.tile_text = table.concat(plan.tile, "x", 1, #axes - 1)
  values.coordinates = coordinates(context)
  add_vectors(values, context)
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
  if context.rows.vec > 1 then return vectors.target(context) end
  local names = context.names
  return function(store)
    return access.at(names.array[store.buffer],
      text.place(context.by_name[store.field], {}, names))
  end
end

-- The lines that load what belongs to the points before the block waits: of
-- `loads`, those that `wanted` says; `guard`: who may, if not all that are
-- inside. Then the lines that declare it.
function M.early(context, loads, wanted, guard)
  local rows, found = {}, {}
  for _, load in ipairs(loads) do
    if wanted(load) then
      local name = block_lines.load_name(load, context.names)
      found[#found + 1] = { load = load, name = name }
      rows[#rows + 1] = stream_text.early_row(load, name, context,
        guard or "inside" .. context.rows.own)
    end
  end
  local declared, lines
  if context.rows.vec > 1 then
    declared, lines = vectors.early(context, found, guard)
  else
    declared, lines = several.split(context, rows, statement.columns)
  end
  return lines, declared
end

-- The code of points, as gen/c/block.lua has it; `rows`: the lines that read
-- what vectors are made of.
function M.code(context, lines, rows)
  local code = block_lines.join(lines)
  return context.rows.vec > 1 and vectors.body(context, rows, code) or code
end

-- The same for all points of a step that are there.
function M.points(context, lines, rows)
  return several.loop(context, several.inside(context,
    M.code(context, lines, rows)))
end

-- What a kernel stands on: headers, by what it does. `dynamic`: shared memory
-- is the launch's.
function M.headers(plan, dynamic)
  if plan.vec and plan.vec > 1 then return { "part/cuda_vector" } end
  if plan.stages > 0 then return { "part/cuda_async" } end
  return dynamic and { "part/cuda_dynamic" } or {}
end

return M
