-- temporal: two time steps in one sweep. Each block makes the first of them,
-- the middle step, on its tile and as far around as the second reads; the
-- second follows some planes behind. What goes between them is never in memory.

local limits = require "gen.schedule.limits"
local lists = require "gen.list"
local precision = require "gen.model.precision"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"
local tensor = require "gen.schedule.tensor"
local twice = require "gen.schedule.twice"

local M = { backends = { "cuda", "simt" }, steps = 2 }

local NAME = "temporal"
local BYTES = precision.BYTES
local SECTOR, LINE, round_up = tensor.SECTOR, tensor.LINE, tensor.round_up

-- What the template calls its own.
local KEPT = { "s", "p", "j", "e", "i", "tx", "ty", "box", "boxes", "number",
  "row", "lead", "leader", "planes", "blocks", "lead_of", "tensor_of",
  "shared_planes", "dynamic_shared", "reach", "within", "beside", "column",
  "works", "outside", "made", "middle_ring", "middle_slot", "result",
  "in_planes",
  "make_step", "PITCH" }

-- How many halos two steps read: the middle step its own, or, where the owner
-- says that all levels have the same one for good, that of the first.
local OWN, ALIKE = 2, 1

-- Planes that the first of them is sent for ahead, where there is room.
local AHEAD = 2

-- Planes ahead of a point that stand in registers, where they are no more; else
-- they are read from the rings.
local HELD = 1

-- What a block may be, the best first: threads, rows each, planes ahead, planes
-- to go through (measured on an H200: tests/device/RESULTS.md). NEAR: of steps
-- that read no further than HELD, by the arrays that they read beside the one.
local NEAR = { [0] = { { { 32, 9 }, 2, 2, 256 } },
  { { { 32, 17 }, 2, 1, 256 } },
  { { { 32, 9 }, 2, 2, 128 }, { { 32, 9 }, 2, 1, 128 } } }
local FAR = { { { 32, 18 }, 2, 1, 256 }, { { 32, 14 }, 2, 1, 171 },
  { { 16, 16 }, 2, 1, 128 }, { { 16, 12 }, 2, 1, 128 },
  { { 16, 20 }, 1, 1, 128 }, { { 8, 24 }, 1, 1, 128 },
  { { 4, 28 }, 1, 1, 128 } }

-- Rows of an odd number of vectors: those that threads read one above the other
-- lie in different banks of shared memory.
local function odd(n, vector)
  return n // vector % 2 == 1 and n or n + vector
end

function M.applies(lowered, kernel, block, options)
  local axes = space.axes(lowered, block)
  local why = tensor.too_old(options)
    or #axes ~= 3 and ("streams along the last of 3 axes, this kernel has %d")
      :format(#axes)
    or lowered.fp == "fast" and "gives the bits of two steps, --fp fast none"
    or twice.wrong(lowered, kernel, block)
  if why then return nil, ("%s: %s"):format(NAME, why) end
  return true
end

-- What the block reads: the stream, { buffer, reach = { { below, above } per
-- axis }, wide = { the larger of them } }, and what is read at the point alone,
-- { buffer, type, lag = the planes that the second step is behind, nil where it
-- finds it elsewhere }.
local function inputs(lowered, block, axes)
  local field = space.field(lowered, block.stores[1].field)
  local stream = { field = field.name, type = field.type, reach = {},
                   wide = {}, away = true }
  local points, seen = {}, {}
  for _, load in ipairs(block.loads) do
    if load.field == field.name and load.level == 0 then
      stream.buffer = load.buffer
    elseif not seen[load.buffer] then
      seen[load.buffer] = true
      points[#points + 1] = { buffer = load.buffer, field = load.field,
        type = space.field(lowered, load.field).type, level = load.level }
    end
  end
  for i, axis in ipairs(axes) do
    local reach = space.reach(block, axis.name)
    stream.reach[i], stream.wide[i] = reach, math.max(reach[1], reach[2])
  end
  for _, p in ipairs(points) do
    p.again = p.field ~= field.name
    p.lag = p.again and stream.wide[3] or 0
  end
  return stream, points
end

-- Sizes of what one choice needs: the tile, planes, slots, bytes.
local function lay_out(stream, points, choice)
  local size, vector = BYTES[stream.type], choice.vector
  local sector, wide = SECTOR // size, stream.wide
  local sides = round_up(wide[1], vector)
  local lay = { vector = vector, rows = choice.rows, ahead = choice.stages,
    sides = sides, groups = choice.block[2],
    across = choice.block[1] * vector, high = choice.block[2] * choice.rows }
  lay.pad = round_up(wide[2], choice.rows) - wide[2]
  lay.tile = { lay.across, lay.high - 2 * wide[2] }
  stream.margin = { round_up(sides + wide[1], sector), wide[2] }
  stream.size = { odd(lay.across + stream.margin[1]
    + round_up(2 * wide[1], vector), vector), lay.high + 2 * wide[2] }
  stream.slots = wide[3] + 1 + choice.stages
  lay.middle = { odd(lay.across + 2 * sides, vector),
                 lay.high + 2 * lay.pad }
  lay.sent = choice.sent or 0
  local bytes = (wide[3] + 1 + lay.sent)
    * round_up(lay.middle[1] * lay.middle[2] * size, LINE)
  local barriers = 0
  for _, p in ipairs(points) do
    p.margin = { round_up(sides, sector), 0 }
    p.size = { odd(lay.across + p.margin[1] + sides, vector), lay.high }
    p.slots = p.lag + 1 + choice.stages
  end
  for _, b in ipairs { stream, table.unpack(points) } do
    bytes = bytes + b.slots * round_up(b.size[1] * b.size[2] * size, LINE)
    barriers = barriers + b.slots
  end
  lay.bytes = round_up(bytes + 8 * barriers, LINE)
  return lay
end

local function choices_of(stream, points)
  if stream.wide[3] > HELD then return FAR end
  return lists.joined(NEAR[math.min(#points, #NEAR)], FAR)
end

local function choice_of(entry, near, vector)
  return { block = entry[1], rows = entry[2], stages = entry[3],
    chunk = entry[4], held = near and 1 or 0, vector = vector }
end

-- The first choice that fits into shared memory and has a tile, or the last;
-- where there is no block that the shape takes, any.
local function default(lowered, block)
  if not block then return choice_of(NEAR[1][1], true) end
  local stream, points = inputs(lowered, block, space.axes(lowered, block))
  local choice
  for _, entry in ipairs(choices_of(stream, points)) do
    choice = choice_of(entry, stream.wide[3] <= HELD,
      tensor.vector(lowered, block))
    local lay = lay_out(stream, points, choice)
    if lay.tile[2] > stream.wide[2] and limits.dynamic(NAME, lay.bytes)
      and not tensor.too_wide { stream, table.unpack(points) } then
      break
    end
  end
  return choice
end

function M.settings(lowered, kernel, block, options)
  local well = M.applies(lowered, kernel, block, options)
  local choice = default(lowered, well and block)
  return { { name = "block", default = choice.block },
           { name = "rows", default = { choice.rows } },
           { name = "stages", default = { choice.stages } },
           { name = "chunk", default = { choice.chunk } },
           { name = "held", default = { choice.held }, least = 0, most = 1 },
           { name = "halos", default = { OWN }, least = ALIKE, most = OWN } }
end

-- Blocks that a multiprocessor has room for: their shared memory, and the
-- registers of two columns and what else a thread has at hand.
local function resident(lay, stream, threads, held)
  local planes = stream.wide[3] * (1 + held) + 1
  local registers = 2 * planes * lay.rows * 4 + 52 - 4 * held
  return math.max(1, math.min(limits.SHARED_ALL // (lay.bytes + 1024),
    limits.REGISTERS // (registers * threads)))
end

local function notes(lay, threads, chunk, axes, halos)
  return { "           of one step; a launch makes two, " .. (halos == ALIKE
      and "the same halo in both" or "each with its own halo"),
    ("per block  %d threads of %dx%d points, %dx%d in two steps, %d %s planes,")
      :format(threads, lay.vector, lay.rows, lay.tile[1], lay.tile[2], chunk,
      axes[3].name),
    ("           %d bytes of shared memory"):format(lay.bytes) }
end

-- What arrays are to the kernel beside what they are to its block: where the
-- middle step would go, its halo is read.
local function also(field, found, stream, axes, halos)
  local newest, reach = field.stored[#field.stored].name, {}
  for i, axis in ipairs(axes) do reach[axis.name] = stream.reach[i] end
  local list = { [newest] = { written = true, read = halos == OWN,
                              reach = halos == OWN and reach or nil } }
  if found.middle then list[found.last] = { written = true } end
  return list
end

-- Threads of a block: rows of them have the rows of the tile, the last have the
-- columns beside it.
local function block_size(lay, block)
  local beside = 2 * lay.sides // lay.vector * lay.groups
  return { block[1], block[2] + (beside + block[1] - 1) // block[1] }
end

-- Sends for halos as many planes ahead as shared memory has room for, two only
-- where that costs no block that it would have room for too. Gives the layout,
-- the threads of a block and how many blocks a multiprocessor holds.
local function lay_out_most(stream, points, choice, own, held)
  local best, size, most
  for sent = 0, own and AHEAD or 0 do
    choice.sent = sent
    local lay = lay_out(stream, points, choice)
    size = size or block_size(lay, choice.block)
    local blocks = resident(lay, stream, size[1] * size[2], held)
    if not best or limits.dynamic(NAME, lay.bytes)
      and (sent == 1 or blocks == most) then
      best, most = lay, blocks
    end
  end
  return best, size, most
end

function M.plan(lowered, kernel, block, options, values)
  local axes = space.axes(lowered, block)
  local field = space.field(lowered, block.stores[1].field)
  local stream, points = inputs(lowered, block, axes)
  local choice = { block = values.block, rows = values.rows[1],
    stages = values.stages[1], vector = tensor.vector(lowered, block) }
  local lay, size, blocks = lay_out_most(stream, points, choice,
    values.halos[1] == OWN, values.held[1])
  local threads, problem = limits.threads(NAME, size)
  if not threads then return nil, problem end
  if lay.tile[2] < 1 then
    return nil, ("%s: %d rows are too few for a middle step that is %d wider "
      .. "on both sides"):format(NAME, lay.high, stream.wide[2])
  end
  local fits, much = limits.dynamic(NAME, lay.bytes)
  local wide = tensor.too_wide { stream, table.unpack(points) }
  if not fits or wide then return nil, much or NAME .. ": " .. wide end
  lay.tile[3] = values.chunk[1]
  local found, margin = twice.targets(block, field), {}
  for i = 1, 3 do margin[i] = 2 * (lay.tile[i] + stream.wide[i]) end
  return { name = setting.plan_name(lowered, kernel, block, NAME,
      M.settings(lowered, kernel, block, options), values),
    template = NAME .. ".cu", block_size = size, threads = threads,
    tile = lay.tile, margin = margin, lay = lay, stream = stream,
    points = points, chunk = lay.tile[3], kept = KEPT,
    sector = SECTOR // BYTES[stream.type], targets = found,
    resident = blocks,
    held = values.held[1] == 1, steps = M.steps,
    turns = found.middle and M.steps or 1,
    also = also(field, found, stream, axes, values.halos[1]),
    alike = values.halos[1] == ALIKE,
    notes = notes(lay, threads, lay.tile[3], axes, values.halos[1]) }
end

return M
