-- Plans and those that they launch: what a plan leaves out, or its parts.

local M = {}

local function add(list, names, plan)
  if names[plan.name] then return end
  names[plan.name] = true
  list[#list + 1] = plan
  for _, helper in ipairs(plan.helpers or {}) do add(list, names, helper) end
end

-- The plans in order, each once, helpers (`plan.helpers`) after those that need
-- them.
function M.all(plans)
  local list, names = {}, {}
  for _, plan in ipairs(plans) do add(list, names, plan) end
  return list
end

return M
