-- Which neighbours a stage of tiles finds as rows of arrays, beside the places
-- that they have in shared memory.

local lists = require "gen.list"

local M = {}

-- The neighbours on the way to one, itself last.
function M.steps(stage, near)
  local list = {}
  while near do
    table.insert(list, 1, near)
    near = near.row and stage.neighbours[near.row]
  end
  return list
end

-- A way of the stage that goes where a neighbour is, or nil.
function M.way_to(stage, near)
  local steps = M.steps(stage, near)
  for _, way in ipairs(stage.ways) do
    local same = #steps == #way.steps
    for i, step in ipairs(way.steps) do
      same = same and steps[i].table == step.table
    end
    if same then return way end
  end
end

-- All on the way are wanted; `how`: true where levels want them, "here" where
-- only what is kept does.
local function mark(stage, near, how)
  for _, step in ipairs(M.steps(stage, near)) do
    stage.wanted[step.name] = stage.wanted[step.name] == true or how
  end
end

local function mark_load(state, stage, load)
  local near = load.place and stage.neighbours[load.place]
  local field = lists.find(state.lowered.fields, "name", load.field)
  if near and field.table then
    near = near.row and stage.neighbours[near.row]
  end
  local changes = lists.contains(field.axes, state.level)
  if near then mark(stage, near, changes or "here") end
end

-- Neighbours that may be missing and have no place that says so.
local function mark_guards(stage, code)
  for _, entry in ipairs(code) do
    local guard = entry.loop and entry.loop.guard
    local near = guard and stage.neighbours[guard]
    if near and not M.way_to(stage, near) then mark(stage, near, true) end
    if entry.loop then mark_guards(stage, entry.code) end
  end
end

-- Adds stage.wanted = { [name of a neighbour] = true, or "here" if only what is
-- kept asks for it }, and state.handed = { [table] = true }: those that the
-- kernel reads itself.
function M.add(state)
  state.handed = lists.copy(state.reads)
  for _, stage in ipairs(state.stages) do
    stage.wanted = {}
    for _, load in ipairs(stage.block.loads) do
      if not stage.sources[load.id] then mark_load(state, stage, load) end
    end
    mark_guards(stage, stage.block.code)
    for name in pairs(stage.wanted) do -- any order
      state.handed[stage.neighbours[name].table] = true
    end
  end
end

return M
