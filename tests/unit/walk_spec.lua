-- Walking the nodes of a model.

local building = require "tests.building"
local walk = require "gen.model.walk"

local model = building.model(building.MESH .. [[
scalar { "s" }
kernel { "k", [=[ p = s^2*sum(n in v2e, 3*q[n])
                  ]=] }
kernel { "l", [=[ q = p[e2v(1)] ]=] }]])
local roots = walk.roots(model.kernels[1].blocks[1])

local function kinds(ids)
  local words = {}
  for i, id in ipairs(ids) do words[i] = model.nodes[id].kind end
  return table.concat(words, " ")
end

describe("walking", function()
  it("visits each node once, children first", function()
    local seen = {}
    walk.each(model, { roots[1], roots[1] }, function(id, node)
      for _, child in ipairs(walk.children(node)) do
        assert.is_true(seen[child])
      end
      assert.is_nil(seen[id])
      seen[id] = true
    end)
    assert.is_true(seen[roots[1]])
  end)

  it("reaches places, rows and slots too, and nothing else", function()
    assert.equal("scalar pow place slot place num read mul reduce mul",
      kinds(walk.reachable(model.nodes, roots)))
  end)

  it("says what an expression depends on", function()
    assert.is_true(walk.depends(model, roots[1], "v"))
    assert.is_false(walk.depends(model, roots[1], "e"))
    assert.is_false(walk.depends(model, 1, "v"))
  end)

  it("maps children and leaves the node alone", function()
    local node, map = model.nodes[roots[1]], {}
    for id = 1, #model.nodes do map[id] = id + 100 end
    local mapped = walk.mapped(node, map)
    assert.equal("mul", mapped.kind)
    assert.same({ node.args[1] + 100, node.args[2] + 100 }, mapped.args)
    assert.is_true(node.args[1] < 100)
    local reduce = walk.mapped(model.nodes[node.args[2]], map)
    assert.is_true(reduce.over > 100 and reduce.slot > 100
      and reduce.body > 100)
  end)

  it("maps the weights of taps", function()
    local grid = building.model(building.GRID .. [[
field { "u", "v" }
operator { "d", derivative = 1, order = 2 }
kernel { "k", [=[ u = d(v, x) ]=] }]])
    local apply = grid.nodes[#grid.nodes]
    local map = {}
    for id = 1, #grid.nodes do map[id] = -id end
    local mapped = walk.mapped(apply, map)
    assert.equal(-apply.arg, mapped.arg)
    assert.equal(-apply.taps[2].w, mapped.taps[2].w)
    assert.same(apply.taps[2].shift, mapped.taps[2].shift)
  end)
end)
