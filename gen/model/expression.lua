-- Trees to nodes: names resolved, defines, locals and axis sums expanded,
-- types checked.
--
-- x, the state of one block's formulas: { b, pool, kernel, block (locals,
-- assigned values), shifted = inside brackets or an operator, fixed = names
-- whose assigned value was read, binders = slots bound around, active =
-- defines being expanded, expanded = what is known of them }.

local arithmetic = require "gen.model.arithmetic"
local calls = require "gen.model.calls"
local moved = require "gen.model.moved"
local places = require "gen.model.places"
local pool_of = require "gen.model.pool"
local rational = require "gen.rational"
local relocate = require "gen.model.relocate"
local scope_of = require "gen.model.scope"
local values = require "gen.model.values"

local M = {}

M.MOST_STEPS = 1000000          -- trees visited in one spec
M.DEEPEST = 5000                -- of them in each other
M.LARGEST_EXPONENT = 1000

local BAD = pool_of.BAD
local evaluate = {}             -- any, real, condition
local ON = {}                   -- kind of tree -> (x, tree, scope) -> id

function M.new(b, kernel, block)
  return { b = b, pool = b.pool, kernel = kernel, block = block,
    shifted = false, fixed = {}, binders = {}, active = {}, expanded = {},
    depth = 0 }
end

local function too_deep(x, tree)
  if not x.b.is_deep then
    x.b.is_deep = true
    x.b.report(tree.pos, "the formulas expand to more than %d operations in "
      .. "each other", M.DEEPEST)
  end
  return BAD
end

local function too_many(x, tree)
  if x.b.steps == M.MOST_STEPS + 1 then
    x.b.report(tree.pos, "the formulas expand to more than %d operations",
      M.MOST_STEPS)
  end
  return BAD
end

function evaluate.any(x, tree, scope)
  x.b.steps = x.b.steps + 1
  if x.b.steps > M.MOST_STEPS then return too_many(x, tree) end
  if x.depth >= M.DEEPEST then
    return too_deep(x, tree)
  end
  x.depth = x.depth + 1
  local id = ON[tree.kind](x, tree, scope)
  x.depth = x.depth - 1
  return id
end

function evaluate.real(x, tree, scope)
  local id = evaluate.any(x, tree, scope)
  if x.pool.nodes[id].type == "bool" then
    x.b.report(tree.pos, "found a condition, wanted a number")
    return BAD
  end
  return id
end

function evaluate.condition(x, tree, scope)
  local id = evaluate.any(x, tree, scope)
  if x.pool.nodes[id].type == "real" then
    x.b.report(tree.pos, "found a number, wanted a condition: a comparison, "
      .. "or comparisons joined by 'and', 'or', 'not'")
    return BAD
  end
  return id
end

-- ---------------------------------------------------------------------------
-- Leaves

function ON.name(x, tree, scope)
  return values.value(x, tree, scope, evaluate.any)
end

function ON.number(x, tree)
  return pool_of.num(x.pool, tree.pos, rational.new(tree.n, tree.d))
end

-- ---------------------------------------------------------------------------
-- Operators of the formula language

-- The operands of a chain a + b - c, grouped from the left: { tree, its sign }.
local function chained(tree, plus, minus)
  local list = {}
  while tree.kind == plus or tree.kind == minus do
    table.insert(list, { tree = tree.right, minus = tree.kind == minus })
    tree = tree.left
  end
  list[#list + 1] = { tree = tree, minus = false }
  local n = #list
  for i = 1, n // 2 do list[i], list[n + 1 - i] = list[n + 1 - i], list[i] end
  return list
end

local function chain_of(plus, minus, kind, combine)
  return function(x, tree, scope)
    local ids = {}
    for i, part in ipairs(chained(tree, plus, minus)) do
      ids[i] = evaluate[kind](x, part.tree, scope)
      if part.minus then
        ids[i] = arithmetic.neg(x.pool, part.tree.pos, ids[i])
      end
    end
    return combine(x.pool, tree.pos, ids)
  end
end

ON.add = chain_of("add", "sub", "real", arithmetic.add)
ON.sub = ON.add
ON.mul = chain_of("mul", nil, "real", arithmetic.mul)
ON["and"] = chain_of("and", nil, "condition", function(pool, pos, ids)
  return arithmetic.logic(pool, pos, "and", ids)
end)
ON["or"] = chain_of("or", nil, "condition", function(pool, pos, ids)
  return arithmetic.logic(pool, pos, "or", ids)
end)

function ON.neg(x, tree, scope)
  return arithmetic.neg(x.pool, tree.pos, evaluate.real(x, tree.arg, scope))
end

ON["not"] = function(x, tree, scope)
  local id = evaluate.condition(x, tree.arg, scope)
  return arithmetic.logic(x.pool, tree.pos, "not", { id })
end

function ON.div(x, tree, scope)
  local a = evaluate.real(x, tree.left, scope)
  local b = evaluate.real(x, tree.right, scope)
  if arithmetic.is_zero(x.pool, b) then
    x.b.report(tree.pos, "division by zero")
    return BAD
  end
  return arithmetic.div(x.pool, tree.pos, a, b)
end

function ON.compare(x, tree, scope)
  local a = evaluate.real(x, tree.left, scope)
  local b = evaluate.real(x, tree.right, scope)
  return arithmetic.compare(x.pool, tree.pos, tree.op, a, b)
end

-- The whole number that an exponent is; nil after a report.
local function exponent_of(x, tree, scope)
  local id = evaluate.real(x, tree, scope)
  if id == BAD then return nil end
  local value = x.pool.values[id]
  local e = value and rational.to_integer(value)
  if not e then
    return x.b.report(tree.pos, "found %s, wanted a whole exponent that is "
      .. "known at generation; 'pow' takes any",
      value and rational.show(value) or "an expression")
  elseif math.abs(e) > M.LARGEST_EXPONENT then
    return x.b.report(tree.pos, "the exponent %d is too large; at most %d is "
      .. "possible", e, M.LARGEST_EXPONENT)
  end
  return e
end

function ON.pow(x, tree, scope)
  local base = evaluate.real(x, tree.left, scope)
  local e = exponent_of(x, tree.right, scope)
  if not e then return BAD end
  if e < 0 and arithmetic.is_zero(x.pool, base) then
    x.b.report(tree.pos, "division by zero")
    return BAD
  end
  return arithmetic.pow(x.pool, tree.pos, base, e)
end

function ON.call(x, tree, scope)
  return calls.call(x, scope, tree, evaluate)
end

-- ---------------------------------------------------------------------------
-- Elsewhere

function ON.index(x, tree, scope)
  local by, place = places.brackets(x, scope, tree.shifts)
  if not by then return BAD end
  local outer = x.shifted
  local stays = not place
  for _, n in next, by do stays = stays and n == 0 end
  x.shifted = outer or not stays
  local id = evaluate.any(x, tree.arg, scope)
  x.shifted = outer
  local pos = tree.arg.kind == "name" and tree.arg.pos or tree.pos
  if id == BAD then return BAD end
  if x.pool.written[id] == pos then     -- written here as another read
    x.pool.written[id] = nil
  end
  if place then id = relocate.apply(x.b, pos, id, place) end
  return moved.shift(x.pool, pos, by, id)
end

-- The axes that a sum over axes runs over; nil after a report.
local function axes_of(x, scope, set)
  if set.kind == "axes" then
    if #x.b.model.axes > 0 then return x.b.model.axes end
    return x.b.report(set.pos, "there is no grid, so there are no axes")
  end
  local list = {}
  for i, name in ipairs(set.names) do
    list[i] = scope_of.axis(x, scope, name.name, name.pos)
    if not list[i] then return nil end
  end
  return list
end

local function over_axes(x, tree, scope)
  local ids, axes = {}, axes_of(x, scope, tree.set)
  if not axes then return BAD end
  for i, axis in ipairs(axes) do
    local inner = scope_of.inner(scope, { [tree.var] = x.b.names[axis] })
    ids[i] = evaluate.real(x, tree.body, inner)
  end
  if tree.fn == "sum" then return arithmetic.add(x.pool, tree.pos, ids) end
  for _, id in ipairs(ids) do if id == BAD then return BAD end end
  return calls.extreme(x.pool, tree.pos, tree.fn, ids)
end

local function depth_of(x, over)
  local depth = 0
  for _, slot in ipairs(x.binders) do
    if x.pool.nodes[slot].over == over then depth = depth + 1 end
  end
  return depth
end

-- An extreme of nothing is nothing: rows must have a neighbour.
local function need_neighbours(x, tree, row)
  if tree.fn == "sum" then return end
  local of = x.b.model.tables[row.table] or x.b.model.lists[row.list]
  of.nonempty = true
end

local function over_row(x, tree, scope)
  local over = places.row(x, scope, tree.set)
  if not over or over == BAD then return BAD end
  local pool, row = x.pool, x.pool.nodes[over]
  local slot = pool_of.slot(pool, tree.pos, over, depth_of(x, over))
  local element = pool_of.place(pool, tree.pos, { table = row.table,
    list = row.list, row = row.row, bound = slot,
    from = row.table and x.b.model.tables[row.table].from })
  need_neighbours(x, tree, row)
  x.binders[#x.binders + 1] = slot
  local body = evaluate.real(x, tree.body, scope_of.inner(scope, {
    [tree.var] = { kind = "bound", name = tree.var, place = element,
                   slot = slot, over = over } }))
  x.binders[#x.binders] = nil
  return moved.reduce(pool, tree.pos, tree.fn, slot, body)
end

function ON.reduction(x, tree, scope)
  if not scope_of.check_free(x, scope, tree.var, tree.pos) then return BAD end
  if tree.set.kind == "place" then return over_row(x, tree, scope) end
  return over_axes(x, tree, scope)
end

-- ---------------------------------------------------------------------------

M.evaluate = evaluate

-- The node of a text over numbers, params and scalars; nil after a report.
function M.constant(b, text)
  local x = M.new(b)
  local id = evaluate.real(x, text.tree, nil)
  if id == BAD then return nil end
  local node = b.pool.nodes[id]
  if #node.free > 0 or node.slots then
    return b.report(text.tree.pos, "found a formula of fields, wanted one of "
      .. "numbers, params and scalars")
  end
  return id
end

return M
