-- `quern bench`: times every kernel, and says how near it comes to a stream
-- kernel with as many reads and writes, measured in the same run.

local check = require "gen.command.check"
local driver = require "gen.driver"
local launches = require "gen.emit.launches"
local lists = require "gen.list"
local meshed = require "gen.command.meshed"
local modules = require "gen.command.modules"
local outcome = require "gen.command.outcome"
local regular = require "gen.command.regular"
local runner = require "gen.runner"
local scalars = require "gen.command.scalars"
local sizes = require "gen.command.sizes"
local targets = require "gen.command.targets"
local text_table = require "gen.command.table"

local M = {}

local HEADINGS = { "kernel", "size", "median ms", "spread", "Gpoint/s", "GB/s",
                   "stream", "ratio" }

-- What is timed: every kernel by itself, then if asked for all that a step
-- launches, one after the other.
local function subjects(made, options)
  local list = {}
  for i, plan in ipairs(made.state.plans) do list[i] = plan.name end
  list[#list + 1] = options.step
    and launches.of_step(made.state.plans, made.state.lowered) or nil
  return list
end

-- One request for each kernel and size.
function M.requests(made, list, given, options)
  local requests = {}
  for _, kernel in ipairs(subjects(made, options)) do
    for _, size in ipairs(list) do
      requests[#requests + 1] = {
        ["do"] = "bench", context = check.context(options),
        module = made.module,
        kernel = kernel, size = size, mesh = sizes.mesh(options),
        reorder = options.reorder, scalars = given, align = options.align,
        repeats = options.repeats }
    end
  end
  return requests
end

-- With so many decimals, or more if three digits need them: slow devices and
-- small sizes are measured too.
local function number(value, decimals)
  local needed = value > 0 and 2 - math.floor(math.log(value, 10)) or 0
  return ("%.*f"):gsub("*", math.max(decimals, math.min(needed, 9)))
    :format(value)
end

local function cells(request, answer)
  return { outcome.subject(request), sizes.text(answer.size or request.size),
    number(answer.median * 1e3, 3),
    ("%.1f %%"):format(answer.spread * 100),
    number(answer.points_per_second / 1e9, 3),
    number(answer.bytes_per_second / 1e9, 1),
    number(answer.stream_bytes_per_second / 1e9, 1),
    ("%.1f %%"):format(answer.ratio * 100) }
end

-- "kernel, 230652 edges: 396 tiles ..": how a mesh was cut.
local function tiles_line(request, tiles)
  local how = tiles.rows > 0 and ("pieces of %d rows"):format(tiles.rows)
    or ("grown by runs of %d"):format(tiles.run)
  return ("%s on %s: %d tiles of %d points, %s, %d blocks at once; for a "
    .. "point %.2f are computed, %.2f copied"):format(request.kernel,
    request.mesh, tiles.count, tiles.points, how, tiles.at_once,
    tiles.computed, tiles.copied)
end

local function report(requests, answers, state)
  local rows, problems, cut = { HEADINGS }, {}, {}
  local device
  for i, request in ipairs(requests) do
    local answer = answers[i]
    if answer.status == "ok" then
      rows[#rows + 1] = cells(request, answer)
      cut[#cut + 1] = answer.tiles and tiles_line(request, answer.tiles)
      device = answer.device
    else
      problems[#problems + 1] = outcome.fault(request, answer)
    end
  end
  if device then
    print(device)
    text_table.print(rows, "", 2)
    local some, bare = regular.rows(requests, answers, state)
    for _, line in ipairs(lists.joined(lists.append(cut, some),
        bare)) do print(line) end
  end
  if #problems == 0 then return 0 end
  return 3, table.concat(problems, "\n")
end

-- A sentence where there is no whole step to time, before anything is built;
-- what else is wrong is said by who builds.
local function no_step(options)
  local state = options.step and driver.run(modules.with(options,
    { stop_after = "schedule" }))
  if not state or launches.of_step(state.plans, state.lowered) then
    return nil
  end
  return #state.lowered.step == 0
    and ("quern: --step: %s has no step"):format(options.spec)
    or "quern: --step: --kernel leaves out kernels of the step"
end

local function run(options)
  local wrong = no_step(options)
  if wrong then return 2, wrong end
  local code
  code, wrong = meshed.problem(options)
  if code then return code, wrong end
  wrong = options.backend == "cuda" and check.no_device(options)
  if wrong then return 3, wrong end
  local made, status, text = modules.make(options)
  if not made then return status, text end
  local list, problem = sizes.choose(options, made.state.lowered, "bench")
  if not list then return 2, problem end
  local given
  given, problem = scalars.choose(options, made.state.model)
  if not given then return 2, problem end
  local requests = M.requests(made, list, given, options)
  local answers
  answers, problem = runner.run(requests, options)
  if not answers then return 3, problem end
  return report(requests, answers, made.state)
end

function M.run(options) return targets.run(options, run) end

return M
