-- `gen` with what was tuned: the passes up to emit, in which each block that
-- nobody asked a shape for takes what a record says. A record holds for the
-- text that was measured, so what comes out is compared with that.

local choose = require "gen.tune.choose"
local diag = require "gen.diag"
local driver = require "gen.driver"
local lfs = require "lfs"
local sizes = require "gen.command.sizes"
local source = require "gen.tune.source"

local M = {}

-- Where records are: --tuned, else $QUERN_TUNED, else beside the output.
function M.folder(options)
  local variable = os.getenv "QUERN_TUNED"
  return options.tuned_folder or variable ~= "" and variable
    or options.out .. "/tuned"
end

local function where(found)
  return found.region and found.kernel .. ", " .. found.region or found.kernel
end

-- "st_tma:block=32x8,rows=2", as --shape takes it.
function M.shape_text(name, params)
  local names, parts = {}, {}
  for key in pairs(params) do names[#names + 1] = key end -- any order
  table.sort(names)
  for i, key in ipairs(names) do parts[i] = key .. "=" .. params[key] end
  return #parts > 0 and name .. ":" .. table.concat(parts, ",") or name
end

local function used(request)
  local record = request.record
  return ("%s: %s, as %s says (%s, %s, %.3g Gpoint/s)"):format(where(request),
    M.shape_text(request.name, request.params), request.path, record.device,
    table.concat(record.size, "x"), record.points_per_second / 1e9)
end

-- The requests that came to nothing, or to another text than was measured.
local function changed(state, requests, options)
  local list, applied = {}, {}
  for _, plan in ipairs(state.plans) do
    if plan.tuned then applied[plan.tuned] = true end
  end
  for _, request in ipairs(#options.shapes == 0 and requests or {}) do
    if not applied[request] then list[#list + 1] = request end
  end
  for _, plan in ipairs(state.plans) do
    local request = plan.tuned
    if request and (plan.name ~= request.record.plan
       or source.of(plan, state.files) ~= request.record.source) then
      list[#list + 1] = request
    end
  end
  return list
end

local function without(list, dropped)
  local kept = {}
  for _, request in ipairs(list) do
    local drop = false
    for _, other in ipairs(dropped) do drop = drop or other == request end
    if not drop then kept[#kept + 1] = request end
  end
  return kept
end

-- What is to be said: of records in use, and of those that do not hold.
local function notes_of(state, misses, dropped)
  local list = {}
  for _, plan in ipairs(state.plans) do
    if plan.tuned then list[#list + 1] = used(plan.tuned) end
  end
  for _, request in ipairs(dropped) do
    list[#list + 1] = ("%s: as without tuning: %s is about a text that is "
      .. "generated no more"):format(where(request), request.path)
  end
  for _, miss in ipairs(misses) do
    list[#list + 1] = ("%s: as without tuning: %s"):format(where(miss),
      miss.why)
  end
  return list
end

-- The records in use are sources too: what depends on them is made again.
local function add_sources(state)
  local list = table.move(state.decls.sources, 1, #state.decls.sources, 1, {})
  for _, plan in ipairs(state.plans) do
    if plan.tuned then list[#list + 1] = { name = plan.tuned.path } end
  end
  state.decls.sources = list
end

-- Runs the passes up to emit. Gives the state and a list of sentences, or nil
-- and diagnostics.
function M.run(options)
  local folder = M.folder(options)
  if options.no_tune or lfs.attributes(folder, "mode") ~= "directory" then
    options.stop_after = "emit"
    local state, problems = driver.run(options)
    return state, state and {} or problems
  end
  options.stop_after = "lower"
  local state, problems = driver.run(options)
  if not state then return nil, problems end
  local wrong = sizes.problem(options, state.lowered)
  if wrong then return nil, { diag.new(nil, "%s", wrong) } end
  local requests, misses = choose.list(folder, state.lowered, options)
  options.stop_after, options.tuned = "emit", requests
  state, problems = driver.run(options)
  if not state then return nil, problems end
  local dropped = changed(state, requests, options)
  if #dropped > 0 then
    options.tuned = without(requests, dropped)
    state, problems = driver.run(options)
    if not state then return nil, problems end
  end
  add_sources(state)
  return state, notes_of(state, misses, dropped)
end

return M
