-- What st_tma copies of a block's buffers: which planes, where their values go,
-- how much shared memory they take.

local precision = require "gen.model.precision"
local space = require "gen.schedule.space"
local tensor = require "gen.schedule.tensor"

local M = {}

local BYTES = precision.BYTES
local SECTOR, LINE, round_up = tensor.SECTOR, tensor.LINE, tensor.round_up

local COMPANION = 24            -- bytes, of quern_steps.h

local function least(a, b) return math.min(a or b, b) end
local function most(a, b) return math.max(a or b, b) end

-- One buffer as the block reads it, along the walk: low to high, its window
-- (what is read in a thread's own column; high < low: nothing is), first to
-- newest, the planes of its ring; reach = { { below, above } per axis of a
-- plane }. `late`: the ring has no planes that only the window reads.
local function measure(stream, block, axes, late)
  stream.reach = { space.reach(block, axes[1].name, stream.buffer),
                   space.reach(block, axes[2].name, stream.buffer) }
  for _, load in ipairs(block.loads) do
    if load.buffer == stream.buffer then
      local at = space.offsets(load, axes)
      if at[1] ~= 0 or at[2] ~= 0 then
        stream.first = least(stream.first, at[3])
        stream.newest = most(stream.newest, at[3])
      else
        stream.low = least(stream.low, at[3])
        stream.high = most(stream.high, at[3])
      end
    end
  end
  local newest, high = stream.newest, stream.high
  stream.front = late and newest and high and high > newest and high or nil
  if high and not stream.front then
    stream.first, stream.newest = least(stream.first, high), most(newest, high)
  end
  stream.low, stream.high = stream.low or 1, high or 0
end

-- What the newest place of a window takes from a ring of its own: a plane
-- without halo, read `front` planes ahead of the point.
local function add_front(points, stream)
  points[#points + 1] = { buffer = stream.buffer, field = stream.field,
    type = stream.type, away = false, front = stream.front }
end

-- The buffers that a block reads: streams, and those at the point alone.
function M.buffers(lowered, block, axes, late)
  local seen, streams, points = {}, {}, {}
  for _, load in ipairs(block.loads) do
    local known = seen[load.buffer]
    if not known then
      known = { buffer = load.buffer, field = load.field,
                type = space.field(lowered, load.field).type }
      seen[load.buffer] = known
      known.away = false
      points[#points + 1] = known
    end
    for _, at in ipairs((space.offsets(load, axes))) do
      known.away = known.away or at ~= 0
    end
  end
  local still = {}
  for _, buffer in ipairs(points) do
    local list = buffer.away and streams or still
    list[#list + 1] = buffer
    if buffer.away then measure(buffer, block, axes, late) end
  end
  for _, stream in ipairs(streams) do
    if stream.front then add_front(still, stream) end
  end
  return streams, still
end

-- Sizes of what one choice needs: planes, slots, bytes of shared memory. Rows
-- of copies are whole sectors: half of one costs as much as all of it. A stream
-- of one plane is `joined`: that comes with what is read at the points.
function M.lay_out(streams, points, choice)
  local threads, rows, ahead = choice.block, choice.rows, choice.stages
  local vector = choice.vector
  local tile = { threads[1] * vector, threads[2] * rows }
  local bytes, barriers = 0, 0
  for _, s in ipairs(streams) do
    local size, sector = BYTES[s.type], SECTOR // BYTES[s.type]
    local unit = choice.narrow and vector or sector
    s.margin = { round_up(s.reach[1][1], unit),
                 round_up(s.reach[1][2], unit) }
    s.size = { s.margin[1] + tile[1] + s.margin[2],
               s.reach[2][1] + tile[2] + s.reach[2][2] }
    s.slots = s.newest - s.first + 1 + ahead
    bytes = bytes + s.slots * round_up(s.size[1] * s.size[2] * size, LINE)
    s.joined = s.front ~= nil and s.first == s.newest
    barriers = barriers + (s.joined and 0 or s.slots)
  end
  for _, s in ipairs(points) do
    s.size, s.slots = { tile[1], tile[2] }, ahead + 1
    bytes = bytes + s.slots * round_up(tile[1] * tile[2] * BYTES[s.type], LINE)
  end
  barriers = barriers + (points[1] and 2 or 1) * (ahead + 1)
  local company = (choice.lockstep or 0) > 0 and COMPANION or 0
  return tile, round_up(bytes + 8 * barriers + company, LINE)
end

-- How many points all rows have before and after their tile.
local function room(streams)
  local before, after = math.huge, math.huge
  for _, s in ipairs(streams) do
    before, after = math.min(before, s.margin[1]), math.min(after, s.margin[2])
  end
  return before, after
end

-- Copies of narrow tiles have no more points than these read: they begin within
-- a sector. Those of a box that is one tile wide begin on one where they can:
-- `later` points later if the box begins `least` points into its tile or more,
-- `earlier` points earlier if it ends at `most`. nil: they do as they are. Rows
-- may have less room than that beside the tile: threads without a point there
-- stay between the columns `lowest` and `highest` (nil: all have room).
function M.shift(streams, vector)
  local sector, within = SECTOR // BYTES[streams[1].type], 0
  for _, s in ipairs(streams) do
    within = math.max(within, s.margin[1] % sector)
  end
  if within == 0 then return nil end
  local shift = { later = within, earlier = sector - within, least = 0 }
  for _, s in ipairs(streams) do
    shift.least = math.max(shift.least,
      s.reach[1][1] - s.margin[1] + shift.later)
    shift.most = least(shift.most, s.size[1] - s.margin[1] - shift.earlier
      - s.reach[1][2])
  end
  local before, after = room(streams)
  if shift.later > before or shift.earlier > after then
    local first = streams[1]
    local width = first.size[1] - first.margin[1] - first.margin[2]
    shift.lowest, shift.highest = -before, width - vector + after
  end
  return shift
end

return M
