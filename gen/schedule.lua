-- From kernels to plans: which shape renders which block, and how.
--
-- A shape is gen/schedule/<shape>.lua: `backends`; `settings(lowered, kernel,
-- block, options)`, its plan parameters with their defaults; `applies(lowered,
-- kernel, block, options)`, true or nil and a sentence; `plan(lowered, kernel,
-- block, options, values)`, a plan, or nil and a sentence; `meshes`, true if it
-- knows neighbour tables; `grids`, false if it knows nothing else; `chains`,
-- true if it makes one kernel of a chain, and of nothing else ("both": of
-- kernels too); `together`, true if one launch can be for all regions.

local candidates = require "gen.schedule.candidates"
local chain = require "gen.schedule.chain"
local diag = require "gen.diag"
local lists = require "gen.list"
local outcome = require "gen.schedule.outcome"
local requests = require "gen.schedule.requests"
local shaped = require "gen.schedule.shaped"
local split = require "gen.schedule.split"
local together = require "gen.schedule.together"

local M = {}

M.serves = shaped.serves
M.candidates = candidates.of_block
M.candidates_together = candidates.of_regions

-- The kernels asked for, or nil and diagnostics.
function M.kernels(lowered, options)
  local all = lists.joined(lowered.kernels, lowered.fused or {})
  if not options.kernels then return all end
  local names, list, problems = {}, {}, {}
  for i, kernel in ipairs(all) do names[i] = kernel.name end
  for _, name in ipairs(options.kernels) do
    if not lists.contains(names, name) then
      local hint = diag.hint(name, names)
      problems[#problems + 1] = diag.new(nil, "no kernel '%s'%s", name,
        hint ~= "" and hint or ": wanted " .. table.concat(names, ", "))
    end
  end
  for _, kernel in ipairs(all) do
    if lists.contains(options.kernels, kernel.name) then
      list[#list + 1] = kernel
    end
  end
  if #problems > 0 then return nil, problems end
  return list
end

local function region_names(kernels)
  local names = {}
  for _, kernel in ipairs(kernels) do
    for _, block in ipairs(kernel.blocks) do
      names[#names + 1] = block.region
    end
  end
  return names
end

-- A sentence if the request names what is not there.
local function wrong_request(request, kernels, options)
  local shapes = shaped.names(options.backend)
  local regions = region_names(kernels)
  if not lists.contains(shapes, request.name) then
    local hint = diag.hint(request.name, shapes)
    return ("no shape '%s' for backend %s%s"):format(request.name,
      options.backend, hint ~= "" and hint
        or "; it has " .. table.concat(shapes, ", "))
  elseif request.region and not lists.contains(regions, request.region) then
    return ("no region '%s'%s"):format(request.region,
      diag.hint(request.region, regions))
  end
end

-- Adds the plans of one block; notes in `noted` which requests applied, and
-- the first reason why one did not. Gives a reason if the block has no plan.
local function add_plans(plans, noted, lowered, kernel, block, options)
  local names, reason = {}, nil
  for _, request in ipairs(requests.of_block(kernel, block, options)) do
    local made, why = shaped.plan(request.name, request.params or {}, lowered,
      kernel, block, options)
    outcome.note(noted, request, made, why, kernel, block.region)
    if not made then
      made, reason = shaped.plan(shaped.default(options.backend, kernel), {},
        lowered, kernel, block, options)
    end
    if made and not names[made.name] then
      names[made.name] = true
      made.tuned = request.record and request or nil
      plans[#plans + 1] = made
    end
  end
  return next(names) == nil and reason or nil
end

-- Adds the plans of all regions of a kernel together.
local function add_together(plans, noted, lowered, kernel, options, alone)
  local names = {}
  for _, request in ipairs(requests.of_regions(kernel, options, alone)) do
    local made, why = shaped.together(request.name, request.params, lowered,
      kernel, options)
    outcome.note(noted, request, made, why, kernel)
    if made and not names[made.name] then
      made.tuned = request.record and request or nil
      plans[#plans + 1] = made
    end
    names[made and made.name or ""] = true
  end
end

-- The plans of a kernel's blocks, and of all together: where these are asked
-- for and nothing else, blocks have none of their own. Gives reasons why blocks
-- have no plan.
local function add_kernel(plans, noted, lowered, kernel, options)
  local made, reasons, alone = {}, {}, false
  for _, block in ipairs(kernel.blocks) do
    alone = alone or requests.own(block, options)[1] ~= nil
  end
  add_together(made, noted, lowered, kernel, options, alone)
  for _, block in ipairs((alone or not made[1]) and kernel.blocks or {}) do
    reasons[#reasons + 1] = add_plans(plans, noted, lowered, kernel, block,
      options)
  end
  lists.append(plans, made)
  return reasons
end

-- The same of a chain, which is its stages where nothing makes one kernel of
-- it.
local function add_chain(plans, noted, lowered, kernel, options)
  local names = {}
  for _, request in ipairs(requests.of_chain(kernel, options)) do
    local made, why = shaped.plan(request.name, request.params or {}, lowered,
      kernel, kernel.blocks[1], options)
    outcome.note(noted, request, made, why, kernel)
    if made and not names[made.name] then
      made.tuned = request.record and request or nil
      plans[#plans + 1] = made
    end
    names[made and made.name or ""] = true
  end
end

-- Plans, one per kernel, block and shape asked for; nil and diagnostics if a
-- request is wrong or applies nowhere.
function M.choose(lowered, options)
  local kernels, problems = M.kernels(lowered, options)
  if not kernels then return nil, problems end
  problems = {}
  for _, request in ipairs(options.shapes or {}) do
    local why = wrong_request(request, kernels, options)
    if why then problems[#problems + 1] = diag.new(nil, "%s", why) end
  end
  if #problems > 0 then return nil, problems end
  local plans, noted = {}, {}
  for _, kernel in ipairs(kernels) do
    if kernel.chain then
      add_chain(plans, noted, lowered, kernel, options)
    end
    for _, why in ipairs(kernel.chain and {} or add_kernel(plans, noted,
        lowered, kernel, options)) do
      problems[#problems + 1] = diag.new(kernel.pos, "%s", why)
    end
  end
  local failed = outcome.failures(noted, options.shapes or {}, kernels)
  problems[#problems + 1] = not options.searching
    and chain.unmade(plans, kernels, options) or nil
  if #failed > 0 or #problems > 0 then
    return nil, #failed > 0 and failed or problems
  end
  return plans
end

-- What is to be asked of the reference for plans to be compared with it: folded
-- kernels have bounds of their own, kernels of all regions are compared with
-- all of them.
function M.oracles(plans)
  local folds, parts = false, false
  for _, made in ipairs(plans) do
    folds, parts = folds or made.folds ~= nil, parts or made.parts ~= nil
  end
  local list = { { name = "reference", params = {} } }
  list[#list + 1] = folds and { name = "folded", params = {} } or nil
  list[#list + 1] = parts and { name = "reference",
    params = { together = "1" } } or nil
  return list[2] and list or {}
end

-- The names of a backend's shapes that make one step, the default first.
function M.shapes(backend)
  local list = {}
  for _, name in ipairs(shaped.names(backend)) do
    list[#list + 1] = not shaped.shape(name).steps and name or nil
  end
  return list
end

-- The shapes of a kernel's kind: chains, grids and meshes have their own.
local function kind_of(kernel, name)
  local shape = shaped.shape(name)
  local chains, grids = shape.chains, shape.grids
  return (chains == "both" or (chains or false) == (kernel.chain or false))
    and (kernel.domain or grids ~= false)
end

-- What can be said of a shape.
local function settings_of(name, lowered, kernel, block, options)
  local shape = shaped.shape(name)
  local list = together.settings(shape, kernel, shape.settings
    and shape.settings(lowered, kernel, block, options) or {})
  return lists.joined(list, { split.setting(kernel, shape) })
end

-- "chunk=64,spare=0": the same beside its block, as it is where nobody says it.
local function defaults(settings)
  local list = {}
  for _, param in ipairs(settings) do
    if param.name ~= "block" then
      list[#list + 1] = param.name .. "=" .. table.concat(param.default, "x")
    end
  end
  return table.concat(list, ",")
end

-- For `quern list`: { { kernel, region, shape, default, applies, why, plan,
-- params, settings }.. }, every shape of the backend for every block.
function M.list(lowered, options)
  local rows = {}
  for _, kernel in ipairs(lists.joined(lowered.kernels, lowered.fused or {})) do
    for _, block in ipairs(kernel.why and { {} } or kernel.blocks) do
      for _, name in ipairs(shaped.names(options.backend)) do
        local made, why = shaped.plan(name, {}, lowered, kernel, block, options)
        local settings = made and settings_of(name, lowered, kernel, block,
          options)
        rows[#rows + 1] = kind_of(kernel, name) and { kernel = kernel.name,
          region = block.region, shape = name, why = why,
          default = name == shaped.default(options.backend, kernel),
          applies = made ~= nil, plan = made and made.name,
          params = made and defaults(settings),
          settings = settings } or nil
      end
    end
  end
  return rows
end

return M
