-- `quern check`: compares every kernel with the reference, at every size.

local modules = require "gen.command.modules"
local runner = require "gen.runner"
local sizes = require "gen.command.sizes"

local M = {}

local CONTEXT = { c = "cpu", reference = "cpu", simt = "simt" }

function M.context(options)
  return CONTEXT[options.backend] or ("cuda:%d"):format(options.device)
end

-- One request for each kernel and size, in the order of the lines printed.
function M.requests(made, list, options)
  local requests = {}
  for _, plan in ipairs(made.state.plans) do
    for _, size in ipairs(list) do
      requests[#requests + 1] = {
        ["do"] = "check", context = M.context(options), module = made.module,
        reference = made.reference, kernel = plan.name, size = size,
        seed = options.seed }
    end
  end
  return requests
end

local function place(answer)
  if not answer.field or answer.field == "" then return "" end
  return ("  %s at %s"):format(answer.field, table.concat(answer.at, ","))
end

-- The line of one kernel at one size.
local function line(request, answer)
  local well = answer.status == "ok"
  local text = ("%-4s %s  %s  %d points"):format(well and "ok" or "FAIL",
    request.kernel, table.concat(request.size, "x"), answer.points or 0)
  if answer.worst then
    text = text .. ("  worst error %.2f of its bound"):format(answer.worst)
      .. place(answer)
  end
  if not well then
    text = text .. "\n     " .. (answer.problem or "")
  end
  return text, well
end

local function report(requests, answers)
  local failed = 0
  for i, request in ipairs(requests) do
    local text, well = line(request, answers[i])
    print(text)
    if not well then failed = failed + 1 end
  end
  print(("%d checked, %d failed"):format(#requests, failed))
  return failed == 0 and 0 or 3
end

function M.run(options)
  options.detect = options.backend == "simt"
  local made, status, text = modules.make(options)
  if not made then return status, text end
  local list, problem = sizes.choose(options, made.state.lowered, "check")
  if not list then return 2, problem end
  local requests = M.requests(made, list, options)
  local answers
  answers, problem = runner.run(requests, options)
  if not answers then return 3, problem end
  return report(requests, answers)
end

return M
