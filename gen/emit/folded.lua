-- The values of templates/folded.cu.tpl.

local compressed = require "gen.emit.inlined_compressed"
local cuda = require "gen.emit.cuda"
local expression = require "gen.c.expression"
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

-- The context of what changes with the level alone: arrays, their fields.
local function moving(context, folded)
  local wanted, own = {}, lists.copy(context)
  for _, input in ipairs(folded.inputs) do wanted[input.buffer] = true end
  for _, store in ipairs(context.block.stores) do
    wanted[store.buffer] = true
  end
  own.arrays, own.fields = {}, {}
  for _, array in ipairs(context.arrays) do
    if wanted[array.buffer] then
      table.insert(own.arrays, array)
      if own.fields[#own.fields] ~= array.field then
        table.insert(own.fields, array.field)
      end
    end
  end
  return own
end

-- Adds the parameters of functions that are handed some of the kernel's.
local function add_parameters(values, context, folded)
  values.arguments = params.names(context.hosts, context.arrays, context.fields,
    context.axes, context.names)
  local own = moving(context, folded)
  values.moving_parameters = params.array_parameters(own.arrays, own.fields,
    own.names)
  values.moving_arguments = params.array_names(own.arrays, own.fields,
    own.names)
end

-- Adds what launches hand on of the workspace.
local function add_workspace(values, plan, compute)
  values.prepares, values.begin = true, plan.behind
  values.addresses[#values.addresses] = values.addresses[#values.addresses]
    .. ","
  lists.append(values.addresses, { "&coefficient, &near, &pitch" })
  lists.append(values.locals, {
    "const struct folded folded = folded_of(a);",
    compute .. " *coefficient = folded.coefficient;",
    "int32_t *near = folded.near;", "int64_t pitch = folded.pitch;" })
  table.insert(values.more_checks, "part/folded_check")
end

local function regular(groups)
  local tests = {}
  for i, group in ipairs(groups) do
    tests[i] = ("met[%d] > 0 && met[%d] <= %d"):format(i - 1, i - 1,
      group.count)
  end
  return table.concat(tests, " && ")
end

function M.view(plan, lowered)
  if plan.backend == "reference" then return reference.view(plan, lowered) end
  local values, context = cuda.view(plan, lowered)
  local folded, compute = plan.block.folded, context.kernel.compute
  context.names.rows.index = "index_t"
  values.compute, values.fma = compute,
    expression.function_name("fma", { type = compute })
  values.coefficients, values.slots = folded.coefficients, folded.slots
  values.unroll, values.resident = plan.unroll, plan.resident
  values.levels, values.setup_threads = plan.levels, plan.setup.threads
  add_axes(values, context, plan)
  values.results = folded_of.results(context, plan)
  values.groups = folded_of.groups(context, plan, values.results)
  values.regular = regular(values.groups)
  values.meetings = folded_of.meetings(context, plan)
  values.response, values.still = folded_of.response(context, plan)
  values.others = compressed.other_rows(plan, lowered, context,
    folded_of.unrounded(plan.block))
  add_parameters(values, context, folded)
  add_workspace(values, plan, compute)
  cuda.add_dynamic(values)
  return values
end

return M
