-- Arithmetic and choices. Numbers fold exactly, what changes no value vanishes
-- (x + 0, 1*x, x/1, 0*x), a minus moves to the front; the order and grouping
-- of everything else stays as written.
--
-- Every function takes the pool, the position of the writing and ids, and
-- returns an id.

local pool_of = require "gen.model.pool"
local rational = require "gen.rational"

local M = {}

local function is_number(pool, id, n)
  local value = pool.values[id]
  return value and rational.equal(value, rational.new(n))
end

local function is_zero(pool, id)
  local value = pool.values[id]
  return value and rational.is_zero(value)
end
M.is_zero = is_zero

-- The sum of its arguments from left to right.
function M.add(pool, pos, ids)
  if pool_of.any_bad(ids) then return pool_of.BAD end
  local kept = {}
  for _, id in ipairs(ids) do
    local value, first = pool.values[id], pool.values[kept[1]]
    if value and first and #kept == 1 then
      kept[1] = pool_of.num(pool, pos, rational.add(first, value))
    elseif not is_zero(pool, id) then
      kept[#kept + 1] = id
    end
    if #kept > 0 and is_zero(pool, kept[1]) then table.remove(kept, 1) end
  end
  if #kept == 0 then return pool_of.num(pool, pos, rational.ZERO) end
  if #kept == 1 then return kept[1] end
  return pool_of.operation(pool, pos, "add", "real", nil, kept)
end

-- The factors of an expression without its minus, and whether it had one.
local function unsigned(pool, pos, id)
  local node = pool.nodes[id]
  if node.kind ~= "mul" or not is_number(pool, node.args[1], -1) then
    return id, false
  end
  local rest = table.move(node.args, 2, #node.args, 1, {})
  return M.mul(pool, pos, rest), true
end

-- Factors with the minus of each taken out; numbers at the start made one.
local function gathered(pool, pos, ids)
  local kept, minus = {}, false
  for _, id in ipairs(ids) do
    local factor, sign = unsigned(pool, pos, id)
    if sign then minus = not minus end
    local value, first = pool.values[factor], pool.values[kept[1]]
    if value and first and #kept == 1 then
      kept[1] = pool_of.num(pool, pos, rational.mul(first, value))
    elseif not is_number(pool, factor, 1) then
      kept[#kept + 1] = factor
    end
  end
  return kept, minus
end

-- The product of its arguments from left to right.
function M.mul(pool, pos, ids)
  if pool_of.any_bad(ids) then return pool_of.BAD end
  if #ids == 1 then return ids[1] end
  local kept, minus = gathered(pool, pos, ids)
  for _, id in ipairs(kept) do
    if is_zero(pool, id) then return pool_of.num(pool, pos, rational.ZERO) end
  end
  local first = pool.values[kept[1]]
  if first or minus then
    local number = rational.mul(first or rational.ONE,
      rational.new(minus and -1 or 1))
    if first then table.remove(kept, 1) end
    if #kept == 0 or not rational.equal(number, rational.ONE) then
      table.insert(kept, 1, pool_of.num(pool, pos, number))
    end
  end
  if #kept == 0 then return pool_of.num(pool, pos, rational.ONE) end
  if #kept == 1 then return kept[1] end
  return pool_of.operation(pool, pos, "mul", "real", nil, kept)
end

-- -a; of a product that starts with a number, that number's sign.
function M.neg(pool, pos, id)
  local node, minus_one = pool.nodes[id], rational.new(-1)
  if id == pool_of.BAD then return pool_of.BAD end
  local value = pool.values[node.kind == "mul" and node.args[1] or id]
  if not value then
    return M.mul(pool, pos, { pool_of.num(pool, pos, minus_one), id })
  end
  local number = pool_of.num(pool, pos, rational.neg(value))
  if node.kind ~= "mul" then return number end
  local ids = table.move(node.args, 2, #node.args, 2, { number })
  return M.mul(pool, pos, ids)
end

-- a / b; the caller has seen that b is not the number 0.
function M.div(pool, pos, a, b)
  if a == pool_of.BAD or b == pool_of.BAD then return pool_of.BAD end
  local va, vb = pool.values[a], pool.values[b]
  if va and vb then return pool_of.num(pool, pos, rational.div(va, vb)) end
  if is_number(pool, b, 1) or is_zero(pool, a) then return a end
  return pool_of.operation(pool, pos, "div", "real", nil, { a, b })
end

local function too_long(value, exponent)
  return pool_of.digits(value) * math.abs(exponent) > 2 * pool_of.LONGEST
end

-- a to a whole power; the caller has seen that it is not 0 to a negative one.
function M.pow(pool, pos, a, exponent)
  if a == pool_of.BAD then return pool_of.BAD end
  if exponent == 0 then return pool_of.num(pool, pos, rational.ONE) end
  if exponent == 1 then return a end
  local value = pool.values[a]
  if not value then
    return pool_of.operation(pool, pos, "pow", "real", exponent, { a })
  elseif too_long(value, exponent) then
    pool.report(pos, "found a number of more than %d digits, wanted at most "
      .. "that many", pool_of.LONGEST)
    return pool_of.BAD
  end
  return pool_of.num(pool, pos, rational.pow(value, exponent))
end

-- ---------------------------------------------------------------------------
-- Conditions, choices, calls

local HOLDS = {
  ["<"] = function(c) return c < 0 end, ["<="] = function(c) return c <= 0 end,
  [">"] = function(c) return c > 0 end, [">="] = function(c) return c >= 0 end,
  ["=="] = function(c) return c == 0 end,
  ["!="] = function(c) return c ~= 0 end,
}

function M.compare(pool, pos, op, a, b)
  return pool_of.operation(pool, pos, "compare", "bool", op, { a, b })
end

-- kind: and, or, not.
function M.logic(pool, pos, kind, ids)
  return pool_of.operation(pool, pos, kind, "bool", nil, ids)
end

-- A comparison of numbers decides at once.
function M.select(pool, pos, condition, a, b)
  if pool_of.any_bad{ condition, a, b } then return pool_of.BAD end
  local node = pool.nodes[condition]
  if node.kind == "compare" then
    local x, y = pool.values[node.args[1]], pool.values[node.args[2]]
    if x and y then
      return HOLDS[node.op](rational.compare(x, y)) and a or b
    end
  end
  if a == b then return a end
  return pool_of.operation(pool, pos, "select", "real", nil,
    { condition, a, b })
end

local function ceil(value)
  return rational.neg(rational.floor(rational.neg(value)))
end

local FOLD = {
  abs = rational.abs, floor = rational.floor, ceil = ceil,
  sign = function(v) return rational.new(rational.sign(v)) end,
}

function M.call(pool, pos, fn, ids, type)
  local value = FOLD[fn] and pool.values[ids[1]]
  if value then return pool_of.num(pool, pos, FOLD[fn](value)) end
  return pool_of.operation(pool, pos, "call", type or "real", fn, ids)
end

return M
