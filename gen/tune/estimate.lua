-- What a plan costs, before it is ever run: bytes that its tiles fetch and
-- store for each point that they update, tile by tile over the slabs of a shell
-- or the domain, more where threads are idle, a warp touches many lines or a
-- block waits alone. A rough guess: it orders what is tried and leaves out what
-- is hopeless; it chooses nothing. What is guessed was held against the tables
-- of tests/device (tests/runtime/tune_search_spec.lua).

local limits = require "gen.schedule.limits"
local precision = require "gen.model.precision"
local slabs = require "gen.tune.slabs"
local space = require "gen.schedule.space"

local M = {}

local SECTOR = 32               -- bytes: memory comes in no less
local LINE = 128                -- bytes that 32 threads load at once
local IDLE = 16                 -- bytes that a thread without a point costs
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
    if other.buffer == load.buffer then
      local _, count = space.offsets(other, axes)
      buffer.star = buffer.star and count <= 1
    end
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

-- The points of a tile along each axis; of a sweep all.
local function tile_of(tile, box)
  local list = {}
  for i, n in ipairs(tile) do
    list[i] = type(n) == "number" and n or box[i]
  end
  return list
end

-- The walk of a plan for a box, and its tile in the order of the axes: most
-- plans have one, some one for boxes thin along each axis.
local function walk_for(plan, axes, box)
  local thin = 1
  for i, n in ipairs(box) do thin = n < box[thin] and i or thin end
  for _, walk in ipairs(plan.walks or {}) do
    if walk.thin == axes[thin].name then
      local tile = {}
      for i, axis in ipairs(axes) do
        for k, own in ipairs(walk.axes) do
          if own.name == axis.name then tile[i] = walk.tile[k] end
        end
      end
      return walk, tile
    end
  end
  return plan, plan.tile
end

-- How tiles of n points cut an extent: { count, points of each }..
local function cuts(extent, n)
  local list = {}
  if extent >= n then list[1] = { extent // n, n } end
  if extent % n > 0 then list[#list + 1] = { 1, extent % n } end
  return list
end

-- Calls visit(count, points of each along all axes) for the tiles of a box.
local function each_tile(box, tile, visit, i, count, points)
  i, count, points = i or 1, count or 1, points or {}
  if i > #box then return visit(count, points) end
  for _, cut in ipairs(cuts(box[i], tile[i])) do
    points[i] = cut[2]
    each_tile(box, tile, visit, i + 1, count * cut[1], points)
  end
end

local function product(list)
  local all = 1
  for _, n in ipairs(list) do all = all * n end
  return all
end

-- Bytes that a tile fetches and stores: what is there of it, but the tensor
-- unit copies planes as they are. Where neighbours are, a mesh says when it is
-- there: each array once.
local function moved(plan, lowered, buffers, tile, points)
  if plan.kernel.domain then
    return plan.block.counts.bytes * product(points)
  end
  local size = table.move(points, 1, #points, 1, {})
  if plan.shape == "st_tma" then table.move(tile, 1, #tile - 1, 1, size) end
  local again = plan.backend == "c" and #tile > 1 and refetched(buffers, size)
  local total = 0
  for _, buffer in ipairs(buffers) do
    local reach = buffer.reach[#tile]
    local times = again and reach[1] + 1 + reach[2] or 1
    total = total + times * buffer.bytes * fetched(buffer, size)
  end
  for _, store in ipairs(plan.block.stores) do
    total = total + precision.BYTES[space.field(lowered, store.field).type]
      * product(points)
  end
  return total
end

-- Points of threads that have none; a walk ends where the box does.
local function idle(plan, tile, points)
  local threads = table.move(tile, 1, #tile, 1, {})
  if plan.chunk or plan.walks then threads[#tile] = points[#tile] end
  return product(threads) - product(points)
end

-- What rows of a tile that are shorter than the line of a warp cost: how many
-- lines are touched where one would do, as far as caches do not keep them. Of
-- tiles that a mesh is cut into that is not known beforehand.
local function lines(plan, lowered, tile)
  if plan.tiling then return 1 end
  local field = space.field(lowered, plan.block.stores[1].field)
  local row = tile[1] * precision.BYTES[field.type]
  return row < LINE and math.sqrt(LINE / row) or 1
end

-- While a block waits at a barrier, others on its multiprocessor go on, if
-- there are some; what is copied ahead is not waited for.
local function waiting(plan, walk)
  local shared = walk.shared or 0
  local ahead = plan.shape == "st_tma" or (plan.stages or 0) > 0
  if shared == 0 or ahead then return 1 end
  local blocks = math.max(1, math.min(limits.SHARED_ALL // (shared + 1024),
    limits.REGISTERS // (REGISTERS * walk.threads)))
  return (blocks + 1) / blocks
end

-- The bytes that all tiles of a box move, more where a device does worse.
local function cost_of(plan, lowered, axes, buffers, box)
  local walk, wanted = walk_for(plan, axes, box)
  local tile, total = tile_of(wanted, box), 0
  local unused = plan.backend == "c" and 0 or IDLE
  each_tile(box, tile, function(count, points)
    total = total + count * (moved(plan, lowered, buffers, tile, points)
      + unused * idle(plan, tile, points))
  end)
  if plan.backend == "c" then return total end
  return total * lines(plan, lowered, tile) * waiting(plan, walk)
end

-- The same of all regions together: each as far as it has points.
local function cost_of_parts(plan, lowered, size, scalars)
  local total, all = 0, 0
  for _, part in ipairs(plan.parts) do
    local cost, points = M.cost(part, lowered, size, scalars)
    total, all = total + cost * points, all + points
  end
  return total / all, all
end

-- What a point costs by a plan at a size (extents along the axes of the
-- module), in bytes of memory traffic; scalars: values by name, which say how
-- wide a shell is. Of a chain in pieces it is what all of them cost, of regions
-- together what a point of them costs; the number of points comes second.
function M.cost(plan, lowered, size, scalars)
  if plan.parts then return cost_of_parts(plan, lowered, size, scalars) end
  local pieces = 0
  for _, piece in ipairs(plan.pieces and plan.helpers or {}) do
    pieces = pieces + M.cost(piece, lowered, size, scalars)
  end
  if plan.pieces then return pieces end
  local axes = space.axes(lowered, plan.block)
  local buffers = read_buffers(lowered, plan.block, axes)
  local total, points = 0, 0
  for _, box in ipairs(slabs.of(lowered, plan.block, axes, size,
      scalars or {})) do
    total = total + cost_of(plan, lowered, axes, buffers, box)
    points = points + product(box)
  end
  return total / points, points
end

return M
