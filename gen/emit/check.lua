-- What emit refuses: names that clash once C has renamed them, numbers that
-- the arithmetic cannot hold, more of something than a launch can take.

local arrays_of = require "gen.emit.arrays"
local boxes = require "gen.emit.boxes"
local diag = require "gen.diag"
local entries = require "gen.entries"
local face_values = require "gen.emit.face_values"
local launches = require "gen.emit.launches"
local layout = require "gen.c.layout"
local number = require "gen.c.number"
local space = require "gen.schedule.space"

local M = {}

local MOST_BOXES, MOST_PARAMETER_BYTES = 1024, 32764
local REGION_BOX = 104          -- bytes of a box of several regions

-- Where a field or a scalar is declared.
local function position(lowered, name)
  local model = lowered.model
  local declared = model.fields and model.fields[name]
    or model.scalars and model.scalars[name]
    or model.tables and model.tables[name]
  return declared and declared.pos
end

-- Where a kernel is: the fault is the spec's.
local function kernel_position(lowered, kernel)
  for _, declared in ipairs(lowered.model.kernels or {}) do
    if declared.name == kernel.name then return declared.pos end
  end
end

local function add_clashes(problems, lowered)
  local taken = {}
  for _, member in ipairs(layout.all_members(lowered)) do
    local other = taken[member.name]
    if other and other ~= member.of then
      problems[#problems + 1] = diag.new(position(lowered, member.of),
        "'%s' and '%s' are both called %s in generated code: rename one",
        other, member.of, member.name)
    end
    taken[member.name] = taken[member.name] or member.of
  end
end

-- A kernel or a chain may be called like a plan of another.
local function add_called(problems, plans, lowered)
  local plan_of = {}
  for _, plan in ipairs(plans) do
    for _, ending in ipairs { "", "_pass", "_range" } do
      plan_of[plan.name .. ending] = plan
    end
  end
  local function look(word, name, pos)
    local plan = plan_of[launches.name(lowered, name)]
    if plan then
      problems[#problems + 1] = diag.new(pos, "the functions of %s %s are "
        .. "called like those of %s: rename one", word, name, plan.name)
    end
  end
  for _, kernel in ipairs(lowered.kernels) do
    look("kernel", kernel.name, kernel_position(lowered, kernel))
  end
  for _, chain in ipairs(lowered.chains or {}) do
    look("chain", chain.name, chain.pos)
  end
end

-- The first literal of a tree that `type` cannot hold.
local function too_big(e, type)
  if e.op == "literal" and not number.literal(e.n, e.d, type) then return e end
  for _, child in ipairs(e) do
    local found = too_big(child, type)
    if found then return found end
  end
end

local function add_numbers(problems, kernel, block, pos)
  local function look(list, type)
    for _, entry in ipairs(list) do
      local e = too_big(entry.value, type)
      if e then
        problems[#problems + 1] = diag.new(pos,
          "kernel %s: a number of %d digits is beyond %s", kernel.name,
          #e.n - #e.d + 1, type)
      end
    end
  end
  for _, side in ipairs(face_values.list(block)) do
    look({ { value = side } }, kernel.compute)
  end
  look(block.host, "double")
  look(entries.flat(block.code), kernel.compute)
  look(block.stores, kernel.compute)
end

local function add_boxes(problems, plan, lowered, pos)
  for _, part in ipairs(plan.parts or {}) do
    add_boxes(problems, part, lowered, pos)
  end
  local axes = space.axes(lowered, plan.block)
  local most = boxes.most(lowered, plan.kernel, plan.block, axes)
    * math.max(boxes.sides(plan.block, axes), 1)
  if most > MOST_BOXES then
    problems[#problems + 1] = diag.new(pos, "kernel %s: region "
      .. "%s may fall into %d boxes, the limit is %d", plan.kernel.name,
      plan.region, most, MOST_BOXES)
  end
end

-- Pointers, strides, bounds and host values of a CUDA kernel; an edge kernel
-- has extents, and perhaps strides and host values twice.
local function parameter_bytes(plan, lowered)
  local arrays = arrays_of.list(lowered, plan.block, plan.also)
  local bytes = 8 * #arrays + 8 * #plan.block.host
    + 16 * #space.axes(lowered, plan.block)
  for _, field in ipairs(arrays_of.fields(arrays)) do
    bytes = bytes + 8 * (#field.axes - 1)
  end
  for _, part in ipairs(plan.parts or {}) do
    bytes = bytes + REGION_BOX * boxes.most(lowered, part.kernel, part.block,
      space.axes(lowered, part.block))
  end
  return plan.edge and 2 * bytes or bytes
end

local function add_parameters(problems, plan, lowered, pos)
  local bytes = parameter_bytes(plan, lowered)
  if bytes > MOST_PARAMETER_BYTES then
    problems[#problems + 1] = diag.new(pos,
      "kernel %s: %d bytes of parameters, the limit is %d", plan.kernel.name,
      bytes, MOST_PARAMETER_BYTES)
  end
end

-- A list of diagnostics, empty if all is well.
function M.problems(plans, lowered)
  local problems = {}
  add_clashes(problems, lowered)
  add_called(problems, plans, lowered)
  for _, plan in ipairs(plans) do
    local pos = kernel_position(lowered, plan.kernel)
    add_numbers(problems, plan.kernel, plan.block, pos)
    add_boxes(problems, plan, lowered, pos)
    if plan.backend == "cuda" or plan.backend == "simt" then
      add_parameters(problems, plan, lowered, pos)
    end
  end
  return problems
end

return M
