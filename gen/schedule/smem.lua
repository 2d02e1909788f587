-- What smem_u, smem_eta_3 and smem_eta_1 share: one thread per point, as in
-- gmem, but some buffers are read from tiles in shared memory: the values at
-- the points of a block and around them, which the block fetches first. The
-- shapes differ in which buffers these are, and in who fetches the halo.

local choices = require "gen.schedule.choices"
local edge = require "gen.schedule.edge"
local limits = require "gen.schedule.limits"
local precision = require "gen.model.precision"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"

local M = {}

-- What the template and its texts call their own, beside gen/c/words.lua.
local KEPT = { "s", "allowed", "halo", "layer", "plane", "turn",
  "shared_planes", "dynamic_shared" }

-- A buffer as its loads have it: reach = { { below, above } per axis }, away =
-- the furthest of them, corners = is it read off the axes.
local function measured(load, block, axes)
  local buffer = { buffer = load.buffer, field = load.field, reach = {},
                   away = 0, corners = false }
  for i, axis in ipairs(axes) do
    local reach = space.reach(block, axis.name, load.buffer)
    buffer.reach[i] = reach
    buffer.away = math.max(buffer.away, reach[1], reach[2])
  end
  for _, other in ipairs(block.loads) do
    if other.buffer == load.buffer then
      local _, count = space.offsets(other, axes)
      buffer.corners = buffer.corners or count > 1
    end
  end
  return buffer
end

-- The buffers on all axes that are read at other points, as they are read
-- first, and how far the furthest is.
local function read_around(lowered, block, axes)
  local seen, list, furthest = {}, {}, 0
  for _, load in ipairs(block.loads) do
    local full = #space.field(lowered, load.field).axes == #axes
    if full and not seen[load.buffer] then
      seen[load.buffer] = true
      local buffer = measured(load, block, axes)
      list[#list + 1] = buffer.away > 0 and buffer or nil
      furthest = math.max(furthest, buffer.away)
    end
  end
  return list, furthest
end

-- Those of the highest order, or all others.
local function candidates(how, lowered, block, axes)
  local all, furthest = read_around(lowered, block, axes)
  local list = {}
  for _, buffer in ipairs(all) do
    if (buffer.away == furthest) == how.highest then
      list[#list + 1] = buffer
    end
  end
  return list, furthest
end

-- The points of a buffer's tile along each axis, and its bytes.
local function measure_tile(buffer, block_size, kernel)
  local size, bytes = {}, precision.BYTES[kernel.compute]
  for i, n in ipairs(block_size) do
    size[i] = buffer.reach[i][1] + n + buffer.reach[i][2]
    bytes = bytes * size[i]
  end
  return size, bytes
end

-- The first of the choices whose first tile fits, or the last.
local function default_block(how, lowered, kernel, block, options)
  local axes = space.axes(lowered, block)
  local first = candidates(how, lowered, block, axes)[1]
  local blocks = how.blocks[#axes] or { { 1 } }
  for _, size in ipairs(first and blocks or {}) do
    local _, bytes = measure_tile(first, size, kernel)
    if limits.dynamic(how.name, bytes, options.arch) then return size end
  end
  return first and blocks[#blocks] or blocks[1]
end

-- The tiles of a block: the first, and more while all together leave room for
-- several blocks on a multiprocessor.
local function tiles_of(list, block_size, kernel)
  local tiles, bytes = {}, 0
  for _, buffer in ipairs(list) do
    local size, more = measure_tile(buffer, block_size, kernel)
    if not tiles[1] or limits.shared("", bytes + more) then
      buffer.size, bytes = size, bytes + more
      tiles[#tiles + 1] = buffer
    end
  end
  return tiles, bytes
end

local function notes(plan)
  local names = {}
  for i, tile in ipairs(plan.tiles) do names[i] = tile.buffer end
  return { ("per block  %s = %d threads, %d bytes of shared memory"):format(
      table.concat(plan.block_size, "x"), plan.threads, plan.shared),
    ("           %s of %s"):format(names[2] and "tiles" or "a tile",
      table.concat(names, ", ")) }
end

-- Points of idle threads past a box, and of the halo that they may look at.
local function margin(size, block, axes)
  local list = {}
  for i, n in ipairs(size) do
    list[i] = n + space.reach(block, axes[i].name)[2] + 1
  end
  return list
end

local function applies(how, lowered, kernel, block)
  local axes = space.axes(lowered, block)
  if (kernel.kind or "point") ~= "point" then
    return nil, ("%s: updates all points at once, kernel %s does not"):format(
      how.name, kernel.name)
  elseif not how.blocks[#axes] then
    return nil, ("%s: needs 1 to 3 axes, this kernel has %d"):format(how.name,
      #axes)
  end
  local list, furthest = candidates(how, lowered, block, axes)
  if furthest == 0 then
    return nil, how.name .. ": nothing is read at other points: gmem does that"
  elseif not list[1] then
    return nil, ("%s: no field is of lower order, all that are read at other "
      .. "points are read %d away"):format(how.name, furthest)
  end
  return true
end

local function settings(how, lowered, kernel, block, options)
  return { { name = "block",
    default = default_block(how, lowered, kernel, block, options),
    choices = choices.POINTS[#space.axes(lowered, block)] } }
end

local function plan(how, lowered, kernel, block, options, values)
  local axes, size = space.axes(lowered, block), values.block
  local threads, problem = limits.threads(how.name, size)
  if not threads then return nil, problem end
  local tiles, bytes = tiles_of(candidates(how, lowered, block, axes), size,
    kernel)
  local well, much = limits.dynamic(how.name, bytes, options.arch)
  if not well then return nil, much end
  local made = { name = setting.plan_name(lowered, kernel, block, how.name,
      settings(how, lowered, kernel, block, options), values),
    template = "smem.cu", block_size = size, threads = threads, tile = size,
    margin = margin(size, block, axes), tiles = tiles, shared = bytes,
    dynamic = not limits.shared(how.name, bytes), tilted = how.tilted,
    kept = KEPT }
  made.notes = notes(made)
  return edge.with(made, lowered, block)
end

-- The shape `how` = { name, highest = which buffers have tiles, those of the
-- highest order or all others; tilted = are the planes of the halo fetched by
-- the first threads along the first axis; blocks = per rank, the best first }.
function M.shape(how)
  local shape = { backends = { "cuda", "simt" }, together = true }
  function shape.settings(...) return settings(how, ...) end
  function shape.applies(...) return applies(how, ...) end
  function shape.plan(...) return plan(how, ...) end
  return shape
end

return M
