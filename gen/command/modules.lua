-- What `check` and `bench` begin with: the kernels asked for and the reference
-- beside them, generated and compiled.

local compile = require "gen.compile"
local driver = require "gen.driver"
local outcome = require "gen.command.outcome"
local schedule = require "gen.schedule"

local M = {}

-- The options with some of them changed.
function M.with(options, changes)
  local copy = {}
  for key, value in pairs(options) do copy[key] = value end -- any order
  for key, value in pairs(changes) do copy[key] = value end -- any order
  return copy
end

-- Gives { module, state }, or nil, an exit code and a text.
local function make(options)
  local state, problems = driver.run(options)
  if not state then return nil, outcome.refused(problems) end
  local module, problem = compile.module(state.files, options)
  if not module then return nil, 3, problem end
  return { module = module, state = state }
end

-- Gives { module, reference, state }, or nil, an exit code and a text.
function M.make(options)
  local made, status, text = make(options)
  if not made then return nil, status, text end
  local oracle
  oracle, status, text = make(M.with(options,
    { backend = "reference", shapes = schedule.oracles(made.state.plans),
      depfile = false }))
  if not oracle then return nil, status, text end
  made.reference = oracle.module
  return made
end

return M
