-- `quern gen`: writes the kernels of a specification.

local driver = require "gen.driver"
local outcome = require "gen.command.outcome"

local M = {}

local function timing(name, seconds)
  io.stderr:write(("%-9s %7.1f ms\n"):format(name, seconds * 1e3))
end

function M.run(options)
  if options.timing then options.timing = timing end
  local state, problems = driver.run(options)
  if not state then return outcome.refused(problems) end
  for _, path in ipairs(state.changed) do print(path) end
  return 0
end

return M
