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

describe("the kinds of rows", function()
  -- Three sides for each of n points in a row, the first and the last apart.
  local function comb(n)
    local of = { count = 2, entries = {} }
    for i = 0, n - 1 do
      for _, ahead in ipairs { { 0, 1 }, { 0, 2 }, { 1, 0 } } do
        for _, distance in ipairs(ahead) do
          of.entries[#of.entries + 1] = (i + distance) % n
        end
      end
    end
    return of
  end

  it("are told apart by how far ahead their slots lead", function()
    local made = neighbour.kinds(comb(9), 8)
    assert.same({ 3, 1, 25, 27 }, { made.every, made.step, made.rows, made.of })
    assert.same({ { 0, 1 }, { 1, 0 }, { 0, 2 }, { 0, -7 } }, { made.kinds[1].ahead, made.kinds[2].ahead,
      made.kinds[3].ahead, made.kinds[4] and made.kinds[4].ahead })
  end)

  it("are at most as many as are asked for, most rows first", function()
    local made = neighbour.kinds(comb(9), 2)
    assert.same({ 8, 0, 8, 2, 16 }, { made.kinds[1].rows, made.kinds[1].first, made.kinds[2].rows,
      made.kinds[2].first, made.rows })
  end)

  it("are of two rows at least, which have all neighbours", function()
    local of = comb(9)
    for i = 1, #of.entries, 2 do of.entries[i] = -1 end
    assert.same({ 0, {} }, { neighbour.kinds(of, 8).rows, neighbour.kinds(of, 8).kinds })
    assert.equal(0, neighbour.kinds({ count = 2, entries = { 0, 1, 3, 7 } }, 8).rows)
  end)
end)
