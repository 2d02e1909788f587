-- Threads of a walk with several points side by side, which they read and write
-- as one vector.

local choices = require "gen.schedule.choices"
local limits = require "gen.schedule.limits"
local lists = require "gen.list"
local precision = require "gen.model.precision"
local space = require "gen.schedule.space"
local tensor = require "gen.schedule.tensor"

local M = {}

local PIECE = 16                -- bytes that a thread moves at once, at most

-- Registers that a thread has beside its vectors, and blocks of such threads
-- that a multiprocessor shall hold.
local OTHERS, BLOCKS = 32, 2

-- The plan parameter: points of a thread along the first axis.
function M.setting(count)
  return { name = "vec", default = { count }, most = 4,
           choices = choices.VECTOR }
end

-- How many points are so many bytes; at least one, as where nothing is said.
function M.points(kernel, bytes)
  return math.max(1, (bytes or 0) // precision.BYTES[kernel.compute])
end

-- What rows have to be aligned to, in bytes.
function M.bytes(plan)
  return math.min(PIECE, plan.vec * precision.BYTES[plan.kernel.compute])
end

-- The names that the text of a shape has of its own, `kept`, and those of
-- vectors.
function M.kept(kept, count)
  return count > 1 and lists.joined(kept, { "e" }) or kept
end

-- A sentence if a field of a block is not one that vectors are read from.
local function unfit(lowered, kernel, block)
  local why = tensor.wrong_field(lowered, block, space.axes(lowered, block))
  if why then return why end
  for _, list in ipairs { block.loads, block.stores } do
    for _, access in ipairs(list) do
      local field = space.field(lowered, access.field)
      if field.type ~= kernel.compute then
        return ("%s is stored as %s and computed with as %s"):format(
          field.name, field.type, kernel.compute)
      end
    end
  end
end

-- The vectors of a step: the windows of streams, and the rows that are read of
-- planes or at the points alone, more where neighbours in a row are read too.
local function held(block, axes, streams, vec)
  local count, window, rows = 0, {}, {}
  for _, stream in ipairs(streams) do
    window[stream.buffer] = stream.low <= stream.high
    count = count + math.max(0, stream.high - stream.low + 1)
  end
  for _, load in ipairs(block.loads) do
    local at, off = space.offsets(load, axes)
    local beside = (math.abs(at[1]) + vec - 1) // vec
    local inside = off == (at[#at] ~= 0 and 1 or 0) and window[load.buffer]
    at[1] = 0
    local key = load.buffer .. table.concat(at, ",")
    rows[key] = math.max(rows[key] or 0, inside and 0 or 1 + 2 * beside)
  end
  for _, vectors in pairs(rows) do count = count + vectors end -- any order
  return count
end

-- Whether `count` points a thread are possible, and pay: their vectors are at
-- most so many words of 4 bytes, and registers hold them, of several blocks of
-- `size` threads; of one point, at most so many values (nil: any). streams:
-- with their windows, low to high.
function M.pays(lowered, kernel, block, streams, count, size, most)
  if not most then return count == 1 end
  if not M.fits("", lowered, kernel, block, count) then return false end
  local axes = space.axes(lowered, block)
  local vectors = held(block, axes, streams, count)
  if count == 1 then return vectors <= most end
  local words = count * precision.BYTES[kernel.compute] // 4 * vectors
  return words <= most and BLOCKS * size[1] * (size[2] or 1) * (words + OTHERS)
    <= limits.REGISTERS
end

-- Whether a block can have as many points a thread: true, or nil and a
-- sentence.
function M.fits(shape, lowered, kernel, block, count)
  if count == 1 then return true end
  if count == 3 then return nil, shape .. ": vec=3: wanted 1, 2 or 4" end
  local why = unfit(lowered, kernel, block)
  if why then
    return nil, ("%s: vec=%d: %s"):format(shape, count, why)
  end
  return true
end

return M
