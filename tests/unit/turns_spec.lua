-- Which steps of st_tma are marks: blocks that wait for each other count them.

local turns = require "gen.emit.turns"

-- A text of C, of whole numbers, in Lua.
local function value(text, names)
  text = text:gsub("/", "//"):gsub("&&", "and")
  names.min = math.min
  return assert(load("return " .. text, text, "t", names))()
end

-- The numbers of the marks of a walk, in the order of its steps.
local function numbers(marks, ahead, planes)
  local list = {}
  local round = ahead and ahead + 1 or 1
  for start = -(ahead or 0), planes - 1, round do
    for k = 0, math.min(round, planes - start) - 1 do
      local names = { start = start, k = k, p = start + k }
      if value(marks.here, names) then
        list[#list + 1] = value(marks.number, names)
      end
    end
  end
  return list
end

describe("the marks of a walk", function()
  local function check(every, ahead)
    local marks = turns.marks(every, ahead)
    for planes = 1, 40 do
      local list = numbers(marks, ahead, planes)
      for i, number in ipairs(list) do assert.equal(i - 1, number) end
      assert.equal(#list, value(marks.of "planes", { planes = planes }))
    end
    return marks
  end

  it("are numbered one by one, and as many as the text says", function()
    for every = 1, 9, os.getenv "QUERN_LONG" == "1" and 1 or 2 do
      check(every)
      for ahead = 1, 16 do check(every, ahead) end
    end
  end)

  it("are far enough apart where steps are unrolled", function()
    assert.equal("k % 3 == 0 && k < 6", check(3, 6).here)
    assert.equal("k == 0", check(5, 8).here)
  end)
end)
