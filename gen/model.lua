-- Pass 3, build: declarations become the model. Everything that can be known
-- from the spec alone is checked here; what is wrong is reported in one go.

local boundaries = require "gen.model.boundaries"
local defines = require "gen.model.defines"
local diag = require "gen.diag"
local fields = require "gen.model.fields"
local finish = require "gen.model.finish"
local kernels = require "gen.model.kernels"
local names = require "gen.model.names"
local operators = require "gen.model.operators"
local order = require "gen.model.order"
local pool_of = require "gen.model.pool"
local precision = require "gen.model.precision"
local ranges = require "gen.model.ranges"
local regions = require "gen.model.regions"
local spaces = require "gen.model.spaces"
local steps = require "gen.model.steps"
local tables = require "gen.model.tables"

local M = {}

-- What the stages share: decls, model, the pool, names, and how to report.
local function new_builder(decls)
  local problems = {}
  local b = { decls = decls, problems = problems, steps = 0, entries = {},
    model = {
      name = decls.name, hash = decls.hash, params = decls.params,
      order = { spaces = {}, scalars = {}, fields = {}, tables = {},
        lists = {} } } }
  function b.report(pos, text, ...)
    problems[#problems + 1] = diag.new(pos, text, ...)
  end
  function b.report_note(pos, note_pos, note, text, ...)
    problems[#problems + 1] =
      diag.note(diag.new(pos, text, ...), note_pos, note)
  end
  return b
end

-- Without a kernel there is nothing to generate; said only where nothing else
-- is wrong.
local function check_any(b, decls)
  if #b.problems > 0 then return end
  for _, item in ipairs(decls.items) do
    if item.kind == "kernel" or item.kind == "request" then return end
  end
  b.report({ source = decls.sources[1], offset = 1 },
    "the spec declares no kernel")
end

-- The model, or nil and diagnostics.
function M.build(decls)
  local b = new_builder(decls)
  names.collect(b)
  precision.build(b)
  spaces.build(b)
  b.pool = pool_of.new(b.axes, b.report)
  tables.build(b)
  fields.build(b)
  regions.build(b)
  operators.build(b)
  defines.build(b)
  boundaries.build(b)
  kernels.build(b)
  steps.build(b)
  order.declare(b)
  ranges.check(b)
  order.check(b)
  finish.check_numbers(b)
  names.check_used(b)
  check_any(b, decls)
  if #b.problems > 0 then return nil, b.problems end
  return finish.model(b)
end

return M
