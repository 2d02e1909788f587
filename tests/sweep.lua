-- Validates specifications against the reference at sizes that break tilings,
-- and prints TAP: one line for each specification, params and kernel.

local check = require "gen.command.check"
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local runner = require "gen.runner"

local M = {}

local LENGTHS = { 1, 7, 13, 17, 33, 63, 65, 130 }
local SMALL = { 3, 4, 5 }

-- Each length on each axis once, the others small; then one point, a cube that
-- tiles evenly, and extents below any radius.
local function sizes_for(rank)
  local list = {}
  for axis = 1, rank do
    for _, length in ipairs(LENGTHS) do
      local size = table.move(SMALL, 1, rank, 1, {})
      size[axis] = length
      list[#list + 1] = size
    end
  end
  for _, length in ipairs { 1, 2, 32 } do
    local size = {}
    for axis = 1, rank do size[axis] = length end
    list[#list + 1] = size
  end
  return list
end

local function label(case)
  local words = { case.spec:match("([^/]+)%.lua$") }
  for _, setting in ipairs(case) do words[#words + 1] = setting end
  return table.concat(words, " ")
end

local function options_for(case, backend, out)
  local set = {}
  for _, setting in ipairs(case) do
    local name, value = setting:match("^(%w+)=(.*)$")
    set[name] = value
  end
  return { root = quern.root, spec = case.spec, set = set, shapes = case.shapes or {},
           backend = backend, fp = "strict", arch = "sm_90", out = out,
           device = 0, seed = 1, detect = backend == "simt" }
end

-- Appends the requests of one case; gives nil and a text when there are none.
local function add_requests(requests, case, backend, out)
  local options = options_for(case, backend, out)
  local made, _, problem = modules.make(options)
  if not made then return nil, problem end
  local list = case.sizes or sizes_for(#made.state.lowered.model.axes)
  for _, request in ipairs(check.requests(made, list, options)) do
    requests[#requests + 1] = { case = case, sent = request }
  end
  return true
end

-- What went wrong with one kernel of a case at its worst, or nil.
local function fault(request, answer)
  if answer.status == "ok" then return nil end
  return ("# %s at %s: %s"):format(request.kernel, table.concat(request.size, "x"),
    answer.problem or answer.status)
end

-- The lines of one case: "ok" where every kernel validated at every size.
local function report(number, case, requests, answers)
  local count, faults = 0, {}
  for i, request in ipairs(requests) do
    if request.case == case then
      count = count + 1
      faults[#faults + 1] = fault(request.sent, answers[i])
    end
  end
  local well = count > 0 and #faults == 0
  print(("%s %d - %s: %d runs agree with the reference")
    :format(well and "ok" or "not ok", number, label(case), count))
  for i = 1, math.min(#faults, 5) do print(faults[i]) end
  return well
end

-- Validates every case and prints TAP. One quern-run answers all requests.
function M.run(cases, backend)
  local out = io.popen("mktemp -d"):read("l")
  local requests, sent = {}, {}
  print("1.." .. #cases)
  for _, case in ipairs(cases) do
    local well, problem = add_requests(requests, case, backend, out)
    if not well then print("# " .. problem:gsub("\n", "\n# ")) end
  end
  for i, request in ipairs(requests) do sent[i] = request.sent end
  local answers, problem = runner.run(sent, { root = quern.root })
  if not answers then print("# " .. problem:gsub("\n", "\n# ")) end
  local well = true
  for number, case in ipairs(cases) do
    well = report(number, case, answers and requests or {}, answers) and well
  end
  os.execute("rm -rf '" .. out .. "'")
  os.exit(well and 0 or 1, true)
end

return M
