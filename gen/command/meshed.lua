-- What quern-run says of the mesh of the command line, before anything is built
-- for it.

local driver = require "gen.driver"
local lists = require "gen.list"
local runner = require "gen.runner"
local sizes = require "gen.command.sizes"

local M = {}

local NONE = "quern: --mesh %s: %s has no domain of a mesh: vertex, edge, cell"

-- The answer about the tables of these names, or without names about what is
-- odd in all; nil, an exit code and a sentence. A mesh that is made is wrong on
-- the command line, one that is read is wrong itself.
function M.ask(options, tables)
  local answers, problem = runner.run({ { ["do"] = "mesh",
    mesh = sizes.mesh(options), reorder = options.reorder, tables = tables } },
    { root = options.root, out = options.root })
  if not answers then return nil, 3, problem end
  if answers[1].status == "ok" then return answers[1] end
  local made = options.mesh:find "^%a+:" or answers[1].no_table
  return nil, made and 2 or 1, "quern: " .. answers[1].problem
end

-- The exit code and the sentence of a mesh that cannot be, or that is none of
-- the specification's; nil where all is well, or for others to say.
function M.problem(options)
  if not options.mesh then return nil end
  local answer, code, text = M.ask(options, {})
  if not answer then return code, text end
  local early = lists.copy(options)
  early.stop_after = "lower"
  local state = driver.run(early)
  for _, axis in ipairs(state and state.lowered.axes or {}) do
    if answer.extents[axis] then return nil end
  end
  if not state then return nil end
  return 2, NONE:format(options.mesh, options.spec)
end

return M
