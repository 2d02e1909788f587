-- What there is to try for each block of each kernel, what is left out and why:
-- plans that cannot be launched, and those that move so much more than another
-- that they cannot win.

local estimate = require "gen.tune.estimate"
local lists = require "gen.list"
local schedule = require "gen.schedule"
local together = require "gen.schedule.together"

local M = {}

-- A plan that costs so many times as much as the least has lost, whatever the
-- caches, of which the estimate knows nothing, make up for: in the table of
-- tests/device the fastest of those took 1.75 times as long as the best.
M.HOPELESS = 3

local HOPELESS_WHY = "costs as much as %.0f bytes a point, the least %.0f"

-- The requests that `wanted(request)` says, else, where there are none at all,
-- one for each shape.
local function requests(options, wanted)
  local list = {}
  for _, request in ipairs(options.shapes) do
    if wanted(request) then list[#list + 1] = request end
  end
  if #options.shapes > 0 then return list end
  for _, name in ipairs(schedule.shapes(options.backend)) do
    list[#list + 1] = { name = name }
  end
  return list
end

-- What there is to try for a block.
local function of_block(lowered, kernel, block, options)
  local list = {}
  for _, request in ipairs(requests(options, function(request)
    return not together.asked(request.params)
      and (not request.region or request.region == block.region)
  end)) do
    lists.append(list, schedule.candidates(request, lowered, kernel, block,
      options))
  end
  return list
end

-- The same for all regions of a kernel together: of requests that are for no
-- region, and do not say otherwise.
local function of_regions(lowered, kernel, options)
  local list = {}
  for _, request in ipairs(requests(options, function(request)
    return not request.region and (request.params or {}).together ~= "0"
  end)) do
    lists.append(list, schedule.candidates_together(request, lowered, kernel,
      options))
  end
  return list
end

-- In the order of what they move, names at last: a total order.
local function by_cost(a, b)
  if a.cost ~= b.cost then return a.cost < b.cost end
  return a.plan.name < b.plan.name
end

-- The default of each shape stands before all others: it was chosen from what
-- was measured before.
local function in_order(a, b)
  if a.default ~= b.default then return a.default end
  return by_cost(a, b)
end

local function drop_hopeless(list, dropped)
  local least = list[1]
  for _, candidate in ipairs(list) do
    if candidate.cost < least.cost then least = candidate end
  end
  local kept = {}
  for _, candidate in ipairs(list) do
    if candidate.default or candidate.cost <= M.HOPELESS * least.cost then
      kept[#kept + 1] = candidate
    else
      candidate.why = HOPELESS_WHY:format(candidate.cost, least.cost)
      dropped[#dropped + 1] = candidate
    end
  end
  return kept
end

-- { kernel, block, list = what to time, in order, dropped } of one block, or of
-- all regions of a kernel. A candidate is { shape, params, default, plan, cost,
-- why }.
local function task_of(lowered, kernel, block, candidates, options, size)
  local list, dropped, seen = {}, {}, {}
  for _, candidate in ipairs(candidates) do
    local made = candidate.plan
    if not made then
      dropped[#dropped + 1] = candidate
    elseif not seen[made.name] then
      seen[made.name] = true
      candidate.cost = estimate.cost(made, lowered, size, options.scalars)
      list[#list + 1] = candidate
    end
  end
  if #list > 0 then list = drop_hopeless(list, dropped) end
  table.sort(list, in_order)
  return { kernel = kernel, block = block, list = list, dropped = dropped }
end

-- One task for each block of each kernel asked for, and one for all its regions
-- together, or nil and diagnostics.
-- Only where they are named: kernels that run once, which need not be fast, and
-- chains, of which there is more to try than of all their stages.
function M.list(lowered, options, size)
  local kernels, problems = schedule.kernels(lowered, options)
  if not kernels then return nil, problems end
  local tasks = {}
  for _, kernel in ipairs(kernels) do
    local named = options.kernels
      and lists.contains(options.kernels, kernel.name)
    for _, block in ipairs(kernel.why and {} or kernel.blocks) do
      if named or not (kernel.setup or kernel.chain) then
        tasks[#tasks + 1] = task_of(lowered, kernel, block,
          of_block(lowered, kernel, block, options), options, size)
      end
    end
    if (named or not kernel.setup) and together.serves(kernel) then
      tasks[#tasks + 1] = task_of(lowered, kernel,
        together.whole(lowered, kernel), of_regions(lowered, kernel, options),
        options, size)
    end
  end
  return tasks
end

return M
