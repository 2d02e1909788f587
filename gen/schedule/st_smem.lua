-- st_smem: a block walks along the last axis, plane by plane. All planes that
-- a step reads lie in shared memory, halo and corners included, so loads of any
-- form are served. Nothing moves when the walk goes on: it is unrolled as many
-- times as there are planes, and each step has its own roles for them.

local edge = require "gen.schedule.edge"
local limits = require "gen.schedule.limits"
local lists = require "gen.list"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"
local vector = require "gen.schedule.vector"
local walk = require "gen.schedule.walk"

local M = { backends = walk.backends, together = true }

local NAME = "st_smem"

-- What a block may be, the best first, by the number of axes.
local CHOICES = { nil, { { 128 }, { 64 }, { 32 } },
  { { 64, 8 }, { 32, 16 }, { 32, 8 }, { 16, 16 }, { 16, 8 }, { 8, 8 } } }

local WIDE, VECTOR, AHEAD, HELD = { 16, 16 }, 4, 2, 200

-- What the template calls its own.
local KEPT = { "s", "p", "j", "allowed", "shared_planes", "dynamic_shared" }

-- The fewest planes, at least `count`, that a walk unrolled `turns` times
-- brings back to where they were.
local function slots(count, turns)
  while turns % count ~= 0 do count = count + 1 end
  return count
end

-- The streams of a block of `points` with their slots, `spare` more than a step
-- reads, how often the walk is unrolled, and the bytes of all planes.
local function lay_out(lowered, kernel, block, points, spare, vec)
  local axes = space.axes(lowered, block)
  local streams, turns, bytes = walk.streamed_buffers(lowered, block, axes), 1,
    0
  for _, stream in ipairs(streams) do
    walk.measure(stream, block, axes)
    turns = math.max(turns, stream.high - stream.low + 1 + spare)
  end
  for _, stream in ipairs(streams) do
    stream.slots = slots(stream.high - stream.low + 1 + spare, turns)
    bytes = bytes + stream.slots * walk.plane(stream, kernel, points, vec)
  end
  return streams, turns, bytes
end

-- Whether the block is WIDE, of threads with VECTOR points side by side and
-- AHEAD planes copied ahead: floats, where two fit into a multiprocessor's
-- shared memory.
local function is_wide(lowered, kernel, block, arch)
  if #space.axes(lowered, block) ~= 3 or space.in_shell(lowered, block)
     or kernel.compute ~= "float" then
    return false
  end
  local streams, _, bytes = lay_out(lowered, kernel, block,
    { WIDE[1] * VECTOR, WIDE[2] }, AHEAD, VECTOR)
  if not limits.dynamic(NAME, 2 * bytes, arch) or not walk.copies_ahead(NAME,
     lowered, kernel, streams, AHEAD, arch) then
    return false
  end
  for _, stream in ipairs(streams) do stream.low, stream.high = 1, 0 end
  return vector.pays(lowered, kernel, block, streams, VECTOR, WIDE, HELD)
end

-- The first choice of which two fit into a multiprocessor's shared memory, the
-- first that fits at all, or the last.
local function default(lowered, kernel, block, arch)
  local choices = CHOICES[#space.axes(lowered, block)] or {}
  for _, share in ipairs { 2, 1 } do
    for _, size in ipairs(choices) do
      local _, _, bytes = lay_out(lowered, kernel, block, size, 0, 1)
      if limits.dynamic(NAME, share * bytes, arch) then return size end
    end
  end
  return choices[#choices]
end

function M.settings(lowered, kernel, block, options)
  local wide = is_wide(lowered, kernel, block, options.arch)
  local size = wide and WIDE or default(lowered, kernel, block, options.arch)
  return lists.append(walk.settings(size), { walk.stages(wide and AHEAD or 0),
    vector.setting(wide and VECTOR or 1),
    size and #size == 2 and limits.ROWS or nil })
end

function M.applies(lowered, kernel, block)
  local well, why = walk.applies(NAME, lowered, kernel, block)
  if not well then return nil, why end
  local axes = space.axes(lowered, block)
  if not walk.streamed_buffers(lowered, block, axes)[1] then
    return nil, NAME .. ": nothing is read at other points: gmem does that"
  end
  return true
end

function M.plan(lowered, kernel, block, options, values)
  local axes, size = space.axes(lowered, block), values.block
  local threads, problem = limits.threads(NAME, size)
  if not threads then return nil, problem end
  local spare, tile = walk.spare(values), walk.tile(values)
  local streams, turns, shared = lay_out(lowered, kernel, block,
    table.move(tile, 1, #size, 1, {}), spare, values.vec[1])
  local fits, much = limits.dynamic(NAME, shared, options.arch)
  if not fits then return nil, much end
  local well, why = walk.copies_ahead(NAME, lowered, kernel, streams,
    values.stages[1], options.arch)
  if well then
    well, why = vector.fits(NAME, lowered, kernel, block, values.vec[1])
  end
  if not well then return nil, why end
  local plan = { name = setting.plan_name(lowered, kernel, block, NAME,
      M.settings(lowered, kernel, block, options), values),
    template = NAME .. ".cu", block_size = size, threads = threads,
    tile = tile, margin = walk.margin(tile, block, axes), streams = streams,
    turns = turns, shared = shared, chunk = values.chunk[1],
    kept = vector.kept(KEPT, values.vec[1]), spare = spare,
    stages = values.stages[1], vec = values.vec[1],
    rows = values.rows and values.rows[1] or 1 }
  plan.notes = { walk.note(plan, axes) }
  return edge.with(plan, lowered, block)
end

return M
