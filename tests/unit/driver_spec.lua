-- The pipeline: passes in order, up to the one asked for, nothing after a fault.

local driver = require "gen.driver"
local quern = require "tests.quern"

local function options(changes)
  local all = { root = quern.root, spec = "specs/laplace.lua", set = {}, shapes = {},
                backend = "c", fp = "strict", arch = "sm_90", out = "/dev/null/never" }
  for key, value in pairs(changes or {}) do all[key] = value end
  return all
end

local GIVES = { load = "decls", parse = "decls", build = "model", lower = "lowered",
                schedule = "plans", emit = "files" }

describe("the driver", function()
  for _, name in ipairs { "load", "parse", "build", "lower", "schedule", "emit" } do
    it("stops after " .. name, function()
      local ran = {}
      local state = assert(driver.run(options {
        stop_after = name, timing = function(pass) ran[#ran + 1] = pass end }))
      assert.equal(name, ran[#ran])
      assert.equal("table", type(state[GIVES[name]]))
      assert.equal("load", ran[1])
    end)
  end

  it("runs the passes in the documented order and times each", function()
    local ran = {}
    driver.run(options { stop_after = "emit", timing = function(pass, seconds)
      ran[#ran + 1] = pass
      assert.truthy(seconds >= 0)
    end })
    assert.same({ "load", "parse", "build", "lower", "schedule", "emit" }, ran)
  end)

  it("gives the diagnostics of the pass that refused, and runs none after it", function()
    local ran = {}
    local state, problems = driver.run(options {
      set = { radius = "99" }, timing = function(pass) ran[#ran + 1] = pass end })
    assert.is_nil(state)
    assert.equal(1, #problems)
    assert.same({ "load" }, ran)
  end)

  it("does not change the options", function()
    local given = options { stop_after = "emit" }
    local before = require("gen.dump").text(given)
    driver.run(given)
    assert.equal(before, require("gen.dump").text(given))
  end)

  it("has a module and a verb for every pass", function()
    for _, pass in ipairs(driver.PASSES) do
      assert.equal("function", type(require(pass.module)[pass.verb]), pass.name)
    end
  end)
end)
