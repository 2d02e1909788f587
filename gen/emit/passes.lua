-- Kernels of several passes, each seeing what the last one wrote: colours, and
-- sweeps where the reference goes along.

local M = {}

-- The passes of a kernel with colours, else nil.
function M.colours(kernel)
  local count = 1
  for _, form in ipairs(kernel.colours or {}) do
    count = count * form.modulus
  end
  return count > 1 and count or nil
end

-- Can a plan be launched pass by pass?
function M.apart(plan)
  return plan.apart ~= nil or M.colours(plan.kernel) ~= nil
    or plan.backend == "reference" and plan.kernel.sweep ~= nil
end

return M
