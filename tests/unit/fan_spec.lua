-- Fans: which points of a stage share a thread.

local fan_of = require "gen.schedule.fan"

-- v2e2c2v of specs/icon.lua: the vertices of the six edges of a vertex.
local PATTERN = { { 0, 1, 2, 3 }, { 1, 4, 5, 6 }, { 3, 1, 0, 6 }, { 1, 5, 2, 4 }, { 1, 6, 4, 3 }, { 2, 1, 5, 0 } }

local function fan(which, pattern)
  local state = { tables = { e2c2v = { count = 4 } },
    lowered = { tables = { { pattern = pattern, through = { "v2e", "e2c2v" } } } } }
  local way = { list = {}, steps = { { table = "e2c2v", count = 4 } } }
  return fan_of.of(state, { ways = { way } }, which), way
end

describe("a fan", function()
  it("has first the edges that begin at a vertex", function()
    local found, way = fan(1, PATTERN)
    assert.same({ each = 3, count = 6, centres = { 0, 0, 0 }, way = way, rows = { 2, 4, 5 }, through = "v2e",
      number = { { 0, 1, 2, 3 }, { 0, 2, 4, 1 }, { 0, 3, 1, 5 } } }, found)
  end)

  it("has any three of six that follow each other, and no others", function()
    local seen = {}
    for which = 1, 6 do
      local found = fan(which, PATTERN)
      local text = {}
      for i, row in ipairs(found.number) do
        text[i] = table.concat(row, " ")
        assert.equal(found.number[1][found.centres[1] + 1], row[found.centres[i] + 1])
      end
      assert.equal(6, found.count)
      seen[table.concat(text, ", ") .. ": " .. table.concat(found.centres, " ")] = true
    end
    local count = 0
    for _ in pairs(seen) do count = count + 1 end -- any order
    assert.equal(6, count)
    assert.same(fan(6, PATTERN).number, fan(7, PATTERN).number)
  end)

  it("is not of rows that have no neighbour in common, nor of a single one", function()
    assert.is_nil((fan(1, { { 0, 1, 2, 3 }, { 4, 5, 6, 7 } })))
    assert.is_nil((fan(1, { { 0, 1, 2, 3 } })))
  end)
end)
