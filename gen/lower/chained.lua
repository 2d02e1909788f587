-- What one kernel leaves to another of the same step or chain: temporaries, and
-- what stages of chains write. Refused: a temporary that is read before it is
-- assigned, and a read outside of the domain, where nobody wrote.

local bounds = require "gen.model.bounds"
local diag = require "gen.diag"
local extent = require "gen.extent"
local lists = require "gen.list"

local M = {}

-- The kernels of a list of names, stages of chains one by one.
local function expanded(model, names, list)
  local kernels = lists.by_name(model.kernels)
  local chains = lists.by_name(model.chains or {})
  for _, name in ipairs(names) do
    if chains[name] then
      expanded(model, chains[name].stages, list)
    else
      list[#list + 1] = kernels[name]
    end
  end
  return list
end

local function assigned_by(kernel)
  local fields = {}
  for _, block in ipairs(kernel.blocks) do
    for _, assign in ipairs(block.assign) do fields[assign.field] = true end
  end
  return fields
end

-- Calls visit(block, read) for all that a kernel reads.
local function each_read(kernel, visit)
  for _, block in ipairs(kernel.blocks) do
    for _, read in ipairs(block.reads) do visit(block, read) end
  end
end

-- Is there a point of the block from which the read certainly leaves the
-- domain on a side that has a halo? Gives the axis.
local function leaves(model, kernel, block, read)
  local field = model.fields[read.field]
  local all = { model = model, regions = lists.by_name(model.regions) }
  for _, axis in ipairs(field.axes) do
    local sides = field.boundary[axis]
    local first, last = bounds.of(all, kernel, block, axis)
    local below = first.n == 0 and first.c + read.lo[axis] < 0
    local above = last.n == 1
      and last.c + read.hi[axis] > extent.extra(field, axis)
    if below and sides.low.kind == "halo"
       or above and sides.high.kind == "halo" then
      return axis
    end
  end
end

local function add(problems, kernel, text, ...)
  local message = text:format(kernel.name, ...)
  for _, problem in ipairs(problems) do
    if problem.message == message then return end
  end
  problems[#problems + 1] = diag.new(kernel.pos, "%s", message)
end

local BEFORE = "kernel %s reads the temporary %s before a kernel of the same %s"
  .. " has assigned it"
local OUTSIDE = "kernel %s reads %s outside of the domain along %s, where %s:"
  .. " give it a boundary, or keep the reads inside with a region"

-- The reads of one kernel, `known` assigned before by kernels of the same run =
-- { what = "step"|"chain".., before = is it where temporaries begin }. A sweep
-- reads behind what it has assigned itself.
local function check_kernel(problems, model, kernel, known, run)
  local own = kernel.sweep and assigned_by(kernel) or {}
  each_read(kernel, function(block, read)
    local name = read.field
    local temporary = model.fields[name].temporary
    if run.before and temporary and not known[name] and not own[name] then
      add(problems, kernel, BEFORE, name, run.what)
    end
    local handed = temporary or run.what == "chain" and known[name]
    local axis = handed and leaves(model, kernel, block, read)
    if axis then
      add(problems, kernel, OUTSIDE, name, axis, temporary
        and "a temporary has nothing" or "no stage of the chain writes")
    end
  end)
end

local function check(problems, model, names, run)
  local known = {}
  for _, kernel in ipairs(expanded(model, names, {})) do
    check_kernel(problems, model, kernel, known, run)
    for field in pairs(assigned_by(kernel)) do -- any order
      known[field] = true
    end
  end
end

-- The kernels that are in no step and no chain.
local function alone(model)
  local inside, list = {}, {}
  for _, kernel in ipairs(expanded(model, model.step or {}, {})) do
    inside[kernel.name] = true
  end
  for _, chain in ipairs(model.chains or {}) do
    for _, stage in ipairs(chain.stages) do inside[stage] = true end
  end
  for _, kernel in ipairs(model.kernels) do
    list[#list + 1] = not inside[kernel.name] and kernel.name or nil
  end
  return list
end

-- Diagnostics, an empty list if all is well.
function M.problems(model)
  local problems, in_step = {}, {}
  for _, name in ipairs(model.step or {}) do in_step[name] = true end
  check(problems, model, model.step or {}, { what = "step", before = true })
  for _, chain in ipairs(model.chains or {}) do
    check(problems, model, chain.stages,
      { what = "chain", before = not in_step[chain.name] })
  end
  for _, name in ipairs(alone(model)) do
    check(problems, model, { name }, { what = "step or chain", before = true })
  end
  return problems
end

return M
