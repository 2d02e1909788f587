-- st_reg_shft: a block walks along the last axis, plane by plane. The values
-- of a thread's own column stand in rotating registers (the window), those of
-- the current plane in shared memory.

local edge = require "gen.schedule.edge"
local limits = require "gen.schedule.limits"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"

local M = { backends = { "cuda", "simt" } }

local NAME = "st_reg_shft"
local BLOCK = { nil, { 128 }, { 64, 8 } }
local CHUNK = 64
local BYTES = { float = 4, double = 8 }

function M.settings(lowered, _, block)
  local size = BLOCK[#space.axes(lowered, block)] or { 1 }
  return { { name = "block", default = size },
           { name = "chunk", default = { CHUNK } } }
end

-- The offsets of a load along all axes, as "(1,0,1)", and how many are not 0.
local function offsets(load, axes)
  local list, count = {}, 0
  for i, axis in ipairs(axes) do
    list[i] = load.offset[axis.name] or 0
    if list[i] ~= 0 then count = count + 1 end
  end
  return list, count, "(" .. table.concat(list, ",") .. ")"
end

function M.applies(lowered, kernel, block)
  local why = limits.unordered(NAME, kernel)
  if why then return nil, why end
  local axes = space.axes(lowered, block)
  if kernel.colours then
    return nil, ("%s: walks over the planes once, kernel %s goes over them "
      .. "once for each of its colours"):format(NAME, kernel.name)
  end
  if #axes < 2 or #axes > 3 then
    return nil, ("%s: streams along the last of 2 or 3 axes, this kernel has "
      .. "%d"):format(NAME, #axes)
  end
  for _, load in ipairs(block.loads) do
    local list, count, text = offsets(load, axes)
    if list[#axes] ~= 0 and count > 1 then
      return nil, ("%s: needs a star along %s: %s is read at %s"):format(NAME,
        axes[#axes].name, load.buffer, text)
    end
  end
  return true
end

-- The buffers of a block that are read at other points, in the order of loads.
local function streamed_buffers(lowered, block, axes)
  local seen, list = {}, {}
  for _, load in ipairs(block.loads) do
    local field = space.field(lowered, load.field)
    local _, count = offsets(load, axes)
    if count > 0 and #field.axes == #axes and not seen[load.buffer] then
      seen[load.buffer] = true
      list[#list + 1] = { buffer = load.buffer, field = load.field }
    end
  end
  return list
end

-- Adds to a buffer: low, high (offsets of its window), reach = { { below,
-- above } per axis of the plane }, plane = does it have one, corners.
local function measure(stream, block, axes)
  stream.reach = {}
  for i = 1, #axes - 1 do
    stream.reach[i] = space.reach(block, axes[i].name, stream.buffer)
  end
  for _, load in ipairs(block.loads) do
    if load.buffer == stream.buffer then
      local list, count = offsets(load, axes)
      local along = list[#axes]
      local in_plane = count > (along ~= 0 and 1 or 0)
      stream.plane = stream.plane or in_plane
      stream.corners = stream.corners or count > 1
      stream.low = math.min(stream.low or along, along)
      stream.high = math.max(stream.high or along, along)
    end
  end
  if stream.plane then
    stream.low = math.min(stream.low, 0)
    stream.high = math.max(stream.high, 0)
  end
  return stream
end

-- The elements of the shared plane of a buffer, halo included, per axis.
local function plane_size(stream, block_size)
  local size = {}
  for i, n in ipairs(block_size) do
    size[i] = stream.reach[i][1] + n + stream.reach[i][2]
  end
  return size
end

local function product(list)
  local all = 1
  for _, n in ipairs(list) do all = all * n end
  return all
end

local function streams_of(lowered, kernel, block, axes, block_size)
  local streams = streamed_buffers(lowered, block, axes)
  local shared = 0
  for _, stream in ipairs(streams) do
    measure(stream, block, axes)
    stream.size = plane_size(stream, block_size)
    if stream.plane then
      shared = shared + product(stream.size) * BYTES[kernel.compute]
    end
  end
  return streams, shared
end

-- Points of idle threads past a box, and of the halo that they may compute.
local function margin(tile, block, axes)
  local list = {}
  for i, n in ipairs(tile) do
    list[i] = 2 * n + space.reach(block, axes[i].name)[2] + 1
  end
  return list
end

function M.plan(lowered, kernel, block, _, values)
  local axes, size = space.axes(lowered, block), values.block
  local threads, problem = limits.threads(NAME, size)
  if not threads then return nil, problem end
  local streams, shared = streams_of(lowered, kernel, block, axes, size)
  local well, too_much = limits.shared(NAME, shared)
  if not well then return nil, too_much end
  local tile = { table.unpack(size) }
  tile[#tile + 1] = values.chunk[1]
  return edge.with({
    name = setting.plan_name(lowered, kernel, block, NAME,
      M.settings(lowered, kernel, block), values),
    template = NAME .. ".cu", block_size = size, threads = threads,
    tile = tile, margin = margin(tile, block, axes), streams = streams,
    shared = shared, chunk = values.chunk[1],
    notes = { ("per block  %s = %d threads, %d %s planes, %d bytes of shared "
      .. "memory"):format(table.concat(size, "x"), threads, values.chunk[1],
      axes[#axes].name, shared) },
  }, lowered, block)
end

return M
