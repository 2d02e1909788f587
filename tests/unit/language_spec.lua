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
    assert.equal(2, count)
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
