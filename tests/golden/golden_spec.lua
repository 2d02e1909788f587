-- Generated text, kept to be read: a change of it shows in the diff. `make
-- golden` rewrites the files and shows what changed.

local arguments = require "gen.command.arguments"
local driver = require "gen.driver"
local quern = require "tests.quern"

local FOLDER = "tests/golden/"

-- The text of one generated file, not written anywhere else.
local function generate(case)
  local words = { "gen" }
  for word in case.arguments:gmatch("%S+") do words[#words + 1] = word end
  local options = assert(arguments.read(words, "."))
  options.stop_after = "emit"
  for _, file in ipairs(assert(driver.run(options)).files) do
    if file.path == case.path then return file.text end
  end
  error("nothing generated at " .. case.path)
end

describe("quern gen", function()
  for _, case in ipairs(require "tests.golden.cases") do
    it(("%s gives %s"):format(case.arguments, case.file), function()
      local text = generate(case)
      if os.getenv "QUERN_GOLDEN" == "write" then
        quern.write(FOLDER .. case.file, text)
      end
      assert.equal(quern.read(FOLDER .. case.file), text)
    end)
  end
end)
