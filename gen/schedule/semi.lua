-- semi: the semi-stencil of de la Cruz and Araya-Polo, along the last axis. A
-- sum begins when its plane comes into view, with what is behind it and beside
-- it (the forward phase), and is completed when the walk gets there, with what
-- is ahead of it (the backward phase): of a column only the planes ahead are
-- read, and each plane is shared once, as it comes. So sums have an order of
-- their own: their last bits differ from those of other shapes.

local edge = require "gen.schedule.edge"
local limits = require "gen.schedule.limits"
local lists = require "gen.list"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"
local sums_in = require "gen.schedule.sums"
local vector = require "gen.schedule.vector"
local walk = require "gen.schedule.walk"

local M = { backends = walk.backends, together = true }

local NAME = "semi"
local BLOCK = { nil, { 128 }, { 32, 8 } }

-- What the template calls its own.
local KEPT = { "complete" }

function M.applies(lowered, kernel, block)
  local well, why = walk.applies(NAME, lowered, kernel, block)
  if not well then return nil, why end
  local axes = space.axes(lowered, block)
  if sums_in.of(lowered, block, axes)[1] then return true end
  return nil, ("%s: needs a symmetric star along %s, no stencil of this block "
    .. "is one"):format(NAME, axes[#axes].name)
end

-- Makes room in a stream for the taps beside the point.
local function widen(stream, sum, axes)
  for _, group in ipairs(sum.groups) do
    for _, tap in ipairs(group.taps) do
      local off = 0
      for i = 1, #axes - 1 do
        local at = tap.offset[axes[i].name] or 0
        local reach = stream.reach[i]
        reach[1], reach[2] = math.max(reach[1], -at), math.max(reach[2], at)
        off = off + (at ~= 0 and 1 or 0)
      end
      stream.plane = stream.plane or off > 0
      stream.corners = stream.corners or off > 1
    end
  end
end

-- The buffers of the sums: windows of the planes 0 .. ahead, the shared plane
-- the last of them.
local function streams_of(sums, axes, ahead)
  local list, by_buffer = {}, {}
  for _, sum in ipairs(sums) do
    local stream = by_buffer[sum.buffer]
    if not stream then
      stream = { buffer = sum.buffer, field = sum.field, low = 0, high = ahead,
        ahead = ahead, reach = {} }
      for i = 1, #axes - 1 do stream.reach[i] = { 0, 0 } end
      by_buffer[sum.buffer], list[#list + 1] = stream, stream
    end
    widen(stream, sum, axes)
  end
  return list
end

function M.settings(lowered, _, block)
  return lists.append(walk.settings(BLOCK[#space.axes(lowered, block)]),
    { vector.setting(1) })
end

-- A sentence about the first value that is read off the point and is not ahead
-- in a window, beside the sums: threads with several points have no vector of
-- it.
local function read_beside(block, axes, sums)
  local ids, window = sums_in.left(block, sums), {}
  for _, sum in ipairs(sums) do window[sum.buffer] = true end
  for _, load in ipairs(block.loads) do
    local at, off = space.offsets(load, axes)
    local ahead = off == 1 and at[#at] > 0 and window[load.buffer]
    if ids[load.id] and off > 0 and not ahead then
      return ("%s is read at (%s) beside its sums"):format(load.buffer,
        table.concat(at, ","))
    end
  end
end

-- Whether a thread can have `count` points: true, or nil and a sentence.
local function fits(lowered, kernel, block, sums, count)
  local why = count > 1
    and read_beside(block, space.axes(lowered, block), sums)
  if why then return nil, ("%s: vec=%d: %s"):format(NAME, count, why) end
  return vector.fits(NAME, lowered, kernel, block, count)
end

-- What is split, and the shared memory that it takes.
local function lay_out(lowered, kernel, block, size, spare, vec)
  local axes = space.axes(lowered, block)
  local sums, ahead, shared = sums_in.of(lowered, block, axes), 0, 0
  for _, sum in ipairs(sums) do ahead = math.max(ahead, sum.reach) end
  local streams = streams_of(sums, axes, ahead)
  for _, stream in ipairs(streams) do
    local bytes = walk.plane(stream, kernel, size, vec)
    shared = shared + (stream.plane and (1 + spare) * bytes or 0)
  end
  return sums, streams, ahead, shared
end

function M.plan(lowered, kernel, block, _, values)
  local axes, size = space.axes(lowered, block), values.block
  local threads, problem = limits.threads(NAME, size)
  if not threads then return nil, problem end
  local spare = walk.spare(values)
  local tile, vec = walk.tile(values), values.vec[1]
  local sums, streams, ahead, shared = lay_out(lowered, kernel, block,
    table.move(tile, 1, #size, 1, {}), spare, vec)
  local well, why = limits.shared(NAME, shared)
  if well then well, why = fits(lowered, kernel, block, sums, vec) end
  if not well then return nil, why end
  local plan = { name = setting.plan_name(lowered, kernel, block, NAME,
      M.settings(lowered, kernel, block), values),
    template = NAME .. ".cu", block_size = size, threads = threads,
    tile = tile, margin = walk.margin(tile, block, axes), streams = streams,
    sums = sums, ahead = ahead, shared = shared, chunk = values.chunk[1],
    kept = vector.kept(KEPT, vec), spare = spare, stages = 0, vec = vec }
  plan.notes = { walk.note(plan, axes), ("order      along %s first what is "
    .. "behind, then what is ahead"):format(axes[#axes].name) }
  return edge.with(plan, lowered, block)
end

return M
