-- What two neighbour tables, one after the other, lead to.

local neighbour = require "gen.neighbour"

-- A ring of n points, each between two; and of n sides, each with two ends.
local function ring(n)
  local sides, ends = { count = 2, entries = {} }, { count = 2, entries = {} }
  for i = 0, n - 1 do
    sides.entries[2*i + 1], sides.entries[2*i + 2] = (i - 1) % n, i
    ends.entries[2*i + 1], ends.entries[2*i + 2] = i, (i + 1) % n
  end
  return sides, ends
end

describe("the pattern of composed tables", function()
  it("numbers targets as they are first met, each once", function()
    local made = neighbour.compose(ring(5))
    assert.same({ { 0, 1 }, { 1, 2 } }, made.pattern)
    assert.same({ 3, 5, 5 }, { made.count, made.rows, made.of })
    assert.is_nil(made.other)
  end)

  it("is that of most rows, and says which is the first that has another", function()
    local sides, ends = ring(6)
    ends.entries[2*2 + 1], ends.entries[2*2 + 2] = 3, 2      -- side 2 the other way
    local made = neighbour.compose(sides, ends)
    assert.same({ { 0, 1 }, { 1, 2 } }, made.pattern)
    assert.same({ 4, 6, 2 }, { made.rows, made.of, made.other })
  end)

  it("passes over rows that lack neighbours", function()
    local sides, ends = ring(4)
    sides.entries[1], ends.entries[2*2 + 1] = -1, -1
    local made = neighbour.compose(sides, ends)
    assert.same({ 1, 4, 0 }, { made.rows, made.of, made.other })
    for i = 1, 8 do sides.entries[i] = -1 end
    assert.is_nil(neighbour.compose(sides, ends))
  end)

  it("counts targets that coincide in small meshes once", function()
    assert.same({ { 0, 1 }, { 1, 0 } }, neighbour.compose(ring(2)).pattern)
  end)
end)
