-- A model that grows: lists of its own, to which domains, tables, fields and
-- nodes are added. state = { model, problems, taken = { [name] = true where the
-- spec has something of that name } }.

local diag = require "gen.diag"
local lists = require "gen.list"
local walk = require "gen.model.walk"

local M = {}

function M.union(a, b)
  local list = lists.copy(a)
  for _, item in ipairs(b) do
    if not lists.contains(list, item) then list[#list + 1] = item end
  end
  table.sort(list)
  return list
end

M.KINDS = { "spaces", "scalars", "fields", "tables", "lists" }

-- The model, with lists and nodes of its own.
function M.new(model)
  local out = lists.copy(model)
  out.order = {}
  for _, kind in ipairs(M.KINDS) do
    out[kind] = lists.copy(model[kind])
    out.order[kind] = lists.copy(model.order[kind])
  end
  out.nodes, out.kernels = lists.copy(model.nodes), {}
  return out
end

-- Enters something under a name, once; the name must not be the spec's.
function M.enter(state, kind, name, pos, made)
  if state.model[kind][name] and not state.taken[name] then return end
  if state.taken[name] then
    table.insert(state.problems, diag.new(pos, "requests make %s of their own: "
      .. "the spec has one", name))
    return
  end
  made.pos = pos
  state.model[kind][name] = made
  table.insert(state.model.order[kind], name)
end

function M.enter_domain(state, name, pos)
  M.enter(state, "spaces", name, pos,
    { kind = "domain", rank = #state.model.order.spaces + 1 })
end

function M.enter_table(state, name, pos, from, to, ragged)
  M.enter(state, "tables", name, pos, { from = from, to = to, affine = false,
    contiguous = "row", ragged = ragged, count = not ragged and 1 or nil })
end

function M.enter_field(state, name, pos, domain, like)
  M.enter(state, "fields", name, pos, { name = name, type = like.type,
    range = like.range, on = { domain }, domain = domain, at = {}, axes = {},
    boundary = {}, buffers = 1, constant = false, extra = {}, halo = {},
    levels = { 0 }, role = "inout", temporary = false, timed = false })
end

function M.add(state, node)
  local nodes = state.model.nodes
  nodes[#nodes + 1] = node
  return #nodes
end

-- What a node depends on, from its children.
function M.settle(state, node)
  local free, slots = node.free, {}
  if #walk.children(node) > 0 then free = {} end
  for _, id in ipairs(walk.children(node)) do
    local child = state.model.nodes[id]
    free = M.union(free, child.free)
    slots = M.union(slots, child.slots or {})
  end
  node.free, node.slots = free, #slots > 0 and slots or nil
  return node
end

-- The same node, added.
function M.settled(state, node) return M.add(state, M.settle(state, node)) end

return M
