-- Calls in formulas: functions, operators, and what is no function.

local arithmetic = require "gen.model.arithmetic"
local defines = require "gen.model.defines"
local diag = require "gen.diag"
local moved = require "gen.model.moved"
local names = require "gen.model.names"
local number = require "gen.model.number"
local operators = require "gen.model.operators"
local places = require "gen.model.places"
local pool_of = require "gen.model.pool"
local relocate = require "gen.model.relocate"
local scope_of = require "gen.model.scope"
local words = require "gen.spec.names"

local M = {}

local ARGUMENTS = { atan2 = 2, pow = 2, where = 3, same = 1 }

local function check_count(x, tree)
  local given, wanted = #tree.args, ARGUMENTS[tree.name] or 1
  if tree.name == "min" or tree.name == "max" then
    if given >= 2 then return true end
    x.b.report(tree.pos, "'%s' takes two arguments or more, found %d",
      tree.name, given)
  elseif given == wanted then
    return true
  else
    x.b.report(tree.pos, "'%s' takes %s, found %d", tree.name,
      number.count(wanted, "argument"), given)
  end
  return false
end

-- min(a, b) is where(b < a, b, a), max(a, b) is where(b > a, b, a).
function M.extreme(pool, pos, fn, ids)
  local best = ids[1]
  for i = 2, #ids do
    local op = fn == "min" and "<" or ">"
    local condition = arithmetic.compare(pool, pos, op, ids[i], best)
    best = arithmetic.select(pool, pos, condition, ids[i], best)
  end
  return best
end

-- same(j): the point j is the point itself.
local function same(x, scope, tree)
  if x.kernel and x.kernel.kind ~= "request" then
    x.b.report(tree.pos, "'same' stands in requests alone")
    return pool_of.BAD
  end
  local place = places.from_call(tree.args[1])
  if not place or place.kind ~= "place" then
    x.b.report(tree.args[1].pos, "'same' takes a place: a bound name")
    return pool_of.BAD
  end
  local id = places.element(x, scope, place)
  if not id then return pool_of.BAD end
  local to = relocate.target(x.b, x.pool.nodes[id])
  if x.kernel and #x.kernel.space > 0 and x.kernel.domain ~= to then
    x.b.report(tree.args[1].pos, "'same' compares points of one domain: this "
      .. "is one of %s, the formula runs over %s", to,
      x.kernel.domain or "a grid")
    return pool_of.BAD
  end
  return arithmetic.call(x.pool, tree.pos, "same", { id }, "bool")
end

local function builtin(x, scope, tree, evaluate)
  if not check_count(x, tree) then return pool_of.BAD end
  if tree.name == "same" then return same(x, scope, tree) end
  local ids = {}
  for i, arg in ipairs(tree.args) do
    local wants_condition = tree.name == "where" and i == 1
    ids[i] = (wants_condition and evaluate.condition or evaluate.real)(
      x, arg, scope)
  end
  for _, id in ipairs(ids) do
    if id == pool_of.BAD then return id end
  end
  if tree.name == "where" then
    return arithmetic.select(x.pool, tree.pos, ids[1], ids[2], ids[3])
  elseif tree.name == "min" or tree.name == "max" then
    return M.extreme(x.pool, tree.pos, tree.name, ids)
  end
  return arithmetic.call(x.pool, tree.pos, tree.name, ids)
end

-- The axis that an operator's second argument names.
local function axis_of(x, scope, tree, operator)
  if tree.kind ~= "name" or tree.level then
    return x.b.report(tree.pos, "'%s' takes an expression and an axis; this "
      .. "is no axis", operator)
  end
  return scope_of.axis(x, scope, tree.name, tree.pos)
end

local function check_operator_count(x, tree, wanted)
  if #tree.args == wanted then return true end
  x.b.report(tree.pos, "'%s' takes %s, found %s", tree.name,
    wanted == 2 and "an expression and an axis"
    or "one expression: its taps lie along all axes",
    number.count(#tree.args, "argument"))
  return false
end

local function operator(x, scope, tree, made, evaluate)
  local wanted = made.taps and 1 or 2
  if not check_operator_count(x, tree, wanted) then return pool_of.BAD end
  local outer = x.shifted
  x.shifted = true
  local arg = evaluate.real(x, tree.args[1], scope)
  x.shifted = outer
  local axis = wanted == 2 and axis_of(x, scope, tree.args[2], tree.name)
  if wanted == 2 and not axis then return pool_of.BAD end
  local taps = made.taps or operators.taps(x.b, made, axis, tree.args[2].pos)
  if not taps or arg == pool_of.BAD then return pool_of.BAD end
  return moved.apply(x.pool, tree.pos, made.name, axis or nil, taps, arg)
end

local function unknown(x, tree)
  local list = names.of(x.b, "operator", "define")
  table.move(words.FUNCTIONS, 1, #words.FUNCTIONS, #list + 1, list)
  if x.block and x.block.local_names[tree.name] then
    x.b.report(tree.pos, "'%s' is a local: it takes no arguments", tree.name)
  else
    x.b.report(tree.pos, "'%s' is no function, operator or define%s",
      tree.name, diag.hint(tree.name, list))
  end
  return pool_of.BAD
end

-- evaluate = { real, condition, any }: functions (x, tree, scope) -> id.
function M.call(x, scope, tree, evaluate)
  if words.is_function[tree.name] then
    return builtin(x, scope, tree, evaluate)
  end
  local entity = scope_of.find(x, scope, tree.name)
  if not entity then return unknown(x, tree) end
  scope_of.use(x, entity)
  if entity.kind == "operator" then
    local made = x.b.operators[tree.name]
    return made and operator(x, scope, tree, made, evaluate) or pool_of.BAD
  elseif entity.kind == "define" then
    return defines.use(x, tree, scope, entity, evaluate.any)
  elseif entity.kind == "table" then
    x.b.report(tree.pos, "a slot of '%s' is a place: it stands in brackets, "
      .. "f[%s(0)]", tree.name, tree.name)
  elseif entity.kind == "absent" then
    x.b.report(tree.pos, "%s", entity.why)
  else
    x.b.report(tree.pos, "'%s' is %s, wanted a function, an operator or a "
      .. "define", tree.name, scope_of.word(entity))
  end
  return pool_of.BAD
end

return M
