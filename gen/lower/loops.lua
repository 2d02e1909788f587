-- Loops over the slots of rows, and the neighbours that are found on the way.
--
-- Reductions over one row that wait for the same number of others are one
-- loop. A statement stands in the innermost loop that it changes with; before
-- the statements of a loop come its neighbours, of which others may be rows.

local lists = require "gen.list"
local names_of = require "gen.lower.names"
local pool_of = require "gen.lower.pool"
local wanted = require "gen.lower.wanted"

local M = {}

-- A scope: { loop = id or nil, neighbours, code, defined = nodes named in it,
-- found = set of the neighbours in it, gathered = loads that have an array }.
-- The last of block.scopes is the innermost.
local function scope(loop)
  return { loop = loop, neighbours = {}, code = {}, defined = {}, found = {},
    gathered = {} }
end

function M.start(block)
  local outermost = scope(nil)
  outermost.code = block.code
  block.scopes, block.neighbours = { outermost }, outermost.neighbours
  block.place_names, block.slot_names, block.arrays = {}, {}, {}
end

local function scope_of(block, node)
  for i = #block.scopes, 2, -1 do
    if node.loops[block.scopes[i].loop] then return block.scopes[i] end
  end
  return block.scopes[1]
end

-- Appends a statement of a node, in the innermost loop that it changes with.
function M.append(block, node, entry)
  local where = scope_of(block, node)
  table.insert(where.code, entry)
  table.insert(where.defined, node.id)
end

-- What a neighbour is called: e2c2v_0, near_edge.
function M.name(block, id)
  local node = block.pool.nodes[id]
  if not block.place_names[id] then
    block.place_names[id] = names_of.take(block.names, node.slot
      and ("%s_%d"):format(node.table, node.slot)
      or "near_" .. block.tables[node.table].to)
  end
  return block.place_names[id]
end

local function slot_name(block, loop)
  block.slot_names[loop] = block.slot_names[loop]
    or names_of.take(block.names, "slot")
  return block.slot_names[loop]
end

-- How deep a loop is: deeper than those that its row changes with, which may be
-- in others, and deeper than those around it over the same row.
local function nesting(block, loop)
  local around = 0
  for id in pairs(loop.loops) do -- any order
    if id ~= loop.id then
      around = math.max(around, nesting(block, block.pool.nodes[id]))
    end
  end
  return around + 1 + loop.depth
end

-- The slot variable of the innermost loop that a load changes with, or nil.
function M.innermost(block, node)
  local best, most
  for id in pairs(node.loops) do -- any order: no two are as deep
    local loop = block.pool.nodes[id]
    local depth = nesting(block, loop)
    if not best or depth > most then best, most = loop, depth end
  end
  return best and slot_name(block, best.id)
end

-- Sees to it that a neighbour (id or nil) has been found where it is used.
function M.place(block, id)
  local node = id and block.pool.nodes[id]
  if not node then return end
  local where = scope_of(block, node)
  if where.found[id] then return end
  where.found[id] = true
  M.place(block, node.row)
  table.insert(where.neighbours, { name = M.name(block, id),
    table = node.table, row = node.row and M.name(block, node.row),
    slot = node.slot, loop = node.loop and slot_name(block, node.loop) })
end

-- Do two nodes change with the same loops?
local function are_beside(a, b)
  for loop in pairs(a.loops) do -- any order
    if not b.loops[loop] then return false end
  end
  for loop in pairs(b.loops) do -- any order
    if not a.loops[loop] then return false end
  end
  return true
end

-- The reductions in use that are one loop with a node: in the same others.
local function companions(block, node)
  local list = {}
  for id, other in ipairs(block.pool.nodes) do
    if block.uses[id] and other.kind == "reduce" and other.loop == node.loop
       and other.height == node.height and are_beside(other, node) then
      list[#list + 1] = other
    end
  end
  return list
end

-- Defines the reductions below a node that do not change with its loop.
local function prepare(block, id, loop, seen)
  if seen[id] then return end
  seen[id] = true
  local node = block.pool.nodes[id]
  if node.kind == "reduce" and not node.loops[loop] then
    block.operand(id)
    return
  end
  for _, below in ipairs(pool_of.operands(node)) do
    prepare(block, below, loop, seen)
  end
end

-- What a reduction becomes with one more neighbour.
local function advance(block, node, name)
  local sum, t = { op = "value", name = name }, node.terms[1]
  if node.fn == "sum" then return block.plus(sum, t) end
  local value = block.operand(t.a)
  return { op = "select", { op = "compare",
    cmp = node.fn == "min" and "<" or ">", value, sum }, value, sum }
end

local function close(block)
  local closed = table.remove(block.scopes)
  for _, id in ipairs(closed.defined) do block.value_names[id] = nil end
  for _, load in ipairs(closed.gathered) do block.arrays[load] = nil end
  return closed
end

-- Rows that a composed table is made of have all neighbours.
local function is_complete(block, loop)
  return block.composed[("%s %d"):format(loop.table, loop.row or 0)]
end

-- The neighbour at which a pick's values are read: which changes with the loop
-- over all of them.
local function each_of(block, pick)
  return block.pool.nodes[block.pool.nodes[pick.load].place]
end

-- What is read at each neighbour of a composed table in a row, once, before all
-- that picks from it: arrays by load.
local function gather(block, of, row)
  local own, arrays, seen = scope(nil), {}, {}
  for id, node in ipairs(block.pool.nodes) do
    if block.uses[id] and node.kind == "pick" and node.table == of
       and each_of(block, node).row == row and not seen[node.load] then
      seen[node.load] = true
      own.loop = each_of(block, node).loop
      arrays[#arrays + 1] = { load = node.load, name = names_of.take(
        block.names, block.loads[block.load_ids[node.load]].field .. "_" .. of),
        count = block.tables[of].count }
    end
  end
  M.place(block, row)
  local where = row and scope_of(block, block.pool.nodes[row])
    or block.scopes[1]
  table.insert(block.scopes, own)
  for _, array in ipairs(arrays) do
    array.value = block.operand(array.load)
    block.arrays[array.load] = array.name
    table.insert(where.gathered, array.load)
  end
  close(block)
  table.insert(where.code, { neighbours = own.neighbours, code = own.code,
    sums = {}, arrays = arrays, loop = { table = of,
      row = row and M.name(block, row),
      slot = slot_name(block, own.loop) } })
end

local function slot_of(block, part)
  return part.slot or slot_name(block, part.loop)
end

-- { op = "pick", array, table, slots of both parts: numbers or variables }.
function M.pick(block, node)
  if not block.arrays[node.load] then
    gather(block, node.table, each_of(block, node).row)
  end
  return { op = "pick", array = block.arrays[node.load], table = node.table,
    first = slot_of(block, node.first), second = slot_of(block, node.second) }
end

-- The loop that gives a reduction, and its companions, their values; its name.
function M.define(block, node)
  local loop, members = block.pool.nodes[node.loop], companions(block, node)
  for _, member in ipairs(members) do
    for _, id in ipairs(pool_of.operands(member)) do
      prepare(block, id, node.loop, {})
    end
  end
  M.place(block, loop.row)
  local own, sums = scope(node.loop), {}
  table.insert(block.scopes, own)
  local near = pool_of.neighbour(block.pool, loop.table, loop.row, nil,
    loop.id)
  local guard = block.tables[loop.table].skip ~= nil
    and not is_complete(block, loop)
  if guard then M.place(block, near) end
  for i, member in ipairs(members) do
    local name = names_of.take(block.names, wanted.name(block, member))
    sums[i] = { name = name, fn = member.fn,
      value = advance(block, member, name) }
  end
  close(block)
  local entry = { neighbours = own.neighbours, code = own.code, sums = sums,
    loop = { table = loop.table, row = loop.row and M.name(block, loop.row),
      slot = slot_name(block, loop.id),
      guard = guard and M.name(block, near) or nil } }
  for i, member in ipairs(members) do
    block.value_names[member.id] = sums[i].name
    lists.append(scope_of(block, member).defined, { member.id })
  end
  table.insert(scope_of(block, node).code, entry)
  return block.value_names[node.id]
end

return M
