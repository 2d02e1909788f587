-- The README shows what is there: its specification, and the kernel of it.

local quern = require "tests.quern"

-- The text between the fences of a language.
local function block(language)
  return quern.read("README.md"):match("\n```" .. language .. "\n(.-)\n```\n")
end

describe("the README", function()
  it("shows a shipped specification as it is", function()
    assert.equal(quern.read("specs/wave2d.lua"), block("lua") .. "\n")
  end)

  it("shows the kernel as it is generated", function()
    local folder = quern.folder()
    assert.equal(0, (quern.run(("gen '%s/specs/wave2d.lua' --set radius=1"):format(quern.root), folder)))
    local text = quern.read(folder .. "/out/cuda/wave2d_r1_float_step_gmem_64x4.cu")
    quern.remove(folder)
    assert.truthy(text:find(block("cuda"), 1, true))
  end)

  it("names only files that are there", function()
    for line in quern.read("README.md"):gmatch("\n| (`[^\n]*)") do
      for path in line:match("^[^|]*"):gmatch("`([%w_./]+)`") do
        if path ~= "out/" then
          assert.equal(0, (quern.shell("test -e " .. path)), path)
        end
      end
    end
  end)

  it("names every command and its options", function()
    local text = quern.read("README.md")
    for _, name in ipairs { "gen", "check", "bench", "list", "dump", "explain" } do
      local _, usage = quern.run(name .. " --help")
      usage = usage:match("^(.-)\n\n")
      for option in usage:gmatch("%-%-%l+") do
        assert.truthy(text:find(option, 1, true), name .. " " .. option)
      end
    end
  end)
end)
