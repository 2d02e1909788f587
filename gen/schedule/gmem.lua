-- gmem: one thread per point or per row of a few, every value read from global
-- memory.

local choices = require "gen.schedule.choices"
local colours = require "gen.schedule.colours"
local edge = require "gen.schedule.edge"
local limits = require "gen.schedule.limits"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"
local strides = require "gen.schedule.strides"

local M = { backends = { "cuda", "simt" }, meshes = true, together = true,
  adds = true }

local BLOCK = { { 256 }, { 64, 4 }, { 32, 4, 4 }, { 32, 4, 4 } }

-- Items of requests: a small batch is on several multiprocessors (nbody: 11 %
-- faster than blocks of 256, where there are many).
local ITEMS = { 64 }

-- Several points of a thread lie along the second axis: of a grid that is
-- updated all at once.
function M.settings(lowered, kernel, block)
  local rank = #space.axes(lowered, block)
  local rows = rank > 1 and not kernel.domain and not kernel.colours
  return { { name = "block", default = kernel.items and ITEMS or BLOCK[rank],
             choices = choices.POINTS[rank] },
           rows and limits.ROWS or strides.setting(lowered, kernel, block) }
end

function M.applies(lowered, kernel, block)
  local why = limits.unordered("gmem", kernel)
  if why then return nil, why end
  local rank = #space.axes(lowered, block)
  if BLOCK[rank] then return true end
  return nil, ("gmem: needs 1 to 4 axes, this kernel has %d"):format(rank)
end

-- `values` as setting.read gives them; `name`: of a shape that is the same for
-- chains.
function M.plan(lowered, kernel, block, _, values, name)
  local size = values.block
  local threads, problem = limits.threads("gmem", size)
  local axes = space.axes(lowered, block)
  local rows = values.rows and values.rows[1] or 1
  local tile = colours.tile(kernel, axes, limits.tile(size, #axes))
  if rows > 1 then tile[2] = rows * tile[2] end
  if not threads then return nil, problem end
  return edge.with(strides.add({
    name = setting.plan_name(lowered, kernel, block, name or "gmem",
      M.settings(lowered, kernel, block), values),
    template = "gmem.cu", block_size = size, threads = threads,
    tile = tile, margin = tile, rows = rows, kept = { "j" },
    notes = { ("per block  %s = %d threads, no shared memory"):format(
      table.concat(size, "x"), threads) },
  }, lowered, block, values), lowered, block)
end

return M
