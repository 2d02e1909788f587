-- staged: a mesh is cut into tiles; a block goes through the levels of one.
-- What its points read at others is copied to shared memory, levels ahead, each
-- value once; coefficients and the places of neighbours stand in registers. In
-- chains each stage is computed once for each point that a tile needs, and
-- handed on in shared memory.

local dump = require "gen.dump"
local kloop = require "gen.schedule.kloop"
local limits = require "gen.schedule.limits"
local lists = require "gen.list"
local setting = require "gen.schedule.setting"
local tiling = require "gen.schedule.tiling"

local M = { backends = { "cuda", "simt" }, meshes = true, chains = "both",
  grids = false }

local NAME = "staged"

-- Threads that keep a multiprocessor busy: blocks have registers for as many.
local BUSY = 512

-- What the template calls its own.
local KEPT = { "shared", "thread", "words", "tiles", "first", "last", "now",
  "next", "slot", "to", "item", "mine", "row", "wave", "turns", "tile", "part",
  "shared_planes", "tile_level", "at", "i", "near", "parity" }

local BLOCK = 256

-- Bytes of shared memory that a block takes for the system.
local RESERVED = 1024

-- Measured on an H200 (tests/device/RESULTS.md). `alone`: for kernels alone.
-- `fan`: where there is one; larger tiles compute fewer edges twice. A single
-- level ahead is for those that read much of each edge, which is side by side
-- only without fans.
local CHOICES = {
  { block = { 608 }, stages = { 2 }, fans = { 0 }, alone = true },
  { block = { BLOCK }, stages = { 2 }, fans = { 4 }, alone = true },
  { block = { 512 }, stages = { 2 }, fans = { 4 }, fan = true },
  { block = { BLOCK }, stages = { 2 }, fans = { 4 } },
  { block = { BLOCK }, stages = { 1 }, fans = { 0 } } }

-- The plan parameter of all such shapes.
M.BLOCK = { { name = "block", default = { BLOCK },
              choices = { { 128 }, { 256 }, { 512 }, { 608 } } } }

-- Rows of a lattice that tiles are pieces of; 0: the runtime sees.
M.STRIPS = { name = "strips", default = { 0 }, least = 0, most = 64,
  choices = { { 0 }, { 8 } } }

-- A stage that stores what the one before it has computed: points of a fan are
-- not side by side in memory, those of this stage are.
local function storing(kernel, block)
  local loads, stores = {}, {}
  for i, store in ipairs(block.stores) do
    loads[i] = { id = i, field = store.field, level = store.level,
      buffer = store.buffer, offset = {}, name = store.buffer }
    stores[i] = lists.copy(store)
    stores[i].value = { op = "load", id = i }
  end
  return { kernel = kernel, stores = true, block = { axes = block.axes,
    loads = loads, stores = stores, neighbours = {}, code = {}, host = {} } }
end

-- The stages, { kernel, block }: a chain's, else the block itself; where it has
-- a fan, and what it stores after it.
local function stages_of(lowered, kernel, block, fans)
  local own = { { kernel = kernel, block = block } }
  if not kernel.chain and fans > 0 then own[2] = storing(kernel, block) end
  if not kernel.chain then return own end
  local named, list = lists.by_name(lowered.kernels), {}
  for i, name in ipairs(kernel.stages) do
    list[i] = { kernel = named[name], block = named[name].blocks[1] }
  end
  return list
end

local function tiles_of(lowered, kernel, block, options, values, shape)
  local fans = values.fans[1]
  local how = { threads = values.block[1], ahead = values.stages[1],
    late = values.stages[1] > 1, barrier = true, fans = fans,
    strips = values.strips and values.strips[1],
    level = block.axes[#block.axes], direct = shape ~= nil }
  local function try(stages)
    return tiling.of(shape or NAME, lowered, stages, how)
  end
  local state, why = try(stages_of(lowered, kernel, block, fans))
  if state and fans > 0 and not kernel.chain and not state.stages[1].fan then
    state, why = try(stages_of(lowered, kernel, block, 0))
  end
  if not state then return nil, why end
  local fits, problem = limits.dynamic(shape or NAME, state.bytes,
    options.arch)
  if not fits then return nil, problem end
  return state
end

-- The blocks that have registers and shared memory at once, if these are those
-- that threads ask for.
local function wanted_blocks(threads) return math.max(BUSY // threads, 1) end

-- Those of many threads are for threads that have several points.
local function suits(kernel, state, choice)
  return not (choice.alone and kernel.chain
              or choice.fan and not state.stages[1].fan)
    and (choice.block[1] <= BLOCK or state.stages[1].each > 1)
end

-- The first of CHOICES for whose blocks there is shared memory, else the first
-- that has any.
local function default(lowered, kernel, block, options)
  local some
  for _, choice in ipairs(CHOICES) do
    local threads = choice.block[1]
    local state = tiles_of(lowered, kernel, block, options, choice)
    if state and suits(kernel, state, choice) then
      some = some or choice
      if wanted_blocks(threads) * (state.bytes + RESERVED)
         <= limits.SHARED_ALL then
        return choice
      end
    end
  end
  return some or CHOICES[#CHOICES]
end

function M.settings(lowered, kernel, block, options)
  local meshes = kernel.domain and M.applies(lowered, kernel, block, options)
  local choice = meshes and default(lowered, kernel, block, options)
    or CHOICES[#CHOICES]
  return { { name = "block", default = choice.block,
             choices = M.BLOCK[1].choices },
           { name = "stages", default = choice.stages, least = 1, most = 6,
             choices = { { 1 }, { 2 }, { 3 } } },
           { name = "fans", default = choice.fans, least = 0, most = 6,
             choices = { { 0 }, { 1 }, { 4 } } }, M.STRIPS }
end

-- Is a buffer read by one of the stages after the i-th?
local function is_read(stages, i, buffer)
  for k = i + 1, #stages do
    for _, load in ipairs(stages[k].block.loads) do
      if load.buffer == buffer then return true end
    end
  end
  return false
end

-- A sentence about a result of a stage that no later one reads.
local function unread(stages, shape)
  for i = 1, #stages - 1 do
    for _, store in ipairs(stages[i].block.stores) do
      if not is_read(stages, i, store.buffer) then
        return ("%s: stage %s hands on %s, which no later one reads"):format(
          shape, stages[i].kernel.name, store.field)
      end
    end
  end
end

-- `shape`: the name of one that only hands results on, here and below.
function M.applies(lowered, kernel, block, options, shape)
  local stages = stages_of(lowered, kernel, block, 0)
  for _, stage in ipairs(stages) do
    local well, why = kloop.applies(lowered, stage.kernel, stage.block,
      shape or NAME)
    if not well then return nil, why end
  end
  local why = unread(stages, shape or NAME)
  if why then return nil, why end
  return shape and true or limits.copies_ahead(NAME, options.arch)
end

-- The block of a chain with what all its stages need of the host; or nil and a
-- sentence, where two give one name to what differs.
local function block_of(kernel, block, state, shape)
  if not kernel.chain then return block end
  local made, known = lists.copy(block), {}
  made.host = {}
  for _, stage in ipairs(state.stages) do
    for _, host in ipairs(stage.block.host) do
      local value = dump.text(host.value)
      if known[host.name] and known[host.name] ~= value then
        return nil, ("%s: stages of %s have two values called %s"):format(
          shape or NAME, kernel.name, host.name)
      end
      made.host[#made.host + 1] = not known[host.name] and host or nil
      known[host.name] = value
    end
  end
  return made
end

function M.plan(lowered, kernel, block, options, values, shape)
  local threads, problem = limits.threads(shape or NAME, values.block)
  if not threads then return nil, problem end
  local state, why = tiles_of(lowered, kernel, block, options, values, shape)
  if not state then return nil, why end
  local made, differ = block_of(kernel, block, state, shape)
  if not made then return nil, differ end
  return {
    name = setting.plan_name(lowered, kernel, block, shape or NAME,
      shape and M.BLOCK or M.settings(lowered, kernel, block, options),
      values),
    template = "staged.cu", block_size = values.block, threads = threads,
    resident = math.max(math.min(wanted_blocks(threads),
      limits.SHARED_ALL // (state.bytes + RESERVED)), 1),
    stages = values.stages[1], level = state.level, tiling = state,
    handed = state.handed,
    block = made,
    tile = { 1, 1 }, margin = { 0, 0 }, kept = KEPT, shared = state.bytes,
    notes = { ("per block  a tile, %d threads, %d levels in shared memory: "
      .. "%d bytes"):format(threads, shape and 2 or state.slots,
      state.bytes) },
  }
end

return M
