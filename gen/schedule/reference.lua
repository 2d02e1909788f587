-- reference: a plain scalar loop in double precision over the model as it was
-- built, the oracle beside every kernel.

local setting = require "gen.schedule.setting"

local M = { backends = { "reference" }, meshes = true,
  chains = "both" }

-- Whatever lower accepts.
function M.applies() return true end

function M.plan(lowered, kernel, block)
  return {
    name = setting.plan_name(lowered, kernel, block, "reference", {}, {}),
    template = "reference.c",
    notes = { "in double, with a bound on the error of any right kernel" },
  }
end

return M
