-- Exact rationals on whole numbers of any size, and their nearest doubles.

local rational = require "gen.rational"
local whole = require "gen.rational.whole"

local function q(text) return assert(rational.parse(text)) end
local function is(expected, value)
  assert.equal(expected, rational.show(value))
end

-- A whole number of up to `most` digits, with many zeros and nines.
local function random_whole(most)
  local digits = {}
  for i = 1, math.random(most) do
    local lot = math.random(4)
    digits[i] = lot == 1 and 0 or lot == 2 and 9 or math.random(0, 9)
  end
  return whole.from_text((math.random(2) == 1 and "-" or "")
    .. table.concat(digits))
end

describe("whole numbers", function()
  it("go through text unchanged", function()
    for _, text in ipairs { "0", "7", "-7", "999999999999999999",
        "1000000000000000000", "-1000000000000000000",
        "9223372036854775808", "10000000000000000000000007" } do
      assert.equal(text, whole.to_text(whole.from_text(text)))
    end
  end)

  it("take leading zeros and signs, and refuse other text", function()
    assert.equal(12, whole.from_text "+0012")
    assert.equal(0, whole.from_text "-0")
    for _, text in ipairs { "", "-", "1.5", "1e3", " 1", "0x10", "1 2" } do
      assert.is_nil(whole.from_text(text))
    end
  end)

  it("take any Lua integer", function()
    assert.equal("-9223372036854775808",
      whole.to_text(whole.from_integer(math.mininteger)))
    assert.equal("9223372036854775807",
      whole.to_text(whole.from_integer(math.maxinteger)))
  end)

  it("divide so that quotient * divisor + rest is the dividend", function()
    math.randomseed(11)
    for _ = 1, 3000 do
      local a, b = random_whole(50), random_whole(30)
      if whole.sign(b) ~= 0 then
        local quotient, rest = whole.divide(a, b)
        assert.equal(0, whole.compare(a,
          whole.add(whole.mul(quotient, b), rest)))
        assert.is_true(whole.compare(whole.abs(rest), whole.abs(b)) < 0)
        assert.is_true(whole.sign(rest) * whole.sign(a) >= 0)
      end
    end
  end)

  it("correct a guessed digit that is two too large", function()
    -- the estimate from leading limbs is off by two here
    local a = whole.from_text "4999999999999999999999999999"
    local b = whole.from_text "5000000999999999999999"
    local quotient, rest = whole.divide(a, b)
    assert.equal(0, whole.compare(a, whole.add(whole.mul(quotient, b), rest)))
    assert.equal("999999", whole.to_text(quotient))
  end)

  it("obey the laws of a ring", function()
    math.randomseed(12)
    for _ = 1, 1000 do
      local a, b, c = random_whole(40), random_whole(40), random_whole(40)
      assert.equal(0, whole.compare(whole.mul(a, whole.add(b, c)),
        whole.add(whole.mul(a, b), whole.mul(a, c))))
      assert.equal(0, whole.sub(whole.add(a, b), whole.add(b, a)))
      assert.equal(0, whole.add(whole.sub(a, b), whole.sub(b, a)))
    end
  end)

  it("have one form each: a small result of large numbers is an integer",
    function()
      local large = whole.from_text "123456789012345678901234567890"
      local one = whole.sub(whole.add(large, 1), large)
      assert.equal("integer", math.type(one))
      assert.equal(1, one)
    end)

  it("have factorials", function()
    local product = 1
    for i = 2, 30 do product = whole.mul(product, i) end
    assert.equal("265252859812191058636308480000000", whole.to_text(product))
    assert.equal("3", whole.to_text(whole.gcd(whole.add(product, 3), 9)))
  end)
end)

describe("rationals", function()
  it("are read from decimals and fractions, exactly", function()
    is("1/10", q "0.1")
    is("-1/2", q "-.5")
    is("1000", q "1e3")
    is("1/800", q "1.25E-3")
    is("-3/4", q "-6/8")
    is("3", q "3.")
  end)

  it("are not read from anything else", function()
    for _, text in ipairs { "", ".", "e5", "1e", "1-2", "1/0", "1/-2", "x",
        "1e99999", "--1", "0x1" } do
      assert.is_nil(rational.parse(text))
    end
  end)

  it("stand in lowest terms, the sign above", function()
    is("-2/3", rational.new(4, -6))
    is("0", rational.new(0, -5))
    is("7/3", rational.new("21", "9"))
  end)

  it("add, subtract, multiply and divide", function()
    is("5/6", rational.add(q "1/2", q "1/3"))
    is("1/6", rational.sub(q "1/2", q "1/3"))
    is("1/6", rational.mul(q "1/2", q "1/3"))
    is("3/2", rational.div(q "1/2", q "1/3"))
    is("-3/2", rational.div(q "1/2", q "-1/3"))
  end)

  it("raise to whole powers", function()
    is("8/27", rational.pow(q "2/3", 3))
    is("-27/8", rational.pow(q "-2/3", -3))
    is("1", rational.pow(q "0", 0))
  end)

  it("compare, floor, and know their sign", function()
    assert.equal(-1, rational.compare(q "1/3", q "0.34"))
    assert.equal(0, rational.compare(q "0.5", q "1/2"))
    assert.is_true(rational.equal(q "2/4", q "1/2"))
    is("-1", rational.floor(q "-1/2"))
    is("2", rational.floor(q "5/2"))
    is("-3", rational.floor(q "-3"))
    assert.equal(-1, rational.sign(q "-1/9"))
  end)

  it("say whether they are Lua integers", function()
    assert.equal(-4, rational.to_integer(q "-4"))
    assert.is_nil(rational.to_integer(q "1/2"))
    assert.is_nil(rational.to_integer(q "1e30"))
  end)

  it("never change", function()
    local a, b = q "1/2", q "1/3"
    for _, f in ipairs { "add", "sub", "mul", "div" } do rational[f](a, b) end
    is("1/2", a)
    is("1/3", b)
  end)
end)

describe("the nearest double", function()
  local function double(text) return rational.to_double(q(text)) end

  it("is what the C library reads from the same decimal", function()
    for _, text in ipairs { "0.1", "1e23", "8.5e-3", "123456789.123456789",
        "1.7976931348623157e308", "2.2250738585072014e-308",
        "2.2250738585072011e-308", "4.9406564584124654e-324", "1e-310",
        "9007199254740993", "9007199254740992.5", "2.4703282292062328e-324" } do
      assert.equal(tonumber(text) + 0.0, double(text))
    end
  end)

  it("is exact for every double there is", function()
    math.randomseed(13)
    for _ = 1, 2000 do
      local x = string.unpack("d", string.pack("i8", math.random(0)))
      if x - x == 0 then
        assert.equal(x, double(("%.17g"):format(x)))
      end
    end
  end)

  it("rounds ties to even", function()
    assert.equal(2.0 ^ 53, double "9007199254740993")
    assert.equal(2.0 ^ 53 + 4, double "9007199254740995")
    assert.equal(0.0, rational.to_double(rational.new(1,
      whole.to_text(whole.pow(2, 1075)))))
    assert.equal(2.0 ^ -1074, rational.to_double(rational.new(3,
      whole.to_text(whole.pow(2, 1076)))))
  end)

  it("of thirds and of what is too large", function()
    assert.equal(1 / 3, double "1/3")
    assert.equal(-2 / 3, double "-2/3")
    assert.equal(math.huge, double "1e400")
    assert.equal(-math.huge, double "-1e400")
    assert.equal(0.0, double "1e-400")
  end)
end)
