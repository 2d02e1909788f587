-- Writing: only what changed, whole or not at all, nothing stale left.

local lfs = require "lfs"
local output = require "gen.output"
local quern = require "tests.quern"

local folder

local function files(texts)
  local list = {}
  for name, text in pairs(texts) do list[#list + 1] = { path = "c/" .. name, text = text } end
  table.sort(list, function(a, b) return a.path < b.path end)
  return list
end

local BASE = { ["a_r1.h"] = "header", ["a_r1_step.c"] = "kernel", ["a_r1_module.c"] = "module",
               ["quern_abi.h"] = "abi" }

local function with(changes)
  local all = {}
  for name, text in pairs(BASE) do all[name] = text end
  for name, text in pairs(changes or {}) do all[name] = text or nil end
  return files(all)
end

local function write(list, more, sources)
  local options = { out = folder .. "/out" }
  for key, value in pairs(more or {}) do options[key] = value end
  return output.write(list, options, sources)
end

local function names_in(path)
  local list = {}
  for name in lfs.dir(path) do
    if not name:find("^%.%.?$") then list[#list + 1] = name end
  end
  table.sort(list)
  return list
end

local function age(path) assert(lfs.touch(path, 1000, 1000)) end
local function modified(path) return lfs.attributes(path, "modification") end

describe("output", function()
  before_each(function() folder = quern.folder() end)
  after_each(function() quern.remove(folder) end)

  it("makes the folders, writes the files and says which", function()
    local changed = assert(write(with()))
    assert.same({ "a_r1.files", "a_r1.h", "a_r1_module.c", "a_r1_step.c", "quern_abi.h" }, names_in(folder .. "/out/c"))
    assert.equal("kernel", quern.read(folder .. "/out/c/a_r1_step.c"))
    assert.equal(5, #changed)
  end)

  it("leaves headers that all instances share, also where this one needs them no more", function()
    local shared = {}
    for name in pairs(require "gen.headers") do shared[name] = name end
    write(with(shared))
    write(with { ["a_r1_step.c"] = "other" })
    for name in pairs(shared) do assert.equal(name == "quern_abi.h" and "abi" or name,
      quern.read(folder .. "/out/c/" .. name)) end
  end)

  it("leaves what has not changed alone, timestamps too", function()
    write(with())
    for _, name in ipairs(names_in(folder .. "/out/c")) do age(folder .. "/out/c/" .. name) end
    assert.same({}, write(with()))
    assert.same({ folder .. "/out/c/a_r1_step.c" }, write(with { ["a_r1_step.c"] = "other" }))
    assert.equal(1000, modified(folder .. "/out/c/a_r1.h"))
    assert.not_equal(1000, modified(folder .. "/out/c/a_r1_step.c"))
  end)

  it("removes what the instance no longer has, and nothing else", function()
    write(with { ["a_r1_step_gmem.c"] = "old" })
    quern.write(folder .. "/out/c/a_r1_mine.c", "not written by us")
    quern.write(folder .. "/out/c/b_r1.h", "another instance")
    write(with())
    assert.same({ "a_r1.files", "a_r1.h", "a_r1_mine.c", "a_r1_module.c", "a_r1_step.c", "b_r1.h", "quern_abi.h" },
      names_in(folder .. "/out/c"))
  end)

  it("believes no manifest that leads out of the folder", function()
    write(with())
    quern.write(folder .. "/precious", "x")
    quern.write(folder .. "/out/c/a_r1.files", "../../precious\na_r1/../../precious\n")
    write(with())
    assert.equal("x", quern.read(folder .. "/precious"))
  end)

  it("names what the files depend on, with an empty rule for each", function()
    write(with(), { depfile = folder .. "/d/a.d" }, { { name = "specs/a b.lua" }, { name = "specs/$c.lua" } })
    local text = quern.read(folder .. "/d/a.d")
    assert.truthy(text:find(folder .. "/out/c/a_r1_step.c", 1, true))
    assert.truthy(text:find("specs/a\\ b.lua", 1, true))
    assert.truthy(text:find("\nspecs/$$c.lua:\n", 1, true))
  end)

  it("writes a depfile that make understands", function()
    quern.write(folder .. "/a b.lua", "")
    write(with(), { depfile = folder .. "/a.d" }, { { name = folder .. "/a b.lua" }, { name = folder .. "/gone.lua" } })
    quern.write(folder .. "/Makefile", "all: out/c/a_r1.h\n%.h:\n\t@echo again\ninclude a.d\n")
    local make = ("make -s -f '%s/Makefile' '%s/out/c/a_r1.h'"):format(folder, folder)
    os.remove(folder .. "/gone.lua")
    lfs.touch(folder .. "/a b.lua", 2000, 2000)
    local code, out, complaint = quern.shell(make, folder)
    assert.equal(0, code, complaint)
    assert.equal("again\n", out) -- gone.lua counts as newer than anything
  end)

  it("leaves no temporary file behind", function()
    write(with())
    for _, name in ipairs(names_in(folder .. "/out/c")) do assert.is_nil(name:find("tmp")) end
  end)

  it("refuses a place that is not a folder, without a position", function()
    quern.write(folder .. "/out", "a file")
    local changed, problems = write(with())
    assert.is_nil(changed)
    assert.is_nil(problems[1].pos)
    assert.equal(folder .. "/out is not a folder", problems[1].message)
  end)

  it("refuses a file that cannot be written", function()
    lfs.mkdir(folder .. "/out")
    lfs.mkdir(folder .. "/out/c")
    lfs.mkdir(folder .. "/out/c/a_r1_step.c")
    quern.write(folder .. "/out/c/a_r1_step.c/in_the_way", "")
    local changed, problems = write(with())
    assert.is_nil(changed)
    assert.truthy(problems[1].message:find("cannot write " .. folder .. "/out/c/a_r1_step.c", 1, true))
    for _, name in ipairs(names_in(folder .. "/out/c")) do assert.is_nil(name:find("tmp")) end
  end)

  it("finds no fault with a folder that another makes at any moment", function()
    local look = lfs.attributes
    finally(function() lfs.attributes = look end)
    for moment = 1, 4 do
      local looked, place = 0, ("%s/%d"):format(folder, moment)
      lfs.attributes = function(...)
        local seen = look(...)
        looked = looked + 1
        if looked == moment then quern.shell(("mkdir -p '%s/c'"):format(place)) end
        return seen
      end
      assert(output.write(with(), { out = place }))
      assert.is_true(looked >= moment)
    end
  end)

  it("can be done by many processes at once", function()
    local script = ([[package.path = "./?.lua;" .. package.path
      local output = require "gen.output"
      local text = ("line\n"):rep(20000)
      for i = 1, 20 do
        assert(output.write({ { path = "c/a_r1_module.c", text = text .. (i %% 2) }, { path = "c/a_r1.h",
          text = text } },
          { out = "%s/out" }))
      end]]):format(folder)
    quern.write(folder .. "/many.lua", script)
    local code, _, complaint = quern.shell(("for i in 1 2 3 4; do lua5.4 '%s/many.lua' & pids=\"$pids $!\"; done; "
      .. "for p in $pids; do wait $p || exit 1; done"):format(folder))
    assert.equal(0, code, complaint)
    assert.equal(100000, #quern.read(folder .. "/out/c/a_r1.h"))
    assert.equal(100001, #quern.read(folder .. "/out/c/a_r1_module.c"))
    assert.same({ "a_r1.files", "a_r1.h", "a_r1_module.c" }, names_in(folder .. "/out/c"))
  end)
end)
