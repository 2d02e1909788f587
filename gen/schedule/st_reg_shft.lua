-- st_reg_shft: a block walks along the last axis, plane by plane. The values
-- of a thread's own column stand in rotating registers (the window), those of
-- the current plane in shared memory.

return require("gen.schedule.window").shape "st_reg_shft"
