-- Walking the nodes of a model: for the passes after build, and for build
-- itself. Nodes are referred to by id; children have smaller ids, so order of
-- id is order of evaluation.

local M = {}

-- The ids that a node is made of, in order: operands, an operator's weights
-- and argument, a read's place, a place's row and slot, a reduction's row,
-- slot and body.
function M.children(node)
  if node.args then return node.args end
  local ids = {}
  for _, tap in ipairs(node.taps or {}) do ids[#ids + 1] = tap.w end
  for _, key in ipairs { "place", "row", "over", "bound", "arg", "body" } do
    ids[#ids + 1] = math.type(node[key]) and node[key]
  end
  if node.kind == "reduce" then ids[#ids + 1] = node.slot end
  return ids
end

-- The ids of all nodes below and at the roots, each once, ascending.
function M.reachable(nodes, roots)
  local seen, stack, list = {}, {}, {}
  for _, id in ipairs(roots) do stack[#stack + 1] = id end
  while #stack > 0 do
    local id = table.remove(stack)
    if not seen[id] then
      seen[id] = true
      list[#list + 1] = id
      for _, child in ipairs(M.children(nodes[id])) do
        stack[#stack + 1] = child
      end
    end
  end
  table.sort(list)
  return list
end

-- Calls visit(id, node) for each node below and at the roots, once, children
-- first.
function M.each(model, roots, visit)
  for _, id in ipairs(M.reachable(model.nodes, roots)) do
    visit(id, model.nodes[id])
  end
end

-- True if the value of a node depends on a space: an axis, a level axis or a
-- domain.
function M.depends(model, id, space)
  for _, name in ipairs(model.nodes[id].free) do
    if name == space then return true end
  end
  return false
end

-- The roots of a block: the values it assigns.
function M.roots(block)
  local ids = {}
  for i, assign in ipairs(block.assign) do ids[i] = assign.value end
  return ids
end

local function copied(list)
  return table.move(list, 1, #list, 1, {})
end

-- A node whose children are those of `node` after `map[id]`.
function M.mapped(node, map)
  local out = {}
  for key, value in next, node do out[key] = value end
  if node.args then
    out.args = copied(node.args)
    for i, id in ipairs(node.args) do out.args[i] = map[id] end
    return out
  end
  for _, key in ipairs { "place", "row", "over", "bound", "arg", "body" } do
    if math.type(node[key]) then out[key] = map[node[key]] end
  end
  if node.kind == "reduce" then out.slot = map[node.slot] end
  if node.taps then
    out.taps = {}
    for i, tap in ipairs(node.taps) do
      out.taps[i] = { shift = tap.shift, w = map[tap.w] }
    end
  end
  return out
end

return M
