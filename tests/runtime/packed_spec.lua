-- Fields that interleave, through the library: see packed.c.

local compile = require "gen.compile"
local diag = require "gen.diag"
local driver = require "gen.driver"
local quern = require "tests.quern"

local BACKENDS = os.getenv "QUERN_LONG" == "1" and { c = "cpu", simt = "simt" } or { c = "cpu" }

describe("packed fields", function()
  local folder = quern.folder()
  teardown(function() quern.remove(folder) end)

  for backend, context in next, BACKENDS do
    it("are each their own in one array: " .. backend, function()
      local options = { root = quern.root, spec = "tests/runtime/specs/packed.lua", set = {}, shapes = {},
        backend = backend, fp = "strict", arch = "", out = folder }
      local state, problems = driver.run(options)
      assert(state, problems and diag.format(problems))
      local module = assert(compile.module(state.files, options))
      local code, out, complaint = quern.shell(("make -s all && %s -std=c11 -O1 -g1 -Wall -Wextra -Wconversion -Werror "
        .. "-fsanitize=address,undefined -Iruntime -o %s/packed tests/runtime/packed.c out/runtime/libquern.a "
        .. "-fopenmp -ldl -lm && QUERN_RUNTIME=out/runtime %s/packed %s %s"):format(os.getenv "CC" or "gcc", folder,
        folder, context, module))
      assert.equal("0 faults\n", out)
      assert.equal("", complaint)
      assert.equal(0, code)
    end)
  end
end)
