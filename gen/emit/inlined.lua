-- The values of the templates of chains as one kernel: those of blocked and
-- gmem.

local M = {}

function M.view(plan, lowered, options)
  local name = plan.backend == "c" and "blocked" or "gmem"
  return require("gen.emit." .. name).view(plan, lowered, options)
end

return M
