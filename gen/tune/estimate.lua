-- What a plan moves, before it is ever run: bytes that its tiles fetch and
-- store for each point that they update. It knows nothing of latency, so it
-- orders what is tried and leaves out what is hopeless; it chooses nothing.

local precision = require "gen.model.precision"
local space = require "gen.schedule.space"

local M = {}

local SECTOR = 32               -- bytes: memory comes in no less
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

-- Bytes per point of a plan at a size (extents along the axes of the module).
function M.bytes(plan, lowered, size)
  local block = plan.block
  local axes = space.axes(lowered, block)
  local tile, on_cpu = tile_of(plan, axes, size), plan.backend == "c"
  -- Where neighbours are, a mesh says when it is there: each array once.
  if plan.kernel.domain then
    return block.counts.bytes / useful(plan, tile, axes, size)
  end
  local buffers = read_buffers(lowered, block, axes)
  local again = on_cpu and #tile > 1 and refetched(buffers, tile)
  local points, total = 1, 0
  for _, n in ipairs(tile) do points = points * n end
  for _, buffer in ipairs(buffers) do
    local reach = buffer.reach[#tile]
    local times = again and reach[1] + 1 + reach[2] or 1
    total = total + times * buffer.bytes * fetched(buffer, tile) / points
  end
  for _, store in ipairs(block.stores) do
    total = total + precision.BYTES[space.field(lowered, store.field).type]
  end
  return total / (on_cpu and 1 or useful(plan, tile, axes, size))
end

return M
