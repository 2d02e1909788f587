-- What quern-run says of the mesh of the command line, before anything is built
-- for it.

local driver = require "gen.driver"
local lists = require "gen.list"
local runner = require "gen.runner"
local sizes = require "gen.command.sizes"

local M = {}

local NONE = "quern: --mesh %s: %s has no domain of a mesh: vertex, edge, cell"
local NAMELESS = "quern: --mesh %s: %s has none of its tables: %s"
local DRAWN = "%s has no table %s: its entries are drawn"

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

-- Whether one of the specification's axes is a domain of the mesh; its tables
-- that are of the mesh, and those that are not.
local function compared(lowered, answer)
  local domain, of, others = false, {}, {}
  for _, axis in ipairs(lowered.axes) do
    domain = domain or answer.extents[axis] ~= nil
  end
  for _, each in ipairs(lowered.tables or {}) do
    local to = lists.contains(answer.names, each.name) and of or others
    to[#to + 1] = not each.through and each.name or nil
  end
  return domain, of, others
end

-- The exit code and the sentence of a mesh that cannot be, or that is none of
-- the specification's; nil where all is well, or for others to say. Says which
-- tables the mesh has not.
function M.problem(options)
  if not options.mesh then return nil end
  local answer, code, text = M.ask(options, {})
  if not answer then return code, text end
  local early = lists.copy(options)
  early.stop_after = "lower"
  local state = driver.run(early)
  if not state then return nil end
  local domain, of, others = compared(state.lowered, answer)
  if not domain then return 2, NONE:format(options.mesh, options.spec) end
  if #of == 0 then
    return 2, NAMELESS:format(options.mesh, options.spec,
      table.concat(answer.names, ", "))
  end
  for _, name in ipairs(others) do print(DRAWN:format(options.mesh, name)) end
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
