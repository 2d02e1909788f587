-- From the pool of a block to the statements of its kernel: what gets a name,
-- and where multiply-adds are fused.

local host_of = require "gen.lower.host"
local loops = require "gen.lower.loops"
local names_of = require "gen.lower.names"
local offset_of = require "gen.lower.offset"
local pool_of = require "gen.lower.pool"
local rational = require "gen.rational"
local wanted = require "gen.lower.wanted"

local M = {}

local CONDITION = { compare = true, ["and"] = true, ["or"] = true,
  ["not"] = true, same = true }

-- True if a node is never a statement of its own.
local function inline(node)
  return node.scalar or node.kind == "load" or node.kind == "neg"
    or node.kind == "pick" or CONDITION[node.kind]
end

-- How often a node's operand stands in its text: an extreme is compared, then
-- chosen.
local function times(node)
  return node.kind == "reduce" and node.fn ~= "sum" and 2 or 1
end

-- How often each node stands in the text; what is never named counts again
-- wherever it stands.
local function count_uses(pool, roots)
  local uses, fused = {}, {}
  local function visit(id)
    local node = pool.nodes[id]
    uses[id] = (uses[id] or 0) + 1
    if node.scalar or uses[id] > 1 and not inline(node) then return end
    for _, t in ipairs(node.terms or {}) do
      if t.product then fused[t.product] = true end
    end
    for _ = 1, times(node) do
      for _, below in ipairs(pool_of.operands(node)) do visit(below) end
    end
  end
  for _, id in ipairs(roots) do visit(id) end
  return uses, fused
end

-- Names do not change the numbers: a product that is fused is no operand.
local function worth_a_name(node, uses)
  return not inline(node)
    and (uses > 1 or node.stencil or node.hint or node.kind == "reduce")
end

local function negative(e)
  if e.op == "literal" then
    local n = e.n:sub(1, 1) == "-" and e.n:sub(2) or "-" .. e.n
    return { op = "literal", n = n, d = e.d }
  end
  if e.op == "neg" then return e[1] end
  return { op = "neg", e }
end

local function literal(value)
  local n, d = rational.to_text(value)
  return { op = "literal", n = n, d = d }
end

local build = {}

-- The expression that stands for a node where it is used. (A condition on
-- scalars alone is no number that the host could hand over.)
local function operand(block, id)
  local node = block.pool.nodes[id]
  if node.kind == "num" then return literal(node.value) end
  if node.scalar and not CONDITION[node.kind] then
    return { op = "host", name = host_of.name(block, id) }
  end
  if node.kind == "load" then
    loops.place(block, node.place)
    return { op = "load", id = block.load_ids[id] }
  end
  if node.kind == "pick" then return loops.pick(block, node) end
  local name = block.value_names[id]
  if name then return { op = "value", name = name } end
  if worth_a_name(node, block.uses[id]) then
    return { op = "value", name = block.define(id) }
  end
  return build[node.kind](block, node)
end
M.operand = operand

function build.mul(block, node)
  return { op = "mul", operand(block, node.a), operand(block, node.b) }
end

function build.div(block, node)
  return { op = "div", operand(block, node.a), operand(block, node.b) }
end

function build.stored(block, node)
  return { op = "stored", type = node.type, operand(block, node.a) }
end

function build.neg(block, node)
  return negative(operand(block, node.a))
end

function build.same(block, node)
  local e = { op = "same", near = {} }
  for i, id in ipairs(node.args) do
    loops.place(block, id)
    e.near[i] = loops.name(block, id)
  end
  return e
end

local function other(block, node)
  local e = { op = node.kind, fn = node.fn, cmp = node.op }
  for i, id in ipairs(node.args) do e[i] = operand(block, id) end
  return e
end
for _, kind in ipairs { "call", "select", "compare", "and", "or", "not" } do
  build[kind] = other
end

-- A term with its operands as expressions; the sign goes into a literal.
local function term(block, t)
  local a, b = operand(block, t.a), t.b and operand(block, t.b)
  if t.sign < 0 and b and a.op == "literal" then
    return { a = negative(a), b = b, sign = 1 }
  end
  return { a = a, b = b, sign = t.sign }
end

local function signed(t, e)
  return t.sign < 0 and negative(e) or e
end

local function fused(block, t, addend)
  if block.fused then
    return { op = "fma", signed(t, t.a), t.b, addend }
  end
  return { op = t.sign < 0 and "sub" or "add", addend,
    { op = "mul", t.a, t.b } }
end

local function plus(block, sum, t)
  if t.b then return fused(block, t, sum) end
  return { op = t.sign < 0 and "sub" or "add", sum, t.a }
end

-- The first two terms: a product takes a plain second term into its fma, and
-- a minus in front is a subtraction where it can be.
local function begin(block, first, second)
  if first.b then
    if block.fused and not second.b then
      return { op = "fma", signed(first, first.a), first.b,
        signed(second, second.a) }
    end
    local product = { op = "mul", signed(first, first.a), first.b }
    return plus(block, product, second)
  end
  if first.sign < 0 and second.sign > 0 and not second.b then
    return { op = "sub", second.a, first.a }
  end
  return plus(block, signed(first, first.a), second)
end

function build.sum(block, node)
  local terms = {}
  for i, t in ipairs(node.terms) do terms[i] = term(block, t) end
  local sum = begin(block, terms[1], terms[2])
  for i = 3, #terms do sum = plus(block, sum, terms[i]) end
  return sum
end

-- Appends the statement that gives a node its name.
local function define(block, id)
  local node = block.pool.nodes[id]
  if node.kind == "reduce" then return loops.define(block, node) end
  local value = build[node.kind](block, node)
  local name = names_of.take(block.names, wanted.name(block, node))
  loops.append(block, node,
    { name = name, value = value, comment = wanted.comment(node) })
  block.value_names[id] = name
  return name
end

-- How many statements want each hint.
local function count_hints(pool, uses)
  local hints = {}
  for id, node in ipairs(pool.nodes) do
    if uses[id] and node.hint and worth_a_name(node, uses[id]) then
      hints[node.hint] = (hints[node.hint] or 0) + 1
    end
  end
  return hints
end

-- Distinct reads in use, sorted by field, level and place in memory.
local function sorted_loads(model, axes, pool, uses)
  local position, list = {}, {}
  for i, name in ipairs(model.order.fields) do position[name] = i end
  for id, node in ipairs(pool.nodes) do
    if uses[id] and node.kind == "load" then list[#list + 1] = node end
  end
  table.sort(list, function(a, b)
    if a.field ~= b.field then
      return position[a.field] < position[b.field]
    end
    if a.level ~= b.level then return a.level < b.level end
    if a.place ~= b.place then return (a.place or 0) < (b.place or 0) end
    return offset_of.before_in_memory(axes, a.offset, b.offset)
  end)
  return list
end

local function name_loads(block, model, buffer)
  for i, node in ipairs(sorted_loads(model, block.axes, block.pool,
    block.uses)) do
    local array = names_of.of_level(node.field, node.level)
    local place = node.place and loops.name(block, node.place)
    local name = names_of.take(block.names, array
      .. (place and "_" .. place or "")
      .. offset_of.suffix(block.axes, node.offset), array)
    block.load_ids[node.id], block.load_order[i] = i, node.id
    block.loads[i] = { id = i, field = node.field, level = node.level,
      buffer = buffer(node.field, node.level), offset = node.offset,
      name = name, place = place, loop = loops.innermost(block, node) }
  end
end

-- The block's loads, host, code and the expression of each root, for a context
-- of gen/lower/expand.lua. buffer(field, level) -> the name of its array.
function M.build(ctx, names, buffer, fuse)
  local uses, fused_uses = count_uses(ctx.pool, ctx.values)
  local block = { pool = ctx.pool, axes = ctx.axes, names = names,
    fields = ctx.model.order.fields, tables = ctx.model.tables,
    composed = ctx.composed,
    fused = fuse, uses = uses, fused_uses = fused_uses,
    hints = count_hints(ctx.pool, uses),
    loads = {}, host = {}, code = {}, values = {},
    load_ids = {}, load_order = {}, host_names = {}, value_names = {} }
  loops.start(block)
  block.define = function(id) return define(block, id) end
  block.operand = function(id) return operand(block, id) end
  block.plus = function(sum, t) return plus(block, sum, term(block, t)) end
  name_loads(block, ctx.model, buffer)
  for i, id in ipairs(ctx.values) do block.values[i] = operand(block, id) end
  return block
end

return M
