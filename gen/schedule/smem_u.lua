-- smem_u: the fields of the highest order in shared memory; the first threads
-- along each axis fetch the halo on both sides of it.

local smem = require "gen.schedule.smem"

return smem.shape { name = "smem_u", highest = true, tilted = false,
  blocks = { { { 256 }, { 64 } },
    { { 32, 8 }, { 16, 8 }, { 8, 8 } },
    { { 32, 4, 4 }, { 16, 4, 4 }, { 8, 8, 4 }, { 8, 4, 4 }, { 4, 4, 4 } } } }
