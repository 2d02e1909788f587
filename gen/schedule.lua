-- From kernels to plans: which shape renders which block, and how.
--
-- A shape is gen/schedule/<shape>.lua: `backends`; `settings(lowered, kernel,
-- block, options)`, its plan parameters with their defaults; `applies(lowered,
-- kernel, block, options)`, true or nil and a sentence; `plan(lowered, kernel,
-- block, options, values)`, a plan, or nil and a sentence; `meshes`, true if it
-- knows neighbour tables; `grids`, false if it knows nothing else; `chains`,
-- true if it makes one kernel of a chain, and of nothing else ("both": of
-- kernels too); `together`, true if one launch can be for all regions.

local chain = require "gen.schedule.chain"
local diag = require "gen.diag"
local lists = require "gen.list"
local shaped = require "gen.schedule.shaped"
local split = require "gen.schedule.split"
local together = require "gen.schedule.together"

local M = {}

M.serves = shaped.serves

-- The kernels asked for, or nil and diagnostics.
function M.kernels(lowered, options)
  local all = lists.joined(lowered.kernels, lowered.fused or {})
  if not options.kernels then return all end
  local names, list, problems = {}, {}, {}
  for i, kernel in ipairs(all) do names[i] = kernel.name end
  for _, name in ipairs(options.kernels) do
    if not lists.contains(names, name) then
      problems[#problems + 1] = diag.new(nil, "no kernel '%s'%s", name,
        diag.hint(name, names))
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

-- What a record of `quern tune` says for a block, or nil.
local function tuned(kernel, block, options)
  for _, request in ipairs(options.tuned or {}) do
    if request.kernel == kernel.name and request.region == block.region then
      return request
    end
  end
end

-- Requests of shapes that make one step, then of those that make several: the
-- first plan of a block makes one, that of `default` where no other does.
local function ordered(list, default)
  local single, several = {}, {}
  for _, request in ipairs(list) do
    table.insert(shaped.shape(request.name).steps and several or single,
      request)
  end
  if #single == 0 then single[1] = default end
  return lists.append(single, several)
end

-- Is a request for one launch of all regions?
local function is_together(request)
  return not request.region and together.asked(request.params)
end

-- The requests that concern a block alone, those for its region first.
local function own_requests(block, options)
  local list = {}
  for _, request in ipairs(options.shapes or {}) do
    if request.region and request.region == block.region then
      list[#list + 1] = request
    end
  end
  for _, request in ipairs(options.shapes or {}) do
    if not request.region and not is_together(request) then
      list[#list + 1] = request
    end
  end
  return list
end

-- The same, else what a record says, else the default shape.
local function requests_for(kernel, block, options)
  return ordered(own_requests(block, options), tuned(kernel, block, options)
    or { name = shaped.default(options.backend, kernel), params = {} })
end

-- Notes in `outcome` whether a request applied, and the first kernel and region
-- where it did not, with the reason.
local function note(outcome, request, made, why, kernel, region)
  local noted = outcome[request] or {}
  noted.applies = noted.applies or made ~= nil
  if why and not noted.why then
    noted.why, noted.kernel, noted.region = why, kernel.name, region
  end
  outcome[request] = noted
end

-- Adds the plans of one block; notes in `outcome` which requests applied, and
-- the first reason why one did not. Gives a reason if the block has no plan.
local function add_plans(plans, outcome, lowered, kernel, block, options)
  local names, reason = {}, nil
  for _, request in ipairs(requests_for(kernel, block, options)) do
    local made, why = shaped.plan(request.name, request.params or {}, lowered,
      kernel, block, options)
    note(outcome, request, made, why, kernel, block.region)
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

-- The requests for one launch of all regions of a kernel; where none is made
-- and no block has one of its own, what a record says.
local function together_requests(kernel, options, alone)
  local list = {}
  for _, request in ipairs(options.shapes or {}) do
    if is_together(request) then list[#list + 1] = request end
  end
  if list[1] or alone or kernel.chain then return list end
  return { tuned(kernel, {}, options) }
end

-- Adds the plans of all regions of a kernel together.
local function add_together(plans, outcome, lowered, kernel, options, alone)
  local names = {}
  for _, request in ipairs(together_requests(kernel, options, alone)) do
    if together.asked(request.params) then
      local made, why = shaped.together(request.name, request.params, lowered,
        kernel, options)
      note(outcome, request, made, why, kernel)
      if made and not names[made.name] then
        made.tuned = request.record and request or nil
        plans[#plans + 1] = made
      end
      names[made and made.name or ""] = true
    end
  end
end

-- The plans of a kernel's blocks, and of all together: where these are asked
-- for and nothing else, blocks have none of their own. Gives reasons why blocks
-- have no plan.
local function add_kernel(plans, outcome, lowered, kernel, options)
  local made, reasons, alone = {}, {}, false
  for _, block in ipairs(kernel.blocks) do
    alone = alone or own_requests(block, options)[1] ~= nil
  end
  add_together(made, outcome, lowered, kernel, options, alone)
  for _, block in ipairs((alone or not made[1]) and kernel.blocks or {}) do
    reasons[#reasons + 1] = add_plans(plans, outcome, lowered, kernel, block,
      options)
  end
  lists.append(plans, made)
  return reasons
end

-- What is asked of a chain, else what a record says; the reference of one is
-- one kernel always.
local function chain_requests(kernel, options)
  local list = lists.joined(options.shapes or {}, {})
  if #list == 0 and not kernel.why then
    list[1] = tuned(kernel, kernel.blocks[1], options)
  end
  if options.backend == "reference" and not kernel.why then
    list[#list + 1] = { name = "reference", params = {} }
  end
  return list
end

-- The same of a chain, which is its stages where nothing makes one kernel of
-- it.
local function add_chain(plans, outcome, lowered, kernel, options)
  local requests, names = chain_requests(kernel, options), {}
  for _, request in ipairs(requests) do
    local made, why = shaped.plan(request.name, request.params or {}, lowered,
      kernel, kernel.blocks[1], options)
    note(outcome, request, made, why, kernel)
    if made and not names[made.name] then
      made.tuned = request.record and request or nil
      plans[#plans + 1] = made
    end
    names[made and made.name or ""] = true
  end
end

-- Why a request did not apply; of several kernels or regions, in which of them,
-- unless the sentence says so itself or is about the request alone.
local function reason_of(noted, kernels)
  local single = #kernels == 1 and #kernels[1].blocks < 2
  local said = noted.why:find("kernel " .. noted.kernel, 1, true)
    or noted.why:find("no param '", 1, true)
    or noted.why:find(": wanted ", 1, true)
  if single or said then return noted.why end
  return ("%s (kernel %s%s)"):format(noted.why, noted.kernel,
    noted.region and ", region " .. noted.region or "")
end

-- The requests that applied nowhere, as diagnostics; the default shape is a
-- request too.
local function failures(outcome, requests, kernels)
  local list = {}
  for _, request in ipairs(requests) do
    local noted = outcome[request]
    if noted and not noted.applies then
      list[#list + 1] = diag.new(nil, "%s", reason_of(noted, kernels))
    end
  end
  return list
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
  local plans, outcome = {}, {}
  for _, kernel in ipairs(kernels) do
    if kernel.chain then
      add_chain(plans, outcome, lowered, kernel, options)
    end
    for _, why in ipairs(kernel.chain and {} or add_kernel(plans, outcome,
        lowered, kernel, options)) do
      problems[#problems + 1] = diag.new(kernel.pos, "%s", why)
    end
  end
  local failed = failures(outcome, options.shapes or {}, kernels)
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

-- Every combination of what is worth trying of each setting, as texts; what is
-- `given` stands as it is. In order: the defaults, then the last changes first.
local function combinations(settings, given)
  local list, first = { {} }, {}
  for _, param in ipairs(settings) do
    local longer, name = {}, param.name
    first[name] = given[name] or table.concat(param.default, "x")
    for _, params in ipairs(list) do
      for _, value in ipairs(given[name] and { { given[name] } }
          or param.choices or { param.default }) do
        local more = { [name] = table.concat(value, "x") }
        for other, text in pairs(params) do more[other] = text end -- any order
        longer[#longer + 1] = more
      end
    end
    list = longer
  end
  table.insert(list, 1, first)
  return list
end

local SEVERAL = "%s: makes %d steps at once, beside a shape that makes one: "
  .. "the two are not compared"

-- What comes of each combination of params, by `plan(params)`, each plan once;
-- or one entry that says why there is none.
local function tried(name, all, why, plan)
  local list, seen = {}, {}
  for i, params in ipairs(all) do
    local made, problem = plan(params)
    if not (made and seen[made.name]) then
      list[#list + 1] = { shape = name, params = params, default = i == 1,
                          plan = made, why = problem }
    end
    if made then seen[made.name] = true end
  end
  return list[1] and list or { { shape = name, why = why } }
end

-- What there is to try for one block as a request has it (its shape, and what
-- params it gives): { shape, params, default, plan, or why there is none }..,
-- first the shape's default; one entry without params where the shape does not
-- apply.
function M.candidates(request, lowered, kernel, block, options)
  local name, given = request.name, lists.copy(request.params or {})
  local fused = given.fused
  given.fused = nil
  local settings, why = shaped.settings(name, given, lowered, kernel, block,
    options)
  local several = shaped.shape(name).steps
  why = why or several and SEVERAL:format(name, several)
  local all = split.combinations(why and {} or combinations(
    together.without(settings), given), given, kernel, shaped.shape(name),
    fused)
  return tried(name, all, why, function(params)
    return shaped.plan(name, params, lowered, kernel, block, options)
  end)
end

-- The same of all regions of a kernel together.
function M.candidates_together(request, lowered, kernel, options)
  local name, given = request.name, lists.copy(request.params or {})
  given.together = "1"
  local settings, why = shaped.together_settings(name, given, lowered, kernel,
    options)
  return tried(name, settings and combinations(settings, given) or {}, why,
    function(params)
      return shaped.together(name, params, lowered, kernel, options)
    end)
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

-- "chunk=64,spare=0": what can be said of a shape beside its block, as it is
-- where nobody says it.
local function defaults(name, lowered, kernel, block, options)
  local shape, list = shaped.shape(name), {}
  local settings = shape.settings
    and shape.settings(lowered, kernel, block, options) or {}
  for _, param in ipairs(together.settings(shape, kernel, settings)) do
    if param.name ~= "block" then
      list[#list + 1] = param.name .. "=" .. table.concat(param.default, "x")
    end
  end
  list[#list + 1] = split.told(kernel, shape)
  return table.concat(list, ",")
end


-- For `quern list`: { { kernel, region, shape, default, applies, why, plan,
-- params }.. }, every shape of the backend for every block.
function M.list(lowered, options)
  local rows = {}
  for _, kernel in ipairs(lists.joined(lowered.kernels, lowered.fused or {})) do
    for _, block in ipairs(kernel.why and { {} } or kernel.blocks) do
      for _, name in ipairs(shaped.names(options.backend)) do
        local made, why = shaped.plan(name, {}, lowered, kernel, block, options)
        rows[#rows + 1] = kind_of(kernel, name) and { kernel = kernel.name,
          region = block.region, shape = name, why = why,
          default = name == shaped.default(options.backend, kernel),
          applies = made ~= nil, plan = made and made.name,
          params = made and defaults(name, lowered, kernel, block, options) }
          or nil
      end
    end
  end
  return rows
end

return M
