-- The ways along tables that lead from the points of a tile's stage to what it
-- reads: a list of points, or an earlier stage.

local M = {}

function M.is_affine(state, near)
  return state.tables[near.table].affine
end

-- The ways of a stage are named after their tables: "v2e_e2c2v"; that to the
-- point itself after its domain.
local function way_name(stage, steps)
  local names = {}
  for i, near in ipairs(steps) do names[i] = near.table end
  return names[1] and table.concat(names, "_") or stage.domain
end

-- The slots of a step: all where a loop goes through them, else those that are
-- named, ascending.
local function widen(state, step, near)
  if near.loop then step.all = true end
  step.named[near.slot or -1] = true
  step.slots = {}
  for slot = 0, state.tables[near.table].count - 1 do
    if step.all or step.named[slot] then
      step.slots[#step.slots + 1] = slot
    end
  end
  step.count = #step.slots
end

local function is_along(way, steps)
  for i, near in ipairs(steps) do
    if not way.steps[i] or way.steps[i].table ~= near.table then
      return false
    end
  end
  return #way.steps == #steps
end

local function find_way(stage, steps, goal)
  for _, way in ipairs(stage.ways) do
    if is_along(way, steps) and way.list == goal.list
       and way.to == goal.stage then
      return way
    end
  end
end

-- The way of a stage along some neighbours to a goal, { list } or { stage }.
function M.along(state, stage, steps, goal)
  local way = find_way(stage, steps, goal)
  if not way then
    way = { name = way_name(stage, steps), stage = stage, list = goal.list,
      to = goal.stage, steps = {} }
    for i, near in ipairs(steps) do
      way.steps[i] = { table = near.table, named = {} }
    end
    table.insert(stage.ways, way)
  end
  for i, near in ipairs(steps) do widen(state, way.steps[i], near) end
  return way
end

return M
