-- Whether a record that stands is worth more than what a search found now: a
-- search that was told of fewer shapes knows nothing of the others.

local driver = require "gen.driver"
local lists = require "gen.list"
local source = require "gen.tune.source"

local M = {}

-- Whether the text that a record is about is generated still.
local function holds(old, options)
  local again = lists.copy(options)
  again.stop_after, again.kernels, again.make = "emit", { old.kernel }, nil
  again.shapes = { { name = old.shape, params = old.params,
                     region = old.region } }
  local state = driver.run(again)
  for _, plan in ipairs(state and state.plans or {}) do
    if plan.name == old.plan then
      return source.of(plan, state.files) == old.source
    end
  end
  return false
end

-- `old`: the record of the same key, or nil; `timed`: the names of the plans
-- that were timed now, of which none is to be judged by an earlier run.
function M.stands(old, new, timed, options)
  return old ~= nil and not lists.contains(timed, old.plan)
    and old.points_per_second > new.points_per_second and holds(old, options)
end

return M
