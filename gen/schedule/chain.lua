-- Chains and the shapes that make one kernel of them.

local diag = require "gen.diag"

local M = {}

-- Why a shape is not for a chain, or for a kernel; nil if it may be.
function M.problem(name, shape, kernel)
  if kernel.why then
    return ("%s: %s stays several kernels: %s"):format(name, kernel.name,
      kernel.why)
  elseif kernel.chain and not shape.chains then
    return ("%s: %s is a chain"):format(name, kernel.name)
  elseif not kernel.chain and shape.chains == true then
    return ("%s: kernel %s is no chain"):format(name, kernel.name)
  end
end

local function is_planned(plans, kernel)
  for _, plan in ipairs(plans) do
    if plan.kernel == kernel then return true end
  end
  return false
end

-- A diagnostic for the first chain that is asked for by name and is not one
-- kernel.
function M.unmade(plans, kernels, options)
  for _, kernel in ipairs(options.kernels and kernels or {}) do
    if kernel.chain and not is_planned(plans, kernel) then
      return diag.new(nil, "%s is a chain, several kernels: --shape inlined "
        .. "makes one of it%s", kernel.name,
        kernel.why and ", but here " .. kernel.why or "")
    end
  end
end

return M
