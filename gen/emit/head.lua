-- The comment at the head of a kernel file: what it is and what a point costs.

local lists = require "gen.list"

local M = {}

local function parameters(lowered)
  local list = {}
  for _, param in ipairs(lowered.model.params) do
    list[#list + 1] = param.name .. " = " .. tostring(param.value)
  end
  return table.concat(list, ", ")
end

local function plural(count, word)
  return ("%d %s%s"):format(count, word, count == 1 and "" or "s")
end

local function cost_lines(counts)
  return {
    ("per point  %s, %s, %s"):format(plural(counts.loads, "load"),
      plural(counts.stores, "store"), plural(counts.flops, "flop")),
    ("           %s: %s read, %s written"):format(
      plural(counts.bytes, "byte"), plural(counts.reads, "array"),
      plural(counts.writes, "array")),
  }
end

-- What a point costs: of all regions together, in each of them.
local function plan_lines(plan, block)
  if not plan.parts then return cost_lines(plan.counts or block.counts) end
  local lines = {}
  for _, part in ipairs(plan.parts) do
    lines[#lines + 1] = ("region %s, shape %s"):format(part.region, part.shape)
    lists.append(lines, cost_lines(part.block.counts))
    lists.append(lines, part.notes)
  end
  return lines
end

-- "heat.lua (radius = 4, type = float)"
function M.source(lowered)
  local params = parameters(lowered)
  return lowered.model.name .. ".lua"
    .. (params ~= "" and " (" .. params .. ")" or "")
end

-- The values of templates/part/head.tpl.
function M.view(context)
  local plan, lowered = context.plan, context.lowered
  local lines = plan_lines(plan, context.block)
  for _, line in ipairs(plan.notes) do lines[#lines + 1] = line end
  for i, line in ipairs(lines) do lines[i] = " *   " .. line end
  return {
    title = ("kernel %s%s, shape %s"):format(context.kernel.name,
      plan.region and ", region " .. plan.region or "", plan.shape),
    source = M.source(lowered),
    head_lines = lines,
  }
end

return M
