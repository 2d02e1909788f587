-- smem_eta_3: the fields of lower order in shared memory, the others straight
-- from global memory; three conditions, one per axis, say who fetches the halo.

local smem = require "gen.schedule.smem"

return smem.shape { name = "smem_eta_3", highest = false, tilted = false,
  blocks = { { { 256 }, { 64 } },
    { { 32, 8 }, { 16, 8 }, { 8, 8 } },
    { { 32, 4, 4 }, { 16, 4, 4 }, { 8, 8, 4 }, { 8, 4, 4 }, { 4, 4, 4 } } } }
