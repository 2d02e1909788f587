-- The time step: what it launches, and which fields turn afterwards.

local lists = require "gen.list"

local M = {}

-- Is a kernel what a name of the step stands for, or a stage of it?
local function is_in(lowered, name, kernel)
  if name == kernel.name then return true end
  for _, chain in ipairs(lowered.chains or {}) do
    if chain.name == name and lists.contains(chain.stages, kernel.name) then
      return true
    end
  end
  return false
end

-- The position of a kernel in the step, from 0, that of its chain for a stage;
-- -1 if it is not part of it.
function M.position(lowered, kernel)
  for i, name in ipairs(lowered.step) do
    if is_in(lowered, name, kernel) then return i - 1 end
  end
  return -1
end

-- The names of the launch functions (gen/emit/launches) in the order of the
-- step; nil if one of them is not there.
function M.launches(launches, lowered)
  local list = {}
  for i, name in ipairs(lowered.step) do
    for _, launch in ipairs(launches) do
      if launch.of == name then list[i] = launch.name end
    end
    if not list[i] then return nil end
  end
  return #list > 0 and list or nil
end

-- The first plan that makes two steps at once, or false: { plan, turns, kept =
-- are the middle results kept, alike = are the levels outside, field = whose }.
function M.twice(plans)
  for _, plan in ipairs(plans) do
    if plan.steps == 2 then
      return { plan = plan.name, turns = plan.turns,
        kept = plan.turns == plan.steps, alike = plan.alike,
        field = plan.block.stores[1].field }
    end
  end
  return false
end

-- The fields whose buffers turn after a step.
function M.turning(lowered)
  local list = {}
  for _, field in ipairs(lowered.fields) do
    if #field.stored > 1 then list[#list + 1] = field end
  end
  return list
end

return M
