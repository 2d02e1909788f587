-- The expressions of one block after shifts and applies are gone: a pool where
-- equal expressions are one node, so that what is used twice is seen.
--
-- A node: { id, kind, scalar = true if no load is below it, and
--   num     value = rational
--   scalar  name
--   load    field, level, offset = { x = whole points, not 0 }
--   sum     terms = { { sign = 1|-1, a, b = nil or second factor,
--             product = the node that a*b would be }.. }
--   mul div a, b            neg a          pow a, exponent (scalars only)
--   call    fn, args        select compare and or not   args (compare: op)
-- and on meshes (gen/lower/rows.lua)
--   load       place = the neighbour that it is at
--   neighbour  table, row = neighbour whose row it is in, or nil, and slot = n,
--              or loop = the loop that it is the neighbour of
--   loop       table, row, depth: over the slots of a row
--   pick       load = a load at each neighbour of a composed table, table,
--              first, second: its slot in either part, { slot } or { loop }
--   same       args: two neighbours, are they one point?
--   stored     a, type: rounded to that storage type
--   reduce     fn, loop, terms = { of the body }, height = reductions that it
--              waits for
-- loops = { id = true } of those that a node changes with.
-- hint = name in the spec, stencil = what gen/lower/stencil.lua says of it,
-- weight = what gen/lower/weight.lua made of it }.
-- a, b and args are ids; a node's operands have smaller ids.

local rational = require "gen.rational"

local M = {}

local NONE = {}

-- as_written: no reordering of factors, no reciprocals (`--fp unfused`).
function M.new(as_written)
  return { nodes = {}, ids = {}, as_written = as_written }
end

-- What a node has of those below it: the loops that it changes with, and how
-- many reductions come one after the other.
local function inherit(pool, node)
  local loops, height, bound = {}, 0, nil
  for _, id in ipairs(M.operands(node)) do
    local below = pool.nodes[id]
    for loop in pairs(below.loops) do loops[loop] = true end -- any order
    height = math.max(height, below.height)
  end
  if node.kind == "loop" then loops[node.id] = true end
  if node.kind == "pick" then
    bound = pool.nodes[pool.nodes[node.load].place].loop
    for _, part in ipairs { node.first, node.second } do
      if part.loop then loops[part.loop] = true end
    end
  end
  if node.kind == "reduce" then height, bound = height + 1, node.loop end
  if bound then loops[bound] = nil end
  node.height, node.loops = height, next(loops) and loops or NONE
end

local function intern(pool, key, node)
  local id = pool.ids[key]
  if id then return id end
  id = #pool.nodes + 1
  node.id = id
  pool.nodes[id], pool.ids[key] = node, id
  inherit(pool, node)
  return id
end

local function all_scalar(pool, ids)
  for _, id in ipairs(ids) do
    if not pool.nodes[id].scalar then return false end
  end
  return true
end

function M.number(pool, value)
  return intern(pool, "num " .. rational.show(value),
    { kind = "num", value = value, scalar = true })
end

function M.scalar(pool, name)
  return intern(pool, "scalar " .. name,
    { kind = "scalar", name = name, scalar = true })
end

-- where: the offset as text, one for equal offsets; place: a neighbour or nil.
function M.load(pool, field, level, offset, where, place)
  return intern(pool, ("load %s %d %s %d"):format(field, level, where,
    place or 0),
    { kind = "load", field = field, level = level, offset = offset,
      place = place })
end

-- The loop over the slots of a row; depth tells it from those that it is in.
function M.loop(pool, of, row, depth)
  return intern(pool, ("loop %s %d %d"):format(of, row or 0, depth),
    { kind = "loop", table = of, row = row, depth = depth })
end

-- A neighbour of a row: of a slot, or the one that a loop is at.
function M.neighbour(pool, of, row, slot, loop)
  return intern(pool, ("neighbour %s %d %d %d"):format(of, row or 0,
    slot or -1, loop or 0),
    { kind = "neighbour", table = of, row = row, slot = slot, loop = loop })
end

-- select, compare, and, or, not, call: the kind, its fn or op, its operands.
function M.other(pool, kind, word, ids)
  local node = { kind = kind, args = ids, scalar = all_scalar(pool, ids) }
  if kind == "call" then node.fn = word end
  if kind == "compare" then node.op = word end
  local key = ("%s %s %s"):format(kind, word or "", table.concat(ids, " "))
  return intern(pool, key, node)
end

-- Are two neighbours one point?
function M.same(pool, a, b)
  return intern(pool, ("same %d %d"):format(a, b),
    { kind = "same", args = { a, b } })
end

local function binary(pool, kind, a, b)
  return intern(pool, ("%s %d %d"):format(kind, a, b),
    { kind = kind, a = a, b = b, scalar = all_scalar(pool, { a, b }) })
end

function M.neg(pool, a)
  local node = pool.nodes[a]
  if node.kind == "neg" then return node.a end
  if node.kind == "num" then
    return M.number(pool, rational.neg(node.value))
  end
  return intern(pool, "neg " .. a,
    { kind = "neg", a = a, scalar = node.scalar })
end

-- The operand without its minus, and whether it had one.
local function unsigned(pool, id)
  local node = pool.nodes[id]
  if node.kind == "neg" then return node.a, true end
  return id, false
end

-- Numbers fold, 1 vanishes, a minus moves outward: all exact.
local function times(pool, a, b)
  local minus_a, minus_b
  a, minus_a = unsigned(pool, a)
  b, minus_b = unsigned(pool, b)
  if minus_a ~= minus_b then return M.neg(pool, times(pool, a, b)) end
  local va, vb = pool.nodes[a].value, pool.nodes[b].value
  if va and vb then return M.number(pool, rational.mul(va, vb)) end
  for _, one in ipairs { { va, b }, { vb, a } } do
    local value, other = one[1], one[2]
    if value and rational.equal(rational.abs(value), rational.ONE) then
      return rational.sign(value) < 0 and M.neg(pool, other) or other
    end
  end
  return binary(pool, "mul", a, b)
end

local function chain(pool, ids)
  local product = ids[1]
  for i = 2, #ids do product = times(pool, product, ids[i]) end
  return product
end

-- Numbers first, then scalars, then the rest, each left to right.
local function by_rank(pool, ids)
  local ranks = { {}, {}, {} }
  for _, id in ipairs(ids) do
    local node = pool.nodes[unsigned(pool, id)]
    local rank = node.kind == "num" and 1 or node.scalar and 2 or 3
    table.insert(ranks[rank], id)
  end
  local sorted = {}
  for _, rank in ipairs(ranks) do
    table.move(rank, 1, #rank, #sorted + 1, sorted)
  end
  return sorted
end

-- The product of one or more.
function M.product(pool, ids)
  return chain(pool, pool.as_written and ids or by_rank(pool, ids))
end

function M.quotient(pool, a, b)
  local minus_a, minus_b
  a, minus_a = unsigned(pool, a)
  b, minus_b = unsigned(pool, b)
  if minus_a ~= minus_b then return M.neg(pool, M.quotient(pool, a, b)) end
  local va, vb = pool.nodes[a].value, pool.nodes[b].value
  if vb and rational.is_zero(vb) then return binary(pool, "div", a, b) end
  if va and vb then return M.number(pool, rational.div(va, vb)) end
  if vb and not pool.as_written then
    local part = M.number(pool, rational.div(rational.ONE, vb))
    return M.product(pool, { part, a })
  end
  return binary(pool, "div", a, b)
end

-- Repeated squaring: x^4 = (x^2)^2, x^5 = x^4 * x.
local function raise(pool, a, exponent)
  if exponent == 1 then return a end
  if exponent % 2 == 1 then
    return times(pool, raise(pool, a, exponent - 1), a)
  end
  local half = raise(pool, a, exponent // 2)
  return times(pool, half, half)
end

-- a to a whole power.
function M.power(pool, a, exponent)
  local node = pool.nodes[a]
  if exponent == 0 then return M.number(pool, rational.ONE) end
  if exponent == 1 then return a end
  if node.kind == "num" and not rational.is_zero(node.value) then
    return M.number(pool, rational.pow(node.value, exponent))
  end
  if node.scalar then
    return intern(pool, ("pow %d %d"):format(a, exponent),
      { kind = "pow", a = a, exponent = exponent, scalar = true })
  end
  if exponent > 0 then return raise(pool, a, exponent) end
  return M.quotient(pool, M.number(pool, rational.ONE),
    M.power(pool, a, -exponent))
end

-- A term as it stands in a sum: a product of two is not computed before,
-- unless all is as written.
local function term(pool, id, sign)
  local a, minus = unsigned(pool, id)
  if minus then sign = -sign end
  local node = pool.nodes[a]
  if node.kind == "mul" and not node.scalar and not pool.as_written then
    return { sign = sign, a = node.a, b = node.b, product = a }
  end
  return { sign = sign, a = a }
end

local function sum_key(terms)
  local words = { "sum" }
  for i, t in ipairs(terms) do
    words[i + 1] = ("%d,%d,%d"):format(t.sign, t.a, t.b or 0)
  end
  return table.concat(words, " ")
end

local function intern_sum(pool, list)
  local terms, scalar = {}, true
  for i, item in ipairs(list) do
    terms[i] = term(pool, item.id, item.sign)
    scalar = scalar and pool.nodes[item.id].scalar
  end
  return intern(pool, sum_key(terms),
    { kind = "sum", terms = terms, scalar = scalar })
end

-- 0 adds nothing (to anything but -0, which no reader of a sum can tell).
local function without_zeros(pool, list)
  local kept = {}
  for _, item in ipairs(list) do
    local value = pool.nodes[item.id].value
    if not (value and rational.is_zero(value)) then kept[#kept + 1] = item end
  end
  return kept
end

-- The sum of { id, sign } from left to right; what the host can add of its
-- beginning is one term.
function M.sum(pool, list)
  list = without_zeros(pool, list)
  if #list == 0 then return M.number(pool, rational.ZERO) end
  local first = 0
  while list[first + 1] and pool.nodes[list[first + 1].id].scalar do
    first = first + 1
  end
  if first > 1 and first < #list then
    local head = intern_sum(pool, table.move(list, 1, first, 1, {}))
    list = table.move(list, first + 1, #list, 2, { { id = head, sign = 1 } })
  end
  if #list == 1 then
    return list[1].sign > 0 and list[1].id or M.neg(pool, list[1].id)
  end
  return intern_sum(pool, list)
end

-- A value as its storage type holds it.
function M.stored(pool, type, a)
  return intern(pool, ("stored %s %d"):format(type, a),
    { kind = "stored", type = type, a = a })
end

-- What is read at the neighbour of a neighbour, where a composed table has it
-- once for all slots that lead there.
function M.pick(pool, load, of, first, second)
  return intern(pool, ("pick %d %s %d %d %d %d"):format(load, of,
    first.slot or -1, first.loop or 0, second.slot or -1, second.loop or 0),
    { kind = "pick", load = load, table = of, first = first,
      second = second })
end

-- A sum, min or max over the slots of a row.
function M.reduce(pool, fn, loop, body)
  local t = fn == "sum" and term(pool, body, 1) or { sign = 1, a = body }
  return intern(pool, ("reduce %s %d %d"):format(fn, loop, body),
    { kind = "reduce", fn = fn, loop = loop, terms = { t } })
end

-- The ids that a node is computed from, in order.
function M.operands(node)
  if node.args then return node.args end
  if node.a then return { node.a, node.b } end
  local ids = {}
  for _, key in ipairs { "place", "row", "loop", "load" } do
    ids[#ids + 1] = node[key]
  end
  for _, t in ipairs(node.terms or {}) do
    ids[#ids + 1] = t.a
    ids[#ids + 1] = t.b
  end
  return ids
end

return M
