-- What a block chooses between: every `where`, `min` and `max` of its formulas.
-- The reference notes which sides validation has taken.

local diag = require "gen.diag"
local lists = require "gen.list"
local reader_of = require "gen.c.reference_reader"
local walk = require "gen.model.walk"

local M = {}

-- The kernel and the block of the model that a plan is of.
function M.source(model, plan)
  local kernel = plan.kernel.source
    or lists.find(model.kernels, "name", plan.kernel.name)
  return kernel, lists.find(kernel.blocks, "region", plan.region)
end

local EXTREME = { min = true, max = true }

-- The roots, and those of what is computed again where it is read: results of
-- a chain's earlier stages, and what boundaries add.
local function all_roots(model, kernel, block)
  local roots, seen = walk.roots(block), {}
  local first = 1
  while first <= #roots do
    for _, id in ipairs(walk.reachable(model.nodes, { roots[first] })) do
      local node = model.nodes[id]
      if node.kind == "read" and not seen[node.field] then
        seen[node.field] = true
        local made = (kernel.inline or {})[node.field]
        roots[#roots + 1] = made and made.value
        for _, value in ipairs(reader_of.constants(
          model.fields[node.field])) do
          roots[#roots + 1] = value
        end
      end
    end
    first = first + 1
  end
  return roots
end

-- The word that stands at a position.
local function word_at(pos)
  return pos.source.text:match("^%a+", pos.offset) or "where"
end

-- The choices in the order of the model's nodes: { id, place = file (without
-- its folder), line and column, word }.
function M.list(model, kernel, block)
  local list = {}
  for _, id in ipairs(walk.reachable(model.nodes,
    all_roots(model, kernel, block))) do
    local node = model.nodes[id]
    if node.kind == "select" or node.kind == "reduce" and EXTREME[node.fn] then
      list[#list + 1] = { id = id, word = word_at(node.pos),
        place = diag.where(node.pos):gsub("^[^:]*/", "") }
    end
  end
  return list
end

-- What the descriptor of a kernel says of its choices.
function M.entry(name, number, list)
  return #list > 0 and {
    (".choices = choices_%d, .sides = %s_sides,"):format(number, name),
    (".choice_count = %d,"):format(#list) } or {}
end

return M
