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

-- Slots of a row of lattices, by the names of tables; rim: fewer at its rim.
local KNOWN = { v2e = { 6, rim = true }, v2c = { 6, rim = true },
  node_elems = { 6, rim = true }, e2c2v = { 4 }, e2ecv = { 4 }, c2v = { 3 },
  elem_nodes = { 3 }, v2v = { ragged = true }, node_nodes = { ragged = true } }

-- Whether a lattice can give a table its entries.
local function serves(of)
  local known = KNOWN[of.name]
  if of.through then return true end
  return known and (known.ragged or false) == (of.ragged or false)
    and (of.ragged or of.count >= known[1])
    and (of.skip or of.ragged or of.count == known[1])
end

-- A lattice for a plan that does something else in rows that are alike, which
-- those of random tables are not; nil where no table goes by its names.
function M.lattice(plan, lowered)
  local rim = true
  if plan.shape ~= "inlined_compressed" and not plan.strides
    and not plan.folds then return nil end
  for _, of in ipairs(lowered.tables or {}) do
    if not serves(of) then return nil end
    rim = rim and (of.skip or not (KNOWN[of.name] or {}).rim)
  end
  return rim and "plane:9x7" or "torus:9x8"
end

return M
