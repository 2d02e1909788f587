-- What a plan costs, before it is ever run: bytes that its tiles fetch and
-- store for each point that they update, more where a warp touches many lines
-- or a block waits alone. A rough guess: it orders what is tried and leaves out
-- what is hopeless; it chooses nothing.

local limits = require "gen.schedule.limits"
local precision = require "gen.model.precision"
local space = require "gen.schedule.space"

local M = {}

local SECTOR = 32               -- bytes: memory comes in no less
local LINE = 128                -- bytes that 32 threads load at once
local REGISTERS = 64            -- of a thread: a guess
local CACHE = 1 << 20           -- bytes that a core of a CPU keeps near

local function round_up(n, unit) return (n + unit - 1) // unit * unit end

-- The buffer of a load: { bytes = of an element, reach = { { below, above } per
-- axis }, star = is none of its loads off the axes }.
local function measured(load, field, block, axes)
  local buffer = { bytes = precision.BYTES[field.type], star = true,
                   reach = {} }
  for i, axis in ipairs(axes) do
    buffer.reach[i] = space.reach(block, axis.name, load.buffer)
  end
  for _, other in ipairs(block.loads) do
    local _, count = space.offsets(other, axes)
    if other.buffer == load.buffer and count > 1 then buffer.star = false end
  end
  return buffer
end

-- Those that a block reads. What is not on all axes costs nothing per point.
local function read_buffers(lowered, block, axes)
  local list, seen = {}, {}
  for _, load in ipairs(block.loads) do
    local field = space.field(lowered, load.field)
    if not seen[load.buffer] and #field.axes == #axes then
      seen[load.buffer] = true
      list[#list + 1] = measured(load, field, block, axes)
    end
  end
  return list
end

-- Points of the halo below and above a tile, along an axis; along the first one
-- in whole sectors.
local function halo(buffer, i)
  local below, above = buffer.reach[i][1], buffer.reach[i][2]
  if i > 1 then return below + above end
  local sector = SECTOR // buffer.bytes
  return round_up(below, sector) + round_up(above, sector)
end

-- The points of a buffer that a tile fetches; a star has no corners.
local function fetched(buffer, tile)
  local points, all, beside = 1, 1, 0
  local size = { round_up(tile[1], SECTOR // buffer.bytes),
    table.unpack(tile, 2) }
  for i, n in ipairs(size) do
    points, all = points * n, all * (n + halo(buffer, i))
  end
  for i, n in ipairs(size) do
    beside = beside + points // n * halo(buffer, i)
  end
  return buffer.star and points + beside or all
end

-- In C a tile is walked plane by plane: where the planes that are read at once
-- stay in no cache, each of them is fetched again.
local function refetched(buffers, tile)
  local last, alive = #tile, 0
  for _, buffer in ipairs(buffers) do
    local planes = buffer.reach[last][1] + 1 + buffer.reach[last][2]
    local points = 1
    for i = 1, last - 1 do points = points * (tile[i] + halo(buffer, i)) end
    alive = alive + planes * points * buffer.bytes
  end
  return alive > CACHE
end

-- The share of the points of all tiles that are points of the domain. A walk
-- ends where the domain does.
local function useful(plan, tile, axes, size)
  local share = 1
  for i, n in ipairs(tile) do
    local extent = math.max(1, size[axes[i].index + 1])
    local ends = plan.chunk and i == #tile
    share = ends and share or share * extent / round_up(extent, n)
  end
  return share
end

-- The points of a tile along each axis; of a sweep all. In C it is never more
-- than the domain, a block of threads may be.
local function tile_of(plan, axes, size)
  local list = {}
  for i, n in ipairs(plan.tile) do
    local extent = math.max(1, size[axes[i].index + 1])
    local whole = type(n) ~= "number" or plan.backend == "c" and n > extent
    list[i] = whole and extent or n
  end
  return list
end

-- Bytes that are fetched and stored per point of a tile.
local function moved(plan, lowered, axes, tile)
  local buffers = read_buffers(lowered, plan.block, axes)
  local again = plan.backend == "c" and #tile > 1 and refetched(buffers, tile)
  local points, total = 1, 0
  for _, n in ipairs(tile) do points = points * n end
  for _, buffer in ipairs(buffers) do
    local reach = buffer.reach[#tile]
    local times = again and reach[1] + 1 + reach[2] or 1
    total = total + times * buffer.bytes * fetched(buffer, tile) / points
  end
  for _, store in ipairs(plan.block.stores) do
    total = total + precision.BYTES[space.field(lowered, store.field).type]
  end
  return total
end

-- How many lines a warp touches where one would do: rows may be short.
local function lines(plan, lowered, tile)
  local field = space.field(lowered, plan.block.stores[1].field)
  return math.max(1, LINE / (tile[1] * precision.BYTES[field.type]))
end

-- While a block waits at a barrier, others on its multiprocessor go on, if
-- there are some; what is copied ahead is not waited for.
local function waiting(plan)
  local shared = plan.shared or 0
  local ahead = plan.shape == "st_tma" or (plan.stages or 0) > 0
  if shared == 0 or ahead then return 1 end
  local blocks = math.max(1, math.min(limits.SHARED_ALL // (shared + 1024),
    limits.REGISTERS // (REGISTERS * plan.threads)))
  return (blocks + 1) / blocks
end

-- What a point costs by a plan at a size (extents along the axes of the
-- module), in bytes of memory traffic.
function M.cost(plan, lowered, size)
  local axes = space.axes(lowered, plan.block)
  local tile = tile_of(plan, axes, size)
  -- Where neighbours are, a mesh says when it is there: each array once.
  local bytes = plan.kernel.domain and plan.block.counts.bytes
    or moved(plan, lowered, axes, tile)
  if plan.backend == "c" then return bytes end
  return bytes * lines(plan, lowered, tile) * waiting(plan)
    / useful(plan, tile, axes, size)
end

return M
