-- What shapes ask about a block: its stencils, what is constant where, and
-- whether the results are linear in what is read around the point.

local host_of = require "gen.lower.host"
local offset_of = require "gen.lower.offset"
local pool_of = require "gen.lower.pool"
local rational = require "gen.rational"

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
    local axes = model.fields[load.field].on
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
    for _, axis in ipairs(field.on) do axes[axis] = true end
  end
  local below = node.args or { node.arg }
  for _, child in ipairs(below) do
    local c = describe(model, known, child)
    constant, reads = constant and c.constant, reads or c.reads
    for axis in pairs(c.axes) do axes[axis] = true end
  end
  local list = {}
  for _, axis in ipairs(model.axes) do
    if axes[axis] then list[#list + 1] = axis end
  end
  known[id] = { axes = axes, list = list, constant = constant, reads = reads,
    leaf = #below == 0 }
  return known[id]
end

-- The largest sub-expressions that change less often than the point does:
-- { host = { entry.. }, setup = { node.. }, row = { { node, axes }.. } }.
function M.invariant(model, block, roots)
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
    elseif #facts.list < #model.axes then
      table.insert(found.row, { node = id, axes = facts.list })
    else
      local node = model.nodes[id]
      for _, child in ipairs(node.args or { node.arg }) do visit(child) end
    end
  end
  for _, id in ipairs(roots) do visit(id) end
  return found
end

-- Why a node is not linear in the reads around the point.
local function crooked(pool, node, moving)
  if node.kind == "div" and moving[node.b] then
    return "it divides by what is read around the point"
  end
  for _, t in ipairs(node.kind == "mul" and { node } or node.terms or {}) do
    if t.b and moving[t.a] and moving[t.b] then
      return "it multiplies two values that are read around the point"
    end
  end
  if not node.args then return nil end
  for _, id in ipairs(node.args) do
    if moving[id] then
      return ("%s takes what is read around the point")
        :format(node.fn or pool.nodes[node.id].kind)
    end
  end
end

-- { inputs = { { field, level }.. } } read around the point, in the order of
-- loads, or { reason }.
local function linear_in(block, root)
  local pool, moving, reason, used = block.pool, {}, nil, {}
  local function visit(id)
    if used[id] then return moving[id] end
    used[id] = true
    local node = pool.nodes[id]
    moving[id] = node.kind == "load" and not offset_of.is_zero(node.offset)
    for _, below in ipairs(pool_of.operands(node)) do
      if visit(below) then moving[id] = true end
    end
    reason = reason or moving[id] and crooked(pool, node, moving)
    return moving[id]
  end
  visit(root)
  if reason then return { reason = reason } end
  local inputs, seen = {}, {}
  for id, index in ipairs(block.load_order) do
    local load = block.loads[id]
    local key = load.field .. " " .. load.level
    if used[index] and moving[index] and not seen[key] then
      seen[key] = true
      inputs[#inputs + 1] = { field = load.field, level = load.level }
    end
  end
  return { inputs = inputs }
end

-- One per store.
function M.linear(block, roots)
  local list = {}
  for i, root in ipairs(roots) do list[i] = linear_in(block, root) end
  return list
end

return M
