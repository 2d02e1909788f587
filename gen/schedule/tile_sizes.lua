-- Sizes of tiles: points of a thread, words that tell of them, levels and bytes
-- of shared memory.

local precision = require "gen.model.precision"
local space = require "gen.schedule.space"

local M = {}

-- Points of a domain for each of the one with fewest, as in meshes of triangles
-- or hexagons: six neighbours, three, or two and four.
local function weight(state, domain)
  local found = 1
  for _, of in ipairs(state.lowered.tables) do
    if of.from == domain and of.count and not of.through
       and not of.affine then
      found = of.count > 4 and 1 or of.count == 3 and 2 or 3
    end
  end
  return found
end

-- The results of a fan lie side by side: so they are for those that read them
-- in the order of memory. Threads that write theirs at once, an odd number of
-- places apart, find each another bank.
local function pitch_of(stage)
  return stage.fan and stage.each | 1 or 0
end

local function entries(way)
  local count = 1
  for _, step in ipairs(way.steps) do count = count * step.count end
  return count
end

local function is_fan(way)
  return way.stage.fan and way.stage.fan.way == way
end

-- Words of a thread: where those of each kind begin, and of all.
local function lay_out(state)
  local at = 0
  local function take(item, count)
    item.word, at = at, at + count
  end
  for _, stage in ipairs(state.stages) do take(stage, stage.each) end
  for _, list in ipairs(state.lists) do take(list, list.each) end
  for _, way in ipairs(state.ways) do
    way.fan = is_fan(way) and way.stage.fan or nil
    way.words = ((way.fan and way.fan.count or entries(way)) + 1) // 2
    take(way, way.words * (way.fan and 1 or way.stage.each))
  end
  state.words = at
end

-- Levels in shared memory: from the oldest that is read to the newest, and
-- those that are on their way while a step reads. `late`: the next of them is
-- sent for behind what others wait for, while threads that are behind read the
-- level whose place it would have: it has another one.
local function add_ring(state, ahead, late)
  local oldest, newest = 0, 0
  local function reach(streams)
    for _, stream in ipairs(streams) do
      oldest = math.min(oldest, stream.oldest)
      newest = math.max(newest, stream.newest)
    end
  end
  for _, list in ipairs(state.lists) do reach(list.streams) end
  for _, stage in ipairs(state.stages) do reach(stage.own) end
  state.late, state.pending = late or false, ahead - 1
  state.ahead, state.newest = ahead + (late and 1 or 0), newest
  state.slots = newest - oldest + 1 + state.ahead
end

local function bytes_of(streams)
  local bytes = 0
  for _, stream in ipairs(streams) do
    local count = stream.slots and stream.slots.count or 1
    bytes = bytes + count * precision.BYTES[stream.type]
  end
  return bytes
end

local BARRIER = 8               -- bytes

-- The bytes of shared memory of a tile.
local function shared_bytes(state)
  local level, handed = 0, 0
  for _, list in ipairs(state.lists) do
    list.bytes = bytes_of(list.streams)
    level = level + list.bytes * list.each
  end
  for i, stage in ipairs(state.stages) do
    level = level + bytes_of(stage.own) * stage.each
    for _, store in ipairs(i < #state.stages and stage.block.stores or {}) do
      local field = space.field(state.lowered, store.field)
      handed = handed + state.kept[store.buffer]
        * precision.BYTES[field.type]
        * math.max(stage.each, stage.pitch)
    end
  end
  return state.threads * (state.slots * level + handed)
end

-- Points of a thread in each stage and list.
local function add_points(state, most)
  for _, stage in ipairs(state.stages) do
    stage.each = stage.fan and stage.fan.each
      or math.min(weight(state, stage.domain), most or math.huge)
    stage.pitch = pitch_of(stage)
  end
  for _, list in ipairs(state.lists) do
    list.each = list.each or weight(state, list.domain) + 1
  end
end

-- Adds them to a state of tiling.lua, which says what they are called.
function M.add(state, how)
  add_points(state, how.most)
  lay_out(state)
  add_ring(state, how.ahead, how.late)
  state.bytes = shared_bytes(state) + (how.barrier and BARRIER or 0)
end

return M
