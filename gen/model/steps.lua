-- Chains, the step, and time levels: every next level is assigned once, and
-- before it is read.

local fields = require "gen.model.fields"
local names = require "gen.model.names"

local M = {}

-- ---------------------------------------------------------------------------
-- Chains

local function is_written(b, stages, field)
  for _, name in ipairs(stages) do
    local kernel = b.kernel[name]
    for level = 0, 1 do
      if kernel and kernel.assigns[fields.key(field, level)] then
        return true
      end
    end
  end
  return false
end

local function check_drop(b, item, stages)
  for _, field in ipairs(item.keys.drop or {}) do
    local pos = item.key_pos.drop or item.pos
    if names.get(b, field, pos, "field") and not is_written(b, stages, field)
    then
      b.report(pos, "'%s' cannot be dropped: no stage of '%s' writes it", field,
        item.names[1].name)
    end
  end
end

local function chain(b, item)
  local stages = {}
  for i = 2, #item.names do
    local name = item.names[i]
    if names.get(b, name.name, name.pos, "kernel") then
      stages[#stages + 1] = name.name
      if b.kernel[name.name].setup then
        b.report(name.pos, "'%s' is a setup kernel: it cannot be a stage",
          name.name)
      end
    end
  end
  check_drop(b, item, stages)
  b.chain[item.names[1].name] = stages
  b.model.chains[#b.model.chains + 1] = { name = item.names[1].name,
    pos = item.names[1].pos, stages = stages, drop = item.keys.drop or {} }
end

-- ---------------------------------------------------------------------------
-- The step

-- Adds the kernels of one entry to b.launches: { kernel, pos }.
local function launch(b, name)
  for _, stage in ipairs(b.chain[name.name] or { name.name }) do
    local kernel = b.kernel[stage]
    if kernel and kernel.setup and stage == name.name then
      b.report(name.pos, "'%s' is a setup kernel: it is no part of a step",
        name.name)
    elseif kernel and not kernel.setup then
      b.launches[#b.launches + 1] = { kernel = kernel, pos = name.pos }
    end
  end
end

local function declared_step(b, item)
  for _, name in ipairs(item.names) do
    if names.get(b, name.name, name.pos, "kernel", "chain") then
      b.model.step[#b.model.step + 1] = name.name
      launch(b, name)
    end
  end
end

local function has_time(b)
  for _, name in ipairs(b.model.order.fields) do
    if b.model.fields[name].timed then return true end
  end
  return false
end

-- Without a step the single kernel is the step.
local function implied_step(b)
  local list = {}
  for _, kernel in ipairs(b.kernels) do
    if not kernel.setup and kernel.kind ~= "request" then
      list[#list + 1] = kernel
    end
  end
  if #list == 1 then
    b.model.step[1] = list[1].name
    b.launches[1] = { kernel = list[1], pos = list[1].item.names[1].pos }
  elseif #list > 1 and has_time(b) then
    b.report(list[2].item.names[1].pos, "there are time levels and more than "
      .. "one kernel: wanted step { \"%s\", .. }, what a time step launches",
      list[1].name)
    return false
  end
  return true
end

-- ---------------------------------------------------------------------------
-- Next levels

local function assigned_outside(b, field, inside)
  local key = fields.key(field.name, 1)
  for _, kernel in ipairs(b.kernels) do
    if kernel.assigns[key] and not inside[kernel] then
      b.report(kernel.assigns[key], "%s.next is assigned in '%s', which is no "
        .. "part of the step", field.name, kernel.name)
    end
  end
end

local function check_assigned(b, field, inside)
  local key, first = fields.key(field.name, 1), nil
  for _, l in ipairs(b.launches) do
    local pos = l.kernel.assigns[key]
    if pos and first then
      b.report_note(first.kernel == l.kernel and l.pos or pos,
        first.kernel.assigns[key], "the first assignment is here",
        "%s.next is assigned twice in a step", field.name)
    end
    first = first or pos and l
  end
  assigned_outside(b, field, inside)
  if not first then
    b.report(b.names[field.name].pos, "%s.next is assigned by no kernel of "
      .. "the step", field.name)
  end
end

-- Reads of a next level by kernels that do not assign it.
local function check_reads(b, kernel, done, why)
  for _, block in ipairs(kernel.blocks) do
    for _, read in ipairs(block.reads) do
      local key = fields.key(read.field, 1)
      if read.level == 1 and not done[key] and not kernel.assigns[key] then
        b.report(read.pos, why, read.field, kernel.name)
      end
    end
  end
end

local function check_order(b, inside)
  local done = {}
  for _, l in ipairs(b.launches) do
    check_reads(b, l.kernel, done, "%s.next is read in '%s' before a kernel "
      .. "of the step has assigned it")
    for _, block in ipairs(l.kernel.blocks) do
      for _, assign in ipairs(block.assign) do
        done[fields.key(assign.field, assign.level)] = true
      end
    end
  end
  for _, kernel in ipairs(b.kernels) do
    if not inside[kernel] then
      check_reads(b, kernel, {}, "%s.next is read in '%s', which is no part of "
        .. "the step: only within a step is there a next level")
    end
  end
end

local function check_levels(b)
  local inside = {}
  for _, l in ipairs(b.launches) do inside[l.kernel] = true end
  for _, name in ipairs(b.model.order.fields) do
    local field = b.model.fields[name]
    if field.timed and field.levels[#field.levels] == 1 and b.used[name] then
      check_assigned(b, field, inside)
    end
  end
  check_order(b, inside)
end

function M.build(b)
  b.chain, b.launches, b.model.chains, b.model.step = {}, {}, {}, {}
  local step
  for _, item in ipairs(b.decls.items) do
    if item.kind == "fuse" then chain(b, item) end
    if item.kind == "step" then step = item end
  end
  local known = true
  if step then declared_step(b, step) else known = implied_step(b) end
  if known then check_levels(b) end
end

return M
