-- folded_staged: as folded, tile by tile: a block copies what the points of a
-- tile read at others to shared memory, levels ahead, each value once, as
-- staged does; coefficients and the places of neighbours stand in registers.

local folded_shape = require "gen.schedule.folded"
local kloop = require "gen.schedule.kloop"
local limits = require "gen.schedule.limits"
local lists = require "gen.list"
local setting = require "gen.schedule.setting"
local staged = require "gen.schedule.staged"
local tiling = require "gen.schedule.tiling"

local M = { backends = { "cuda", "simt" }, meshes = true, chains = "both",
  whole = true, grids = false }

local NAME = "folded_staged"

-- Threads that keep a multiprocessor busy: blocks have registers for as many,
-- or a few more where two blocks have no more than this together.
local BUSY, MOST = 512, 640

-- Coefficients of all points of a thread: more points have fewer tiles to
-- share what is copied.
local POINTS = 48

local KEPT = { "shared", "thread", "words", "tiles", "first", "last", "now",
  "next", "to", "item", "mine", "row", "wave", "turns", "tile", "part",
  "shared_planes", "tile_level", "here", "coefficient_of", "near_of",
  "place_in", "places" }

local DEFAULT = { block = { 256 }, stages = { 3 } }

function M.settings()
  return { { name = "block", default = DEFAULT.block,
             choices = { { 128 }, { 256 }, { 320 }, { 512 } } },
           { name = "stages", default = DEFAULT.stages, least = 1, most = 6,
             choices = { { 2 }, { 3 }, { 4 } } }, staged.STRIPS }
end

-- A sentence about the first value that changes with the level and is in no
-- list of a tile, nor one of each point: where affine tables lead.
local function unlisted(stage, folded)
  for _, load in ipairs(stage.block.loads) do
    local source = stage.sources[load.id]
    local stream = source and source.kind == "own"
      and lists.find(stage.own, "buffer", load.buffer)
    if folded.loads[load.id] and (not source or stream and stream.slots) then
      return ("%s: %s reads %s by an affine table, whose points no list of a "
        .. "tile has"):format(NAME, stage.kernel.name, load.field)
    end
  end
end

-- The tiles, of a chain as one stage; or nil and a sentence.
local function tiles_of(lowered, kernel, block, values)
  local folded = block.folded
  local state, why = tiling.of(NAME, lowered,
    { { kernel = kernel, block = block } }, { level = folded.level,
      threads = values.block[1], ahead = values.stages[1],
      strips = values.strips and values.strips[1],
      most = math.max(POINTS // folded.coefficients, 1) })
  why = why or unlisted(state.stages[1], folded)
  if why then return nil, why end
  return state
end

function M.applies(lowered, kernel, block, options)
  local folded = block.folded
  if folded and folded.why then return nil, NAME .. ": " .. folded.why end
  local well, why = kloop.applies(lowered, kernel, block, NAME)
  if not well then return nil, why end
  local state, problem = tiles_of(lowered, kernel, block, DEFAULT)
  if not state then return nil, problem end
  return limits.copies_ahead(NAME, options.arch)
end

-- How many blocks a multiprocessor is to have.
local function resident(threads, shared)
  local blocks = threads > BUSY // 2 and MOST // threads or BUSY // threads
  return math.max(math.min(blocks, limits.SHARED_ALL // (shared + 1024)), 1)
end

function M.plan(lowered, kernel, block, options, values)
  local threads, problem = limits.threads(NAME, values.block)
  if not threads then return nil, problem end
  local state, why = tiles_of(lowered, kernel, block, values)
  if not state then return nil, why end
  local fits, limit = limits.dynamic(NAME, state.bytes, options.arch)
  if not fits then return nil, limit end
  local kept = table.move(KEPT, 1, #KEPT, 1, {})
  return {
    name = setting.plan_name(lowered, kernel, block, NAME, M.settings(),
      values),
    template = "folded_staged.cu", block_size = values.block,
    threads = threads,
    resident = resident(threads, state.bytes),
    stages = values.stages[1], level = state.level, tiling = state,
    tile = { 1, 1 }, margin = { 0, 0 },
    kept = table.move(folded_shape.KEPT, 1, #folded_shape.KEPT, #kept + 1,
      kept),
    shared = state.bytes, folds = state.level, prepares = true,
    setup = { threads = threads }, counts = folded_shape.counts(block),
    notes = { ("per point  %d coefficients, of %d neighbours"):format(
        block.folded.coefficients, block.folded.slots),
      ("per block  a tile, %d threads, %d levels in shared memory: %d bytes")
        :format(threads, state.slots, state.bytes) },
  }
end

return M
