-- What numbers and scalars alone decide: the reference evaluates it once a
-- launch.

local arithmetic = require "gen.c.reference_arithmetic"
local reader_of = require "gen.c.reference_reader"

local M = {}

-- Taps that count: a weight of nought reads nothing.
function M.taps(nodes, node)
  local list = {}
  for _, tap in ipairs(node.taps or {}) do
    local nought = arithmetic.is_number(nodes[tap.w], "0")
    list[#list + 1] = not nought and tap or nil
  end
  return list
end

-- The nodes that a node is made of.
local function children(nodes, node)
  local list = {}
  for _, id in ipairs(node.args or {}) do list[#list + 1] = id end
  for _, tap in ipairs(M.taps(nodes, node)) do list[#list + 1] = tap.w end
  if node.arg then list[#list + 1] = node.arg end
  if node.body then list[#list + 1] = node.body end
  return list
end

local PLACED = { read = true, shift = true, apply = true, reduce = true,
  place = true, slot = true }

-- Numbers and scalars alone. Children come before their parents.
function M.mark(nodes)
  local constant = {}
  for id, node in ipairs(nodes) do
    constant[id] = not PLACED[node.kind]
    for _, child in ipairs(children(nodes, node)) do
      constant[id] = constant[id] and constant[child]
    end
  end
  return constant
end

-- Is it evaluated once a launch? Conditions are asked again at each point.
function M.is_hoisted(w, id)
  return w.constant[id] and w.nodes[id].type ~= "bool"
end

-- The constants that other nodes use, in order of their ids; of numbers,
-- which are written where they stand, only those that are weights.
function M.find(w, roots)
  local seen, list, weights = {}, {}, {}
  local function visit(id)
    if seen[id] then return end
    seen[id] = true
    if M.is_hoisted(w, id) then
      list[#list + 1] = id
      return
    end
    for _, tap in ipairs(M.taps(w.nodes, w.nodes[id])) do
      weights[tap.w] = true
    end
    local node = w.nodes[id]
    if node.kind == "read" then
      local field = w.model.fields[node.field]
      local made = w.inline[node.field]
      if made then visit(made.value) end
      for _, value in ipairs(reader_of.constants(field)) do visit(value) end
    end
    for _, child in ipairs(children(w.nodes, node)) do visit(child) end
  end
  for _, root in ipairs(roots) do visit(root) end
  table.sort(list)
  local kept = {}
  for _, id in ipairs(list) do
    local used = weights[id] or w.nodes[id].kind ~= "num"
    kept[#kept + 1] = used and id or nil
  end
  return kept
end

return M
