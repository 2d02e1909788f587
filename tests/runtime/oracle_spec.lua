-- The reference against loops that the generator did not write: equal in
-- double, right ones in float within the bound in any order of summation,
-- wrong ones outside of it.

local compile = require "gen.compile"
local diag = require "gen.diag"
local driver = require "gen.driver"
local quern = require "tests.quern"

local CASES = {
  { hand = "laplace2", spec = "laplace", set = { radius = "1" } },
  { hand = "laplace8", spec = "laplace", set = { radius = "4" } },
  { hand = "box27", spec = "box27" },
  { hand = "wave2d", spec = "wave2d" },
  { hand = "acoustic", spec = "acoustic_iso" },
  { hand = "upwind", spec = "advection_upwind" },
  { hand = "diffusion", spec = "diffusion_variable" },
  { hand = "mixed", spec = "../tests/runtime/oracle_mixed" },
}
local ORDERS = { "forward", "backward", "shuffled", "pairs" }
local SEEDS = os.getenv "QUERN_LONG" == "1" and 25 or 3
local MUTANTS = { "a weight off in the fourth digit", "a tap off by one",
  "a missing tap" }
local REGION = 4

local folder = quern.folder()
local hosts, modules = {}, {}

local function must(command)
  local code, text, complaint = quern.shell(command, quern.root)
  assert(code == 0, command .. "\n" .. complaint)
  return text
end

-- The program with the hand-written loops, its arithmetic and its arrays of
-- the given types.
local function host(real, storage)
  local path = ("%s/host_%s_%s"):format(folder, real, storage)
  if not hosts[path] then
    must(("%s -std=c11 -O1 -ffp-contract=off -DREAL=%s -DSTORAGE=%s "
      .. "tests/runtime/oracle_host.c tests/runtime/oracle_cases.c -o %s "
      .. "-ldl -lm"):format(os.getenv "CC" or "gcc", real, storage, path))
    hosts[path] = true
  end
  return path
end

-- The reference module of a case.
local function module(case, type)
  local key = case.hand .. type
  if not modules[key] then
    local set = { type = type }
    for name, value in next, case.set or {} do set[name] = value end
    local options = { root = quern.root, spec = "specs/" .. case.spec .. ".lua",
      set = set, shapes = {}, backend = "reference", fp = "strict", arch = "",
      out = folder }
    local state, problems = driver.run(options)
    assert(state, problems and diag.format(problems))
    modules[key] = assert(compile.module(state.files, options))
  end
  return modules[key]
end

-- { points, wrong, lone, worst, error }: compared; outside the bound; assigned
-- by one of the two only; largest error over its bound; and over the values.
local function compare(case, real, storage, order, seed, mutant, margin)
  local text = must(("%s %s %s %s %d %d %d"):format(host(real, storage),
    module(case, storage), case.hand, order, seed, mutant or 0, margin or 0))
  local points, wrong, lone, worst, err =
    text:match("^(%S+) (%S+) (%S+) (%S+) (%S+)\n$")
  return { points = tonumber(points), wrong = tonumber(wrong),
    lone = tonumber(lone), worst = tonumber(worst), error = tonumber(err) }
end

describe("the reference", function()
  teardown(function() quern.remove(folder) end)

  for _, case in ipairs(CASES) do
    it("agrees in double with a loop by hand: " .. case.hand, function()
      for seed = 1, SEEDS do
        local found = compare(case, "double", "float", "forward", seed)
        assert.is_true(found.points > 200)
        assert.equal(0, found.lone)
        assert.is_true(found.error <= 1e-13, "error " .. found.error)
      end
    end)

    it("passes a right float loop in any order: " .. case.hand, function()
      local worst = 0
      for _, order in ipairs(ORDERS) do
        for seed = 1, SEEDS do
          local found = compare(case, "float", "float", order, seed)
          assert.equal(0, found.wrong, ("%s, worst %g"):format(order,
            found.worst))
          worst = math.max(worst, found.worst)
        end
      end
      assert.is_true(worst > 0.01, "the bound is loose: " .. worst)
    end)

    it("passes a right double loop: " .. case.hand, function()
      for _, order in ipairs(ORDERS) do
        local found = compare(case, "double", "double", order, 1)
        assert.equal(0, found.wrong)
        assert.equal(0, found.lone)
      end
    end)

    for mutant, name in ipairs(MUTANTS) do
      it(("fails %s: %s"):format(name, case.hand), function()
        local found = compare(case, "float", "float", "forward", 1, mutant)
        assert.is_true(found.wrong > 0)
      end)
    end
  end

  it("leaves alone what lies outside of the range", function()
    local all = compare(CASES[5], "float", "float", "forward", 1)
    local found = compare(CASES[5], "float", "float", "forward", 1, 0, 2)
    assert.is_true(found.points > 200 and found.points < all.points)
    assert.equal(0, found.wrong)
    assert.equal(0, found.lone)
  end)

  it("tells a region that begins a point late", function()
    local acoustic = CASES[5]
    local found = compare(acoustic, "float", "float", "forward", 1, REGION)
    assert.is_true(found.lone > 0)
  end)
end)
