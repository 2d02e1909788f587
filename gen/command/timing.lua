-- `quern explain --timing`: what it takes to make the kernels, seconds of a
-- processor: Quern's own passes, then the compiler, file by file.

local compile = require "gen.compile"
local driver = require "gen.driver"
local outcome = require "gen.command.outcome"
local targets = require "gen.command.targets"

local M = {}

local function row(what, seconds)
  print(("  %-11s %8.2f s"):format(what, seconds))
end

-- One backend: an exit code, and what was wrong.
local function report(target)
  local total = 0
  target.stop_after = "emit"
  target.timing = function(_, seconds) total = total + seconds end
  local state, problems = driver.run(target)
  if not state then return outcome.refused(problems) end
  print(("\ntiming, %s%s"):format(target.backend, target.backend == "cuda"
    and " for " .. target.arch or ""))
  row("generate", total)
  local list, problem = compile.attempts(state.files, target)
  if not list then return 3, problem end
  for _, source in ipairs(list) do
    print(("  %-11s %8.2f s  %s"):format("compile", source.seconds,
      source.path))
  end
  return 0
end

-- For each backend asked for.
function M.run(options) return targets.run(options, report) end

return M
