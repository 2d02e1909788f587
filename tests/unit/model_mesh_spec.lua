-- Meshes and requests in the model: places, rows, slots, expressions at
-- neighbours.

local building = require "tests.building"

local HEAD = [[
precision { "double" }
domain { "v", "e", "s" }
levels { "k" }
neighbours { "v2e", from = "v", to = "e", count = 6, skip = -1 }
neighbours { "e2v", from = "e", to = "v", count = 2 }
neighbours { "e2s", from = "e", to = "s", count = 2, affine = true }
neighbours { "v2v", from = "v", to = "v", ragged = true }
field { "p", "p1", on = { "v" } }
field { "q", "q1", on = { "e" } }
field { "c", on = { "v", "v2e" } }
field { "t", "t1", on = { "k", "v" } }
field { "g", on = { "s" } }
define [=[ wind(n) = p[e2v(n)]*g[e2s(n)]
           both(table) = sum(m in table, q[m]) ]=]
kernel { "vertices", [=[ p1 = both(v2e) + sum(m in v2e, c[m]) + p
                              + sum(m in v2v, p[m]) ]=] }
kernel { "edges", [=[ q1 = wind(0) ]=] }
kernel { "columns", [=[ t1 = t ]=] }
]]

local function becomes(formula, expected)
  it(formula, function()
    local model = building.model(HEAD
      .. 'kernel { "last", [=[ ' .. formula .. " ]=] }")
    assert.equal(expected, building.value(model))
  end)
end

describe("places", function()
  becomes("q1 = p[e2v(0)]", "p@e2v(0)")
  becomes("q1 = p[e2v(1)] - p[e2v(0)]", "(add p@e2v(1) (mul -1 p@e2v(0)))")
  becomes("q1 = wind(1)", "(mul p@e2v(1) g@e2s(1))")
  becomes("t1 = t[k] + p", "(add t p)")
end)

describe("reductions", function()
  becomes("p1 = sum(n in v2e, q[n])", "sum(v2e(): q@v2e(slot0))")
  becomes("p1 = both(v2e)", "sum(v2e(): q@v2e(slot0))")
  becomes("p1 = sum(n in v2e, c[n]*q[n]*p)",
    "sum(v2e(): (mul c@v2e(slot0) q@v2e(slot0) p))")
  becomes("p1 = sum(n in v2e, sum(m in e2v(n), p[m]))",
    "sum(v2e(): sum(e2v(v2e(slot0) ): p@e2v(v2e(slot0) slot0)))")
  becomes("p1 = sum(n in v2e, p[e2v(n, 1)])",
    "sum(v2e(): p@e2v(v2e(slot0) 1))")
  becomes("q1 = sum(n in e2v, wind(n))",
    "sum(e2v(): (mul p@e2v(slot0) g@e2s(slot0)))")
  becomes("t1 = sum(m in v2v, t[m, k])", "sum(v2v(): t@v2v(slot0))")
  becomes("p1 = sum(a in v2v, sum(b in v2v, p[a]*p[b]))",
    "sum(v2v(): sum(v2v(): (mul p@v2v(slot0) p@v2v(slot1))))")
end)

describe("expressions at a neighbour", function()
  becomes("q1 = (2*p + p^2)[e2v(0)]", "(add (mul 2 p@e2v(0)) p@e2v(0)^2)")
  becomes("a = wind(0)  p1 = sum(n in v2e, a[n])",
    "sum(v2e(): (mul p@e2v(v2e(slot0) 0) g@e2s(v2e(slot0) 0)))")
  becomes("q1 = (sum(n in v2e, c[n]*q[n]))[e2v(1)]",
    "sum(v2e(e2v(1) ): (mul c@v2e(e2v(1) slot0) q@v2e(e2v(1) slot0)))")
end)

describe("a reduction", function()
  local model = building.model(HEAD
    .. 'kernel { "last", [=[ t1 = sum(n in v2v, t[n]*p[n]) ]=] }')
  local kernel = model.kernels[#model.kernels]
  local id = kernel.blocks[1].assign[1].value
  local node = model.nodes[id]

  it("binds its slot: free below, bound above", function()
    assert.equal("reduce", node.kind)
    assert.is_nil(node.slots)
    assert.same({ node.slot }, model.nodes[node.body].slots)
    assert.same({ "k", "v" }, node.free)
  end)

  it("over an extreme needs neighbours", function()
    local function nonempty(fn)
      return building.model(HEAD .. 'kernel { "last", [=[ p1 = ' .. fn
        .. "(n in v2v, p[n]) ]=] }").tables.v2v.nonempty
    end
    assert.is_nil(nonempty "sum")
    assert.is_true(nonempty "min")
  end)
end)

describe("requests", function()
  local model = building.model(building.LISTS .. [[
scalar { "shift", per = "request" }
request { "near", a = [=[ f += sum(j in b, where(same(j), 0, m[j] - shift)) ]=],
  b = [=[ f += m ]=] }
request { "away", a = [=[ f = sum(c0 in far, q[c0])*f ]=] }]])

  it("have a block per list, and places in lists", function()
    local blocks = model.kernels[1].blocks
    assert.equal("request", model.kernels[1].kind)
    assert.equal("a b", blocks[1].list .. " " .. blocks[2].list)
    assert.is_true(blocks[1].assign[1].add)
    assert.equal("sum(b(): (select (same b(slot0)) 0 "
      .. "(add m@b(slot0) (mul -1 shift))))",
      building.show(model, blocks[1].assign[1].value))
  end)

  it("are no step, and read what they assign", function()
    assert.same({}, model.step)
    assert.equal("inout", model.fields.f.role)
    local adds = building.model(building.LISTS:gsub(", \"b\"", "")
      :gsub("list { \"far.-\n", ""):gsub("field { \"q.-\n", "")
      .. 'request { "r", a = [[ f += m ]] }')
    assert.equal("inout", adds.fields.f.role)
    assert.equal("request", model.scalars.shift.per)
  end)
end)

describe("composed tables", function()
  it("keep their pattern, and can skip where a part can", function()
    local model = building.model(HEAD .. [[
neighbours { "v2e2v", through = { "v2e", "e2v" }, count = 3, pattern = {
  { 0, 1 }, { 0, 2 }, { 0, 1 }, { 0, 2 }, { 0, 1 }, { 0, 2 } } }]])
    local made = model.tables.v2e2v
    assert.equal("v v 3", made.from .. " " .. made.to .. " " .. made.count)
    assert.is_true(made.may_skip)
    assert.same({ 0, 2 }, made.pattern[2])
  end)

  it("may be of several parts, and say no more than how many neighbours there are", function()
    local made = building.model(HEAD .. [[
neighbours { "around", through = { "v2e", "e2v", "v2e" }, count = 9 }]]).tables.around
    assert.same({ "v", "e", 9 }, { made.from, made.to, made.count })
    assert.is_nil(made.pattern)
  end)
end)
