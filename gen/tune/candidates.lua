-- What there is to try for each block of each kernel, what is left out and why:
-- plans that cannot be launched, and those that move so much more than another
-- that they cannot win.

local estimate = require "gen.tune.estimate"
local lists = require "gen.list"
local schedule = require "gen.schedule"

local M = {}

-- A plan that moves so many times as much as the least has lost, whatever the
-- caches, which the estimate does not know, make up for.
local HOPELESS = 3

local HOPELESS_WHY = "moves %.0f bytes a point, %s %.0f"

-- The requests that concern a block, else one for each shape.
local function requests(block, options)
  local list = {}
  for _, request in ipairs(options.shapes) do
    if not request.region or request.region == block.region then
      list[#list + 1] = request
    end
  end
  if #options.shapes > 0 then return list end
  for _, name in ipairs(schedule.shapes(options.backend)) do
    list[#list + 1] = { name = name }
  end
  return list
end

-- In the order of what they move, names at last: a total order.
local function by_bytes(a, b)
  if a.bytes ~= b.bytes then return a.bytes < b.bytes end
  return a.plan.name < b.plan.name
end

-- The default of each shape stands before all others: it was chosen from what
-- was measured before.
local function in_order(a, b)
  if a.default ~= b.default then return a.default end
  return by_bytes(a, b)
end

local function drop_hopeless(list, dropped)
  local least = list[1]
  for _, candidate in ipairs(list) do
    if candidate.bytes < least.bytes then least = candidate end
  end
  local kept = {}
  for _, candidate in ipairs(list) do
    if candidate.default or candidate.bytes <= HOPELESS * least.bytes then
      kept[#kept + 1] = candidate
    else
      candidate.why = HOPELESS_WHY:format(candidate.bytes, least.plan.name,
        least.bytes)
      dropped[#dropped + 1] = candidate
    end
  end
  return kept
end

-- { kernel, block, list = what to time, in order, dropped } of one block. A
-- candidate is { shape, params, default, plan, bytes, why }.
local function task_of(lowered, kernel, block, options, size)
  local list, dropped, seen = {}, {}, {}
  for _, request in ipairs(requests(block, options)) do
    for _, candidate in ipairs(schedule.candidates(request, lowered, kernel,
        block, options)) do
      local made = candidate.plan
      if not made then
        dropped[#dropped + 1] = candidate
      elseif not seen[made.name] then
        seen[made.name] = true
        candidate.bytes = estimate.bytes(made, lowered, size)
        list[#list + 1] = candidate
      end
    end
  end
  if #list > 0 then list = drop_hopeless(list, dropped) end
  table.sort(list, in_order)
  return { kernel = kernel, block = block, list = list, dropped = dropped }
end

-- One task for each block of each kernel asked for (of a step, unless it is
-- named: what is done once need not be fast), or nil and diagnostics.
function M.list(lowered, options, size)
  local kernels, problems = schedule.kernels(lowered, options)
  if not kernels then return nil, problems end
  local tasks = {}
  for _, kernel in ipairs(kernels) do
    local named = options.kernels
      and lists.contains(options.kernels, kernel.name)
    for _, block in ipairs(kernel.blocks) do
      if named or not kernel.setup then
        tasks[#tasks + 1] = task_of(lowered, kernel, block, options, size)
      end
    end
  end
  return tasks
end

return M
