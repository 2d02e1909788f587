-- `quern dump`: shows what a pass gives, as stable text.

local driver = require "gen.driver"
local dump = require "gen.dump"
local outcome = require "gen.command.outcome"
local targets = require "gen.command.targets"

local M = {}

local function gives(name)
  for _, pass in ipairs(driver.PASSES) do
    if pass.name == name then return pass.gives end
  end
end

local function run(options)
  options.stop_after = options.after
  local state, problems = driver.run(options)
  if not state then return outcome.refused(problems) end
  print(dump.text(state[gives(options.after)]))
  return 0
end

function M.run(options) return targets.run(options, run) end

return M
