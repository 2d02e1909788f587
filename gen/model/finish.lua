-- The model as later passes see it: plain tables, nodes that nothing needs
-- gone, ids in order.

local rational = require "gen.rational"
local walk = require "gen.model.walk"

local M = {}

-- Calls visit(table, key) for every id outside the nodes.
local function each_root(b, visit)
  for _, name in ipairs(b.model.order.fields) do
    local field = b.model.fields[name]
    for _, axis in ipairs(field.axes) do
      for _, side in ipairs { "low", "high" } do
        local of = field.boundary[axis][side]
        if of.value then visit(of, "value") end
        if of.slope then visit(of, "slope") end
      end
    end
  end
  for _, kernel in ipairs(b.kernels) do
    for _, block in ipairs(kernel.blocks) do
      for _, assign in ipairs(block.assign) do visit(assign, "value") end
    end
  end
end

-- Slot nodes are bound above, so their new ids are known once all are.
local function renumber_slots(nodes, map)
  local lists = {}
  for _, node in ipairs(nodes) do
    local old = node.slots
    if old and not lists[old] then
      local list = {}
      for i, id in ipairs(old) do list[i] = map[id] end
      lists[old] = list
    end
    node.slots = old and lists[old]
  end
end

local function keep_reachable(b)
  local roots, map, nodes = {}, {}, {}
  each_root(b, function(t, key) roots[#roots + 1] = t[key] end)
  for i, id in ipairs(walk.reachable(b.pool.nodes, roots)) do
    map[id] = i
    nodes[i] = walk.mapped(b.pool.nodes[id], map)
  end
  renumber_slots(nodes, map)
  local done = {}
  each_root(b, function(t, key)
    done[t] = done[t] or {}
    if not done[t][key] then t[key] = map[t[key]] end
    done[t][key] = true
  end)
  b.model.nodes = nodes
end

local function set_roles(b)
  local read, written = {}, {}
  for _, kernel in ipairs(b.kernels) do
    for _, block in ipairs(kernel.blocks) do
      for _, r in ipairs(block.reads) do read[r.field] = true end
      for _, a in ipairs(block.assign) do
        written[a.field] = true
        if a.add then read[a.field] = true end
      end
    end
  end
  for _, name in ipairs(b.model.order.fields) do
    local field = b.model.fields[name]
    field.role = field.temporary and "temporary"
      or written[name] and (read[name] and "inout" or "out") or "in"
  end
end

-- How far each read goes as written: { field, level, lo, hi }, in points.
local function reads_of(block)
  local list = {}
  for i, r in ipairs(block.reads) do
    list[i] = { field = r.field, level = r.level, lo = r.lo, hi = r.hi }
  end
  return list
end

local function block_of(block)
  return { region = block.region, list = block.list, assign = block.assign,
    reads = reads_of(block) }
end

local function kernel_of(kernel)
  local blocks, colours = {}, nil
  for i, block in ipairs(kernel.blocks) do blocks[i] = block_of(block) end
  if kernel.kind == "colours" then
    colours = {}
    for i, text in ipairs(kernel.item.keys.colours) do
      colours[i] = text.form
    end
  end
  return { name = kernel.name, kind = kernel.kind, space = kernel.space,
    domain = kernel.domain, extra = kernel.extra, compute = kernel.compute,
    setup = kernel.setup, sweep = kernel.sweep, colours = colours,
    least = kernel.least, blocks = blocks, pos = kernel.item.names[1].pos }
end

-- Reports numbers that no double is near.
function M.check_numbers(b)
  local roots = {}
  each_root(b, function(t, key) roots[#roots + 1] = t[key] end)
  for _, id in ipairs(walk.reachable(b.pool.nodes, roots)) do
    local value = b.pool.values[id]
    local double = value and math.abs(rational.to_double(value))
    if double and (double == math.huge
       or double == 0 and not rational.is_zero(value)) then
      b.report(b.pool.nodes[id].pos, "this number is too %s for any double",
        double == 0 and "small" or "large")
    end
  end
end

function M.model(b)
  local model = b.model
  set_roles(b)
  keep_reachable(b)
  model.kernels = {}
  for i, kernel in ipairs(b.kernels) do model.kernels[i] = kernel_of(kernel) end
  return model
end

return M
