-- inlined_compressed: a chain as one kernel that reads through composed tables:
-- what several slots lead to is read once. A thread goes through several levels
-- of one point, as in kloop; rows that do not follow the pattern are computed
-- as in inlined, by the same threads. In C as blocked: tiles in which some row
-- does not follow it are computed as in inlined.

local blocked = require "gen.schedule.blocked"
local kloop = require "gen.schedule.kloop"

local M = { backends = { "cuda", "simt", "c" }, meshes = true, chains = true }

local NAME = "inlined_compressed"

local function base(options)
  return options.backend == "c" and blocked or kloop
end

function M.settings(lowered, kernel, block, options)
  return base(options).settings(lowered, kernel, kernel.compressed or block)
end

function M.applies(lowered, kernel, block, options)
  if not kernel.compressed then
    return nil, ("inlined_compressed: %s reads nothing twice that a composed "
      .. "table of the spec leads to"):format(kernel.name)
  end
  if options.backend == "c" and kernel.compressed.near_regular[1] then
    return nil, ("inlined_compressed: %s reads through the rows of neighbours, "
      .. "which tiles in C do not look at"):format(kernel.name)
  end
  return base(options).applies(lowered, kernel, block, NAME)
end

function M.plan(lowered, kernel, _, options, values)
  local made, why = base(options).plan(lowered, kernel, kernel.compressed, nil,
    values, NAME)
  if not made then return nil, why end
  made.block = kernel.compressed
  if options.backend ~= "c" then made.template = NAME .. ".cu" end
  return made
end

return M
