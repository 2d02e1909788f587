-- Expressions, by recursive descent: one function per line of the grammar.

local number = require "gen.formula.number"
local names = require "gen.spec.names"
local place = require "gen.formula.place"
local state = require "gen.formula.state"
local diag = require "gen.diag"

local peek, take, expect = state.peek, state.take, state.expect

local M = {}

M.LONGEST = 4096                -- operands of one sum, product, or condition

local LEVELS = { "next", "prev" }
for i = 2, 9 do LEVELS[#LEVELS + 1] = "prev" .. i end
local IS_LEVEL = {}
for _, level in ipairs(LEVELS) do IS_LEVEL[level] = true end

local REDUCES = { sum = true, min = true, max = true }
local COMPARES = { ["<"] = true, ["<="] = true, [">"] = true, [">="] = true,
                   ["=="] = true, ["!="] = true }

local expression

-- The time level behind a name's dot, if there is one.
function M.level(s)
  if not take(s, ".") then return nil end
  local word = peek(s)
  if not IS_LEVEL[word] then
    state.fail(s, "a time level: next, prev, prev2 .. prev9"
               .. diag.hint(word or "", LEVELS))
  end
  return state.next(s)
end

local function literal(s)
  local pos, word = state.pos(s), peek(s)
  if not string.find(word, "^%d+%.?%d*$")
     and not string.find(word, "^%d+%.?%d*[eE][+-]?%d+$") then
    state.fail(s, "a number, an operator between a number and a name, "
               .. "or a new statement")
  end
  local n, d = number.parse(word)
  if not n then state.fail_at(pos, "%s", d) end
  state.next(s)
  return { kind = "number", pos = pos, n = n, d = d }
end

local function bracket(s)
  expect(s, "(")
  state.enter(s)
  local inner = expression(s)
  expect(s, ")", "an operator or ')'")
  state.leave(s)
  return inner
end

-- fn "(" name "in" set "," expr ")"
local function reduction(s)
  local node = { kind = "reduction", pos = state.pos(s), fn = state.next(s) }
  expect(s, "(")
  state.enter(s)
  node.var = place.name(s, "a name to bind")
  expect(s, "in")
  node.set = place.set(s)
  expect(s, ",")
  node.body = expression(s)
  expect(s, ")", "an operator or ')'")
  state.leave(s)
  return node
end

local function call(s)
  local node = { kind = "call", pos = state.pos(s), name = state.next(s) }
  expect(s, "(")
  state.enter(s)
  node.args = { expression(s) }
  while take(s, ",") do node.args[#node.args + 1] = expression(s) end
  expect(s, ")", "an operator, ',' or ')'")
  state.leave(s)
  return node
end

local function is_reduction(s)
  local word = peek(s)
  return word == "sum" or REDUCES[word] and peek(s, 1) == "("
    and peek(s, 3) == "in"
end

local function named(s)
  if peek(s, 1) == "(" then return call(s) end
  local node = { kind = "name", pos = state.pos(s), name = state.next(s) }
  node.level = M.level(s)
  return node
end

local function primary(s)
  local word = peek(s)
  if not word then return state.fail(s, "an expression") end
  if word == "(" then return bracket(s) end
  if string.find(word, "^%d") then return literal(s) end
  if is_reduction(s) then return reduction(s) end
  if place.is_name(word) then return named(s) end
  if names.is_function[word] then
    if peek(s, 1) == "(" then return call(s) end
    state.next(s)
    return state.fail(s, "'(' behind the function '" .. word .. "'")
  end
  return state.fail(s, "an expression")
end

local function postfix(s)
  local node = primary(s)
  while peek(s) == "[" do
    local pos = state.pos(s)
    state.next(s)
    node = { kind = "index", pos = pos, arg = node, shifts = place.shifts(s) }
  end
  return node
end

local WHOLE_POWER = "a whole power (pow takes any)"

-- "-" exponent | whole | name | "(" expr ")"
local function exponent(s)
  local word, pos = peek(s), state.pos(s)
  if word == "-" then
    state.next(s)
    state.enter(s)
    local node = { kind = "neg", pos = pos, arg = exponent(s) }
    state.leave(s)
    return node
  elseif word == "(" then
    return bracket(s)
  elseif place.is_name(word) then
    return { kind = "name", pos = pos, name = state.next(s) }
  elseif not string.find(word or "", "^%d+$") then
    state.fail(s, WHOLE_POWER)
  end
  return literal(s)
end

local function power(s)
  local base, pos = postfix(s), state.pos(s)
  if not take(s, "^") then return base end
  local node = { kind = "pow", pos = pos, left = base, right = exponent(s) }
  if peek(s) == "^" then
    state.fail(s, "an operator: powers do not chain, put brackets")
  end
  return node
end

-- ( "-" | "+" ) unary | power
local function unary(s)
  local word, pos = peek(s), state.pos(s)
  if word ~= "-" and word ~= "+" then return power(s) end
  state.next(s)
  state.enter(s)
  local arg = unary(s)
  state.leave(s)
  if word == "+" then return arg end
  return { kind = "neg", pos = pos, arg = arg }
end

-- A reader of operand { operator operand }, grouped from the left.
local function chain(operand, kinds)
  return function(s)
    local node, count = operand(s), 1
    while kinds[peek(s)] do
      local pos = state.pos(s)
      local kind = kinds[state.next(s)]
      count = count + 1
      if count > M.LONGEST then
        state.fail_at(pos, "more than %d operands in a row", M.LONGEST)
      end
      node = { kind = kind, pos = pos, left = node, right = operand(s) }
    end
    return node
  end
end

local mul = chain(unary, { ["*"] = "mul", ["/"] = "div" })
local add = chain(mul, { ["+"] = "add", ["-"] = "sub" })

-- add [ op add ]
local function compare(s)
  local left, op = add(s), peek(s)
  if not COMPARES[op] then return left end
  local node = { kind = "compare", pos = state.pos(s), op = op, left = left }
  state.next(s)
  node.right = add(s)
  if COMPARES[peek(s)] then
    state.fail(s, "'and' or 'or': comparisons do not chain")
  end
  return node
end

-- "not" neg | compare
local function neg(s)
  local pos = state.pos(s)
  if not take(s, "not") then return compare(s) end
  state.enter(s)
  local node = { kind = "not", pos = pos, arg = neg(s) }
  state.leave(s)
  return node
end

local conj = chain(neg, { ["and"] = "and" })
local disj = chain(conj, { ["or"] = "or" })

function expression(s)
  return disj(s)
end

M.parse = expression

return M
