-- The values of templates/reference.c.tpl: the text of one block of the model
-- and the loops around it.

local boxes = require "gen.emit.boxes"
local choices = require "gen.c.reference_choices"
local colours = require "gen.c.colours"
local kernel_view = require "gen.emit.kernel"
local pass_test = require "gen.c.reference_pass"
local reference = require "gen.c.reference"
local names = require "gen.c.reference_names"
local rows = require "gen.c.reference_rows"
local region_tests = require "gen.c.reference_region"
local slab = require "gen.c.reference_slab"
local vocabulary = require "gen.c.reference_vocabulary"

local M = {}

-- What the compute type rounds by, what it may flush to nought, and what the
-- second order and the oracle's own double arithmetic add.
local ROUNDING = {
  float = { unit = "0x1p-24", tiny = "0x1p-126", slack = "1.01" },
  double = { unit = "0x1p-53", tiny = "0x1p-1022", slack = "2.02" },
}

local COMPARISONS = { { name = "less", op = "<" },
  { name = "less_equal", op = "<=" }, { name = "greater", op = ">" },
  { name = "greater_equal", op = ">=" }, { name = "equal", op = "==" },
  { name = "unequal", op = "!=" } }

-- The fields that some kernel of the model assigns: their bounds say which
-- points this one leaves alone.
local function outputs(lowered)
  local model, assigned, position, list = lowered.model, {}, {}, {}
  for i, axis in ipairs(lowered.axes) do position[axis] = i - 1 end
  for _, kernel in ipairs(model.kernels) do
    for _, block in ipairs(kernel.blocks) do
      for _, assign in ipairs(block.assign) do assigned[assign.field] = true end
    end
  end
  for _, name in ipairs(model.order.fields) do
    list[#list + 1] = assigned[name] and { field = name,
      size = names.points(model, model.fields[name], position) } or nil
  end
  return list
end

-- The fields that points of the block add to: { field, member, size }.
local function sums(lowered, block)
  local model, position, list = lowered.model, {}, {}
  for i, axis in ipairs(lowered.axes) do position[axis] = i - 1 end
  for _, assign in ipairs(block.assign) do
    list[#list + 1] = assign.adds and { field = assign.field,
      member = names.new(lowered).array(assign.field, 0).member,
      size = names.points(model, model.fields[assign.field], position) } or nil
  end
  return list
end

-- Loops over the axes, the contiguous one innermost, and their depth.
local function loops(axes)
  local list = {}
  for i = #axes, 1, -1 do
    list[#list + 1] = { axis = i - 1, indent = ("    "):rep(#list) }
  end
  return list, ("    "):rep(#list)
end

-- What templates/part/reference_* asks for: the functions that a text needs,
-- comparisons in a list of their own.
function M.needs(text)
  local needs = vocabulary.needed(text)
  needs.comparisons = {}
  for _, comparison in ipairs(COMPARISONS) do
    needs.comparisons[#needs.comparisons + 1] = needs[comparison.name]
      and comparison or nil
  end
  return needs
end

-- All that a reference's functions say, as one text.
local function whole(text)
  local parts = { table.concat(text.constants, "\n") }
  for _, group in ipairs(text.groups) do
    parts[#parts + 1] = table.concat(group.lines, "\n")
    for _, store in ipairs(group.stores) do parts[#parts + 1] = store.value end
  end
  for _, reader in ipairs(text.readers) do
    for _, side in ipairs(reader.sides) do
      parts[#parts + 1] = table.concat(side.lines, "\n")
    end
  end
  for _, value in ipairs(text.values) do
    parts[#parts + 1] = table.concat(value.lines, "\n") .. value.result
  end
  return table.concat(parts, "\n")
end

-- Adds what the text of the block needs to `view`.
local function add_text(view, lowered, kernel, block, axes, folds)
  local text = reference.text(lowered.model, kernel, block, axes,
    names.new(lowered), folds)
  for _, key in ipairs { "constants", "count", "readers", "taps", "values",
                         "groups", "tables", "choices" } do
    view[key] = text[key]
  end
  if text.count == 0 then view.constants = nil end
  view.needs = M.needs(whole(text)
    .. (view.sums[1] and "add(exact(value))" or ""))
end

-- The text, and what a place has a coordinate for: on a mesh every domain.
local function add_places(view, lowered, kernel, block, axes, folds)
  local all = kernel.domain and rows.axes(lowered, axes) or axes
  view.places, view.zero = #all, kernel.domain and " = { { 0 } }" or ""
  add_text(view, lowered, kernel, block, all, folds)
end

-- How fields of a shell are stored, whichever block assigns them.
local function add_slabs(view, lowered)
  local position = {}
  for i, axis in ipairs(lowered.axes) do position[axis] = i - 1 end
  view.slabs = slab.list(lowered.model, position, names.plain)
end

local function add_region(view, lowered, kernel, block, axes)
  view.regions = block.region and region_tests.tests(lowered.model, kernel,
    axes, names.new(lowered)) or {}
  view.choice = false
  for i, test in ipairs(view.regions) do
    if test.name == block.region then view.choice = i end
  end
end

-- Adds what a launch of one of several passes needs, and the test that decides
-- whether a point is one of the launch.
local function add_passes(view, kernel, axes, lower, upper)
  local position = {}
  for i, axis in ipairs(axes) do position[axis] = i - 1 end
  local test, count = pass_test.colours(kernel, position)
  view.from, view.to = view.range_lower, view.range_upper
  if kernel.sweep then
    local levels = pass_test.sweep(kernel.sweep, position,
      lower, upper)
    view.from, view.to, count = levels.from, levels.to, levels.count
  end
  view.pass = colours.pass(count)
  view.passes = count and { test = test, count = count } or false
  local tests = {}
  if view.choice then
    tests[1] = ("region(&in, p) == %d"):format(view.choice)
  end
  tests[#tests + 1] = test and "in_pass(p, pass)" or nil
  view.wanted = tests[1] and table.concat(tests, " && ") or false
  if test then view.needs.wrapped, view.needs.moved = true, true end
end

function M.view(plan, lowered)
  local view, context = kernel_view.view(plan, lowered)
  local model, axes = lowered.model, {}
  for i, axis in ipairs(context.axes) do axes[i] = axis.name end
  local kernel, block = choices.source(model, plan)
  view.compute = kernel.compute or model.compute
  for key, text in next, ROUNDING[view.compute] do view[key] = text end
  view.extents = boxes.per_axis(context.axes, "a->n[%d]")
  view.outputs = outputs(lowered)
  view.sums = sums(lowered, block)
  view.uses_types = kernel_view.uses_types(lowered.fields)
  view.more_checks = { "part/reference_check" }
  view.loops, view.inner = loops(axes)
  add_places(view, lowered, kernel, block, axes, plan.folds)
  add_slabs(view, lowered)
  add_region(view, lowered, kernel, block, axes)
  add_passes(view, kernel, axes, boxes.range(context.block, context.axes))
  return view
end

return M
