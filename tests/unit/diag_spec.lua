-- Diagnostics: carets, order, nearest names; and dumps, which print positions.

local diag = require "gen.diag"
local dump = require "gen.dump"

local function at(text, offset, name, from)
  return { source = { name = name or "s.lua", text = text, from = from },
           offset = offset }
end

local function printed(pos, message)
  return diag.format { diag.new(pos, "%s", message or "m") }
end

describe("places", function()
  it("lines and columns count from 1", function()
    local text = "ab\ncd\n\ne"
    local function place(offset)
      local line, column, source = diag.place(at(text, offset))
      return ("%d:%d %s"):format(line, column, source)
    end
    assert.are.equal("1:1 ab", place(1))
    assert.are.equal("1:3 ab", place(3))
    assert.are.equal("2:1 cd", place(4))
    assert.are.equal("3:1 ", place(7))
    assert.are.equal("4:2 e", place(9))
  end)
  it("a position knows its name", function()
    local call = at("a\n  f()", 5)
    assert.are.equal("s.lua:2:3", diag.where(call))
    assert.are.equal("s.lua:2:3 (formula 1:2)",
                     diag.where(at("xy", 2, "s.lua", call)))
    assert.are.equal("s.lua", diag.where { source = call.source })
  end)
end)

describe("the caret", function()
  it("stands under the character", function()
    assert.are.equal("s.lua:2:3: m\n    abc\n      ^\n",
                     printed(at("x\nabc", 5)))
  end)
  it("keeps tabs", function()
    assert.are.equal("s.lua:1:4: m\n    \ta\tb\n    \t \t^\n",
                     printed(at("\ta\tb", 4)))
  end)
  it("counts letters of several bytes once", function()
    assert.are.equal("s.lua:1:5: m\n    éé=\n      ^\n",
                     printed(at("éé=", 5)))
  end)
  it("stands behind the last character at the end", function()
    assert.are.equal("s.lua:1:4: m\n    abc\n       ^\n",
                     printed(at("abc", 4)))
  end)
  it("never prints control characters", function()
    assert.are.equal("s.lua:1:2: ?[2J\n    a?b\n     ^\n",
                     printed(at("a\27b", 2), "\27[2J"))
  end)
  it("cuts long lines around it", function()
    local text = ("a"):rep(500) .. "!" .. ("b"):rep(500)
    local lines = {}
    for line in printed(at(text, 501)):gmatch("[^\n]+") do
      lines[#lines + 1] = line
    end
    assert.is_true(#lines[2] <= 104)
    assert.are.equal("!", lines[2]:sub(#lines[3], #lines[3]))
    assert.are.equal("^", lines[3]:sub(-1))
  end)
  it("shows a built formula below the line of its call", function()
    local call = at("x\n  f(y)", 5)
    assert.are.equal("s.lua:2:3: m\n      f(y)\n      ^\n"
      .. "  in the text built here, line 2, column 1:\n    v\n    ^\n",
      printed(at("u\nv", 3, "s.lua", call)))
  end)
  it("shows notes as a second anchor", function()
    local d = diag.note(diag.new(at("ab", 2), "again"), at("ab", 1), "here")
    assert.are.equal("s.lua:1:2: again\n    ab\n     ^\n"
      .. "s.lua:1:1: note: here\n    ab\n    ^\n", diag.format { d })
  end)
  it("is left out where only the file is known", function()
    assert.are.equal("s.lua: m\n",
                     printed { source = { name = "s.lua", text = "x" } })
  end)
end)

describe("the list", function()
  it("is sorted by file and position, and says nothing twice", function()
    local text = "abcdef"
    local list = { diag.new(at(text, 5), "e"), diag.new(at(text, 2), "b"),
                   diag.new(at(text, 5), "e"), diag.new(at(text, 5), "d"),
                   diag.new(at(text, 1, "a.lua"), "z") }
    local out = {}
    for i, d in ipairs(diag.sorted(list)) do out[i] = d.message end
    assert.are.equal("z b d e", table.concat(out, " "))
  end)
  it("shows 20", function()
    local list = {}
    for i = 1, 25 do list[i] = diag.new(at(("x"):rep(30), i), "m") end
    local text = diag.format(list)
    assert.are.equal(20, select(2, text:gsub(": m\n", "")))
    assert.matches("\n5 more not shown\n$", text)
  end)
  it("takes a message as it is when nothing is to be put in", function()
    assert.are.equal("100 %", diag.new(at("x", 1), "100 %").message)
  end)
end)

describe("the nearest name", function()
  local names = { "range", "time", "temporary", "type", "u", "v" }
  it("allows one wrong letter in three", function()
    assert.are.equal("time", diag.nearest("tmie", names))
    assert.are.equal("time", diag.nearest("Time", names))
    assert.are.equal("temporary", diag.nearest("temprorary", names))
    assert.are.equal("range", diag.nearest("rang", names))
    assert.is_nil(diag.nearest("width", names))
    assert.is_nil(diag.nearest("ran", { "rrrr" }))
  end)
  it("counts letters too many and letters missing", function()
    assert.is_nil(diag.nearest("abcdefghi", { "jklmabcdef" }))
    assert.is_nil(diag.nearest("abcdefghi", { "efghijkl" }))
    assert.are.equal("abcdef", diag.nearest("abcdefghi", { "abcdef" }))
    assert.are.equal("abcdefghijkl",
                     diag.nearest("abcdefghi", { "abcdefghijkl" }))
  end)
  it("is not any other single letter", function()
    assert.is_nil(diag.nearest("w", names))
  end)
  it("is the first of equals", function()
    assert.are.equal("ab1", diag.nearest("abc", { "ab1", "ab2" }))
    assert.are.equal("ab2", diag.nearest("abc", { "ab2", "ab1" }))
  end)
  it("makes a hint, or none", function()
    assert.are.equal("; did you mean 'time'?", diag.hint("tim", names))
    assert.are.equal("", diag.hint("zzz", names))
  end)
end)

describe("dump", function()
  it("sorts numbers, then words, then booleans", function()
    assert.are.equal('{ "a", [7] = 1, b = 2, c = 3, [true] = 4 }\n',
      dump.text { "a", [7] = 1, c = 3, b = 2, [true] = 4 })
  end)
  it("prints numbers so that they read back", function()
    assert.are.equal("{ 1, 0.1, 1e+300, 0.3333333333333333, inf }\n",
      dump.text { 1, 0.1, 1e300, 1 / 3, math.huge })
  end)
  it("quotes what is not printable", function()
    assert.are.equal('{ ["a b"] = "x\\n\\"\\\\\\x01" }\n',
                     dump.text { ["a b"] = 'x\n"\\\1' })
  end)
  it("prints positions and sources by name", function()
    local pos = at("x\ny", 3)
    assert.are.equal("{ pos = <s.lua:2:1>, source = <source s.lua> }\n",
                     dump.text { pos = pos, source = pos.source })
  end)
  it("breaks what is longer than a line", function()
    local long = ("x"):rep(60)
    assert.are.equal(('{\n  "%s",\n  "%s"\n}\n'):format(long, long),
                     dump.text { long, long })
  end)
  it("says where a table within itself began", function()
    local t = { { inputs = { {} } } }
    t[1].inputs[1].group, t[1]["all of it"] = t[1], t
    assert.are.equal('{ { ["all of it"] = <all>, inputs = { { group = <[1]> } } } }\n', dump.text(t))
    local group = { inputs = { {} } }
    group.inputs[1].group = group
    assert.are.equal("{ groups = { { inputs = { { group = <groups[1]> } } } } }\n",
                     dump.text { groups = { group } })
  end)
end)
