-- folded: on meshes, a kernel or a chain that is linear in what changes with
-- the level, as a weighted sum over the distinct neighbours of each point. The
-- weights are found once, by a kernel of their own. For the reference: the
-- same formulas, with the bound of such a sum.

local blocked = require "gen.schedule.blocked"
local kloop = require "gen.schedule.kloop"
local limits = require "gen.schedule.limits"
local precision = require "gen.model.precision"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"

local M = { backends = { "cuda", "simt", "c", "reference" }, meshes = true,
  chains = "both", whole = true, grids = false }

local BYTES = precision.BYTES
local SETUP = 128               -- threads of a block that finds coefficients

-- Names of the templates' own.
M.KEPT = { "first", "last", "s", "thread", "coefficient", "near", "pitch",
  "folded", "slot", "of_slot", "at", "j", "value", "input", "result", "found",
  "met", "meet", "respond", "fold", "used", "regular", "i", "whole", "set_up",
  "folded_of", "arguments", "place" }

-- threads: of a block, a point each; levels: that a thread goes through;
-- unroll: at a time; resident: blocks for which registers must do.
function M.settings(lowered, kernel, block, options)
  if options and options.backend == "reference" then return {} end
  if options and options.backend == "c" then
    return { blocked.settings(lowered, kernel, block)[1] }
  end
  return { { name = "block", default = { 128 },
             choices = { { 64 }, { 128 }, { 256 } } },
           { name = "levels", default = { 80 },
             choices = { { 20 }, { 40 }, { 80 } } },
           { name = "unroll", default = { 4 }, most = 8,
             choices = { { 2 }, { 4 }, { 5 } } },
           { name = "resident", default = { 3 }, most = 8,
             choices = { { 2 }, { 3 }, { 4 } } } }
end

-- In C levels may be first or last.
local function on_tiles(lowered, kernel, block)
  if not kernel.domain then
    return nil, ("folded: kernel %s runs over a grid"):format(kernel.name)
  elseif #space.axes(lowered, block) ~= 2 then
    return nil, ("folded: needs points and levels, %s runs over %s"):format(
      kernel.name, table.concat(block.axes, ", "))
  end
  return true
end

function M.applies(lowered, kernel, block, options)
  local folded = block.folded
  if folded and folded.why then return nil, "folded: " .. folded.why end
  if options.backend == "reference" and folded then return true end
  if options.backend == "c" then return on_tiles(lowered, kernel, block) end
  return kloop.applies(lowered, kernel, block, "folded")
end

-- The oracle: what changes with `folds`, the level, is multiplied out.
local function oracle(lowered, kernel, block)
  return { name = setting.plan_name(lowered, kernel, block, "folded", {}, {}),
    template = "reference.c", folds = block.folded.level,
    notes = { "in double, with a bound on the error of any folded kernel" } }
end

-- Of a point: what is loaded where all neighbours are there, and added up.
function M.counts(block)
  local counts, loads = {}, 0
  for _, group in ipairs(block.folded.groups) do
    loads = loads + group.count * #group.inputs
  end
  for key, value in pairs(block.counts) do counts[key] = value end -- any order
  counts.loads, counts.flops = loads, 2 * block.folded.coefficients
  return counts
end

-- Tiles of points and levels, in C.
local function on_host(lowered, kernel, block, options, values)
  local folded = block.folded
  return {
    name = setting.plan_name(lowered, kernel, block, "folded",
      M.settings(lowered, kernel, block, options), values),
    template = "folded.c", tile = values.block, level = folded.level,
    kept = M.KEPT, folds = folded.level, prepares = true,
    counts = M.counts(block),
    notes = { ("per point  %d coefficients, of %d neighbours"):format(
        folded.coefficients, folded.slots),
      ("per tile   %s points"):format(table.concat(values.block, "x")) },
  }
end

function M.plan(lowered, kernel, block, options, values)
  if options.backend == "reference" then
    return oracle(lowered, kernel, block)
  elseif options.backend == "c" then
    return on_host(lowered, kernel, block, options, values)
  end
  local folded, threads = block.folded, values.block[1]
  local well, problem = limits.threads("folded", values.block)
  if not well then return nil, problem end
  local shared = threads * (folded.coefficients * BYTES[kernel.compute]
    + folded.slots * 4)
  well, problem = limits.dynamic("folded", shared, options.arch)
  if not well then return nil, problem end
  local levels = values.levels[1]
  local tile = { threads, levels }
  return {
    name = setting.plan_name(lowered, kernel, block, "folded",
      M.settings(), values),
    template = "folded.cu", block_size = values.block, threads = threads,
    levels = levels, level = folded.level, unroll = values.unroll[1],
    resident = values.resident[1], tile = tile, margin = tile, kept = M.KEPT,
    shared = shared, folds = folded.level, prepares = true,
    setup = { threads = SETUP }, counts = M.counts(block),
    notes = { ("per point  %d coefficients, of %d neighbours"):format(
        folded.coefficients, folded.slots),
      ("per block  %d threads with %d levels each, %d bytes of shared memory")
        :format(threads, levels, shared) },
  }
end

return M
