-- The runtime is built again where something that it is built of is newer, and
-- nothing is asked of make where nothing is.

local quern = require "tests.quern"
local runner = require "gen.runner"

describe("quern-run", function()
  local folder
  before_each(function()
    folder = quern.folder()
    quern.shell("mkdir -p runtime/simt templates out/runtime && printf 'all:\\n\\t@touch asked\\n' >Makefile && "
      .. "touch -d 2001-01-01 Makefile runtime/a.c runtime/simt/b.h templates/c.h runtime/simt && "
      .. "touch -d 2002-01-01 out/runtime/made && touch out/runtime/quern-run", folder)
  end)
  after_each(function() quern.remove(folder) end)

  local function is_asked(change, backend)
    quern.shell("rm -f asked; " .. change, folder)
    assert.equal(folder .. "/out/runtime/quern-run", runner.program { root = folder, backend = backend })
    return quern.shell("test -e asked", folder) == 0
  end

  it("is as it was where all that it is built of is older", function()
    assert.is_false(is_asked "true")
    assert.is_false(is_asked("true", "c"))
  end)

  for _, path in ipairs { "Makefile", "runtime/a.c", "runtime/simt/b.h", "templates/c.h", "runtime/new.c" } do
    it("is built again where newer is " .. path, function()
      assert.is_true(is_asked("touch " .. path))
    end)
  end

  it("is built again where it or the mark is not there, and where a device may be new", function()
    assert.is_true(is_asked "mv out/runtime/quern-run lost")
    assert.is_true(is_asked "mv lost out/runtime/quern-run; mv out/runtime/made lost")
    assert.is_true(is_asked("mv lost out/runtime/made", "cuda"))
  end)
end)
