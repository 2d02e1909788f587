-- inlined_cached: a chain as one kernel, tile by tile: each stage is computed
-- once for each point that a tile needs, level by level, and handed on in
-- shared memory, as in staged; everything else is read where it is.

local staged = require "gen.schedule.staged"

local M = { backends = staged.backends, meshes = true, chains = true }

local NAME = "inlined_cached"

function M.settings() return staged.BLOCK end

function M.applies(lowered, kernel, block, options)
  return staged.applies(lowered, kernel, block, options, NAME)
end

function M.plan(lowered, kernel, block, options, values)
  return staged.plan(lowered, kernel, block, options,
    { block = values.block, stages = { 0 }, fans = { 0 } }, NAME)
end

return M
