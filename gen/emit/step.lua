-- The time step: which plans it launches, and which fields turn afterwards.

local M = {}

-- The position of a kernel in the step, from 0; -1 if it is not part of it.
function M.position(lowered, kernel)
  for i, name in ipairs(lowered.step) do
    if name == kernel.name then return i - 1 end
  end
  return -1
end

-- The first plan of each block of each kernel, in the order of the step; nil
-- if some block of it has no plan.
function M.plans(plans, lowered)
  local list = {}
  for _, name in ipairs(lowered.step) do
    for _, kernel in ipairs(lowered.kernels) do
      for _, block in ipairs(kernel.name == name and kernel.blocks or {}) do
        local found
        for _, plan in ipairs(plans) do
          if plan.block == block then found = found or plan end
        end
        if not found then return nil end
        list[#list + 1] = found.name
      end
    end
  end
  return #list > 0 and list or nil
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
