-- The kernel for the points next to faces without a halo, whatever the shape of
-- the others: one point after the other, each read by its index.

local limits = require "gen.schedule.limits"
local space = require "gen.schedule.space"

local M = {}

-- 128 threads each.
local BLOCK = { { 128 }, { 16, 8 }, { 16, 4, 2 }, { 16, 4, 2 } }

-- The plan; of a block that reads across such faces with edge = { block, tile,
-- threads }, and a line for the head.
function M.with(plan, lowered, block)
  if not block.edge then return plan end
  local rank = #space.axes(lowered, block)
  plan.edge = { block = BLOCK[rank], tile = limits.tile(BLOCK[rank], rank),
                threads = 128 }
  plan.notes[#plan.notes + 1] = "next to faces without a halo: the edge kernel"
  return plan
end

return M
