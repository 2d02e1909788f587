-- What a device can do: the limits of a launch, refused with both numbers.

local device = require "gen.schedule.device"

-- Of a multiprocessor from sm_90 on: bytes of shared memory, registers.
local M = { SHARED_ALL = 233472, REGISTERS = 65536 }

local THREADS, DEEP, SHARED = 1024, 64, 49152

-- The threads of a block, or nil and a sentence. name: of its param (block).
function M.threads(shape, size, name)
  local threads = 1
  for _, n in ipairs(size) do threads = threads * n end
  if threads > THREADS then
    return nil, ("%s: %s=%s is %d threads, the limit is %d"):format(shape,
      name or "block", table.concat(size, "x"), threads, THREADS)
  elseif (size[3] or 1) > DEEP then
    return nil, ("%s: block=%s is %d deep, the limit is %d"):format(shape,
      table.concat(size, "x"), size[3], DEEP)
  end
  return threads
end

-- A plan parameter: points of a thread along the second axis.
M.ROWS = { name = "rows", default = { 1 }, most = 8, choices = { { 1 } } }

-- Points of a block along each of `rank` axes: a grid has three, the fourth is
-- in it one by one.
function M.tile(size, rank)
  local tile = table.move(size, 1, #size, 1, {})
  for i = #size + 1, rank do tile[i] = 1 end
  return tile
end

-- Why a shape that knows no order of points does not apply; nil where none is
-- asked for.
function M.unordered(shape, kernel)
  local sweep = kernel.sweep
  return sweep and ("%s: updates all points in any order, kernel %s is a sweep "
    .. "along %s"):format(shape, kernel.name, sweep.axis) or nil
end

-- Copies that go from memory to shared memory by themselves need sm_80: true,
-- or nil and a sentence about the first of `arch` that is older.
function M.copies_ahead(shape, arch)
  for name in (arch or ""):gmatch("sm_%d+") do
    if tonumber(name:sub(4)) < 80 then
      return nil, ("%s: stages are copied by threads of sm_80 and later, not "
        .. "of %s"):format(shape, name)
    end
  end
  return true
end

-- The least that one of `arch` has, or sm_90.
local function least_of(has, arch)
  local least = has "sm_90"
  for name in (arch or ""):gmatch("sm_%d+") do
    least = math.min(least, has(name))
  end
  return least
end

-- How many blocks of so many threads a multiprocessor of each of `arch` has at
-- once that is to have `all` threads.
function M.resident(all, threads, arch)
  return least_of(function(name)
    return device.blocks(name, all, threads)
  end, arch)
end

local function within(shape, bytes, most)
  if bytes <= most then return true end
  return nil, ("%s: needs %d bytes of shared memory, the limit is %d"):format(
    shape, bytes, most)
end

-- Shared memory of the kernel's own text: true, or nil and a sentence.
function M.shared(shape, bytes) return within(shape, bytes, SHARED) end

-- Shared memory that a launch asks for, of all architectures in `arch`; from
-- sm_90 on without.
function M.dynamic(shape, bytes, arch)
  return within(shape, bytes, least_of(device.shared, arch))
end

return M
