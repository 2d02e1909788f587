-- The texts of a plan, as one number: what was measured is that text, and that
-- of the plans which it launches.

local hash = require "gen.spec.hash"
local helpers = require "gen.schedule.helpers"

local M = {}

-- The hash of what `files` have of a plan; nil if they have nothing of it.
function M.of(plan, files)
  local texts, list = {}, {}
  for _, file in ipairs(files) do
    texts[file.path:match("([^/]+)%.[^.]+$")] = file.text
  end
  if not texts[plan.name] then return nil end
  for i, one in ipairs(helpers.all { plan }) do list[i] = texts[one.name] end
  return hash.of(list)
end

return M
