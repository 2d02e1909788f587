-- What the shapes share whose blocks walk along the last axis, plane by plane:
-- whom they serve, which buffers they stream, how much a plane is.

local choices = require "gen.schedule.choices"
local limits = require "gen.schedule.limits"
local precision = require "gen.model.precision"
local space = require "gen.schedule.space"
local tensor = require "gen.schedule.tensor"

local M = { backends = { "cuda", "simt" } }

local CHUNK = 64

-- The parameters of a shape whose block is `size`, if the kernel has a plane:
-- planes of the walk; shared planes beyond those that a step reads (with one,
-- nobody waits before the next is filled).
function M.settings(size)
  local block = size or { 1 }
  return { { name = "block", default = block,
             choices = choices.PLANES[#block] },
           { name = "chunk", default = { CHUNK }, choices = choices.CHUNK },
           { name = "spare", default = { 0 }, least = 0, most = 1 } }
end

-- Planes that threads copy ahead, for which there are as many spare ones;
-- `count` where nobody asks for more or fewer.
function M.stages(count)
  return { name = "stages", default = { count }, least = 0, most = 4,
           choices = choices.AHEAD }
end

-- Shared planes of a buffer beyond those that a step reads.
function M.spare(values)
  return math.max(values.spare[1], values.stages and values.stages[1] or 0)
end

-- Whether the planes of the streams can be copied as they are by the threads
-- of all architectures, if `stages` of them are: true, or nil and a sentence.
function M.copies_ahead(shape, lowered, kernel, streams, stages, arch)
  if stages == 0 then return true end
  for _, stream in ipairs(streams) do
    local field = space.field(lowered, stream.field)
    if field.type ~= kernel.compute then
      return nil, ("%s: stages are copied as they are, %s is stored as %s and "
        .. "computed with as %s"):format(shape, stream.buffer, field.type,
        kernel.compute)
    end
  end
  return limits.copies_ahead(shape, arch)
end

function M.applies(shape, lowered, kernel, block)
  local why = limits.unordered(shape, kernel)
  if why then return nil, why end
  local axes = space.axes(lowered, block)
  if kernel.colours then
    return nil, ("%s: walks over the planes once, kernel %s goes over them "
      .. "once for each of its colours"):format(shape, kernel.name)
  end
  if #axes < 2 or #axes > 3 then
    return nil, ("%s: streams along the last of 2 or 3 axes, this kernel has "
      .. "%d"):format(shape, #axes)
  end
  return true
end

-- The first load that is off its point along the walk and along another axis
-- too, as a sentence; of one buffer if it is given.
function M.no_star(shape, block, axes, buffer)
  for _, load in ipairs(block.loads) do
    local list, count = space.offsets(load, axes)
    if list[#axes] ~= 0 and count > 1
       and (not buffer or load.buffer == buffer) then
      return ("%s: needs a star along %s: %s is read at (%s)"):format(shape,
        axes[#axes].name, load.buffer, table.concat(list, ","))
    end
  end
end

-- The buffers of a block that are read at other points, in the order of loads.
function M.streamed_buffers(lowered, block, axes)
  local seen, list = {}, {}
  for _, load in ipairs(block.loads) do
    local field = space.field(lowered, load.field)
    local _, count = space.offsets(load, axes)
    if count > 0 and #field.axes == #axes and not seen[load.buffer] then
      seen[load.buffer] = true
      list[#list + 1] = { buffer = load.buffer, field = load.field }
    end
  end
  return list
end

-- Adds to a buffer: reach = { { below, above } per axis of the plane }; low,
-- high: how far it is read along the walk; corners: at corners of a plane;
-- plane: is it read at other points of the plane.
function M.measure(stream, block, axes)
  stream.reach = {}
  for i = 1, #axes - 1 do
    stream.reach[i] = space.reach(block, axes[i].name, stream.buffer)
  end
  for _, load in ipairs(block.loads) do
    if load.buffer == stream.buffer then
      local list, count = space.offsets(load, axes)
      local along = list[#axes]
      local in_plane = count > (along ~= 0 and 1 or 0)
      stream.plane = stream.plane or in_plane
      stream.corners = stream.corners or count > 1
      stream.low = math.min(stream.low or along, along)
      stream.high = math.max(stream.high or along, along)
    end
  end
  return stream
end

-- Gives a buffer the extents of its plane per axis, `size`, and those of its
-- halo below and above, `room`: along the first axis whole vectors of `vec`
-- points. Returns its bytes.
function M.plane(stream, kernel, block_size, vec)
  local all = precision.BYTES[kernel.compute]
  stream.size, stream.room = {}, {}
  for i, n in ipairs(block_size) do
    local unit = i == 1 and vec or 1
    local low = tensor.round_up(stream.reach[i][1], unit)
    local high = tensor.round_up(stream.reach[i][2], unit)
    stream.room[i], stream.size[i] = { low, high }, low + n + high
    all = all * stream.size[i]
  end
  return all
end

-- The points of a block along each axis.
function M.tile(values)
  local tile = { table.unpack(values.block) }
  if values.vec then tile[1] = tile[1] * values.vec[1] end
  if values.rows then tile[2] = tile[2] * values.rows[1] end
  tile[#tile + 1] = values.chunk[1]
  return tile
end

-- Points of idle threads past a box, and of the halo that they may compute.
function M.margin(tile, block, axes)
  local list = {}
  for i, n in ipairs(tile) do
    list[i] = 2 * n + space.reach(block, axes[i].name)[2] + 1
  end
  return list
end

function M.note(plan, axes, more)
  return ("per block  %s = %d threads, %d %s planes, %d bytes of shared "
    .. "memory%s"):format(table.concat(plan.block_size, "x"), plan.threads,
    plan.chunk, axes[#axes].name, plan.shared, more or "")
end

return M
