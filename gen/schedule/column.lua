-- column: each column of a sweep marches level by level, columns side by side:
-- in C in tiles over OpenMP threads, with SIMD along the contiguous axis where
-- that is not the axis of the sweep; on a GPU one thread has one column.

local choices = require "gen.schedule.choices"
local limits = require "gen.schedule.limits"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"

local M = { backends = { "cuda", "simt", "c" } }

-- By how many axes are not that of the sweep: a row of columns at a time where
-- they are contiguous, few long columns where those are.
local ROWS = { [0] = {}, { 512 }, { 512, 1 }, { 512, 1, 1 } }
local COLUMNS = { [0] = {}, { 16 }, { 16, 1 }, { 16, 1, 1 } }
local THREADS = { [0] = {}, { 128 }, { 32, 4 }, { 32, 4, 1 } }

-- The axes of a block but that of the sweep, and its position, from 1.
function M.across(lowered, kernel, block)
  local list, position = {}, nil
  for i, axis in ipairs(space.axes(lowered, block)) do
    if axis.name == kernel.sweep.axis then
      position = i
    else
      list[#list + 1] = axis
    end
  end
  return list, position
end

function M.settings(lowered, kernel, block, options)
  if not kernel.sweep then return {} end
  local across, position = M.across(lowered, kernel, block)
  local sizes = options.backend ~= "c" and THREADS
    or position == 1 and COLUMNS or ROWS
  if #across == 0 then return {} end
  return { { name = "block", default = sizes[#across],
             choices = choices.COLUMNS[#across] } }
end

function M.applies(_, kernel)
  if kernel.sweep then return true end
  return nil, "column: marches along the axis of a sweep, kernel "
    .. kernel.name .. " has none"
end

-- `size` with an entry for the axis of the sweep.
local function with_sweep(size, position, entry)
  local list = table.move(size, 1, #size, 1, {})
  table.insert(list, position, entry)
  return list
end

function M.plan(lowered, kernel, block, options, values)
  local across, position = M.across(lowered, kernel, block)
  local size = values.block or {}
  local threads, problem = limits.threads("column", size)
  local device = options.backend ~= "c"
  if device and not threads then return nil, problem end
  local text = #size > 0 and table.concat(size, "x") or "1"
  return {
    name = setting.plan_name(lowered, kernel, block, "column",
      M.settings(lowered, kernel, block, options), values),
    template = device and "column.cu" or "column.c",
    across = across, position = position, block_size = size,
    threads = threads, tile = with_sweep(size, position, "QUERN_LARGEST"),
    margin = with_sweep(size, position, 0),
    notes = { device and ("per block  %s = %d threads, a column each, no "
      .. "shared memory"):format(text, threads)
      or ("per tile   %s columns"):format(text) },
  }
end

return M
