-- Weights are what they claim: exact for polynomials, order by order, and the
-- numbers of Fornberg's recursion.

local rational = require "gen.rational"
local weights = require "gen.weights"

-- The value that taps give for x^k at 0; offsets are in half points.
local function moment(taps, k)
  local sum = rational.ZERO
  for _, tap in ipairs(taps) do
    local x = rational.new(tap.offset, 2)
    sum = rational.add(sum, rational.mul(tap.weight, rational.pow(x, k)))
  end
  return sum
end

local function factorial(n)
  return n < 2 and 1 or n * factorial(n - 1)
end

-- The derivative of x^k at 0.
local function exact(derivative, k)
  return rational.new(k == derivative and factorial(derivative) or 0)
end

-- Exact for every degree below derivative + order, and for no higher even
-- (odd) one: the order is the one promised, not more.
local function assert_order(taps, derivative, order, label)
  for k = 0, derivative + order - 1 do
    assert.equal(rational.show(exact(derivative, k)),
      rational.show(moment(taps, k)), ("%s, x^%d"):format(label, k))
  end
  assert.is_false(rational.is_zero(moment(taps, derivative + order)), label)
end

local function assert_mirrored(taps, derivative, label)
  local n = #taps
  for i = 1, n do
    local other = taps[n + 1 - i]
    assert.equal(-taps[i].offset, other.offset, label)
    local image = derivative % 2 == 0 and other.weight
      or rational.neg(other.weight)
    assert.equal(rational.show(taps[i].weight), rational.show(image), label)
  end
end

-- B. Fornberg, Math. Comp. 51 (1988), as printed, in rationals. x in points.
local function fornberg(derivative, x)
  local zero, delta = rational.ZERO, {}
  local function at(n, m, nu)
    return delta[n] and delta[n][m] and delta[n][m][nu] or zero
  end
  local function put(n, m, nu, value)
    delta[n] = delta[n] or {}
    delta[n][m] = delta[n][m] or {}
    delta[n][m][nu] = value
  end
  put(0, 0, 0, rational.ONE)
  local c1 = rational.ONE
  for n = 1, #x - 1 do
    local c2 = rational.ONE
    for nu = 0, n - 1 do
      local c3 = rational.sub(x[n + 1], x[nu + 1])
      c2 = rational.mul(c2, c3)
      for m = 0, math.min(n, derivative) do
        local value = rational.mul(x[n + 1], at(n - 1, m, nu))
        if m > 0 then
          value = rational.sub(value,
            rational.mul(rational.new(m), at(n - 1, m - 1, nu)))
        end
        put(n, m, nu, rational.div(value, c3))
      end
    end
    for m = 0, math.min(n, derivative) do
      local value = rational.neg(rational.mul(x[n], at(n - 1, m, n - 1)))
      if m > 0 then
        value = rational.add(value,
          rational.mul(rational.new(m), at(n - 1, m - 1, n - 1)))
      end
      put(n, m, n, rational.mul(rational.div(c1, c2), value))
    end
    c1 = c2
  end
  local list = {}
  for nu = 0, #x - 1 do list[nu + 1] = at(#x - 1, derivative, nu) end
  return list
end

describe("central weights", function()
  for derivative = 1, 4 do
    it(("of derivative %d have orders 2 to 16"):format(derivative), function()
      for order = 2, 16, 2 do
        local taps = weights.central(derivative, order)
        local label = ("derivative %d, order %d"):format(derivative, order)
        assert_order(taps, derivative, order, label)
        assert_mirrored(taps, derivative, label)
      end
    end)
  end

  it("reach radius 16 exactly", function()
    local taps = weights.central(2, 32)
    assert.equal(33, #taps)
    assert.equal(32, taps[33].offset)
    assert_order(taps, 2, 32, "radius 16")
  end)
end)

describe("staggered weights", function()
  for derivative = 0, 4 do
    it(("of derivative %d have orders 2 to 16"):format(derivative), function()
      for order = 2, 16, 2 do
        local taps = weights.staggered(derivative, order)
        local label = ("derivative %d, order %d"):format(derivative, order)
        assert_order(taps, derivative, order, label)
        assert_mirrored(taps, derivative, label)
        for _, tap in ipairs(taps) do
          assert.equal(1, tap.offset % 2, label)
        end
      end
    end)
  end
end)

describe("weights on any offsets", function()
  local SETS = { { 0, 2, 4, 6, 8 }, { -8, -6, -4, -2, 0 }, { -2, 0, 2, 4, 6 },
    { -1, 0, 1, 3, 8, 12 }, { 5, -7, 2, 0, 11, -3, 6 },
    { 10, 12, 14, 16, 18 } }

  it("are exact below their number", function()
    for i, offsets in ipairs(SETS) do
      for derivative = 0, #offsets - 1 do
        local taps = weights.from_offsets(derivative, offsets)
        for k = 0, #offsets - 1 do
          assert.equal(rational.show(exact(derivative, k)),
            rational.show(moment(taps, k)),
            ("set %d, derivative %d, x^%d"):format(i, derivative, k))
        end
      end
    end
  end)

  it("are those of Fornberg's recursion", function()
    for i, offsets in ipairs(SETS) do
      local x = {}
      for k, offset in ipairs(offsets) do x[k] = rational.new(offset, 2) end
      for derivative = 0, #offsets - 1 do
        local wanted = fornberg(derivative, x)
        local got = weights.on(derivative, offsets)
        for k in ipairs(offsets) do
          assert.equal(rational.show(wanted[k]), rational.show(got[k]),
            ("set %d, derivative %d, offset %d"):format(i, derivative, k))
        end
      end
    end
  end)

  it("pass their own check", function()
    for _, offsets in ipairs(SETS) do
      for derivative = 0, #offsets - 1 do
        local list = weights.on(derivative, offsets)
        assert.is_true(weights.check(derivative, offsets, list))
      end
    end
  end)
end)
