-- What a command ends with: an exit code, and the text that explains it.

local diag = require "gen.diag"

local M = {}

-- A diagnostic without a place in a text is about the command line or the
-- output place, one with a place is about the spec.
function M.refused(problems)
  for _, problem in ipairs(problems) do
    local pos = problem.pos
    if pos and pos.offset then return 1, diag.format(problems) end
  end
  return 2, diag.format(problems)
end

-- What a request to quern-run is about: a kernel, or all that a step launches.
function M.subject(request)
  if type(request.kernel) == "string" then return request.kernel end
  local count = #request.kernel
  return ("a step: %d kernel%s"):format(count, count == 1 and "" or "s")
end

-- What was wrong with a request, whose sentence may start with the kernel's
-- name too.
function M.fault(request, answer)
  local problem, subject = answer.problem, M.subject(request)
  if problem:sub(1, #subject + 2) == subject .. ": " then
    problem = problem:sub(#subject + 3)
  end
  return ("%s, %s%s: %s"):format(subject,
    table.concat(request.size, "x"),
    request.seed and (", seed %d"):format(request.seed) or "", problem)
end

return M
