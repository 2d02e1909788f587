-- Kernels of several passes, each seeing what the last one wrote: colours, and
-- sweeps where the reference goes along.

local M = {}

-- The passes of a kernel with colours, else nil.
function M.colours(kernel)
  if not kernel.colours then return nil end
  local count = 1
  for _, form in ipairs(kernel.colours) do count = count * form.modulus end
  return count
end

-- Can a plan be launched pass by pass?
function M.apart(plan)
  return plan.kernel.colours ~= nil
    or plan.backend == "reference" and plan.kernel.sweep ~= nil
end

return M
