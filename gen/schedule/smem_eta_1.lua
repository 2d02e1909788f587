-- smem_eta_1: the fields of lower order in shared memory, the others straight
-- from global memory; one condition says who fetches the halo: the planes on
-- all sides are tilted onto the first threads along the first axis.

local smem = require "gen.schedule.smem"

return smem.shape { name = "smem_eta_1", highest = false, tilted = true,
  blocks = { { { 256 }, { 64 } },
    { { 32, 8 }, { 16, 8 }, { 8, 8 } },
    { { 32, 4, 4 }, { 16, 4, 4 }, { 8, 8, 4 }, { 8, 4, 4 }, { 4, 4, 4 } } } }
