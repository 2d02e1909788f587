-- The kernel for the points next to faces without a halo, whatever the shape of
-- the others: one point after the other, each read by its index.

local space = require "gen.schedule.space"

local M = {}

local BLOCK = { { 128 }, { 16, 8 }, { 16, 4, 2 } }      -- 128 threads each

-- The plan; of a block that reads across such faces with edge = { block,
-- threads }, and a line for the head.
function M.with(plan, lowered, block)
  if not block.edge then return plan end
  plan.edge = { block = BLOCK[#space.axes(lowered, block)], threads = 128 }
  plan.notes[#plan.notes + 1] = "next to faces without a halo: the edge kernel"
  return plan
end

return M
