-- What a command ends with: an exit code, and the text that explains it.

local diag = require "gen.diag"

local M = {}

-- A diagnostic without a place in a text is about the command line or the
-- output place, one with a place is about the spec.
function M.refused(problems)
  for _, problem in ipairs(problems) do
    local pos = problem.pos
    if pos and pos.offset then return 1, diag.format(problems) end
  end
  return 2, diag.format(problems)
end

return M
