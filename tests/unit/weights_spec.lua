-- Finite-difference weights against published tables, and every refusal.

local rational = require "gen.rational"
local weights = require "gen.weights"

local function shown(taps)
  local words = {}
  for i, tap in ipairs(taps) do
    words[i] = tap.offset .. ":" .. rational.show(tap.weight)
  end
  return table.concat(words, " ")
end

local function parsed(list)
  local values = {}
  for i, text in ipairs(list) do values[i] = rational.parse(text) end
  return values
end

-- Fornberg (1988), tables 1 to 3, typed by hand. Offsets in half points.
local CENTRAL = {
  { 1, 2, "-2:-1/2 2:1/2" },
  { 1, 4, "-4:1/12 -2:-2/3 2:2/3 4:-1/12" },
  { 1, 6, "-6:-1/60 -4:3/20 -2:-3/4 2:3/4 4:-3/20 6:1/60" },
  { 1, 8, "-8:1/280 -6:-4/105 -4:1/5 -2:-4/5 "
    .. "2:4/5 4:-1/5 6:4/105 8:-1/280" },
  { 2, 2, "-2:1 0:-2 2:1" },
  { 2, 4, "-4:-1/12 -2:4/3 0:-5/2 2:4/3 4:-1/12" },
  { 2, 6, "-6:1/90 -4:-3/20 -2:3/2 0:-49/18 2:3/2 4:-3/20 6:1/90" },
  { 2, 8, "-8:-1/560 -6:8/315 -4:-1/5 -2:8/5 0:-205/72 "
    .. "2:8/5 4:-1/5 6:8/315 8:-1/560" },
  { 3, 2, "-4:-1/2 -2:1 2:-1 4:1/2" },
  { 3, 4, "-6:1/8 -4:-1 -2:13/8 2:-13/8 4:1 6:-1/8" },
  { 4, 2, "-4:1 -2:-4 0:6 2:-4 4:1" },
  { 4, 4, "-6:-1/6 -4:2 -2:-13/2 0:28/3 2:-13/2 4:2 6:-1/6" } }

local STAGGERED = {
  { 0, 2, "-1:1/2 1:1/2" },
  { 0, 4, "-3:-1/16 -1:9/16 1:9/16 3:-1/16" },
  { 1, 2, "-1:-1 1:1" },
  { 1, 4, "-3:1/24 -1:-9/8 1:9/8 3:-1/24" },
  { 1, 6, "-5:-3/640 -3:25/384 -1:-75/64 1:75/64 3:-25/384 5:3/640" },
  { 2, 2, "-3:1/2 -1:-1/2 1:-1/2 3:1/2" } }

local ONE_SIDED = {
  { 1, { 0, 2 }, "0:-1 2:1" },
  { 1, { 0, 2, 4 }, "0:-3/2 2:2 4:-1/2" },
  { 1, { 0, 2, 4, 6 }, "0:-11/6 2:3 4:-3/2 6:1/3" },
  { 1, { -4, -2, 0 }, "-4:1/2 -2:-2 0:3/2" },
  { 2, { 0, 2, 4 }, "0:1 2:-2 4:1" },
  { 2, { 0, 2, 4, 6 }, "0:2 2:-5 4:4 6:-1" },
  { 0, { 2, 4 }, "2:2 4:-1" } }

describe("weights from published tables", function()
  for _, row in ipairs(CENTRAL) do
    it(("central, derivative %d, order %d"):format(row[1], row[2]), function()
      assert.equal(row[3], shown(weights.central(row[1], row[2])))
    end)
  end
  for _, row in ipairs(STAGGERED) do
    it(("staggered, derivative %d, order %d"):format(row[1], row[2]),
      function()
        assert.equal(row[3], shown(weights.staggered(row[1], row[2])))
      end)
  end
  for i, row in ipairs(ONE_SIDED) do
    it(("one-sided, derivative %d, case %d"):format(row[1], i), function()
      assert.equal(row[3], shown(weights.from_offsets(row[1], row[2])))
    end)
  end

  it("keeps the order of the offsets given", function()
    assert.equal("4:-1/2 0:-3/2 2:2",
      shown(weights.from_offsets(1, { 4, 0, 2 })))
  end)

  it("is the point itself for derivative 0 on whole points", function()
    assert.equal("0:1", shown(weights.central(0, 8)))
    assert.equal("0:1", shown(weights.from_offsets(0, { -2, 0, 2 })))
  end)
end)

describe("weights that cannot exist", function()
  local function refused(sentence, value, why)
    assert.is_nil(value)
    assert.equal(sentence, why)
  end

  it("are refused by an order that is odd, small or no whole number",
    function()
      refused("order 3, wanted an even whole number from 2",
        weights.central(2, 3))
      refused("order 0, wanted an even whole number from 2",
        weights.central(2, 0))
      refused("order 2.5, wanted an even whole number from 2",
        weights.staggered(1, 2.5))
    end)

  it("are refused by too few offsets", function()
    refused("2 offsets cannot give derivative 2, wanted at least 3",
      weights.from_offsets(2, { 0, 2 }))
    refused("1 offset cannot give derivative 1, wanted at least 2",
      weights.from_offsets(1, { 0 }))
    refused("no offsets, wanted at least one", weights.from_offsets(0, {}))
  end)

  it("are refused by an offset that stands twice", function()
    refused("offset 1/2 stands twice", weights.from_offsets(1, { 0, 1, 1 }))
    refused("offset -2 stands twice", weights.from_offsets(1, { -4, 0, -4 }))
  end)
end)

describe("weights that the user gave", function()
  local SEVEN = { -6, -4, -2, 0, 2, 4, 6 }

  it("pass if they are a derivative, of whatever order", function()
    assert.is_true(weights.check(1, { -2, 0, 2 },
      parsed { "-1/2", "0", "1/2" }))
    assert.is_true(weights.check(2, { 0, 2, 4 }, parsed { "1", "-2", "1" }))
    assert.is_true(weights.check(1, { -2, 2 }, parsed { "-0.5", "0.5" }))
  end)

  it("pass if they are DRP weights rounded to eight decimals", function()
    assert.is_true(weights.check(1, SEVEN, parsed { "-0.02651995",
      "0.18941314", "-0.79926643", "0", "0.79926643", "-0.18941314",
      "0.02651995" }))
  end)

  it("pass if rounding of the last decimal explains the difference",
    function()
      assert.is_true(weights.check(1, { -4, -2, 2, 4 }, parsed { "0.08333",
        "-0.66667", "0.66667", "-0.08333" }))
    end)

  it("fail if they do not sum to the value of x^k", function()
    local ok, why = weights.check(1, { -2, 0, 2 },
      parsed { "-1/2", "0", "3/5" })
    assert.is_nil(ok)
    assert.equal("derivative 1 of x^0 comes out as 1/10, wanted 0", why)
    ok, why = weights.check(2, { -2, 0, 2 }, parsed { "2", "-4", "2" })
    assert.is_nil(ok)
    assert.equal("derivative 2 of x^2 comes out as 4, wanted 2", why)
  end)

  it("fail if they are off by more than rounding", function()
    assert.is_nil(weights.check(1, SEVEN, parsed { "-0.02651995",
      "0.18941314", "-0.79926643", "0", "0.79926643", "-0.18941314",
      "0.02652095" }))
  end)

  it("fail if offsets repeat or are too few", function()
    local _, why = weights.check(1, { 0, 0 }, parsed { "1", "-1" })
    assert.equal("offset 0 stands twice", why)
    _, why = weights.check(2, { 0, 2 }, parsed { "1", "-1" })
    assert.equal("2 offsets cannot give derivative 2, wanted at least 3", why)
  end)
end)

describe("the time that weights take", function()
  it("is milliseconds at radius 16", function()
    local started = os.clock()
    for _ = 1, 5 do weights.central(2, 32) end
    assert.is_true((os.clock() - started) / 5 < 0.03)
  end)
end)
