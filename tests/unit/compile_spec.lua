-- Shared objects by key: same input, same entry; any other input, another; an
-- entry that is not whole is built again.

local compile = require "gen.compile"
local quern = require "tests.quern"

describe("a compiled module", function()
  local folder
  before_each(function() folder = quern.folder() end)
  after_each(function() quern.remove(folder) end)

  local function module(text, changes)
    local options = { root = quern.root, backend = "c", fp = "strict", arch = "sm_90",
                      out = folder .. "/out" }
    for key, value in pairs(changes or {}) do options[key] = value end
    return compile.module({
      { path = options.backend .. "/one.h", text = "int one(void);\n" },
      { path = options.backend .. "/one_module.c", text = '#include "one.h"\n' .. text },
    }, options)
  end

  local ONE = "int one(void) { return 1; }\n"

  it("is found again when nothing changed", function()
    local first = assert(module(ONE))
    quern.shell(("touch -d 2001-01-01 '%s'"):format(first))
    assert.equal(first, module(ONE))
    local _, year = quern.shell(("date -r '%s' +%%Y"):format(first))
    assert.equal("2001\n", year)
  end)

  it("differs with the text, the backend's flags and the mode of arithmetic", function()
    local seen = {}
    for _, path in ipairs {
      assert(module(ONE)), assert(module(ONE .. "\n")), assert(module(ONE, { fp = "fast" })),
      assert(module(ONE, { backend = "reference" })) } do
      assert.is_nil(seen[path])
      seen[path] = true
    end
  end)

  it("holds machine code for every architecture", function()
    if not quern.nvcc() then return pending("nvcc is not here") end
    local path = assert(compile.module({
      { path = "cuda/one.cu", text = "__global__ void k(int *p) { *p = 1; }\n" },
      { path = "cuda/one_module.c", text = ONE } },
      { root = quern.root, backend = "cuda", fp = "strict", arch = "sm_80,sm_90a", out = folder .. "/out" }))
    local text = quern.read(path)
    assert.truthy(text:find("-arch sm_80 ", 1, true))
    assert.truthy(text:find("-arch sm_90a ", 1, true))
  end)

  it("differs with the compiler", function()
    local script = '#!/bin/sh\ncase "$*" in *"-### "*) echo other version ;; esac\nexec gcc "$@"\n'
    quern.write(folder .. "/cc", script)
    local program = [[
      package.path = "./?.lua;" .. package.path
      local options = { root = ".", backend = "c", fp = "strict", arch = "", out = "%s/out" }
      print((require("gen.compile").module({ { path = "c/m.c", text = "int one;" } }, options)))
    ]]
    quern.write(folder .. "/m.lua", program:format(folder))
    local _, plain = quern.shell(("lua5.4 '%s/m.lua'"):format(folder))
    local _, other = quern.shell(("chmod +x '%s/cc' && CC='%s/cc' lua5.4 '%s/m.lua'"):format(folder, folder, folder))
    assert.truthy(plain:find("%.so\n$"), plain)
    assert.truthy(other:find("%.so\n$"), other)
    assert.not_equal(plain, other)
  end)

  local function is_mended(harm)
    local path = assert(module(ONE))
    local whole = quern.read(path)
    quern.shell(harm:format(path))
    assert.equal(path, module(ONE))
    assert.equal(whole, quern.read(path))
  end

  it("is built again when the entry is cut short", function()
    is_mended("truncate -s 100 '%s'")
  end)

  it("is built again when a byte of the entry changed", function()
    is_mended("printf x | dd of='%s' bs=1 seek=200 conv=notrunc")
  end)

  it("is built again when the entry or its checksum is missing", function()
    is_mended("rm '%s'")
    is_mended("rm '%s.sum'")
    is_mended(": >'%s.sum'")
  end)

  it("leaves only whole entries, also after a failure", function()
    assert(module(ONE))
    local path, problem = module("int one(void) { return }\n")
    assert.is_nil(path)
    assert.truthy(problem:find("gcc -std=c11", 1, true), problem)
    assert.truthy(problem:find("one_module.c:2:", 1, true), problem)
    local _, left = quern.shell("ls " .. folder .. "/out/cache | sed 's/^[0-9a-f]*//' | sort")
    assert.equal(".so\n.so.sum\n", left)
  end)

  it("says so when the compiler goes well but leaves nothing", function()
    local code, out = quern.shell(("CC=true '%s' check specs/laplace.lua --size 3,3,3 -o '%s/none'")
      :format(quern.quern, folder))
    assert.equal(3, code)
    assert.equal("", out)
  end)

  it("survives several processes that make it at once", function()
    local text = [[package.path = "./?.lua;" .. package.path
      local options = { root = ".", backend = "c", fp = "strict", arch = "", out = "%s/out" }
      assert(require("gen.compile").module({ { path = "c/m.c", text = "int one;" } }, options))]]
    quern.write(folder .. "/m.lua", text:format(folder))
    local code, _, err = quern.shell(([[
      for i in 1 2 3 4; do lua5.4 '%s/m.lua' & pids="$pids $!"; done
      for p in $pids; do wait $p || exit 1; done]]):format(folder))
    assert.equal(0, code, err)
    local _, left = quern.shell("ls " .. folder .. "/out/cache | wc -l")
    assert.equal("2\n", left)
  end)
end)
