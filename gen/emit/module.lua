-- The values of templates/module.c.tpl.

local arrays_of = require "gen.emit.arrays"
local choices = require "gen.c.reference_choices"
local count = require "gen.lower.count"
local edges = require "gen.emit.edges"
local head = require "gen.emit.head"
local launches = require "gen.emit.launches"
local layout = require "gen.c.layout"
local lists = require "gen.list"
local mesh = require "gen.c.mesh"
local passes = require "gen.emit.passes"
local shares = require "gen.emit.shares"
local slab = require "gen.emit.slab"
local step = require "gen.emit.step"
local temporaries = require "gen.emit.temporaries"
local text = require "gen.c.text"
local tiles = require "gen.emit.tiles"

local M = {}

local function accesses(lowered, arrays)
  local lines = {}
  for _, array in ipairs(arrays) do
    for i, field in ipairs(lowered.fields) do
      if field == array.field then
        lines[#lines + 1] = layout.access_row(array, i - 1)
      end
    end
  end
  return lines
end

-- Arrays that are written and needed too.
local function in_place(plan, arrays)
  local read, number = {}, 0
  for _, load in ipairs(count.needed(plan.block, plan.kernel.sweep)) do
    read[load.buffer] = true
  end
  for _, array in ipairs(arrays) do
    if array.written and read[array.buffer] then number = number + 1 end
  end
  return number
end

-- Of a plan that makes several steps: how many, the position of the plan that
-- makes one, from 0, and how often the levels turn; else false.
local function several(plan, plans)
  if not plan.steps then return false end
  for i, single in ipairs(plans) do
    if single.block == plan.block then
      return { steps = plan.steps, single = i - 1, turns = plan.turns,
        alike = plan.alike and 1 or 0 }
    end
  end
end

-- What the formulas of a reference choose between; that of all regions has
-- them in its pieces.
local function chosen(plan, number, lowered, options)
  local own = options.backend == "reference" and not plan.apart
  local list = own and choices.list(lowered.model,
    choices.source(lowered.model, plan)) or {}
  return { name = plan.name, number = number, list = list,
    entry = choices.entry(plan.name, number, list) }
end

-- The positions of the plans of a chain's pieces, from 0.
local function pieces_of(plan, plans)
  local positions, list = {}, {}
  for i, other in ipairs(plans) do positions[other.name] = i - 1 end
  for i, piece in ipairs(plan.pieces and plan.helpers or {}) do
    list[i] = positions[piece.name]
  end
  return list
end

-- What a descriptor says in lists of numbers: { { name, numbers, counted, count
-- }.. }.
local function indices_of(tables, pieces)
  local list = {}
  local function add(name, counted, numbers)
    list[#list + 1] = numbers[1] and { name = name, counted = counted,
      count = #numbers, numbers = table.concat(numbers, ", ") } or nil
  end
  add("tables", "table_count", tables)
  add("pieces", "piece_count", pieces)
  return list
end

-- The position of the axis of a mesh whose rows a plan prepares; -1: none.
local function rows_of(plan, lowered)
  for i, axis in ipairs(lowered.axes) do
    if plan.prepares and axis == plan.kernel.domain then return i - 1 end
  end
  return -1
end

local function plan_entry(plan, number, plans, lowered, options)
  local arrays = arrays_of.list(lowered, plan.block, plan.also)
  local counts = plan.counts or plan.block.counts
  local tables = mesh.positions(lowered, plan.block)
  return { indices = indices_of(tables, pieces_of(plan, plans)),
    name = plan.name, kernel = plan.kernel.name,
    region = plan.region or "", shape = plan.shape,
    step = plan.steps and -1 or step.position(lowered, plan.kernel),
    prepares = plan.prepares or false, rows = rows_of(plan, lowered),
    moves = plan.parts ~= nil,
    folded = plan.folds ~= nil,
    several = several(plan, plans), apart = passes.apart(plan),
    tiling = tiles.entry(plan, lowered, number),
    shares = shares.entry(plan, lowered), adds = plan.kernel.adds or false,
    accesses = accesses(lowered, arrays), access_count = #arrays,
    flops = counts.flops, bytes = counts.bytes, reads = counts.reads,
    writes = counts.writes, in_place = in_place(plan, arrays),
    choices = chosen(plan, number, lowered, options) }
end

local function is_written(lowered, field)
  for _, kernel in ipairs(lowered.kernels) do
    for _, block in ipairs(kernel.blocks) do
      for _, store in ipairs(block.stores) do
        if store.field == field.name then return true end
      end
    end
  end
  return false
end

local function field_entries(lowered, options)
  local positions, list = {}, {}
  local compared = edges.of(lowered.model)
  for i, axis in ipairs(lowered.axes) do positions[axis] = i - 1 end
  for i, field in ipairs(lowered.fields) do
    list[i] = { entry = layout.field_entry(lowered.instance, field, positions,
      is_written(lowered, field), options.backend == "reference",
      compared[field.name]) }
  end
  return list
end

local function turns(lowered)
  local list = {}
  for i, field in ipairs(step.turning(lowered)) do
    list[i] = { field = field.name, lines = layout.turn(field) }
  end
  return list
end

local function add_launches(values, plans, lowered)
  values.launches = launches.list(plans, lowered)
  local launched = step.launches(values.launches, lowered)
  values.has_step = launched ~= nil
  values.step_pointer = launched and "step" or "NULL"
  if launched then
    values.step_launches, values.turns = launched, turns(lowered)
  end
  values.twice = launched and step.twice(plans) or false
end

-- What the module needs of quern_launch.h.
local function uses_launch(values)
  for _, launch in ipairs(values.launches) do
    if launch.sweep and not launch.single then return true end
  end
  return values.temporaries[1] ~= nil or values.hollows[1] ~= nil
end

local function add_scalars(values, lowered)
  values.has_scalars = #lowered.scalars > 0
  values.scalar_count = #lowered.scalars
  values.scalar_table = values.has_scalars and "scalars" or "NULL"
  if values.has_scalars then
    values.scalars = layout.scalar_rows(lowered.instance, lowered.scalars)
  end
end

function M.view(plans, lowered, options)
  local entries = {}
  for i, plan in ipairs(plans) do
    entries[i] = plan_entry(plan, i, plans, lowered, options)
  end
  local values = {
    instance = lowered.instance, source = head.source(lowered),
    spec = lowered.model.name, hash = lowered.model.hash or "",
    backend = options.backend, fp = lowered.fp or options.fp or "strict",
    arch = options.backend == "cuda" and options.arch or "",
    compute = layout.type(lowered.compute),
    axis_count = #lowered.axes,
    axis_names = text.quoted(lowered.axes),
    plans = entries, kernel_count = #entries,
    tables = mesh.entries(lowered, plans), patterns = mesh.patterns(lowered),
    hollows = slab.of_module(lowered),
    temporaries = temporaries.of_module(lowered),
    uses_tiles = lists.any(plans, "tiling"),
    fields = field_entries(lowered, options), field_count = #lowered.fields,
  }
  add_launches(values, plans, lowered)
  values.uses_launch = uses_launch(values)
  add_scalars(values, lowered)
  return values
end

return M
