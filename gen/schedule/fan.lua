-- Points of a stage that one thread takes because their neighbours coincide, as
-- those of the edges around a vertex do: it reads each of them once. Which do
-- is known from a composed table of the spec, v2e2c2v of v2e and e2c2v: of the
-- edges around a vertex those that have it in one slot are a fan, so that every
-- edge is in one.

local lists = require "gen.list"

local M = {}

-- The neighbour that all points of a pattern have, or nil.
local function centre_of(pattern)
  for _, wanted in ipairs(pattern[1]) do
    local everywhere = true
    for _, row in ipairs(pattern) do
      everywhere = everywhere and lists.contains(row, wanted)
    end
    if everywhere then return wanted end
  end
end

-- The rows of a pattern that have the centre in a slot, numbered anew as they
-- are met; how many neighbours they have.
local function rows_at(pattern, centre, slot)
  local number, count, rows = {}, 0, {}
  for _, row in ipairs(pattern) do
    if row[slot] == centre then
      local own = {}
      for i, near in ipairs(row) do
        if not number[near] then number[near], count = count, count + 1 end
        own[i] = number[near]
      end
      rows[#rows + 1] = own
    end
  end
  return rows, count
end

-- The largest fan of a pattern: { each, count, centre = slot, number = rows },
-- or nil.
local function largest(pattern)
  local centre, best = centre_of(pattern), nil
  for slot = 1, centre and #pattern[1] or 0 do
    local rows, count = rows_at(pattern, centre, slot)
    if #rows > (best and best.each or 1) then
      best = { each = #rows, count = count, centre = slot - 1, number = rows }
    end
  end
  return best
end

-- Does a way go to all slots of one table, in a list?
local function is_whole(state, way)
  local step = way.steps[1]
  return way.list and #way.steps == 1
    and step.count == state.tables[step.table].count
end

-- The fan of a stage along one of its ways, with the `way`; or nil.
function M.of(state, stage)
  for _, way in ipairs(stage.ways) do
    for _, of in ipairs(is_whole(state, way) and state.lowered.tables or {}) do
      local through = of.pattern and of.through[2] == way.steps[1].table
      local fan = through and largest(of.pattern)
      if fan then
        fan.way = way
        return fan
      end
    end
  end
end

return M
