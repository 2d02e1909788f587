-- The values of plan parameters that are worth trying, by the number of axes
-- that a value has (the first is contiguous). A shape's `settings` hand them
-- on; what a block or a device cannot take is left out later, in a sentence.

return {
  -- Threads with a point each: gmem, smem_u, smem_eta_1, smem_eta_3.
  POINTS = {
    { { 64 }, { 128 }, { 256 }, { 512 }, { 1024 } },
    { { 32, 4 }, { 32, 8 }, { 32, 16 }, { 64, 2 }, { 64, 4 }, { 64, 8 },
      { 128, 1 }, { 128, 2 }, { 128, 4 }, { 256, 1 }, { 512, 1 } },
    { { 32, 2, 2 }, { 32, 4, 2 }, { 32, 2, 4 }, { 32, 4, 4 }, { 32, 8, 2 },
      { 32, 8, 4 }, { 32, 4, 8 }, { 32, 16, 1 }, { 64, 2, 2 }, { 64, 4, 1 },
      { 64, 4, 2 }, { 64, 4, 4 }, { 128, 2, 2 }, { 128, 4, 1 }, { 16, 8, 4 },
      { 16, 8, 8 }, { 8, 8, 8 } },
    { { 32, 4, 2, 1 }, { 32, 4, 4, 1 }, { 32, 8, 2, 1 }, { 64, 4, 1, 1 },
      { 64, 4, 2, 1 }, { 128, 2, 1, 1 } },
  },
  -- Threads that walk along the last axis: semi, st_smem, st_reg_shft,
  -- st_reg_fixed; how many planes they go through, planes copied ahead, rows of
  -- points of a thread and points in a row.
  PLANES = {
    { { 32 }, { 64 }, { 128 }, { 256 }, { 512 } },
    { { 32, 8 }, { 32, 16 }, { 32, 32 }, { 64, 4 }, { 64, 8 }, { 64, 16 },
      { 128, 4 }, { 16, 16 } },
  },
  CHUNK = { { 64 }, { 128 } },
  AHEAD = { { 0 }, { 1 } },
  ROWS = { { 1 }, { 2 } },
  VECTOR = { { 1 }, { 2 }, { 4 } },
  -- st_tma: threads with 16 bytes along the first axis on so many rows, planes
  -- copied ahead, planes to go through (0: whole waves), distance of blocks in
  -- step, rings of few planes, sums that are split; where a block fills its
  -- domain, and where that is a shell.
  RINGS = { BLOCK = { { 32, 8 }, { 32, 16 }, { 16, 16 }, { 16, 8 } },
            ROWS = { { 1 }, { 2 } }, STAGES = { { 2 }, { 3 } },
            CHUNK = { { 0 }, { 128 } }, LOCKSTEP = { { 0 }, { 3 } },
            LATE = { { 0 }, { 1 } }, SCATTER = { { 0 }, { 1 } } },
  SHELLS = { BLOCK = { { 8, 28 }, { 8, 16 }, { 8, 8 }, { 16, 14 }, { 16, 16 },
                       { 16, 28 }, { 32, 8 }, { 32, 14 } },
             NARROW = { { 8, 32 }, { 8, 16 }, { 8, 8 } },
             ROWS = { { 1 }, { 2 } }, STAGES = { { 1 }, { 2 } },
             CHUNK = { { 0 }, { 32 } }, LOCKSTEP = { { 0 }, { 2 } },
             LATE = { { 0 }, { 1 } } },
  -- Columns side by side, in C and on a GPU: column.
  COLUMNS = {
    { { 16 }, { 64 }, { 128 }, { 256 }, { 512 } },
    { { 16, 1 }, { 32, 4 }, { 64, 1 }, { 64, 4 }, { 128, 1 }, { 512, 1 } },
    { { 16, 1, 1 }, { 32, 4, 1 }, { 64, 4, 1 }, { 512, 1, 1 } },
  },
  -- Points of a tile in C, at most: blocked.
  TILES = {
    { { 256 }, { 1024 }, { 4096 }, { 16384 } },
    { { 128, 4 }, { 128, 16 }, { 512, 1 }, { 512, 4 }, { 512, 16 }, { 512, 64 },
      { 2048, 4 }, { 2048, 16 } },
    { { 64, 8, 8 }, { 64, 16, 16 }, { 64, 16, 64 }, { 128, 4, 4 },
      { 128, 8, 8 }, { 128, 8, 64 }, { 128, 16, 16 }, { 128, 16, 64 },
      { 128, 32, 32 }, { 512, 1, 1 }, { 512, 4, 4 }, { 512, 4, 16 },
      { 512, 4, 64 }, { 512, 8, 4 }, { 512, 8, 8 }, { 512, 8, 16 },
      { 512, 8, 64 }, { 512, 16, 4 }, { 512, 16, 8 }, { 512, 16, 16 },
      { 512, 16, 64 }, { 512, 32, 8 }, { 512, 32, 16 }, { 512, 32, 64 },
      { 512, 64, 1 }, { 512, 64, 8 }, { 512, 64, 64 } },
    { { 128, 8, 8, 1 }, { 512, 4, 4, 1 }, { 512, 8, 8, 1 }, { 512, 8, 8, 4 },
      { 512, 16, 4, 1 } },
  },
  -- The same on a mesh: of points and levels, whichever is contiguous.
  MESH = {
    { { 64 }, { 256 }, { 1024 }, { 4096 }, { 16384 } },
    { { 256, 16 }, { 256, 128 }, { 512, 4 }, { 512, 16 }, { 512, 128 },
      { 1024, 8 }, { 1024, 128 }, { 2048, 8 }, { 2048, 128 }, { 4096, 8 },
      { 4096, 128 }, { 16384, 8 } },
    { { 512, 16, 16 }, { 512, 4, 64 } },
    { { 512, 8, 8, 1 } },
  },
}
