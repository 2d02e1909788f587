-- What shapes ask about a block: its stencils, how far it reads, what is
-- constant where. (gen/lower/linearity.lua has what is linear in what.)

local host_of = require "gen.lower.host"
local offset_of = require "gen.lower.offset"
local rational = require "gen.rational"
local walk = require "gen.model.walk"

local M = {}

local function weight(block, id)
  local value = block.pool.nodes[id].value
  if value then
    local n, d = rational.to_text(value)
    return { op = "literal", n = n, d = d }
  end
  return { op = "host", name = host_of.name(block, id) }
end

local function stencil(block, id, s)
  local groups = {}
  for i, group in ipairs(s.groups) do
    groups[i] = { weight = weight(block, group.weight), taps = group.taps }
  end
  return { node = s.node, operator = s.operator, field = s.field,
    level = s.level, value = block.value_names[id], kind = s.kind,
    taps = s.taps, centre = s.centre, reach = s.reach, groups = groups }
end

-- In the order in which they are computed.
function M.stencils(block)
  local list = {}
  for id, node in ipairs(block.pool.nodes) do
    if node.stencil and (block.uses[id] or block.fused_uses[id]) then
      list[#list + 1] = stencil(block, id, node.stencil)
    end
  end
  return list
end

-- Per field how far the loads reach; every axis of the field is there.
function M.reach(model, block)
  local reach = {}
  for _, load in ipairs(block.loads) do
    local axes = model.fields[load.field].axes
    reach[load.field] = reach[load.field] or offset_of.no_reach(axes)
    offset_of.widen(axes, reach[load.field], load.offset)
  end
  return reach
end

-- For a model node: does it read constant fields only, and along which axes.
local function describe(model, known, id)
  if known[id] then return known[id] end
  local node, axes, constant, reads = model.nodes[id], {}, true, false
  if node.kind == "read" then
    local field = model.fields[node.field]
    constant, reads = field.constant or false, true
    local along = field.domain and node.free or field.on
    for _, axis in ipairs(along) do axes[axis] = true end
  end
  local below = walk.children(node)
  for _, child in ipairs(below) do
    local c = describe(model, known, child)
    constant, reads = constant and c.constant, reads or c.reads
    for _, axis in ipairs(c.list) do axes[axis] = true end
  end
  local list = {}
  for axis in pairs(axes) do list[#list + 1] = axis end -- any order
  table.sort(list, function(a, b)
    return model.spaces[a].rank < model.spaces[b].rank
  end)
  known[id] = { list = list, constant = constant, reads = reads,
    leaf = #below == 0 or node.kind == "read" }
  return known[id]
end

-- The largest sub-expressions that change less often than the point does:
-- { host = { entry.. }, setup = { node.. }, row = { { node, axes }.. } }; axes:
-- those that the point has.
function M.invariant(model, block, roots, axes)
  local found = { host = {}, setup = {}, row = {} }
  for i, entry in ipairs(block.host) do found.host[i] = entry.name end
  local known, seen = {}, {}
  local function visit(id)
    if seen[id] then return end
    seen[id] = true
    local facts = describe(model, known, id)
    if facts.leaf or not facts.reads then return end
    if facts.constant then
      table.insert(found.setup, id)
    elseif #facts.list < #axes then
      table.insert(found.row, { node = id, axes = facts.list })
    else
      for _, child in ipairs(walk.children(model.nodes[id])) do
        visit(child)
      end
    end
  end
  for _, id in ipairs(roots) do visit(id) end
  return found
end

return M
