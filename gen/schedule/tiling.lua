-- What kernels that go through a mesh tile by tile read, and how: the stages,
-- the lists of points whose values are copied to shared memory, and the ways
-- along tables that lead there (tile_ways.lua).

local entries = require "gen.entries"
local fan_of = require "gen.schedule.fan"
local lists = require "gen.list"
local precision = require "gen.model.precision"
local space = require "gen.schedule.space"
local tile_rows = require "gen.schedule.tile_rows"
local tile_sizes = require "gen.schedule.tile_sizes"
local tile_ways = require "gen.schedule.tile_ways"

local M = {}

local function list_of(state, domain)
  local list = lists.find(state.lists, "domain", domain)
  if not list then
    list = { domain = domain, streams = {} }
    table.insert(state.lists, list)
  end
  return list
end

-- The stream of a buffer, of a list or a stage, as wide along the levels as it
-- is read: low to high beside the level of its stage. `slots`: of what it has
-- several values of a point, { table, count, affine }.
local function stream_of(state, streams, stage, load, slots)
  local at = load.offset[state.level] or 0
  local stream = lists.find(streams, "buffer", load.buffer)
  if not stream then
    local field = space.field(state.lowered, load.field)
    stream = { buffer = load.buffer, field = field, type = field.type,
      slots = slots, low = at, high = at, oldest = at - stage.lag,
      newest = at - stage.lag }
    table.insert(streams, stream)
  end
  stream.low = math.min(stream.low, at)
  stream.high = math.max(stream.high, at)
  stream.oldest = math.min(stream.oldest, at - stage.lag)
  stream.newest = math.max(stream.newest, at - stage.lag)
  return stream
end

-- Has a field one value for each point of a domain and each level?
local function is_level_field(state, field)
  return field.domain and not field.table and #field.axes == 2
    and lists.contains(field.axes, state.level)
end

-- What an earlier stage computes, read by a later one.
local function add_handed(state, stage, load, made)
  local near = load.place and stage.neighbours[load.place]
  if (load.offset[state.level] or 0) ~= 0 then
    return ("%s: %s reads %s at another level, where the stage before it has "
      .. "not been"):format(state.shape, stage.kernel.name, load.field)
  end
  stage.sources[load.id] = { kind = "handed", buffer = load.buffer,
    made = made,
    way = tile_ways.along(state, stage, tile_rows.steps(stage, near),
      { stage = made }) }
end

-- Which of the loads at neighbours come from lists: those whose points several
-- others may read too.
local function add_shared(state, stage, load)
  local field = space.field(state.lowered, load.field)
  local near = load.place and stage.neighbours[load.place]
  if not near or not is_level_field(state, field) then return end
  local steps = tile_rows.steps(stage, near)
  for _, step in ipairs(steps) do
    if tile_ways.is_affine(state, step) then return end
  end
  local list = list_of(state, field.domain)
  stream_of(state, list.streams, stage, load)
  stage.sources[load.id] = { kind = "shared", buffer = load.buffer,
    way = tile_ways.along(state, stage, steps, { list = list }) }
end

-- The values that each point has for itself in the slots of one of its tables:
-- of a field on that table, or where an affine table leads to.
local function own_slots(state, stage, field, near)
  if not near or near.row then return nil end
  local of = state.tables[near.table]
  local on_table = field.table == near.table and field.domain == stage.domain
    and #field.axes == 3 and lists.contains(field.axes, state.level)
  local led_to = of.affine and is_level_field(state, field)
  return (on_table or led_to) and { table = of.name, count = of.count,
    affine = led_to or nil } or nil
end

-- Has a stage a stream of a load's buffer that goes by other slots?
local function is_otherwise(stage, load, slots)
  local stream = lists.find(stage.own, "buffer", load.buffer)
  local other = stream and stream.slots
  return stream and (slots and slots.table) ~= (other and other.table)
end

-- Loads of what belongs to the point alone: from a list that has the buffer,
-- else each thread copies the values of its own points; those of a fan are not
-- side by side in memory, and come from a list.
local function add_own(state, stage, load)
  local field = space.field(state.lowered, load.field)
  local near = load.place and stage.neighbours[load.place]
  local slots = own_slots(state, stage, field, near)
  if is_otherwise(stage, load, slots) then return end
  if slots then
    stream_of(state, stage.own, stage, load, slots)
    stage.sources[load.id] = { kind = "own", buffer = load.buffer }
    state.reads[slots.table] = state.reads[slots.table] or slots.affine
    return
  end
  if near or not is_level_field(state, field) then return end
  local list = lists.find(state.lists, "domain", field.domain)
  if stage.fan and not list then
    list = list_of(state, field.domain)
    list.each = stage.fan.each
  end
  if list and (stage.fan or lists.find(list.streams, "buffer", load.buffer))
  then
    stream_of(state, list.streams, stage, load)
    stage.sources[load.id] = { kind = "shared", buffer = load.buffer,
      way = tile_ways.along(state, stage, {}, { list = list }) }
    return
  end
  stream_of(state, stage.own, stage, load)
  stage.sources[load.id] = { kind = "own", buffer = load.buffer }
end

-- Is a load the same at all levels?
function M.is_level_free(state, load)
  local field = space.field(state.lowered, load.field)
  return not lists.contains(field.axes, state.level)
end

-- Calls visit(stage, load) for all loads that change with the level.
local function each(state, visit)
  for _, stage in ipairs(state.stages) do
    for _, load in ipairs(stage.block.loads) do
      if not M.is_level_free(state, load) and not stage.sources[load.id] then
        local why = visit(state, stage, load)
        if why then return why end
      end
    end
  end
end

local function hand_on(state, stage, load)
  for _, before in ipairs(state.stages) do
    if before == stage then return end
    for _, store in ipairs(before.block.stores) do
      if store.buffer == load.buffer then
        return add_handed(state, stage, load, before)
      end
    end
  end
end

-- ---------------------------------------------------------------------------

-- Results leave the last stage as they lie in memory, so it has no fan.
local function add_fans(state, which)
  for i = 1, #state.stages - 1 do
    state.stages[i].fan = fan_of.of(state, state.stages[i], which)
  end
end

-- Whether the last stage is `after` what threads tell each other in a step: it
-- reads nothing that is copied ahead, whose place may be taken then.
local function add_after(state)
  local last = state.stages[#state.stages]
  last.after = #state.stages > 1
  for _, load in ipairs(last.block.loads) do
    local source = last.sources[load.id]
    if source and source.kind ~= "handed" then last.after = false end
  end
end

-- Levels of what stages hand on, as many as their readers are behind: one is
-- made while another is read; of threads a step ahead one more, where `after`.
local function add_kept(state)
  for _, stage in ipairs(state.stages) do
    for _, load in ipairs(stage.block.loads) do
      local source = stage.sources[load.id]
      if source and source.made then
        local levels = stage.lag - source.made.lag + (stage.after and 2 or 1)
        state.kept[source.buffer] =
          math.max(state.kept[source.buffer] or 2, levels)
      end
    end
  end
end

local function stage_of(stage, lag)
  local block = stage.block
  return { kernel = stage.kernel, block = block, stores = stage.stores,
    domain = stage.kernel.domain, lag = lag,
    neighbours = entries.neighbours(block), ways = {}, own = {},
    sources = {} }
end

-- A sentence about the first stream that threads cannot copy by themselves.
local function uncopied(state, streams)
  for _, stream in ipairs(streams) do
    if precision.BYTES[stream.type] < 4 then
      return ("%s: copies 4 or 8 bytes at a time, and elements of %s have 2")
        :format(state.shape, stream.field.name)
    end
  end
end

-- A sentence if there is nothing to be put into shared memory.
local function idle(state)
  for _, stage in ipairs(state.stages) do
    if next(stage.sources) then return nil end
  end
  return ("%s: %s reads nothing that changes with the level"):format(
    state.shape, state.stages[1].kernel.name)
end

-- state = { shape, lowered, level, threads, strips, ahead,
--   stages = { { kernel, block, domain, lag, neighbours, wanted, each, word,
--     pitch (from a thread's results to the next one's, or 0), fan (fan.lua),
--     own = streams, ways, sources = { [id of a load] = { kind = "own",
--     "shared" or "handed", buffer, way, made = stage that hands it on } },
--     after }.. },
--   lists = { { domain, each, word, bytes, streams = { { buffer, field, type,
--     slots, low, high (levels read, beside that of the stage) }.. } }.. },
--   ways = { { name, stage, list or to (a stage), steps = { { table, slots,
--     count }.. }, fan, words, word }.. },
--   kept = { [buffer] = levels of what a stage hands on }, slots (of the ring),
--   newest (level that a step reads, beside its own), late (is a level sent for
--   behind the barrier?), pending (levels that may be on their way there),
--   words (of a thread), bytes (of shared memory), reads (tables that streams
--   go by), handed (those that the kernel has parameters for) }; or nil and a
--   sentence. wanted: tile_rows.lua.
-- stages: { { kernel, block, stores = true where it does nothing but store what
-- the one before it has computed }.. }, in order; the last one's points are the
-- targets. how = { level, threads, ahead, fans = which (0: none), strips = rows
-- that tiles are pieces of (0, nil: the runtime sees), late, barrier = true
-- where shared memory has one, most = points of a thread, nil: as many as sizes
-- say }.
-- Loads without a source that change with the level are read where they are.
function M.of(shape, lowered, stages, how)
  local state = { shape = shape, lowered = lowered, level = how.level,
    threads = how.threads, strips = how.strips or 0, stages = {}, lists = {},
    ways = {}, reads = {}, kept = {},
    tables = lists.by_name(lowered.tables) }
  for i, stage in ipairs(stages) do
    state.stages[i] = stage_of(stage, i - 1)
  end
  local why = each(state, hand_on)
    or not how.direct and each(state, add_shared)
  if how.fans and how.fans > 0 and not why then add_fans(state, how.fans) end
  why = why or not how.direct and each(state, add_own) or idle(state)
  if why then return nil, why end
  for _, stage in ipairs(state.stages) do
    why = why or uncopied(state, stage.own)
    lists.append(state.ways, stage.ways)
  end
  for _, list in ipairs(state.lists) do
    why = why or uncopied(state, list.streams)
  end
  if why then return nil, why end
  add_after(state)
  add_kept(state)
  tile_rows.add(state)
  tile_sizes.add(state, how)
  return state
end

return M
