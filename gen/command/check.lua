-- `quern check`: compares every kernel with the reference, at every size.

local lists = require "gen.list"
local meshed = require "gen.command.meshed"
local modules = require "gen.command.modules"
local outcome = require "gen.command.outcome"
local regular = require "gen.command.regular"
local runner = require "gen.runner"
local sides = require "gen.command.sides"
local sizes = require "gen.command.sizes"
local targets = require "gen.command.targets"
local text_table = require "gen.command.table"

local M = {}

-- "none": the kernel's region has no point at this size. "error/bound": the
-- largest error over what rounding allows there.
local HEADINGS = { "", "kernel", "size", "points", "error/bound", "worst at" }

local CONTEXT = { c = "cpu", reference = "cpu", simt = "simt" }

function M.context(options)
  return CONTEXT[options.backend] or ("cuda:%d"):format(options.device)
end

-- What is wrong with the device, once and before anything is compiled for it,
-- or nil; processors are always there.
function M.no_device(options)
  local answers, problem = runner.run({ { ["do"] = "device",
    context = M.context(options) } }, { root = options.root, out = "." })
  problem = not answers and problem or answers and answers[1].problem
  return problem and "quern: " .. problem:gsub("^quern: ", "")
end

-- One request for each kernel and size, in the order of the lines printed, and
-- one on a lattice where that is more than random tables show, unless sizes are
-- asked for. The next size has the next seed: other scalars, which may decide a
-- branch.
function M.requests(made, list, options)
  local requests = {}
  local function add(plan, i, size, mesh)
    requests[#requests + 1] = {
      ["do"] = "check", context = M.context(options), module = made.module,
      reference = made.reference, kernel = plan.name, size = size,
      mesh = mesh, reorder = options.reorder, seed = options.seed + i - 1 }
  end
  local asked = options.mesh or not options.sizes or #options.sizes > 0
  for _, plan in ipairs(made.state.plans) do
    for i, size in ipairs(list) do add(plan, i, size, sizes.mesh(options)) end
    local lattice = not asked and meshed.lattice(plan, made.state.lowered)
    local size = list[math.min(3, #list)]       -- neither flat nor deep
    if lattice then add(plan, #list + 1, size, lattice) end
  end
  return requests
end

-- The worst point, as "u at 3,0,12".
local function place(answer)
  if not answer.field then return "" end
  local at = {}
  for i, index in ipairs(answer.at) do at[i] = math.tointeger(index) end
  return ("%s at %s"):format(answer.field, table.concat(at, ","))
end

local function verdict(answer)
  if answer.status ~= "ok" then return "FAIL" end
  return answer.points > 0 and "ok" or "none"
end

-- The kernel and region that each request is about, whatever the shape.
function M.blocks(requests, plans)
  local of, names = {}, {}
  for _, plan in ipairs(plans) do
    of[plan.name] = ("%s %s"):format(plan.kernel.name, plan.region or "")
  end
  for i, request in ipairs(requests) do names[i] = of[request.kernel] end
  return names
end

-- One line for each kernel and size; sides of branches that were never taken,
-- rows that are alike; then what was wrong.
local function report(requests, answers, state, fail_on)
  local rows, faults, none = { HEADINGS }, {}, 0
  for i, request in ipairs(requests) do
    local answer = answers[i]
    local size = sizes.text(answer.size or request.size)
    local worst = answer.worst and ("%.3g"):format(answer.worst) or "-"
    local word = verdict(answer)
    rows[i + 1] = { word, request.kernel, size,
      ("%d"):format(answer.points or 0), worst, place(answer) }
    if word == "none" then none = none + 1 end
    if word == "FAIL" then
      faults[#faults + 1] = outcome.fault(request, answer)
    end
  end
  text_table.print(rows, "")
  local untaken = sides.untaken(M.blocks(requests, state.plans), answers)
  for _, text in ipairs(untaken) do print(text) end
  local some, bare = regular.rows(requests, answers, state)
  for _, text in ipairs(lists.joined(some, bare)) do print(text) end
  print(("%d checked, %d failed, %d without a point"):format(#requests,
    #faults, none))
  if fail_on and #untaken > 0 then
    faults[#faults + 1] = ("%d of the branches above are not checked"):format(
      #untaken)
  end
  if fail_on and #bare > 0 then
    faults[#faults + 1] = ("what %d of the kernels do in rows that are alike "
      .. "is not checked"):format(#bare)
  end
  if #faults == 0 then return 0 end
  return 3, table.concat(faults, "\n")
end

local function run(options)
  options.detect = options.backend == "simt"
  local code, wrong = meshed.problem(options)
  if code then return code, wrong end
  wrong = options.backend == "cuda" and M.no_device(options)
  if wrong then return 3, wrong end
  local made, status, text = modules.make(options)
  if not made then return status, text end
  local list, problem = sizes.choose(options, made.state.lowered, "check")
  if not list then return 2, problem end
  local requests = M.requests(made, list, options)
  local answers
  answers, problem = runner.run(requests, options)
  if not answers then return 3, problem end
  return report(requests, answers, made.state, options.fail_on)
end

function M.run(options) return targets.run(options, run) end

return M
