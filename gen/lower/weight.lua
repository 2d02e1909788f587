-- Weights of taps while stencils are merged and convolved: polynomials with
-- exact coefficients in what the host knows (spacings, scalars), so that equal
-- weights are seen to be equal and rings share a multiply.
--
-- A weight is a list of { c = rational, powers = { { id, exponent }.. }, key },
-- sorted, no c zero; id is a scalar node of the block's pool.

local pool_of = require "gen.lower.pool"
local rational = require "gen.rational"

local M = {}

local function monomial(c, powers)
  if #powers == 0 then return { c = c, powers = powers, key = "" } end
  local words = {}
  for i, power in ipairs(powers) do
    words[i] = ("%d^%d"):format(power[1], power[2])
  end
  return { c = c, powers = powers, key = table.concat(words, " ") }
end

-- By the scalars' ids, as they were first met.
local function before(a, b)
  for i = 1, math.max(#a.powers, #b.powers) do
    local pa, pb = a.powers[i], b.powers[i]
    if not pa or not pb then return pb ~= nil end
    if pa[1] ~= pb[1] then return pa[1] < pb[1] end
    if pa[2] ~= pb[2] then return pa[2] < pb[2] end
  end
  return false
end

local function collect(monomials)
  local at, list = {}, {}
  for _, m in ipairs(monomials) do
    local known = at[m.key]
    if known then
      list[known] = { c = rational.add(list[known].c, m.c),
        powers = m.powers, key = m.key }
    else
      list[#list + 1] = m
      at[m.key] = #list
    end
  end
  local kept = {}
  for _, m in ipairs(list) do
    if not rational.is_zero(m.c) then kept[#kept + 1] = m end
  end
  if #kept > 1 then table.sort(kept, before) end
  return kept
end

local function number(value)
  if rational.is_zero(value) then return {} end
  return { monomial(value, {}) }
end

M.ONE = number(rational.ONE)

local function atom(id, exponent)
  return { monomial(rational.ONE, { { id, exponent } }) }
end

local function merge_powers(a, b)
  if #a == 0 then return b end
  if #b == 0 then return a end
  local exponents, ids = {}, {}
  for _, powers in ipairs { a, b } do
    for _, power in ipairs(powers) do
      local id = power[1]
      if not exponents[id] then ids[#ids + 1] = id end
      exponents[id] = (exponents[id] or 0) + power[2]
    end
  end
  table.sort(ids)
  local merged = {}
  for _, id in ipairs(ids) do
    if exponents[id] ~= 0 then merged[#merged + 1] = { id, exponents[id] } end
  end
  return merged
end

function M.add(a, b)
  return collect(table.move(b, 1, #b, #a + 1, table.move(a, 1, #a, 1, {})))
end

-- a times a number.
local function scaled(a, factor)
  local products = {}
  for i, m in ipairs(a) do
    products[i] = { c = rational.mul(m.c, factor), powers = m.powers,
      key = m.key }
  end
  return products
end

local function is_number(a)
  return #a == 1 and #a[1].powers == 0
end

function M.mul(a, b)
  if a == M.ONE then return b end
  if b == M.ONE then return a end
  if is_number(a) then return scaled(b, a[1].c) end
  if is_number(b) then return scaled(a, b[1].c) end
  local products = {}
  for _, x in ipairs(a) do
    for _, y in ipairs(b) do
      products[#products + 1] = monomial(rational.mul(x.c, y.c),
        merge_powers(x.powers, y.powers))
    end
  end
  return collect(products)
end

function M.neg(a)
  local opposite = {}
  for i, m in ipairs(a) do
    opposite[i] = { c = rational.neg(m.c), powers = m.powers, key = m.key }
  end
  return opposite
end

local function power(a, exponent)
  local m = a[1]
  local powers = {}
  for i, p in ipairs(m.powers) do powers[i] = { p[1], p[2] * exponent } end
  return { monomial(rational.pow(m.c, exponent), powers) }
end

local from = {}

-- The weight that a scalar node of the pool is.
local function from_node(pool, id)
  local node = pool.nodes[id]
  if not node.weight then
    local convert = from[node.kind]
    node.weight = convert and convert(pool, node) or atom(id, 1)
  end
  return node.weight
end
M.from_node = from_node

function from.num(_, node)
  return number(node.value)
end

function from.neg(pool, node)
  return M.neg(from_node(pool, node.a))
end

function from.mul(pool, node)
  return M.mul(from_node(pool, node.a), from_node(pool, node.b))
end

function from.div(pool, node)
  local below = from_node(pool, node.b)
  if #below ~= 1 then return nil end
  return M.mul(from_node(pool, node.a), power(below, -1))
end

function from.pow(pool, node)
  local base = from_node(pool, node.a)
  return #base == 1 and power(base, node.exponent) or nil
end

function from.sum(pool, node)
  local total = {}
  for _, t in ipairs(node.terms) do
    local w = from_node(pool, t.a)
    if t.b then w = M.mul(w, from_node(pool, t.b)) end
    total = M.add(total, t.sign < 0 and M.neg(w) or w)
  end
  return total
end

-- The pool's node for one monomial: c * above / below.
local function monomial_node(pool, m)
  local above, below = { pool_of.number(pool, m.c) }, {}
  for _, p in ipairs(m.powers) do
    local side = p[2] > 0 and above or below
    side[#side + 1] = pool_of.power(pool, p[1], math.abs(p[2]))
  end
  local id = pool_of.product(pool, above)
  if #below == 0 then return id end
  return pool_of.quotient(pool, id, pool_of.product(pool, below))
end

function M.to_node(pool, weight)
  local list = {}
  for i, m in ipairs(weight) do
    list[i] = { id = monomial_node(pool, m), sign = 1 }
  end
  return pool_of.sum(pool, list)
end

local function text(weight)
  local words = {}
  for i, m in ipairs(weight) do
    words[i] = rational.show(m.c) .. "*" .. m.key
  end
  return #words == 1 and words[1] or table.concat(words, " + ")
end

-- A text that is the same for w and -w, and the sign that tells them apart.
function M.key(weight)
  if rational.sign(weight[1].c) > 0 then return text(weight), 1 end
  return text(M.neg(weight)), -1
end

return M
