-- The values of templates/folded.cu.tpl.

local compressed = require "gen.emit.inlined_compressed"
local cuda = require "gen.emit.cuda"
local expression = require "gen.c.expression"
local folded_tiles = require "gen.emit.folded_tiles"
local folded_of = require "gen.c.folded"
local lists = require "gen.list"
local params = require "gen.c.params"
local reference = require "gen.emit.reference"

local M = {}

-- The axes of a point and of its level.
local function add_axes(values, context, plan)
  local names, point = context.names, context.axes[1]
  values.point, values.k = names.axis[point.name], names.axis[plan.level]
  values.point_begin = names.lower[point.name]
  values.point_end = names.upper[point.name]
  values.k_begin, values.k_end = names.lower[plan.level],
    names.upper[plan.level]
  values.point_count = ("a->n[%d]"):format(point.index)
end

-- Adds what launches hand on of the workspace.
local function add_workspace(values)
  values.addresses[#values.addresses] = values.addresses[#values.addresses]
    .. ","
  lists.append(values.addresses, { "&coefficient, &near, &pitch" })
  lists.append(values.locals, {
    "const struct folded folded = folded_of(a);",
    values.compute .. " *coefficient = folded.coefficient;",
    "int32_t *near = folded.near;", "int64_t pitch = folded.pitch;" })
end

local function regular(groups)
  local tests = {}
  for i, group in ipairs(groups) do
    tests[i] = ("met[%d] > 0 && met[%d] <= %d"):format(i - 1, i - 1,
      group.count)
  end
  return table.concat(tests, " && ")
end

-- Adds what all kernels that fold have in common. `level` and `of` of results,
-- element(input): gen/c/folded.lua; pitch: places for points in the workspace,
-- as a text; near_rows: words of a point for its neighbours there; near_count:
-- how many of those places are in use, as a text, of kernels on a device.
function M.add(values, context, plan, how)
  M.add_sums(values, context, plan, how)
  add_axes(values, context, plan)
  values.setup_threads = plan.setup.threads
  values.tiled = how.tiled or false
  values.arguments = params.names(context.hosts, context.arrays, context.fields,
    context.axes, context.names)
  add_workspace(values)
end

-- The same but for launches.
function M.add_sums(values, context, plan, how)
  local folded = plan.block.folded
  context.names.rows.index = "index_t"
  values.on_host = plan.backend == "c"
  values.compute = context.kernel.compute
  values.fma = expression.function_name("fma", { type = values.compute })
  values.coefficients, values.slots = folded.coefficients, folded.slots
  values.pitch, values.near_rows = how.pitch, how.near_rows
  values.near_count = how.near_count
  values.results = folded_of.results(context, plan, how.level, how.of)
  values.groups = folded_of.groups(plan, values.results, how.element)
  values.regular = regular(values.groups)
  values.meetings = folded_of.meetings(context, plan)
  values.response, values.still = folded_of.response(context, plan)
  values.others = compressed.other_rows(plan, context.lowered, context,
    folded_of.unrounded(plan.block))
  values.prepares, values.begin = true, plan.behind
  table.insert(values.more_checks, "part/folded_check")
end

-- Adds the parameters of the function that makes some levels: arrays of what
-- changes with the level, and their strides.
local function add_moving(values, context, folded)
  local wanted, arrays, fields = {}, {}, {}
  for _, input in ipairs(folded.inputs) do wanted[input.buffer] = true end
  for _, store in ipairs(context.block.stores) do
    wanted[store.buffer] = true
  end
  for _, array in ipairs(context.arrays) do
    if wanted[array.buffer] then
      arrays[#arrays + 1] = array
      fields[#fields + 1] = fields[#fields] ~= array.field and array.field
        or nil
    end
  end
  values.moving_parameters = params.array_parameters(arrays, fields,
    context.names)
  values.moving_arguments = params.array_names(arrays, fields, context.names)
end

function M.view(plan, lowered)
  if plan.backend == "reference" then return reference.view(plan, lowered) end
  if plan.backend == "c" then return folded_tiles.view(plan, lowered, M) end
  local values, context = cuda.view(plan, lowered)
  local folded = plan.block.folded
  values.unroll, values.resident = plan.unroll, plan.resident
  values.levels = plan.levels
  M.add(values, context, plan, { level = folded_of.levels(context, folded),
    of = "[j]", near_rows = folded.slots,
    pitch = ("(a->n[%d] + 31) / 32 * 32"):format(context.axes[1].index),
    near_count = ("a->n[%d]"):format(context.axes[1].index),
    element = function(input)
      return folded_of.direct(context, folded, input)
    end })
  add_moving(values, context, folded)
  cuda.add_dynamic(values)
  return values
end

return M
