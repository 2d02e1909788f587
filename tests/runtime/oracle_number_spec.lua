-- The arithmetic of the reference: what a float kernel can do to an argument
-- within its error lies within the bound of the result, and not far inside.

local quern = require "tests.quern"
local template = require "gen.template"

local PARTS = { "part/reference_number", "part/reference_condition",
  "part/reference_function" }

local folder = quern.folder()

-- The parts, with every function that the program calls.
local function build()
  local needs = require("gen.emit.reference").needs(
    quern.read("tests/runtime/oracle_number.c"))
  local texts = {}
  for i, part in ipairs(PARTS) do
    texts[i] = template.render(part, { needs = needs })
  end
  quern.write(folder .. "/numbers.inc", table.concat(texts, "\n"))
  return quern.shell(("%s -std=c11 -O2 -ffp-contract=off -Wall -Wextra "
    .. "-Wshadow -Wconversion -Werror -Wno-unused-function -I%s "
    .. "tests/runtime/oracle_number.c -o %s/numbers -lm"):format(
    os.getenv "CC" or "gcc", folder, folder), quern.root)
end

describe("the numbers of the reference", function()
  local rows = {}

  setup(function()
    local code, _, complaint = build()
    assert.equal(0, code, complaint)
    local _, text = quern.shell(folder .. "/numbers", quern.root)
    for line in text:gmatch("[^\n]+") do
      local name, rest = line:match("^(%S+) (.*)$")
      rows[name] = rest
    end
  end)

  teardown(function() quern.remove(folder) end)

  for _, name in ipairs { "sqrt", "exp", "log", "sin", "cos", "tan", "asin",
    "acos", "atan", "sinh", "cosh", "tanh", "erf", "erfc", "abs", "floor",
    "sign", "power", "inverse", "atan2", "pow", "mul", "quotient", "min",
    "sum", "expanded" } do
    it("bound what float arithmetic makes of " .. name, function()
      local trials, failures, worst = rows[name]:match("(%S+) (%S+) (%S+)")
      assert.is_true(tonumber(trials) >= 10000)
      assert.equal("0", failures)
      assert.is_true(tonumber(worst) > 0.03 or name == "sign",
        "the bound is loose: " .. worst)
    end)
  end

  it("bound long sums of terms that are wrong themselves, each rounded the same way", function()
    assert.equal("1 1", rows.long_65537)
    assert.equal("1 1", rows.long_524289)
  end)

  it("know a comparison that either branch may win", function()
    assert.equal("1 0 0 1", rows.doubt)
  end)

  it("keep doubt only where no side is sure", function()
    assert.equal("1 0 0 1", rows.logic)
  end)

  it("never excuse what is not a number", function()
    assert.equal("1 1", rows.nan)
  end)
end)
