-- st_tma: the tensor unit copies planes ahead into rings in shared memory; a
-- block of threads follows it along the last axis. Each thread has 16 bytes of
-- points along the first axis, on some rows; the values of its own column
-- stand in registers (the window), all others in the planes of the ring.

local copied = require "gen.schedule.copied"
local edge = require "gen.schedule.edge"
local limits = require "gen.schedule.limits"
local lists = require "gen.list"
local precision = require "gen.model.precision"
local scatter = require "gen.schedule.scatter"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"
local tensor = require "gen.schedule.tensor"
local worth = require "gen.schedule.choices"

local M = { backends = { "cuda", "simt" } }

local NAME = "st_tma"
local BYTES = precision.BYTES

-- What the template calls its own.
local KEPT = { "s", "p", "j", "e", "tx", "ty", "box", "boxes", "number", "row",
  "lead", "leader", "planes", "blocks", "lead_of", "tensor_of",
  "shared_planes", "dynamic_shared", "in_step", "company", "block",
  "at_mark", "said", "k", "start", "odd", "tile", "height", "resident" }

-- What a block may be, the best first: threads, rows each, planes ahead; 1: the
-- ring is late; are sums split, how often blocks keep in step (or as below),
-- does a launch say how many rows of threads there are. A shell is boxes that
-- are thin along one axis: tiles that are as thin, NARROW where that is the
-- first axis; rows and planes ahead are those of SHELL. `narrow`: counted as
-- its copies are, to the byte, where there is no room for whole sectors.
local SHELL = { { { 16, 28 }, 1, 2, 1 }, { { 16, 14 }, 1, 2, 1 },
  { { 16, 8 }, 1, 2, 1 }, { { 8, 8 }, 1, 1, 1 } }
local NARROW = { { { 8, 32 }, 1, 1 }, { { 8, 16 }, 1, 1 }, { { 8, 8 }, 1, 1 },
  { { 8, 8 }, 1, 1, narrow = true }, { { 4, 4 }, 1, 1, narrow = true } }
local CHUNK = 128               -- planes, where waves are not worth it
local ALONE = { { { 32, 20 }, 1, 3, fit = 1 },  -- one stream and points
  { { 32, 20 }, 1, 2, fit = 1 } }
-- These, and much to compute; that are sums that can be split, along windows
-- up to WIDE or not; a window beyond LONGEST, which 168 registers hold up to
-- ROOMY, beyond that more.
local BUSY = { { { 32, 16 }, 1, 3, 1, lockstep = 3 } }
local SPLIT = { { { 32, 16 }, 1, 4, scatter = 1, lockstep = 3 } }
local SPLIT_WIDE = { { { 32, 16 }, 1, 4, scatter = 1, lockstep = 9 } }
local LONG = { { { 32, 12 }, 1, 3, 1 } }
local LONGER = { { { 32, 8 }, 1, 3, 1 } }
local ANY = { { { 32, 8 }, 2, 2 }, { { 32, 8 }, 2, 1 }, { { 32, 8 }, 1, 2 },
  { { 16, 16 }, 1, 2 }, { { 16, 8 }, 1, 2 }, { { 16, 8 }, 1, 1 },
  { { 8, 8 }, 1, 1 }, { { 8, 4 }, 1, 1 }, { { 8, 8 }, 1, 1, 1 } }
local WIDE, LONGEST, ROOMY = 13, 17, 29         -- planes of a window
local LOCKSTEP, SHELL_LOCKSTEP = 3, 2   -- planes
-- Flops for each value that moves, beyond which it is not memory that blocks
-- wait for: then waiting for each other costs more than it saves.
local MUCH = 12

-- Does a block compute more than memory takes?
local function is_busy(lowered, block)
  local size = BYTES[space.field(lowered, block.stores[1].field).type]
  return block.counts.flops * size > MUCH * block.counts.bytes
end

-- Small blocks, some to a multiprocessor, do better where several streams are
-- read, or a single one and nothing at the points.
local function choices_of(lowered, block)
  if space.in_shell(lowered, block) then return SHELL end
  local busy = is_busy(lowered, block)
  local streams, points = copied.buffers(lowered, block,
    space.axes(lowered, block), busy)
  local stream = streams[1]
  if not stream or streams[2] or not points[1] or points[1].front then
    return ANY
  end
  if not busy then return lists.joined(ALONE, ANY) end
  if not stream.front then return ANY end
  local window = stream.high - stream.low + 1
  if window > LONGEST then
    local long = window <= ROOMY and BYTES[stream.type] == 4
    return lists.joined(long and LONG or LONGER, ANY)
  end
  if BYTES[stream.type] > 4 or not scatter.of(lowered, block,
     space.axes(lowered, block)) then return lists.joined(BUSY, ANY) end
  return lists.joined(window > WIDE and SPLIT_WIDE or SPLIT,
    lists.joined(BUSY, ANY))
end

-- The first choice that fits into shared memory, or the last.
local function first_fit(lowered, block, choices)
  local axes, choice = space.axes(lowered, block), nil
  local vector = tensor.vector(lowered, block)
  for _, c in ipairs(choices) do
    choice = { block = c[1], rows = c[2], stages = c[3], vector = vector,
               late = c[4] or 0, scatter = c.scatter or 0,
               lockstep = c.lockstep, fit = c.fit or 0, narrow = c.narrow }
    local streams, points = copied.buffers(lowered, block, axes,
      choice.late > 0)
    if choice.scatter > 0 then
      scatter.narrow(streams[1], scatter.of(lowered, block, axes).ahead)
    end
    local _, bytes = copied.lay_out(streams, points, choice)
    if limits.dynamic(NAME, bytes) then break end
  end
  return choice
end

function M.applies(lowered, kernel, block, options)
  local axes, old = space.axes(lowered, block), tensor.too_old(options)
  if old then
    return nil, ("%s: %s"):format(NAME, old)
  elseif #axes ~= 3 then
    return nil, ("%s: streams along the last of 3 axes, this kernel has %d")
      :format(NAME, #axes)
  elseif (kernel.kind or "point") ~= "point" then
    return nil, ("%s: updates all points at once, kernel %s does not"):format(
      NAME, kernel.name)
  end
  local why = tensor.wrong_field(lowered, block, axes)
  if why then return nil, ("%s: %s"):format(NAME, why) end
  if not copied.buffers(lowered, block, axes)[1] then
    return nil, NAME .. ": nothing is read at other points: gmem does that"
  end
  return true
end

-- How often blocks keep in step.
local function lockstep_of(lowered, block, choice)
  if space.in_shell(lowered, block) then return SHELL_LOCKSTEP end
  return choice.lockstep or is_busy(lowered, block) and 0 or LOCKSTEP
end

function M.settings(lowered, _, block)
  if #space.axes(lowered, block) ~= 3 or tensor.wrong_field(lowered, block,
     space.axes(lowered, block)) then return {} end
  local try = space.in_shell(lowered, block) and worth.SHELLS or worth.RINGS
  local choice = first_fit(lowered, block, choices_of(lowered, block))
  local lockstep = lockstep_of(lowered, block, choice)
  -- Long walks pay where blocks stay together.
  local chunk = lockstep + choice.late > 0 and 0 or CHUNK
  local list = {
    { name = "block", default = choice.block, choices = try.BLOCK },
    { name = "rows", default = { choice.rows }, most = limits.ROWS.most,
      choices = try.ROWS },
    { name = "stages", default = { choice.stages }, choices = try.STAGES },
    { name = "chunk", default = { chunk }, least = 0, choices = try.CHUNK },
    { name = "lockstep", default = { lockstep }, least = 0,
      choices = try.LOCKSTEP },
    { name = "late", default = { choice.late }, least = 0, most = 1,
      choices = try.LATE } }
  list[7] = space.in_shell(lowered, block) and { name = "narrow",
    choices = try.NARROW, default = first_fit(lowered, block, NARROW).block }
    or { name = "scatter", default = { choice.scatter }, least = 0, most = 1,
      choices = scatter.of(lowered, block, space.axes(lowered, block))
        and try.SCATTER or nil }
  list[8] = { name = "fit", least = 0, most = 1, default = { choice.fit } }
  return list
end

-- Blocks that shared memory and 128 registers a thread leave room for on a
-- multiprocessor.
local function resident(threads, bytes)
  local room = math.min(limits.SHARED_ALL // (bytes + 1024),
    limits.REGISTERS // (128 * threads))
  return math.max(room, 1)
end

local function note(plan, walk)
  local size, z = walk.block_size, walk.axes[3].name
  return ("%s  %s%dx%d threads of %dx%d points, %s, %d bytes of shared memory")
    :format(walk.thin and "thin along " .. walk.thin or "per block",
    plan.fit and ("%dx%d to "):format(size[1], (size[2] + 1) // 2) or "",
    size[1], size[2], plan.vector, plan.rows,
    plan.choose and "walks along " .. z
    or ("%d %s planes"):format(walk.tile[3], z), walk.shared)
end

-- How blocks walk along the last of these axes, or nil and a sentence.
local function walk_along(lowered, block, axes, choice)
  local threads, problem = limits.threads(NAME, choice.block,
    choice.narrow and "narrow")
  if not threads then return nil, problem end
  local streams, points = copied.buffers(lowered, block, axes, choice.late)
  if choice.scattered then
    scatter.narrow(streams[1], choice.scattered.ahead)
  end
  local tile, bytes = copied.lay_out(streams, points, choice)
  local fits, much = limits.dynamic(NAME, bytes)
  local wide = tensor.too_wide(streams)
  if not fits or wide then return nil, much or NAME .. ": " .. wide end
  tile[3] = choice.chunk
  return { axes = axes, streams = streams, points = points, tile = tile,
    shared = bytes, block_size = choice.block, threads = threads,
    ahead = choice.stages, resident = resident(threads, bytes) }
end

-- The orders of axes that the walks of a plan have, the last their own, with
-- their blocks: one for all boxes, or one for those thin along each axis.
local function orders_of(lowered, block, values)
  local axes = space.axes(lowered, block)
  if not values.narrow then return { { axes = axes, block = values.block } } end
  local x, y, z = axes[1], axes[2], axes[3]
  return { { axes = axes, block = values.narrow, thin = x.name,
             narrow = true },
           { axes = axes, block = values.block, thin = y.name },
           { axes = { x, z, y }, block = values.block, thin = z.name } }
end

-- What a block scatters, if it is told to: nil where it is not, false and a
-- sentence where it cannot.
local function scattered_of(lowered, block, values)
  if not values.scatter or values.scatter[1] == 0 then return nil end
  local found, why = scatter.of(lowered, block, space.axes(lowered, block))
  if not found then return false, ("%s: scatter=1: %s"):format(NAME, why) end
  return found
end

-- A narrow walk has one plane ahead and no late rings: a plane without halo has
-- as many lines of memory there as one with.
local function walks_of(lowered, block, values, scattered)
  local list, chunk = {}, values.chunk[1]
  local vector = tensor.vector(lowered, block)
  for i, order in ipairs(orders_of(lowered, block, values)) do
    local walk, problem = walk_along(lowered, block, order.axes, {
      block = order.block, rows = values.rows[1], narrow = order.narrow,
      stages = order.narrow and 1 or values.stages[1],
      vector = vector,
      chunk = chunk > 0 and chunk or CHUNK,
      late = not (order.narrow or scattered) and values.late[1] > 0,
      scattered = scattered, lockstep = values.lockstep[1] })
    if not walk then return nil, problem end
    walk.thin, list[i] = order.thin, walk
    walk.shift = order.narrow and copied.shift(walk.streams, vector)
  end
  return list
end

-- Most that an idle thread is from the domain along each axis.
local function margin(walks, axes)
  local list = {}
  for i, axis in ipairs(axes) do
    list[i] = 0
    for _, walk in ipairs(walks) do
      for k, own in ipairs(walk.axes) do
        if own.name == axis.name then
          list[i] = math.max(list[i], 2 * walk.tile[k])
        end
      end
    end
  end
  return list
end

function M.plan(lowered, kernel, block, _, values)
  local scattered, unfit = scattered_of(lowered, block, values)
  if scattered == false then return nil, unfit end
  local walks, why = walks_of(lowered, block, values, scattered)
  if not walks then return nil, why end
  local first = walks[1]
  local plan = { name = setting.plan_name(lowered, kernel, block, NAME,
      M.settings(lowered, kernel, block), values),
    template = NAME .. ".cu", block_size = first.block_size,
    threads = first.threads, tile = first.tile, walks = walks,
    margin = margin(walks, space.axes(lowered, block)), rows = values.rows[1],
    vector = tensor.vector(lowered, block),
    choose = values.chunk[1] == 0,
    fit = values.fit[1] > 0 and values.chunk[1] == 0,
    lockstep = values.lockstep[1], kept = KEPT,
    sums = scattered and scattered.sums or nil,
    ahead = scattered and scattered.ahead or nil,
    sector = tensor.SECTOR // BYTES[first.streams[1].type], notes = {} }
  for i, walk in ipairs(walks) do plan.notes[i] = note(plan, walk) end
  return edge.with(plan, lowered, block)
end

return M
