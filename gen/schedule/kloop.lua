-- kloop: on meshes, a thread goes through several levels of one point: what its
-- neighbours are, and what does not depend on the level, is found once. Where
-- levels are contiguous they are as far apart as a block has threads.

local limits = require "gen.schedule.limits"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"
local strides = require "gen.schedule.strides"

local M = { backends = { "cuda", "simt" }, meshes = true,
  chains = "both", grids = false }

function M.settings(lowered, kernel, block)
  return { { name = "block", default = { 64, 2 },
             choices = { { 32, 2 }, { 32, 4 }, { 64, 1 }, { 64, 2 }, { 64, 4 },
                         { 128, 1 }, { 128, 2 }, { 256, 1 } } },
           { name = "levels", default = { 8 },
             choices = { { 2 }, { 4 }, { 5 }, { 8 }, { 10 }, { 20 },
                         { 40 } } },
           -- 0: as the compiler likes.
           { name = "unroll", default = { 0 }, least = 0, most = 64,
             choices = { { 0 }, { 1 }, { 4 } } },
           strides.setting(lowered, kernel, block) }
end

-- The name of a table of a block whose rows are of any length, or nil.
function M.ragged(lowered, block)
  for _, of in ipairs(lowered.tables) do
    for _, name in ipairs(of.ragged and block.tables or {}) do
      if name == of.name then return name end
    end
  end
end

-- The level axis that threads walk along, behind the points, or, in kloop
-- itself, before them; nil and a sentence.
local function level_of(lowered, kernel, block, shape)
  local axes, spaces = space.axes(lowered, block), lowered.model.spaces
  local last = axes[#axes]
  if shape == "kloop" and kernel.domain and #axes == 2
     and spaces[axes[1].name].kind == "level" then
    return axes[1].name
  end
  if not kernel.domain then
    return nil, ("%s: kernel %s runs over a grid, this shape over a mesh")
      :format(shape, kernel.name)
  elseif #axes ~= 2 or spaces[last.name].kind ~= "level" then
    return nil, ("%s: needs contiguous points and levels behind them, "
      .. "%s runs over %s"):format(shape, kernel.name,
      table.concat(block.axes, ", "))
  end
  return last.name
end

-- `shape`: the name of one that does the same for chains, here and below.
function M.applies(lowered, kernel, block, shape)
  shape = type(shape) == "string" and shape or "kloop"
  local level, why = level_of(lowered, kernel, block, shape)
  if not level then return nil, why end
  local ragged = M.ragged(lowered, block)
  if not ragged then return true end
  return nil, ("%s: keeps the neighbours of a row, and %s has any number")
    :format(shape, ragged)
end

function M.plan(lowered, kernel, block, _, values, shape)
  local size, levels = values.block, values.levels[1]
  local unroll = values.unroll[1]
  if unroll > levels then
    return nil, ("%s: unroll=%d, but a thread has levels=%d"):format(
      shape or "kloop", unroll, levels)
  end
  local threads, problem = limits.threads(shape or "kloop", size)
  if not threads then return nil, problem end
  local level = level_of(lowered, kernel, block, shape or "kloop")
  local along = space.axes(lowered, block)[1].name == level and 1 or 2
  local tile = { size[1], size[2] }
  tile[along] = tile[along] * levels
  return strides.add({
    name = setting.plan_name(lowered, kernel, block, shape or "kloop",
      M.settings(lowered, kernel, block), values),
    template = "kloop.cu", block_size = size, threads = threads,
    levels = levels, unroll = unroll, tile = tile,
    level = level, margin = tile,
    kept = { "first", "last" },
    notes = { ("per block  %s = %d threads with %d levels each, no shared "
      .. "memory"):format(table.concat(size, "x"), threads, levels) },
  }, lowered, block, values)
end

return M
