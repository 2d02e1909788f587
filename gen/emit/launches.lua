-- The launch functions of stable names: what users and the time step call,
-- whatever shapes and blocks their kernels have.

local passes = require "gen.emit.passes"
local sweep = require "gen.emit.sweep"

local M = {}

-- The first plan of all regions of a kernel together.
local function together_plan(plans, kernel)
  for _, plan in ipairs(plans) do
    if plan.parts and plan.kernel == kernel then return plan.name end
  end
end

-- The first plan of each block of a kernel, else that of all; nil if there is
-- neither.
local function first_plans(plans, kernel)
  local list = {}
  for i, block in ipairs(kernel.blocks) do
    for _, plan in ipairs(plans) do
      if plan.block == block then list[i] = list[i] or plan.name end
    end
    if not list[i] then
      return { together_plan(plans, kernel) }
    end
  end
  return list
end

function M.name(lowered, name) return lowered.instance .. "_" .. name end

-- The first plan that makes one kernel of a chain.
local function fused_plan(plans, chain)
  for _, plan in ipairs(plans) do
    if plan.kernel.chain and plan.kernel.name == chain.name then
      return plan.name
    end
  end
end

-- The launch of a chain: its own plan, else those of its stages; nil if one is
-- not there.
local function chain_of(lowered, chain, launches, plans)
  local stages = { fused_plan(plans, chain) }
  if stages[1] then
    return { name = M.name(lowered, chain.name), of = chain.name,
      plans = stages, single = true, passes = false, sweep = false }
  end
  for i, stage in ipairs(chain.stages) do
    for _, launch in ipairs(launches) do
      if launch.of == stage then stages[i] = launch.name end
    end
    if not stages[i] then return nil end
  end
  return { name = M.name(lowered, chain.name), of = chain.name,
    plans = stages, single = #stages == 1, passes = false, sweep = false }
end

-- { { name, of = the kernel's or chain's, plans = { what it launches }, single,
-- passes, sweep }.. } of the kernels that have plans, then of the chains of
-- such; passes: how many, of several blocks, false for one; sweep: how blocks
-- take turns.
function M.list(plans, lowered)
  local list = {}
  for _, kernel in ipairs(lowered.kernels) do
    local first = first_plans(plans, kernel)
    list[#list + 1] = first[1] and { name = M.name(lowered, kernel.name),
      of = kernel.name, plans = first, single = #first == 1,
      passes = passes.colours(kernel) or false,
      sweep = sweep.view(lowered, kernel, plans) } or nil
  end
  for _, chain in ipairs(lowered.chains or {}) do
    list[#list + 1] = chain_of(lowered, chain, list, plans)
  end
  return list
end

-- The names of the plans that a step launches, in its order; nil where the step
-- is nothing or something of it has no plan.
function M.of_step(plans, lowered)
  local by_name, of, list = {}, {}, {}
  for _, launch in ipairs(M.list(plans, lowered)) do
    by_name[launch.name], of[launch.of] = launch, launch
  end
  local function add(launch)
    for _, name in ipairs(launch.plans) do
      if by_name[name] then add(by_name[name]) else list[#list + 1] = name end
    end
  end
  for _, name in ipairs(lowered.step) do
    if not of[name] then return nil end
    add(of[name])
  end
  return #list > 0 and list or nil
end

return M
