-- Fields that chains drop: handed from stage to stage, kept for nobody else, so
-- that they need no array, as temporaries. Refused: what is needed later on.

local diag = require "gen.diag"
local lists = require "gen.list"

local M = {}

-- name -> { chain = the first that drops it, stages = names of the stages of
-- all that do -> true }.
local function by_field(model)
  local dropped = {}
  for _, chain in ipairs(model.chains or {}) do
    for _, name in ipairs(chain.drop) do
      local entry = dropped[name] or { chain = chain, stages = {} }
      for _, stage in ipairs(chain.stages) do entry.stages[stage] = true end
      dropped[name] = entry
    end
  end
  return dropped
end

-- The names of all of them -> true.
function M.names(model)
  local names = {}
  for name in next, by_field(model) do names[name] = true end
  return names
end

local function assigns(kernel, name)
  for _, block in ipairs(kernel.blocks) do
    for _, assign in ipairs(block.assign) do
      if assign.field == name then return true end
    end
  end
end

local function reads(kernel, name)
  for _, block in ipairs(kernel.blocks) do
    for _, read in ipairs(block.reads) do
      if read.field == name then return true end
    end
  end
end

-- Does a stage read the field that none has assigned yet? A sweep reads behind
-- what it has assigned itself.
local function early(model, chain, name)
  local kernels, known = lists.by_name(model.kernels), false
  for _, stage in ipairs(chain.stages) do
    local kernel = kernels[stage]
    known = known or kernel.sweep and assigns(kernel, name)
    if not known and reads(kernel, name) then return stage end
    known = known or assigns(kernel, name)
  end
end

-- A kernel beside the chains that drop a field, which reads it.
local function outside(model, name, stages)
  for _, kernel in ipairs(model.kernels) do
    if not stages[kernel.name] and reads(kernel, name) then
      return kernel.name
    end
  end
end

-- One that interleaves with a field and is kept.
local function kept_beside(model, name, dropped)
  for _, other in ipairs(model.fields[name].packed or {}) do
    if not dropped[other] and not model.fields[other].temporary then
      return other
    end
  end
end

-- Why a chain cannot drop a field, as the end of a sentence, or nil.
local function why_not(model, chain, name, dropped)
  local field = model.fields[name]
  if field.timed then
    return "has time levels: what is assigned is needed after the step"
  end
  local kept = kept_beside(model, name, dropped)
  if kept then return ("is packed with %s, which stays"):format(kept) end
  local reader = outside(model, name, dropped[name].stages)
  if reader then
    return ("kernel %s reads, no stage of it"):format(reader)
  end
  local stage = early(model, chain, name)
  if stage then
    return ("%s reads before a stage has assigned it"):format(stage)
  end
end

-- Diagnostics, an empty list if all is well.
function M.problems(model)
  local problems, dropped = {}, by_field(model)
  for _, chain in ipairs(model.chains or {}) do
    for _, name in ipairs(chain.drop) do
      local why = why_not(model, chain, name, dropped)
      if why then
        problems[#problems + 1] = diag.new(chain.pos,
          "chain %s cannot drop %s, which %s", chain.name, name, why)
      end
    end
  end
  return problems
end

return M
