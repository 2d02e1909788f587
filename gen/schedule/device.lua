-- What a multiprocessor of each architecture has, and how many blocks of a
-- kernel it takes at once. The numbers are those of cuda_occupancy.h and of the
-- CUDA C++ Programming Guide.

local M = {}

-- The same of all: registers of a multiprocessor and of a block, the warps
-- that share its registers evenly, what a warp gets them in.
local REGISTERS, PARTS, REGISTER_UNIT, WARP = 65536, 4, 256, 32

-- blocks and warps at once, KB of shared memory.
local function has(blocks, warps, shared)
  return { blocks = blocks, warps = warps, shared = shared * 1024 }
end

local LATEST = has(32, 64, 228)
local OF = { sm_70 = has(32, 64, 96), sm_72 = has(32, 64, 96),
  sm_75 = has(16, 32, 64), sm_80 = has(32, 64, 164), sm_86 = has(16, 48, 100),
  sm_87 = has(16, 48, 164), sm_88 = has(16, 48, 100),
  sm_89 = has(24, 48, 100), sm_110 = has(24, 48, 228),
  sm_120 = has(24, 48, 100), sm_121 = has(24, 48, 100) }

-- "sm_90a" -> { blocks, warps, shared }, and the bytes of shared memory that
-- each block takes for the system: none before sm_80.
local function of(arch)
  local name = arch:match("^sm_%d+")
  local before = tonumber(name:sub(4)) < 80
  return OF[name] or LATEST, before and 0 or 1024
end

-- Shared memory that a block may have.
function M.shared(arch)
  local device, reserved = of(arch)
  return device.shared - reserved
end

-- Blocks of so many threads, all threads together no more than that.
function M.blocks(arch, all, threads)
  local device = of(arch)
  return math.min(math.min(all, device.warps * WARP) // threads, device.blocks)
end

local function up(n, unit) return (n + unit - 1) // unit * unit end

-- How many blocks fit by each limit, in the order in which they are named.
local function rooms(device, reserved, use)
  local warps = up(use.threads, WARP) // WARP
  local of_warp = up(use.registers * WARP, REGISTER_UNIT)
  local in_part = REGISTERS // PARTS // of_warp
  local shared = up(use.shared + reserved, reserved > 0 and 128 or 256)
  local fits = of_warp * up(warps, PARTS) <= REGISTERS
  return { { "registers", fits and in_part * PARTS // warps or 0 },
    { "shared memory", shared > 0 and device.shared // shared
      or device.blocks + 1 },
    { "threads", device.warps // warps }, { "blocks", device.blocks } }, warps
end

-- use = { threads, registers (of a thread), shared (bytes) } of a block ->
-- { blocks = at once, share = of the warps that there is room for, binds = the
-- limits that allow no more }.
function M.occupancy(arch, use)
  local device, reserved = of(arch)
  local list, warps = rooms(device, reserved, use)
  local blocks, binds = math.huge, {}
  for _, room in ipairs(list) do blocks = math.min(blocks, room[2]) end
  for _, room in ipairs(list) do
    if room[2] == blocks then binds[#binds + 1] = room[1] end
  end
  return { blocks = blocks, share = blocks * warps / device.warps,
    binds = binds }
end

return M
