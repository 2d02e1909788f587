-- inlined_compressed: a chain as one kernel that reads through composed tables:
-- what several slots lead to is read once. A thread goes through several levels
-- of one point, as in kloop; rows that do not follow the pattern are computed
-- as in inlined, by the same threads.

local kloop = require "gen.schedule.kloop"

local M = { backends = { "cuda", "simt" }, meshes = true, chains = true }

function M.settings(lowered, kernel, block)
  return kloop.settings(lowered, kernel, kernel.compressed or block)
end

function M.applies(lowered, kernel, block)
  if not kernel.compressed then
    return nil, ("inlined_compressed: %s reads nothing twice that a composed "
      .. "table of the spec leads to"):format(kernel.name)
  end
  return kloop.applies(lowered, kernel, block, "inlined_compressed")
end

function M.plan(lowered, kernel, _, _, values)
  local made, why = kloop.plan(lowered, kernel, kernel.compressed, nil, values,
    "inlined_compressed")
  if not made then return nil, why end
  made.block, made.template = kernel.compressed, "inlined_compressed.cu"
  return made
end

return M
