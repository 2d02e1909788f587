-- Points of a stage that one thread takes because their neighbours coincide, as
-- those of the edges around a vertex do: it reads each of them once. Which do
-- is known from a composed table of the spec, v2e2c2v of v2e and e2c2v: of the
-- edges around a vertex half are a fan, those that share most, so that every
-- edge is in one. On a lattice any such half will do, and which of them fits
-- tiles best depends on how its points are numbered; on a mesh whose edges
-- point anywhere every edge is in a fan of those that begin at the vertex.

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

local function slot_of(row, near)
  for slot, other in ipairs(row) do
    if other == near then return slot end
  end
end

-- The fan of some rows of a pattern, whose neighbours are numbered anew as they
-- are met: { each, count, centres = slots, number = rows, rows = which of the
-- pattern }.
local function fan_of(pattern, centre, rows)
  local number, fan = {}, { each = #rows, count = 0, centres = {},
    number = {}, rows = rows }
  for i, at in ipairs(rows) do
    local own = {}
    for k, near in ipairs(pattern[at]) do
      if not number[near] then
        number[near], fan.count = fan.count, fan.count + 1
      end
      own[k] = number[near]
    end
    fan.number[i], fan.centres[i] = own, slot_of(pattern[at], centre) - 1
  end
  return fan
end

-- The most rows of a pattern that have the centre in one slot; or nil.
local function at_one_slot(pattern, centre)
  local best
  for slot = 1, #pattern[1] do
    local rows = {}
    for i, row in ipairs(pattern) do
      rows[#rows + 1] = row[slot] == centre and i or nil
    end
    if #rows > (best and #best or 1) then best = rows end
  end
  return best
end

-- Calls visit(rows) with all sets of `left` more rows, ascending.
local function each_set(pattern, rows, left, visit)
  if left == 0 then return visit(rows) end
  for i = (rows[#rows] or 0) + 1, #pattern do
    each_set(pattern, lists.joined(rows, { i }), left - 1, visit)
  end
end

-- The fans of a pattern: of the rows that have the centre in one slot, then of
-- all other sets of as many rows with no more neighbours.
local function fans_of(pattern)
  local centre = centre_of(pattern)
  local rows = centre and at_one_slot(pattern, centre)
  if not rows then return {} end
  local first = fan_of(pattern, centre, rows)
  local found, own = { first }, table.concat(rows, " ")
  each_set(pattern, {}, #rows, function(set)
    local fan = fan_of(pattern, centre, set)
    if fan.count <= first.count and table.concat(set, " ") ~= own then
      found[#found + 1] = fan
    end
  end)
  return found
end

-- Does a way go to all slots of one table, in a list?
local function is_whole(state, way)
  local step = way.steps[1]
  return way.list and #way.steps == 1
    and step.count == state.tables[step.table].count
end

-- The which-th fan of a stage along one of its ways, the last one where there
-- are fewer, with the `way`, and the table `through` whose slots lead from the
-- centre to the rows; or nil.
function M.of(state, stage, which)
  for _, way in ipairs(stage.ways) do
    for _, of in ipairs(is_whole(state, way) and state.lowered.tables or {}) do
      local through = of.pattern and of.through[2] == way.steps[1].table
      local fans = through and fans_of(of.pattern) or {}
      local fan = fans[math.min(which, #fans)]
      if fan then
        fan.way, fan.through = way, of.through[1]
        return fan
      end
    end
  end
end

return M
