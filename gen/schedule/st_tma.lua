-- st_tma: the tensor unit copies planes ahead into rings in shared memory; a
-- block of threads follows it along the last axis. Each thread has 16 bytes of
-- points along the first axis, on some rows; the values of its own column
-- stand in registers (the window), all others in the planes of the ring.

local edge = require "gen.schedule.edge"
local limits = require "gen.schedule.limits"
local precision = require "gen.model.precision"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"
local worth = require "gen.schedule.choices"

local M = { backends = { "cuda", "simt" } }

local NAME = "st_tma"
local BYTES = precision.BYTES
local COPIED = { float = true, double = true, int = true }
local SECTOR = 32               -- bytes: where a copy starts costs nothing
local LINE = 128                -- what shared memory's planes are aligned to
local MOST_BOX = 256            -- elements of a copy along an axis
local FIRST_ARCH = 90

-- What the template calls its own.
local KEPT = { "s", "p", "j", "e", "tx", "ty", "box", "boxes", "number", "row",
  "lead", "leader", "planes", "blocks", "lead_of", "tensor_of",
  "shared_planes", "dynamic_shared" }

-- What a block may be, the best first: threads, rows each, planes ahead.
-- A shell is boxes that are thin along one axis: tiles that are as thin, NARROW
-- where that is the first axis; rows and planes ahead are those of SHELL.
local SHELL = { { { 16, 14 }, 1, 1 }, { { 16, 8 }, 1, 1 }, { { 8, 8 }, 1, 1 } }
local NARROW = { { { 8, 32 }, 1, 1 }, { { 8, 16 }, 1, 1 }, { { 8, 8 }, 1, 1 } }
local CHUNK, SHELL_CHUNK = 128, 32
local CHOICES = { { { 32, 8 }, 2, 2 }, { { 32, 8 }, 2, 1 }, { { 32, 8 }, 1, 2 },
  { { 16, 16 }, 1, 2 }, { { 16, 8 }, 1, 2 }, { { 16, 8 }, 1, 1 },
  { { 8, 8 }, 1, 1 } }

local function round_up(n, unit) return (n + unit - 1) // unit * unit end

local function least(a, b) return math.min(a or b, b) end
local function most(a, b) return math.max(a or b, b) end

-- One buffer as the block reads it, along the walk: low to high, its window
-- (what is read in a thread's own column; high < low: nothing is), first to
-- newest, the planes of its ring; reach = { { below, above } per axis of a
-- plane }.
local function measure(stream, block, axes)
  stream.reach = { space.reach(block, axes[1].name, stream.buffer),
                   space.reach(block, axes[2].name, stream.buffer) }
  for _, load in ipairs(block.loads) do
    if load.buffer == stream.buffer then
      local at = space.offsets(load, axes)
      stream.newest = most(stream.newest, at[3])
      if at[1] ~= 0 or at[2] ~= 0 then
        stream.first = least(stream.first, at[3])
      else
        stream.low = least(stream.low, at[3])
        stream.high = most(stream.high, at[3])
      end
    end
  end
  stream.first = least(stream.first, stream.high or stream.newest)
  stream.low, stream.high = stream.low or 1, stream.high or 0
end

-- The buffers that a block reads: streams, and those at the point alone.
local function buffers_of(lowered, block, axes)
  local seen, streams, points = {}, {}, {}
  for _, load in ipairs(block.loads) do
    local known = seen[load.buffer]
    if not known then
      known = { buffer = load.buffer, field = load.field,
                type = space.field(lowered, load.field).type }
      seen[load.buffer] = known
      known.away = false
      points[#points + 1] = known
    end
    for _, at in ipairs((space.offsets(load, axes))) do
      known.away = known.away or at ~= 0
    end
  end
  local still = {}
  for _, buffer in ipairs(points) do
    local list = buffer.away and streams or still
    list[#list + 1] = buffer
    if buffer.away then measure(buffer, block, axes) end
  end
  return streams, still
end

-- Sizes of what one choice needs: planes, slots, bytes of shared memory.
local function lay_out(streams, points, choice)
  local threads, rows, ahead = choice.block, choice.rows, choice.stages
  local vector = choice.vector
  local tile = { threads[1] * vector, threads[2] * rows }
  local bytes, barriers = 0, 0
  for _, s in ipairs(streams) do
    local size, sector = BYTES[s.type], SECTOR // BYTES[s.type]
    s.margin = { round_up(s.reach[1][1], sector),
                 round_up(s.reach[1][2], vector) }
    s.size = { s.margin[1] + tile[1] + s.margin[2],
               s.reach[2][1] + tile[2] + s.reach[2][2] }
    s.slots = s.newest - s.first + 1 + ahead
    bytes = bytes + s.slots * round_up(s.size[1] * s.size[2] * size, LINE)
    barriers = barriers + s.slots
  end
  for _, s in ipairs(points) do
    s.size, s.slots = { tile[1], tile[2] }, ahead + 1
    bytes = bytes + s.slots * round_up(tile[1] * tile[2] * BYTES[s.type], LINE)
  end
  if points[1] then barriers = barriers + ahead + 1 end
  return tile, round_up(bytes + 8 * barriers, LINE)
end

local function vector_of(lowered, block)
  return 16 // BYTES[space.field(lowered, block.stores[1].field).type]
end

local function in_shell(lowered, block)
  for _, region in ipairs(lowered.model.regions or {}) do
    if region.name == block.region then return region.shell ~= nil end
  end
  return false
end

-- The first choice that fits into shared memory, or the last.
local function first_fit(lowered, block, choices)
  local axes = space.axes(lowered, block)
  local streams, points = buffers_of(lowered, block, axes)
  local vector = vector_of(lowered, block)
  for _, c in ipairs(choices) do
    local choice = { block = c[1], rows = c[2], stages = c[3], vector = vector }
    local _, bytes = lay_out(streams, points, choice)
    if limits.dynamic(NAME, bytes) then return choice end
  end
  local last = choices[#choices]
  return { block = last[1], rows = last[2], stages = last[3] }
end

local function default(lowered, block)
  return first_fit(lowered, block, in_shell(lowered, block) and SHELL
    or CHOICES)
end

-- A sentence if a field is not one that the tensor unit copies here.
local function unfit(field, axes, size)
  if not COPIED[field.type] then
    return ("%s is stored as %s"):format(field.name, field.type)
  elseif BYTES[field.type] ~= size then
    return ("%s has elements of %d bytes, others of %d"):format(field.name,
      BYTES[field.type], size)
  elseif field.packed then
    return ("%s is packed"):format(field.name)
  elseif field.only then
    return ("%s is stored in %s only"):format(field.name, field.only.region)
  end
  for i, axis in ipairs(axes) do
    if field.axes[i] ~= axis.name then
      return ("%s is on %s"):format(field.name, table.concat(field.axes, ", "))
    elseif ((field.extra or {})[axis.name] or 0) ~= 0 then
      return ("%s has extra points along %s"):format(field.name, axis.name)
    end
  end
end

local function wrong_field(lowered, block, axes)
  local first = space.field(lowered, block.stores[1].field)
  local size = BYTES[first.type]
  for _, list in ipairs { block.stores, block.loads } do
    for _, access in ipairs(list) do
      local why = unfit(space.field(lowered, access.field), axes, size)
      if why then return why end
    end
  end
end

-- The first architecture asked for that has no tensor unit.
local function too_old(options)
  if options.backend ~= "cuda" then return nil end
  for name in (options.arch or ""):gmatch("sm_%d+") do
    if tonumber(name:sub(4)) < FIRST_ARCH then return name end
  end
end

function M.applies(lowered, kernel, block, options)
  local axes, old = space.axes(lowered, block), too_old(options)
  if old then
    return nil, ("%s: needs sm_%d, this is for %s"):format(NAME, FIRST_ARCH,
      old)
  elseif #axes ~= 3 then
    return nil, ("%s: streams along the last of 3 axes, this kernel has %d")
      :format(NAME, #axes)
  elseif (kernel.kind or "point") ~= "point" then
    return nil, ("%s: updates all points at once, kernel %s does not"):format(
      NAME, kernel.name)
  end
  local why = wrong_field(lowered, block, axes)
  if why then return nil, ("%s: %s"):format(NAME, why) end
  if not buffers_of(lowered, block, axes)[1] then
    return nil, NAME .. ": nothing is read at other points: gmem does that"
  end
  return true
end

function M.settings(lowered, _, block)
  if #space.axes(lowered, block) ~= 3 or wrong_field(lowered, block,
     space.axes(lowered, block)) then return {} end
  local choice, shell = default(lowered, block), in_shell(lowered, block)
  local try = shell and worth.SHELLS or worth.RINGS
  local list = {
    { name = "block", default = choice.block, choices = try.BLOCK },
    { name = "rows", default = { choice.rows }, choices = try.ROWS },
    { name = "stages", default = { choice.stages }, choices = try.STAGES },
    { name = "chunk", default = { shell and SHELL_CHUNK or CHUNK },
      choices = try.CHUNK } }
  if shell then
    list[5] = { name = "narrow", choices = try.NARROW,
      default = first_fit(lowered, block, NARROW).block }
  end
  return list
end

-- Blocks that shared memory and 128 registers a thread leave room for on a
-- multiprocessor.
local function resident(threads, bytes)
  local room = math.min(limits.SHARED_ALL // (bytes + 1024),
    limits.REGISTERS // (128 * threads))
  return math.max(room, 1)
end

local function too_wide(streams)
  for _, s in ipairs(streams) do
    for i = 1, 2 do
      if s.size[i] > MOST_BOX then
        return ("%s: a plane of %s is %d points wide, the limit is %d"):format(
          NAME, s.buffer, s.size[i], MOST_BOX)
      end
    end
  end
end

local function note(plan, walk)
  local size = walk.block_size
  return ("%s  %dx%d threads of %dx%d points, %d %s planes, %d bytes of shared "
    .. "memory"):format(walk.thin and "thin along " .. walk.thin or "per block",
    size[1], size[2], plan.vector, plan.rows, walk.tile[3], walk.axes[3].name,
    walk.shared)
end

-- How blocks walk along the last of these axes, or nil and a sentence.
local function walk_along(lowered, block, axes, choice, chunk)
  local threads, problem = limits.threads(NAME, choice.block)
  if not threads then return nil, problem end
  local streams, points = buffers_of(lowered, block, axes)
  local tile, bytes = lay_out(streams, points, choice)
  local fits, much = limits.dynamic(NAME, bytes)
  local wide = too_wide(streams)
  if not fits or wide then return nil, much or wide end
  tile[3] = chunk
  return { axes = axes, streams = streams, points = points, tile = tile,
    shared = bytes, block_size = choice.block, threads = threads,
    resident = resident(threads, bytes) }
end

-- The orders of axes that the walks of a plan have, the last their own, with
-- their blocks: one for all boxes, or one for those thin along each axis.
local function orders_of(lowered, block, values)
  local axes = space.axes(lowered, block)
  if not values.narrow then return { { axes = axes, block = values.block } } end
  local x, y, z = axes[1], axes[2], axes[3]
  return { { axes = axes, block = values.narrow, thin = x.name },
           { axes = axes, block = values.block, thin = y.name },
           { axes = { x, z, y }, block = values.block, thin = z.name } }
end

local function walks_of(lowered, block, values)
  local list = {}
  for i, order in ipairs(orders_of(lowered, block, values)) do
    local choice = { block = order.block, rows = values.rows[1],
      stages = values.stages[1], vector = vector_of(lowered, block) }
    local walk, problem = walk_along(lowered, block, order.axes, choice,
      values.chunk[1])
    if not walk then return nil, problem end
    walk.thin, list[i] = order.thin, walk
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
  local walks, why = walks_of(lowered, block, values)
  if not walks then return nil, why end
  local first = walks[1]
  local plan = { name = setting.plan_name(lowered, kernel, block, NAME,
      M.settings(lowered, kernel, block), values),
    template = NAME .. ".cu", block_size = first.block_size,
    threads = first.threads, tile = first.tile, walks = walks,
    margin = margin(walks, space.axes(lowered, block)), rows = values.rows[1],
    vector = vector_of(lowered, block), ahead = values.stages[1],
    sector = SECTOR // BYTES[first.streams[1].type], kept = KEPT, notes = {} }
  for i, walk in ipairs(walks) do plan.notes[i] = note(plan, walk) end
  return edge.with(plan, lowered, block)
end

return M
