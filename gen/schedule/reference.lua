-- reference: a plain scalar loop in double precision over the model as it was
-- built, the oracle beside every kernel.

local setting = require "gen.schedule.setting"

local M = { backends = { "reference" }, meshes = true,
  chains = "both", whole = true, together = true, adds = true }

-- Whatever lower accepts.
function M.applies() return true end

function M.plan(lowered, kernel, block)
  return {
    name = setting.plan_name(lowered, kernel, block, "reference", {}, {}),
    template = "reference.c",
    notes = { "in double, with a bound on the error of any right kernel" },
  }
end

-- The plan of all regions: it makes a pass of each, with its own plan.
function M.join(_, lowered, kernel, whole, parts, settings, values)
  return { name = setting.plan_name(lowered, kernel, whole, "reference",
      settings, values), template = "together.c", view = "together_reference",
    block = whole, helpers = parts, pieces = "1", apart = #parts,
    notes = { "a pass for each region" } }
end

return M
