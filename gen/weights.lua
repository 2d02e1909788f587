-- Finite-difference weights: exact, for any derivative and any set of offsets.
--
-- Offsets are whole numbers of half points throughout, as shifts are in the
-- model: 2 is the next point, 1 is half way to it. Weights are rationals
-- (gen/rational.lua) for points one apart; whoever uses them divides by the
-- spacing to the power of the derivative. What cannot be is refused by
-- `nil, sentence`.

local rational = require "gen.rational"
local whole = require "gen.rational.whole"

local M = {}

local function show(offset)
  return rational.show(rational.new(offset, 2))
end

-- The coefficients of the product of (x - offset), up to x^top.
local function node_polynomial(offsets, top)
  local p = { [0] = 1 }
  for k = 1, top do p[k] = 0 end
  for _, offset in ipairs(offsets) do
    for k = top, 1, -1 do
      p[k] = whole.sub(p[k - 1], whole.mul(offset, p[k]))
    end
    p[0] = whole.neg(whole.mul(offset, p[0]))
  end
  return p
end

-- The coefficient of x^k in p / (x - offset), which leaves no rest.
local function quotient(p, offset, k)
  if offset == 0 then return p[k + 1] end
  local q = 0
  for i = 0, k do
    q = whole.divide(whole.sub(q, p[i]), offset)
  end
  return q
end

-- The product of offset - other over all others.
local function gaps(offsets, offset)
  local product = 1
  for _, other in ipairs(offsets) do
    if other ~= offset then product = whole.mul(product, offset - other) end
  end
  return product
end

local function factorial(n)
  local product = 1
  for i = 2, n do product = whole.mul(product, i) end
  return product
end

-- The weight of a node is the derivative at 0 of the polynomial that is 1 on
-- it and 0 on the others. B. Fornberg, Generation of finite difference
-- formulas on arbitrarily spaced grids, Math. Comp. 51 (1988), doi
-- 10.1090/S0025-5718-1988-0935077-0, finds it by a recursion that is stable
-- in floating point; with exact numbers the definition itself is shorter and
-- ten times as fast. (The tests hold the recursion against it.)
local function solve(derivative, offsets)
  local p = node_polynomial(offsets, derivative + 1)
  local scale = whole.mul(factorial(derivative), whole.pow(2, derivative))
  local weights = {}
  for i, offset in ipairs(offsets) do
    local slope = whole.mul(scale, quotient(p, offset, derivative))
    weights[i] = rational.div({ n = slope, d = 1 },
      { n = gaps(offsets, offset), d = 1 })
  end
  return weights
end

local function repeated(offsets)
  local seen = {}
  for _, offset in ipairs(offsets) do
    if seen[offset] then return offset end
    seen[offset] = true
  end
end

-- nil, sentence unless a derivative can stand on these offsets.
local function possible(derivative, offsets)
  if #offsets == 0 then return nil, "no offsets, wanted at least one" end
  local twice = repeated(offsets)
  if twice then return nil, ("offset %s stands twice"):format(show(twice)) end
  if #offsets <= derivative then
    return nil, ("%d offset%s cannot give derivative %d, wanted at least %d")
      :format(#offsets, #offsets == 1 and "" or "s", derivative,
        derivative + 1)
  end
  return true
end

-- The weights of `derivative` (a whole number, from 0) on `offsets`, in their
-- order: exact for polynomials of degree below #offsets.
function M.on(derivative, offsets)
  local ok, sentence = possible(derivative, offsets)
  if not ok then return nil, sentence end
  return solve(derivative, offsets)
end

local function zip(offsets, weights)
  local taps = {}
  for i, offset in ipairs(offsets) do
    if not rational.is_zero(weights[i]) then
      taps[#taps + 1] = { offset = offset, weight = weights[i] }
    end
  end
  return taps
end

-- Taps { offset, weight } in the order given, without those of weight 0.
function M.from_offsets(derivative, offsets)
  local weights, sentence = M.on(derivative, offsets)
  if not weights then return nil, sentence end
  return zip(offsets, weights)
end

local function even_order(order)
  if math.type(order) == "integer" and order >= 2 and order % 2 == 0 then
    return true
  end
  return nil, ("order %s, wanted an even whole number from 2"):format(order)
end

-- Central taps, lowest offset first: derivative n to order p needs the points
-- up to (n + p - 1) // 2 away; derivative 0 is the point itself.
function M.central(derivative, order)
  local ok, sentence = even_order(order)
  if not ok then return nil, sentence end
  local radius = derivative == 0 and 0 or (derivative + order - 1) // 2
  local offsets = {}
  for i = -radius, radius do offsets[#offsets + 1] = 2 * i end
  return M.from_offsets(derivative, offsets)
end

-- Taps on points half a step away, lowest first: `order` counts as for central
-- ones, so derivative 0 and 1 to order p both use p points.
function M.staggered(derivative, order)
  local ok, sentence = even_order(order)
  if not ok then return nil, sentence end
  local pairs_needed = (derivative + order) // 2
  local offsets = {}
  for i = -pairs_needed, pairs_needed - 1 do
    offsets[#offsets + 1] = 2 * i + 1
  end
  return M.from_offsets(derivative, offsets)
end

-- How many decimals a weight was written with; 0 for 1/3, which has no end.
local function decimals(weight)
  local digits, rest = 0, weight.d
  while rest ~= 1 do
    local tenth = whole.gcd(rest, 10)
    if tenth == 1 then return 0 end
    rest, digits = whole.divide(rest, tenth), digits + 1
  end
  return digits
end

local ROUNDED = 4

-- Half a unit of the last decimal that any weight has. Weights of fewer than
-- ROUNDED decimals are meant as they stand.
local function rounding(weights)
  local most = 0
  for _, weight in ipairs(weights) do
    most = math.max(most, decimals(weight))
  end
  if most < ROUNDED then return rational.ZERO end
  return rational.new(1, "2" .. ("0"):rep(most))
end

-- Sum of weight * offset^k, and how far off rounding can have put it.
local function moment(offsets, weights, k, half_unit)
  local sum, slack = rational.ZERO, rational.ZERO
  for i, offset in ipairs(offsets) do
    local power = rational.pow(rational.new(offset, 2), k)
    sum = rational.add(sum, rational.mul(weights[i], power))
    slack = rational.add(slack, rational.mul(half_unit, rational.abs(power)))
  end
  return sum, slack
end

-- True if `weights`, given by the user, are a derivative at all: they must
-- give x^k its value at 0 for every k up to the derivative itself, or they do
-- not converge to it. Higher powers are theirs to trade (DRP schemes do).
-- Weights of ROUNDED decimals or more count as rounded in their last decimal.
-- Otherwise nil, sentence.
function M.check(derivative, offsets, weights)
  local ok, sentence = possible(derivative, offsets)
  if not ok then return nil, sentence end
  local half_unit = rounding(weights)
  for k = 0, derivative do
    local wanted = k == derivative
      and { n = factorial(derivative), d = 1 } or rational.ZERO
    local sum, slack = moment(offsets, weights, k, half_unit)
    local off = rational.abs(rational.sub(sum, wanted))
    if rational.compare(off, slack) > 0 then
      return nil, ("derivative %d of x^%d comes out as %s, wanted %s"):format(
        derivative, k, rational.show(sum), rational.show(wanted))
    end
  end
  return true
end

return M
