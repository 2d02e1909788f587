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
                      out = folder .. "/out", cache = folder .. "/out/cache" }
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
      local options = { root = ".", backend = "c", fp = "strict", arch = "", cache = "%s/cache" }
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
      local options = { root = ".", backend = "c", fp = "strict", arch = "", cache = "%s/out/cache" }
      assert(require("gen.compile").module({ { path = "c/m.c", text = "int one;" } }, options))]]
    quern.write(folder .. "/m.lua", text:format(folder))
    local code, _, err = quern.shell(([[
      for i in 1 2 3 4; do lua5.4 '%s/m.lua' & pids="$pids $!"; done
      for p in $pids; do wait $p || exit 1; done]]):format(folder))
    assert.equal(0, code, err)
    local _, left = quern.shell("ls " .. folder .. "/out/cache | wc -l")
    assert.equal("2\n", left)
  end)

  it("leaves no upper halves of vector registers in use, however it is optimised", function()
    quern.write(folder .. "/m.lua", [[package.path = "./?.lua;" .. package.path
      local detect = arg[1] == "simt"
      local text = "struct s { double at[8]; }; void copy(struct s *, const struct s *);"
        .. " void copy(struct s *to, const struct s *from) { *to = *from; }"
      print((require("gen.compile").module({ { path = "m.c" .. (detect and "u" or ""), text = text } },
        { root = arg[2], backend = arg[1], fp = "strict", arch = "", out = arg[3], detect = detect })))]])
    for _, backend in ipairs { "c", "simt" } do
      local code, text, err = quern.shell(("objdump -d $(QUERN_QUICK=1 lua5.4 %s/m.lua %s %s %s)")
        :format(folder, backend, quern.root, folder))
      assert.equal(0, code, err)
      local copy = assert((text .. "\n"):match "<[%w_]*copy[%w_]*>:\n(.-)\n\n", text)
      if copy:find "[yz]mm%d" then assert.truthy(copy:find("vzeroupper", 1, true), backend) end
    end
  end)

  it("shares what launchers have in common where nothing is optimised, and there alone", function()
    quern.write(folder .. "/m.lua", [[package.path = arg[1] .. "/?.lua;" .. package.path
      local quern = require "tests.quern"
      local header = quern.read(arg[1] .. "/templates/quern_launch.h")
      for i = 1, 2 do
        local text = ('#include "quern_launch.h"\nint64_t of(int64_t p) { return quern_most(p, %d); }\n'):format(i)
        print((require("gen.compile").module({ { path = "c/quern_launch.h", text = header },
          { path = "c/m.c", text = text } }, { root = arg[1], backend = "c", fp = "strict", arch = "", out = "." })))
      end]])
    for quick, objects in pairs { [""] = "0\n", ["1"] = "1\n" } do
      local code, paths, err = quern.shell(("rm -rf cache; QUERN_CACHE= QUERN_QUICK=%s lua5.4 m.lua '%s'")
        :format(quick, quern.root), folder)
      assert.equal(0, code, err)
      for path in paths:gmatch "[^\n]+" do
        local _, undefined = quern.shell("nm -u " .. path, folder)
        assert.is_nil(undefined:find "quern_")
        local _, names = quern.shell("nm -D " .. path, folder)
        assert.is_nil(names:find "quern_")
      end
      local _, count = quern.shell("ls cache/*.o 2>/dev/null | wc -l", folder)
      assert.equal(objects, count)
    end
  end)

  it("is kept where QUERN_CACHE says, from any folder", function()
    quern.write(folder .. "/m.lua", [[package.path = arg[1] .. "/?.lua;" .. package.path
      local options = { root = arg[1], backend = "c", fp = "strict", arch = "", out = "/nowhere" }
      print((require("gen.compile").module({ { path = "c/m.c", text = "int one;" } }, options)))]])
    for _, named in ipairs { folder .. "/kept", "kept" } do
      local _, path, err = quern.shell(("QUERN_CACHE='%s' lua5.4 m.lua '%s'"):format(named, quern.root), folder)
      assert.equal(folder .. "/kept/", path:match("^.*/"), err)
    end
  end)
end)

-- -H has the compiler name what it reads: "! " before what was parsed already. It
-- writes a line in pieces, so each process has a file of its own.
describe("what stands in for the device", function()
  local PROGRAM = [[package.path = "%s/?.lua;" .. package.path
    local options = { root = arg[1], backend = "simt", fp = "strict", arch = "", cache = "cache",
      detect = %s }
    assert(require("gen.compile").module({ { path = "simt/m.cu", text = arg[2] } }, options))]]
  local folder
  before_each(function()
    folder = quern.folder()
    quern.write(folder .. "/cxx", '#!/bin/sh\nexec g++ -H "$@" 2>"' .. folder .. '/read.$$"\n')
    quern.shell("chmod +x cxx && mkdir runtime && cp -R " .. quern.root .. "/runtime/simt* runtime"
      .. " && : >runtime/simt/rest.cpp", folder)
  end)
  after_each(function() quern.remove(folder) end)

  local function made(...)
    local parts = { "export CXX=./cxx; CXX=$PWD/cxx" }
    for i, text in ipairs { ... } do
      parts[i + 1] = ("lua5.4 m.lua '%s' '%s' & p%d=$!"):format(folder, text, i)
    end
    for i = 1, select("#", ...) do parts[#parts + 1] = ("wait $p%d || exit 1"):format(i) end
    local code, _, err = quern.shell(table.concat(parts, "\n"), folder)
    assert.equal(0, code, err)
  end

  local function count(command)
    local _, text = quern.shell(command, folder)
    return tonumber(text)
  end
  local function parsed() return count "ls -d cache/simt.*/simt/first.h.gch | wc -l" end
  local function used() return count "cat read.* | grep -c '^! .*first.h.gch'" end

  it("is parsed once, also for processes that begin at once", function()
    quern.write(folder .. "/m.lua", PROGRAM:format(quern.root, "true"))
    made("dim3 one(1);", "dim3 two(2);")
    made("dim3 three(3);")
    assert.equal(1, parsed())
    assert.equal(3, used())
    assert.equal(0, count "ls -d cache/build.* 2>/dev/null | wc -l")
  end)

  it("is parsed again when its text changed, and read where that is not kept", function()
    quern.write(folder .. "/m.lua", PROGRAM:format(quern.root, "false"))
    made("dim3 one(1);")
    quern.shell("echo 'const int LATER = 1;' >>runtime/simt/host.h", folder)
    made("int later = LATER;")
    assert.equal(2, parsed())
    quern.shell("for k in cache/simt.*; do : >$k/simt/first.h.gch; done", folder)
    made("int other = LATER;")
    assert.equal(2, used())
  end)
end)
