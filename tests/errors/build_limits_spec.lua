-- Where build stops: sizes, depths, and the faults that stand in texts that
-- Lua built or in several places at once.

local building = require "tests.building"
local expression = require "gen.model.expression"
local pool_of = require "gen.model.pool"
local specs = require "tests.specs"

local GRID = building.GRID

local function refuses(what, text, entries)
  it(what, function() building.refused(text, entries) end)
end

-- Calls f while module[key] is `value`.
local function with(module, key, value, f)
  local before = module[key]
  module[key] = value
  local ok, problem = pcall(f)
  module[key] = before
  assert(ok, problem)
end

describe("limits", function()
  refuses("are the largest and the smallest double", GRID .. [=[
field { "u", "v" }
kernel { "k", [[ u = 1e310*v + 1e-330*v + 1e200*1e200*0 + 1e300 ]] }]=], {
    "4:22: this number is too large for any double",
    "4:32: this number is too small for any double",
  })

  it("are 200,000 different expressions", function()
    assert.equal(200000, pool_of.LIMIT)
    with(pool_of, "LIMIT", 5, function()
      building.refused(GRID .. [=[
field { "u", "v" }
kernel { "k", [[ u = v + v^2 + v^3 + v^4 ]] }]=], {
        "4:40: the formulas have more than 5 different expressions, the most "
          .. "that a spec can have" })
    end)
  end)

  it("are a million operations, however few the expressions", function()
    assert.equal(1000000, expression.MOST_STEPS)
    with(expression, "MOST_STEPS", 50, function()
      building.refused(GRID .. [=[
field { "u", "v" }
kernel { "k", [[ u = sum(a in axes, sum(b in axes, sum(c in axes,
  sum(d in axes, sum(e in axes, v))))) ]] }]=], {
        "5:18: the formulas expand to more than 50 operations" })
    end)
  end)

  it("are defines 200 deep", function()
    local list = { "f0 = v" }
    for i = 1, 201 do
      list[#list + 1] = ("f%d = f%d + 1"):format(i, i - 1)
    end
    building.refused(GRID .. 'field { "u", "v" }\ndefine [[ '
      .. table.concat(list, "\n") .. ' ]]\nkernel { "k", [[ u = f201 ]] }', {
        "6:6: defines stand 200 deep in each other, the most that is possible" })
  end)

  it("are operations 5000 deep, in defines together", function()
    local list = { "f0 = v" }
    for i = 1, 190 do
      list[#list + 1] = ("f%d = %sf%d%s"):format(i, ("sqrt("):rep(40), i - 1,
        (")"):rep(40))
    end
    local _, problems = building.build(GRID .. 'field { "u", "v" }\ndefine [[ '
      .. table.concat(list, "\n") .. ' ]]\nkernel { "k", [[ u = f190 ]] }')
    assert.equal(1, #problems)
    assert.equal("the formulas expand to more than 5000 operations in each "
      .. "other", problems[1].message)
  end)

  it("leave room for long chains of locals", function()
    local list = { "t0 = v" }
    for i = 1, 4000 do
      list[#list + 1] = ("t%d = sqrt(t%d[x+0])"):format(i, i - 1)
    end
    local model = building.model(GRID .. 'field { "u", "v" }\nkernel { "k", [[ '
      .. table.concat(list, "\n") .. " u = t4000 ]] }")
    assert.equal(4001, #model.nodes)
  end)

  it("leave room for defines of defines: expanded once each", function()
    local list = { "f0(a) = a + v" }
    for i = 1, 100 do
      list[#list + 1] = ("f%d(a) = f%d(a)*f%d(a)"):format(i, i - 1, i - 1)
    end
    local model = building.model(GRID .. 'field { "u", "v" }\ndefine [[ '
      .. table.concat(list, "\n") .. ' ]]\nkernel { "k", [[ u = f100(2) ]] }')
    assert.is_true(#model.nodes < 400)
  end)
end)

describe("a formula that Lua built", function()
  it("is shown itself, with the line of its call", function()
    local text = GRID .. [=[
field { "u", "v" }
local terms = {}
for i = 1, 3 do terms[i] = "v" .. i end
kernel { "k", "u = v +\n" .. table.concat(terms, " + ") }]=]
    local _, problems = building.build(text)
    local printed = specs.printed(problems)
    assert.equal(3, #problems)
    assert.truthy(printed:find("s.lua:6:1: 'v1' is not declared", 1, true),
      printed)
    assert.truthy(printed:find("in the text built here, line 2, column 6:\n"
      .. "    v1 + v2 + v3\n         ^", 1, true), printed)
  end)
end)

describe("several faults", function()
  refuses("are reported in one go, in order", GRID .. [=[
field { "u", "v" }
operator { "d", derivative = 1, order = 3 }
kernel { "k", [[ u = w + d(v, x)
                 t = v
                 u = 2*v[x+1/2] ]] }]=], {
    "4:33: found order 3, wanted an even whole number from 2",
    "5:22: 'w' is not declared, wanted a field, a scalar, a local or a define",
    "7:18: 'u' is assigned twice in one formula",
    "5:18: note: the first assignment is here",
    "7:24: v has points at x; here it is read at x+1/2 of u: interpolate",
  })

  it("are 20 at most", function()
    local list = {}
    for i = 1, 30 do list[i] = "zzzz" .. i end
    local _, problems = building.build(GRID .. 'field { "u" }\nkernel { "k", [[ '
      .. "u = " .. table.concat(list, " + ") .. " ]] }")
    assert.equal(30, #problems)
    assert.truthy(specs.printed(problems):find("10 more not shown", 1, true))
  end)

  refuses("of one chain", GRID .. [=[
field { "u", "v", "w" }
kernel { "k", [[ u = v ]] }
fuse { "c", "k", drop = { "v" } }
kernel { "l", [[ w = u ]] }]=], {
    "5:18: 'v' cannot be dropped: no stage of 'c' writes it",
  })

  refuses("of arguments that have an assigned value, read elsewhere",
    GRID .. [=[
field { "u", "v" }
define [[ right(f) = f[x+1]
          same_place(f) = 2*f ]]
kernel { "k", [[ u = 2*v  v = same_place(u) + right(u) ]] }]=], {
    "4:22: u is read at another point, but the same kernel assigns it: "
      .. "other points may be updated already",
    "6:18: note: it is overwritten here",
  })
end)
