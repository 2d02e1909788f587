-- Chains as one kernel: the last stage, in which what earlier stages assign is
-- not read but computed where it is wanted.

local lists = require "gen.list"

local M = {}

-- Why a stage cannot be a part of one kernel, as the end of a sentence.
local function unfit(model, kernel, last)
  if not kernel.domain then
    return ("stage %s runs over a grid"):format(kernel.name)
  elseif #kernel.blocks > 1 or kernel.blocks[1].region then
    return ("stage %s has regions"):format(kernel.name)
  elseif kernel.kind ~= "point" then
    return ("stage %s updates points in an order"):format(kernel.name)
  elseif (kernel.compute or model.compute)
      ~= (last.compute or model.compute) then
    return ("stage %s computes in another type than %s"):format(kernel.name,
      last.name)
  end
end

-- Adds what a stage before the last assigns to `inline`; a reason if it cannot.
local function take(model, chain, kernel, inline)
  for _, assign in ipairs(kernel.blocks[1].assign) do
    local name = assign.field
    if not lists.contains(chain.drop, name) then
      return ("stage %s stores %s, which is not dropped"):format(kernel.name,
        name)
    elseif inline[name] then
      return ("%s is assigned by two stages"):format(name)
    end
    inline[name] = { value = assign.value, type = model.fields[name].type }
  end
end

-- A reason if an earlier stage reads what the last one overwrites: another
-- point may have been updated already.
local function overwritten(kernels, last, buffer)
  local targets = {}
  for _, assign in ipairs(last.blocks[1].assign) do
    targets[buffer(assign.field, assign.level or 0)] = assign.field
  end
  for _, kernel in ipairs(kernels) do
    for _, read in ipairs(kernel.blocks[1].reads) do
      local target = targets[buffer(read.field, read.level or 0)]
      if target then
        return ("stage %s reads %s, which stage %s overwrites"):format(
          kernel.name, target, last.name)
      end
    end
  end
end

-- The stages but the last, the last, and what is computed in it; or nil and a
-- reason.
local function inlined(model, chain, buffer)
  local kernels, named, inline = {}, lists.by_name(model.kernels), {}
  for i, name in ipairs(chain.stages) do kernels[i] = named[name] end
  local last = kernels[#kernels]
  for i, kernel in ipairs(kernels) do
    local why = unfit(model, kernel, last)
      or i < #kernels and take(model, chain, kernel, inline)
    if why then return nil, why end
  end
  kernels[#kernels] = nil
  for _, assign in ipairs(last.blocks[1].assign) do
    if lists.contains(chain.drop, assign.field) then
      return nil, ("stage %s, the last, drops %s"):format(last.name,
        assign.field)
    end
  end
  local why = overwritten(kernels, last, buffer)
  if why then return nil, why end
  return last, inline
end

-- Like a kernel of the model: { name, pos, space, domain, kind, compute,
-- blocks, stages, inline = { field = { value = node, type } } }, or { name,
-- pos, why }.
local function kernel_of(model, chain, buffer)
  local last, inline = inlined(model, chain, buffer)
  if not last then
    return { name = chain.name, pos = chain.pos, chain = true, blocks = {},
      why = inline }
  end
  local kernel = lists.copy(last)
  kernel.name, kernel.pos, kernel.chain = chain.name, chain.pos, true
  kernel.stages, kernel.inline = chain.stages, inline
  return kernel
end

-- One kernel per chain. buffer(field, level): the name of the array.
function M.kernels(model, buffer)
  local list = {}
  for i, chain in ipairs(model.chains or {}) do
    list[i] = kernel_of(model, chain, buffer)
  end
  return list
end

-- What a chain drops and only stages of one piece, from the first to the last,
-- know of.
local function dropped_in(model, chain, first, last)
  local named, later, list = lists.by_name(model.kernels), {}, {}
  for i = last + 1, #chain.stages do
    for _, read in ipairs(named[chain.stages[i]].blocks[1].reads) do
      later[read.field] = true
    end
  end
  for i = first, last - 1 do
    for _, assign in ipairs(named[chain.stages[i]].blocks[1].assign) do
      local name = assign.field
      list[#list + 1] = not later[name] and lists.contains(chain.drop, name)
        and name or nil
    end
  end
  return list
end

-- The kernels of pieces of chains: of several stages, not all. Their names are
-- "<chain>_<first>to<last>".
function M.pieces(model, buffer)
  local list = {}
  for _, chain in ipairs(model.chains or {}) do
    for first = 1, #chain.stages do
      for last = first + 1, #chain.stages do
        if last - first + 1 < #chain.stages then
          list[#list + 1] = kernel_of(model, { pos = chain.pos,
            name = ("%s_%dto%d"):format(chain.name, first, last),
            stages = table.move(chain.stages, first, last, 1, {}),
            drop = dropped_in(model, chain, first, last) }, buffer)
        end
      end
    end
  end
  return list
end

return M
