-- What check says of branches that no data took: of every where, min and max,
-- with its place, whatever the shape; and what it does that they are taken.

local check_command = require "gen.command.check"
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local runner = require "gen.runner"

local HEAD = [=[
precision { "double" }
grid { "x" }
]=]

describe("check", function()
  local folder
  setup(function() folder = quern.folder() end)
  teardown(function() quern.remove(folder) end)

  local function check(text, more)
    quern.write(folder .. "/s.lua", HEAD .. text)
    local code, out, err = quern.run("check s.lua --size 1000 -o made " .. (more or ""), folder)
    local said = {}
    for line in (out .. err):gmatch "[^\n]+" do
      if line:find "^s%.lua:" then said[#said + 1] = line end
    end
    table.sort(said)
    return said, code, out .. err
  end

  -- One kernel: each line is a statement, the first in line 5.
  local function of(range, formulas, more)
    return check(("field { \"u\", range = { %s } }\nfield { \"v\", \"w\" }\nkernel { \"k\", [[\n%s ]] }")
      :format(range, formulas), more)
  end

  it("is silent about branches that were taken both ways", function()
    local said, code, text = of("0, 1", "v = where(u < 0.2, u, 2*u)\nw = max(u, 0.3, 0.6)")
    assert.equal(0, code, text)
    assert.same({}, said)
  end)

  it("names each side that the range of the data keeps out of reach", function()
    local said, code, text = of("0, 1", "v = where(u > 2, u, where(u < 3, 2*u, 5))\nw = min(u, 2) + max(u, 4)")
    assert.equal(0, code, text)
    assert.same({ "s.lua:6:21: the condition of this 'where' always held",
      "s.lua:6:5: the condition of this 'where' never held",
      "s.lua:7:17: this 'max' always took a later argument",
      "s.lua:7:5: this 'min' never took a later argument" }, said)
  end)

  it("fails for them where it is asked to", function()
    local said, code, text = of("0, 1", "v = where(u > 2, u, 2*u)\nw = u", "--fail-on untaken")
    assert.equal(3, code, text)
    assert.same({ "s.lua:6:5: the condition of this 'where' never held" }, said)
    assert.truthy(text:find("1 of the branches above are not checked", 1, true), text)
    said, code, text = of("0, 3", "v = where(u > 2, u, 2*u)\nw = u", "--fail-on untaken")
    assert.equal(0, code, text)
    assert.same({}, said)
  end)

  it("draws what formulas compare a field with", function()
    local said, code, text = of("0, 1", "v = where(u == 0.5, 7, u)\nw = where(0.625 != u, u, 8)")
    assert.equal(0, code, text)
    assert.same({}, said)
  end)

  it("takes nought that is exact for nought: what is multiplied by it is not in doubt", function()
    local said, code, text = of("0, 1", "v = where(u*w*u > 0, u, 2)\nw = u")
    assert.equal(0, code, text)
    assert.same({}, said)
  end)

  it("adds up what all sizes took, and says once what a define says for two axes", function()
    quern.write(folder .. "/two.lua", [=[
precision { "double" }
grid { "x", "y" }
scalar { "s", range = { 0, 1 } }
field { "u", "v" }
define [[ up(a) = where(s > 2, u[a+1], u[a-1]) + where(s > 0.5, u, 2*u) ]]
kernel { "k", [[ v = up(x) + up(y) ]] }]=])
    local _, out = quern.run("check two.lua -o made", folder)
    local lines = {}
    for line in out:gmatch "two%.lua:[^\n]+" do lines[#lines + 1] = line end
    assert.same({ "two.lua:5:19: the condition of this 'where' never held" }, lines)
  end)

  it("gives both sides of each in what quern-run answers", function()
    of("0, 1", "v = where(u > 2, u, 2*u)\nw = min(u, 0.5)")
    local options = { root = quern.root, spec = folder .. "/s.lua", set = {}, shapes = {}, backend = "c", fp = "strict",
      arch = "", out = folder .. "/made", seed = 1 }
    local made = assert(modules.make(options))
    local answers = assert(runner.run(check_command.requests(made, { { 50 } }, options), options))
    assert.same({ { word = "where", place = "s.lua:6:5", held = false, failed = true },
      { word = "min", place = "s.lua:7:5", held = true, failed = true } }, answers[1].choices)
  end)

  it("says of each request what it took itself, of the same modules", function()
    of("0, 1", "v = where(u > 0.5, u, 2*u)\nw = u")
    local options = { root = quern.root, spec = folder .. "/s.lua", set = {}, shapes = {}, backend = "c", fp = "strict",
      arch = "", out = folder .. "/made", seed = 1 }
    local made = assert(modules.make(options))
    local answers = assert(runner.run(check_command.requests(made, { { 50 }, { 1 }, { 50 } }, options), options))
    for i, both in ipairs { true, false, true } do
      local choice = answers[i].choices[1]
      assert.equal(both, choice.held and choice.failed)
    end
  end)
end)
