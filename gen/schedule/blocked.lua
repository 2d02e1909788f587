-- blocked: C with OpenMP over tiles, SIMD along the contiguous axis.

local choices = require "gen.schedule.choices"
local edge = require "gen.schedule.edge"
local limits = require "gen.schedule.limits"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"

local M = { backends = { "c" }, meshes = true }

-- At most. 16 rows of 512 floats and the planes around them, 9 at radius 4,
-- stay in a cache of 1 MB, and a plane at a tile's face is read twice: halving
-- either number costs up to 10 %, doubling it gains nothing and idles threads.
local BLOCK = { { 1024 }, { 512, 4 }, { 512, 16, 16 }, { 512, 8, 8, 1 } }

-- Of a mesh, points side by side with levels behind them: what is the same at
-- all levels, 100 bytes a point and more, stays in a cache of 1 MB.
local MESH = { { 2048 }, { 2048, 128 }, { 512, 16, 16 }, { 512, 8, 8, 1 } }

function M.settings(lowered, kernel, block)
  local rank = #space.axes(lowered, block)
  return { { name = "block",
    default = (kernel.domain and MESH or BLOCK)[rank],
    choices = (kernel.domain and choices.MESH or choices.TILES)[rank] } }
end

function M.applies(lowered, kernel, block)
  local why = limits.unordered("blocked", kernel)
  if why then return nil, why end
  local rank = #space.axes(lowered, block)
  if BLOCK[rank] then return true end
  return nil, ("blocked: needs 1 to 4 axes, this kernel has %d"):format(rank)
end

-- `name`: of a shape that is the same for chains.
function M.plan(lowered, kernel, block, _, values, name)
  local size = values.block
  return edge.with({ kept = kernel.domain and { "regular" } or nil,
    name = setting.plan_name(lowered, kernel, block, name or "blocked",
      M.settings(lowered, kernel, block), values),
    template = "blocked.c", tile = size,
    notes = { ("per tile   %s points"):format(table.concat(size, "x")) },
  }, lowered, block)
end

return M
