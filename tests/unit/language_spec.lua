-- The page about the language: its examples work, and it leaves nothing out.

local driver = require "gen.driver"
local quern = require "tests.quern"
local schema = require "gen.spec.schema"
local words = require "gen.spec.names"

local page = quern.read("specs/README.md")

describe("the page about the language", function()
  it("shows specifications that can be lowered", function()
    local folder = quern.folder()
    local count = 0
    for text in page:gmatch("\n```lua\n(.-)```\n") do
      count = count + 1
      local path = ("%s/s%d.lua"):format(folder, count)
      quern.write(path, text)
      local state, problems = driver.run { root = quern.root, spec = path,
        set = {}, fp = "strict", backend = "c", stop_after = "emit" }
      assert.truthy(state, problems and problems[1].message)
    end
    quern.remove(folder)
    assert.truthy(count >= 4, count)
  end)

  it("shows a program that runs", function()
    local folder = quern.folder()
    for text in page:gmatch("\n```lua\n(.-)```\n") do
      if text:find("Burgers", 1, true) then quern.write(folder .. "/burgers.lua", text) end
    end
    quern.write(folder .. "/main.c", page:match("\n```c\n(.-)```\n"))
    assert.equal(0, (quern.run("gen burgers.lua --backend c", folder)))
    local code, out, err = quern.shell("gcc -std=c11 -Wall -Wextra -Werror -O2 -ffp-contract=off "
      .. "-Iout/c -o main main.c out/c/burgers_*.c -lm && ./main", folder)
    quern.remove(folder)
    assert.equal(0, code, out .. err)
    -- By characteristics u = sin(2 pi (1/4 - 0.2 u)): the wave has moved on.
    local u = tonumber(out)
    assert.truthy(math.abs(u - math.sin(2*math.pi*(0.25 - 0.2*u))) < 0.02, out)
  end)

  it("names every constructor and every key", function()
    for _, name in ipairs(schema.names) do
      assert.truthy(page:find("`" .. name .. "[` ]"), name)
    end
    local mesh = { neighbours = true, list = true }     -- not yet
    for name, constructor in pairs(schema.constructors) do -- any order
      for _, key in ipairs(mesh[name] and {} or constructor.order) do
        assert.truthy(page:find("%f[%w]" .. key .. "%f[%W]"), name .. "." .. key)
      end
    end
  end)

  it("names every function", function()
    for _, name in ipairs(words.FUNCTIONS) do
      assert.truthy(page:find("%f[%w]" .. name .. "%f[%W]"), name)
    end
  end)
end)
