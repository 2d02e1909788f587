-- Which tiles C turns, and why it does not turn others: gen/schedule/turned.lua.

local lists = require "gen.list"
local lowering = require "tests.lowering"
local schedule = require "gen.schedule"
local turned = require "gen.schedule.turned"

local HEAD = [==[
precision { "double" }
domain { "vertex", "edge" } levels { "k" }
neighbours { "v2e", from = "vertex", to = "edge", count = 6, skip = -1 }
neighbours { "e2v", from = "edge", to = "vertex", count = 2 }
neighbours { "line", from = "vertex", to = "edge", count = 2, affine = true }
neighbours { "near", from = "vertex", to = "vertex", ragged = true }
field { "u", "v", "w", on = { "vertex", "k" } }
field { "a", "x", on = { "edge", "k" } }
field { "b", on = { "edge", "k" }, extra = { k = 1 } }
field { "h", on = { "edge", "k" }, type = "half" }
field { "l", on = { "k", "edge" } }
field { "s", on = { "vertex", "v2e", "k" } }
field { "g", on = { "edge" } }
field { "o", "q", on = { "vertex" } }
kernel { "others", [[
  w = u + v + o + q + sum(e in v2e, a[e] + b[e] + h[e] + l[e] + g[e] + s[e]) + sum(m in near, u[m]) + a[line(0)] ]] }
kernel { "ends", [[ x = u[e2v(0)] ]] }
]==]

-- The plan of a kernel, or the sentence why there is none.
local function plan(formula, params)
  local lowered = lowering.lower(HEAD .. ('kernel { "k1", [[ %s ]] }'):format(formula))
  local plans, problems = schedule.choose(lowered, { backend = "c", fp = "strict", arch = "", kernels = { "k1" },
    shapes = params and { { name = "blocked", params = params } } })
  return plans and plans[1] or problems[1].message
end

describe("tiles in C", function()
  it("are turned where that moves less than is gathered", function()
    for _, formula in ipairs { "v = sum(e in v2e, a[e]) + u", "v = sum(m in near, u[m] - u)" } do
      local made = plan(formula)
      assert.equal(6, made.turned.gathered)
      assert.equal(formula:find "v2e" and 2 or 1, #made.turned.here + #made.turned.stores)
      assert.equal(1024, made.turned.domains[1].lines)
      assert.same({ 4096, 128 }, made.tile)
    end
    assert.falsy(plan("a = u[e2v(0)] - u[e2v(1)]").turned)
    assert.truthy(plan("a = u[e2v(0)] - u[e2v(1)]", { turned = "1" }).turned)
    assert.falsy(plan("v = sum(e in v2e, a[e]) + u", { turned = "0" }).turned)
  end)

  it("go four levels at once where they are not turned and what they read lies side by side", function()
    assert.equal(4, plan("v = sum(e in v2e, a[e]) + u").levels)
    assert.equal(4, plan("a = u[e2v(0)] - u[e2v(1)]").levels)
    assert.equal(2, plan("v = sum(e in v2e, a[e])", { turned = "1", levels = "2" }).levels)
    assert.equal(1, plan("v = a[line(0)]").levels)
  end)

  it("of chains go four levels at once where most of what these read is the same at all levels", function()
    local function levels(formula)
      local lowered = lowering.lower(HEAD .. ([==[
field { "y", on = { "edge", "k" } }
kernel { "first", [[ y = %s ]] }
kernel { "second", [[ v = sum(e in v2e, y[e]) ]] }
fuse { "both", "first", "second", drop = { "y" } } ]==]):format(formula))
      local plans, problems = schedule.choose(lowered, { backend = "c", fp = "strict", arch = "", kernels = { "both" },
        shapes = { { name = "inlined", params = {} } } })
      return assert(plans, problems and problems[1].message)[1].levels
    end
    assert.equal(4, levels "g*o[e2v(0)]*q[e2v(1)]*u[e2v(0)]")
    assert.equal(4, levels "g*u[e2v(0)]")
    assert.equal(1, levels "g*(u[e2v(0)] - u[e2v(1)])")
    assert.equal(1, levels "u[e2v(0)] - u[e2v(1)]")
  end)

  it("say in their head what is moved and what is not gathered", function()
    local notes = table.concat(plan("v = sum(m in near, u[m] - u)").notes, "\n")
    assert.truthy(notes:find("8 levels side by side: 6 values of a point at its neighbours are not gathered,\n"
      .. "           but 1 of each vertex that is read and 1 of each point are moved", 1, true), notes)
  end)

  it("are explained", function()
    local function verdict(formula)
      local lowered = lowering.lower(HEAD .. ('kernel { "k1", [[ %s ]] }'):format(formula))
      local kernel = lists.find(lowered.kernels, "name", "k1")
      return turned.verdict(lowered, kernel, kernel.blocks[1])
    end
    assert.equal("turned: a point gathers 6 values at neighbours, 3 are moved instead",
      verdict "v = sum(e in v2e, a[e]) + u")
    assert.equal("not turned: a point gathers 2 values at neighbours, 2 are moved instead",
      verdict "a = u[e2v(0)] - u[e2v(1)]")
    assert.equal("not turned: it reads l, whose levels are contiguous", verdict "v = sum(e in v2e, l[e])")
  end)

  for _, case in ipairs {
    { "v = sum(e in v2e, b[e, k+1])", "reads b at another level" },
    { "v = sum(e in v2e, h[e])", "reads h, which has elements of 2 bytes" },
    { "v = sum(e in v2e, l[e])", "reads l, whose levels are contiguous" },
    { "v = a[line(0)]", "reads a along an affine table" },
    { "v = sum(e in v2e, sum(m in e2v(e), u[m]))", "reads u at neighbours of neighbours" },
    { "v = sum(e in v2e, s[e]*a[e])", "reads s, which has values of slots at each level" },
    { "v = 2*u", "reads nothing at neighbours" },
    { "o = sum(e in v2e, g[e]) + q", "no param" },
  } do
    it("are not, in a sentence: " .. case[2], function()
      local said = plan(case[1], { turned = "1" })
      assert.equal("string", type(said))
      assert.truthy(said:find(case[2], 1, true), said)
    end)
  end
end)
