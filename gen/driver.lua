-- The pipeline: the list of the passes, run in order up to the one asked for.
-- Serves the command line and the tests alike.

local M = {}

-- Each pass is one function of one module: from what earlier passes gave, and
-- the options, to one value that later passes take.
M.PASSES = {
  { name = "load", module = "gen.spec", verb = "load",
    takes = {}, gives = "decls" },
  { name = "parse", module = "gen.formula", verb = "parse",
    takes = { "decls" }, gives = "decls" },
  { name = "build", module = "gen.model", verb = "build",
    takes = { "decls" }, gives = "model" },
  { name = "lower", module = "gen.lower", verb = "apply",
    takes = { "model" }, gives = "lowered" },
  { name = "schedule", module = "gen.schedule", verb = "choose",
    takes = { "lowered" }, gives = "plans" },
  { name = "emit", module = "gen.emit", verb = "render",
    takes = { "plans", "lowered" }, gives = "files" },
  { name = "write", module = "gen.output", verb = "write",
    takes = { "files" }, gives = "changed" },
}

local function apply(pass, state, options)
  local arguments = {}
  for i, name in ipairs(pass.takes) do arguments[i] = state[name] end
  arguments[#arguments + 1] = options
  -- The depfile names the spec and all that it includes.
  arguments[#arguments + 1] = state.decls and state.decls.sources
  return require(pass.module)[pass.verb](table.unpack(arguments))
end

-- Runs the passes up to `options.stop_after` (all of them without it). Gives
-- { decls, model, lowered, plans, files, changed } as far as the run went, or
-- nil and a list of diagnostics. `options.timing(name, seconds)` is called
-- after each pass.
function M.run(options)
  local state = {}
  for _, pass in ipairs(M.PASSES) do
    local started = os.clock()
    local value, problems = apply(pass, state, options)
    if options.timing then options.timing(pass.name, os.clock() - started) end
    if value == nil then return nil, problems end
    state[pass.gives] = value
    if pass.name == options.stop_after then break end
  end
  return state
end

return M
