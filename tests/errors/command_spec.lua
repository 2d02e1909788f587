-- What the command line refuses, and how: one sentence on stderr, an exit code.

local quern = require "tests.quern"

local function refused(arguments, code, sentence)
  local got, out, err = quern.run(arguments)
  assert.equal(code, got)
  assert.equal("", out)
  assert.truthy(err:find(sentence, 1, true), err)
end

describe("an error of the command line", function()
  it("exits 2 without a command", function()
    refused("", 2, "quern: a command is required: quern --help lists them")
  end)

  it("names the nearest kernel, whatever the command", function()
    for _, command in ipairs { "gen", "explain", "check" } do
      refused(command .. " specs/heat.lua --kernel stp", 2,
        "quern: no kernel 'stp'; did you mean 'step'?")
    end
  end)

  it("says which kernels there are where none is near", function()
    refused("gen specs/elastic.lua --kernel st", 2, "quern: no kernel 'st': wanted velocity, stress\n")
  end)

  it("is a mesh that can neither be made nor read, before anything is built", function()
    local FORMS = ": wanted torus:LONxLAT, plane:LONxLAT, icosahedron:RnBk or a file\n"
    for arguments, about in pairs { ["check specs/icon.lua --mesh torus:2"] = "--mesh torus:2",
        ["bench specs/icon.lua --mesh sphere"] = "--mesh sphere",
        ["tune specs/icon.lua --mesh plane:4x"] = "--mesh plane:4x",
        ["mesh sphere:2"] = "mesh sphere:2", ["pattern icosahedron:R0 v2e"] = "mesh icosahedron:R0" } do -- any order
      refused(arguments, 2, "quern: " .. about .. FORMS)
    end
    refused("check specs/icon.lua --mesh torus:4x4 --reorder foo", 2,
      "quern: --reorder foo: no order 'foo': near, rcm, curve, random, rcm:edge or several, by commas\n")
  end)

  it("is a mesh of the right form that cannot be, or a table that it has not, before anything is built", function()
    local ODD = "quern: a torus of 7 latitudes: they are even, as every other row leans\n"
    for _, command in ipairs { "check specs/icon.lua --mesh torus:9x7", "bench specs/icon.lua --mesh torus:9x7",
        "tune specs/icon.lua --mesh torus:9x7", "mesh torus:9x7", "pattern torus:9x7 v2e" } do
      refused(command, 2, ODD)
    end
    refused("mesh icosahedron:R4294967298B0", 2, "quern: an icosahedron R2147483647B0: root 1 or more")
    refused("pattern torus:4x4 v2e nope", 2, "quern: the mesh has no table 'nope', but e2c2v, v2e, c2v, e2ecv, v2c\n")
    refused("pattern torus:4x4 v2e c2v", 2, "quern: 'v2e' leads to edge, but 'c2v' starts at cell\n")
    refused("check specs/heat.lua --mesh torus:4x4", 2,
      "quern: --mesh torus:4x4: specs/heat.lua has no domain of a mesh: vertex, edge, cell\n")
    refused("check tests/runtime/specs/tiles.lua --mesh torus:4x4", 2, "tiles.lua has no domain of a mesh: vertex")
    local spec = os.tmpname()
    quern.write(spec .. ".lua", 'precision { "double" } domain { "vertex", "edge" } field { "p", on = { "vertex" } }\n'
      .. 'field { "q", on = { "edge" } } neighbours { "ends", from = "edge", to = "vertex", count = 2 }\n'
      .. 'kernel { "k", "q = p[ends(0)]" }')
    refused(("check %s.lua --mesh torus:4x4"):format(spec), 2, (".lua has none of its tables: e2c2v, v2e, c2v, e2ecv, "
      .. "v2c, elem_nodes, node_elems, v2v, node_nodes\n"))
    os.remove(spec .. ".lua")
    os.remove(spec)
    refused("check specs/icon.lua --mesh README.md", 1, "README.md: ")
  end)

  it("is a whole step that is not there to be timed", function()
    refused("bench specs/icon.lua --step", 2, "quern: --step: specs/icon.lua has no step\n")
    refused("bench specs/elastic.lua --step --kernel stress", 2,
      "quern: --step: --kernel leaves out kernels of the step\n")
  end)

  it("exits 2 for a second value, rather than forget the first", function()
    for arguments, option in pairs { ["check specs/icon.lua --mesh plane:9x5 --mesh torus:4x4"] = "--mesh",
        ["check specs/heat.lua --seed 1 --seed 2"] = "--seed",
        ["bench specs/heat.lua --device 0 --device 1"] = "--device",
        ["mesh torus:2x2 --reorder rcm --reorder near"] = "--reorder", ["gen specs/heat.lua -o a --out b"] = "--out",
        ["gen specs/heat.lua --fp fast --fp strict"] = "--fp", ["tune specs/heat.lua --most 1 --most 2"] = "--most",
        ["explain specs/heat.lua --peak 1 --peak 2"] = "--peak" } do
      refused(arguments, 2, ("quern: option '%s' must be used at most 1 time"):format(option))
    end
    refused("gen specs/heat.lua --set radius=1 --set radius=2", 2, "--set radius=2: radius has the value 1 already")
    refused("gen specs/heat.lua --shape gmem:rows=1,rows=2", 2,
      "--shape gmem:rows=1,rows=2: wanted [REGION:]NAME[:PARAM=V,..], found rows twice")
  end)

  it("exits 2 where the reference would be compared with itself", function()
    for _, command in ipairs { "check", "bench" } do
      refused(command .. " specs/heat.lua --backend reference", 2,
        "'--backend' must be one of 'cuda', 'simt', 'c'")
    end
  end)

  it("names the nearest command", function()
    refused("gne specs/heat.lua", 2,
      "quern: unknown command 'gne'; did you mean 'gen'?")
  end)

  it("names the nearest option of that command", function()
    refused("gen specs/heat.lua --kernal step", 2,
      "quern: unknown option '--kernal'; did you mean '--kernel'?")
    refused("check specs/heat.lua --sizes 3,3,3", 2,
      "quern: unknown option '--sizes'; did you mean '--size'?")
  end)

  it("does not offer an option that the command does not have", function()
    local _, _, err = quern.run("dump specs/heat.lua --after load --sizes 3,3,3")
    assert.equal("quern: unknown option '--sizes'\n", err)
  end)

  it("is a scalar or a place of rows that a benchmark cannot have", function()
    local BENCH = "bench specs/heat.lua "
    refused(BENCH .. "--scalar dt", 2, "--scalar dt: wanted NAME=VALUE")
    refused(BENCH .. "--scalar dt=slow", 2, "quern: --scalar dt=slow: wanted a number")
    refused(BENCH .. "--scalar td=1", 2, "quern: --scalar td: no such scalar; did you mean 'dt'?")
    for _, command in ipairs { BENCH, "tune specs/heat.lua " } do
      for _, place in ipairs { "1.5", "1048577", "99999999999999999999" } do
        refused(command .. "--align " .. place, 2,
          ("--align %s: wanted a whole number from 0 to 1048576"):format(place))
      end
    end
  end)

  it("is an output folder without a name", function()
    refused("gen specs/heat.lua -o ''", 2, "--out: wanted a folder")
  end)

  it("is a setting without a value", function()
    refused("gen specs/heat.lua --set radius", 2, "--set radius: wanted NAME=VALUE")
  end)

  it("is a shape with too many parts", function()
    refused("gen specs/heat.lua --shape a:b:c", 2,
      "--shape a:b:c: wanted [REGION:]NAME[:PARAM=V,..]")
  end)

  it("is a shape's parameter without a value", function()
    refused("gen specs/heat.lua --shape gmem:block=", 2, "found block=")
  end)

  it("is a size that is no list of whole numbers", function()
    refused("check specs/heat.lua --size 8,x,8", 2, "found 'x'")
    refused("check specs/heat.lua --size 8,-1,8", 2, "found '-1'")
    refused("check specs/heat.lua --size 8,,8", 2, "found ''")
    refused("bench specs/heat.lua --repeats 0", 2, "--repeats 0: wanted a whole number above 0")
  end)

  it("is a size with too few extents", function()
    refused("check specs/heat.lua --size 8,8", 2,
      "--size 8,8: the spec has 3 axes, x, y, z")
  end)

  it("is an unknown pass, backend, mode or architecture", function()
    refused("dump specs/heat.lua --after paint", 2, "'load', 'parse', 'build'")
    refused("gen specs/heat.lua --backend hip", 2, "'cuda', 'simt'")
    refused("gen specs/heat.lua --fp loose", 2, "'strict', 'unfused', 'fast'")
    refused("gen specs/heat.lua --arch 90", 2, "--arch 90: wanted sm_NN")
  end)

  it("is a specification that cannot be read", function()
    refused("gen specs/no_such.lua", 2, "specs/no_such.lua")
  end)

  it("is a param that the specification does not have", function()
    refused("gen specs/heat.lua --set radios=2", 2, "radius")
  end)

  it("is a kernel that the specification does not have", function()
    refused("gen specs/heat.lua --kernel stp", 2, "step")
  end)

  it("is a shape that is not known", function()
    refused("gen specs/heat.lua --shape gmen", 2, "gmem")
  end)

  it("is what tune cannot do", function()
    local TUNE = "tune specs/heat.lua "
    refused(TUNE .. "--prepare a --record b", 2, "option '--record' can not be used together with option '--prepare'")
    refused(TUNE .. "--size 8,8", 2, "quern: --size 8,8: the spec has 3 axes, x, y, z")
    refused(TUNE .. "--size 8,8,8 --size 9,9,9", 2, "quern: tune is about one --size at a time")
    refused(TUNE .. "--backend c --backend simt", 2, "quern: tune is about one --backend at a time")
    refused(TUNE .. "--most 0", 2, "--most 0: wanted a whole number above 0 or all")
    refused(TUNE .. "--scalar dt", 2, "--scalar dt: wanted NAME=VALUE")
    refused(TUNE .. "--scalar dt=slow", 2, "quern: --scalar dt=slow: wanted a number")
    refused(TUNE .. "--scalar td=1", 2, "quern: --scalar td: no such scalar; did you mean 'dt'?")
    refused(TUNE .. "--shape blocked:blok=1", 2, "blocked: no param 'blok'; did you mean 'block'?")
    refused(TUNE .. "--record tests", 2, "quern: tests is no folder that quern tune prepared")
    local code, _, err = quern.run(TUNE .. "--prepare /dev/null/kit")
    assert.equal(2, code)
    assert.truthy(err:find("quern: cannot make folder /dev/null/kit: ", 1, true), err)
  end)

  it("is a folder of records that is not there", function()
    refused("gen specs/heat.lua --tuned nowhere", 2, "quern: --tuned nowhere: no such folder")
  end)

  it("is an output folder that cannot be made", function()
    refused("gen specs/heat.lua -o /dev/null/out", 2, "quern: /dev/null is not a folder")
  end)
end)

describe("an error of the specification", function()
  it("exits 1, shows the place and writes nothing", function()
    local folder = quern.folder()
    quern.write(folder .. "/bad.lua", 'precision { "float" }\ngrid { "x" }\nfeild { "u" }\n')
    local code, out, err = quern.run("gen bad.lua -o made", folder)
    assert.equal(1, code)
    assert.equal("", out)
    assert.truthy(err:find("bad.lua:3:1: ", 1, true), err)
    assert.truthy(err:find('feild { "u" }', 1, true), err)
    assert.equal(0, (quern.shell("test ! -e made", folder)))
    quern.remove(folder)
  end)
end)

describe("an error that only the last pass finds", function()
  local HEAD = 'precision { "float" }\ngrid { "x" }\nfield { "u", "v" }\n'
  for what, case in next, {
    ["a number beyond the type"] = { 'kernel { "k", [[ v = u*1e300 ]] }\n',
      "bad.lua:4:11: kernel k: a number of 301 digits is beyond float" },
    ["fields that C calls alike"] = { 'field { "int", "int_" }\nkernel { "k", [[ v = u*int + int_ ]] }\n',
      "bad.lua:4:17: 'int' and 'int_' are both called int_" },
    ["scalars that C calls alike"] = { 'scalar { "int", "int_" }\nkernel { "k", [[ v = u*int + int_ ]] }\n',
      "bad.lua:4:18: 'int' and 'int_' are both called int_" },
  } do
    it("exits 1 and shows the place: " .. what, function()
      local folder = quern.folder()
      quern.write(folder .. "/bad.lua", HEAD .. case[1])
      local code, out, err = quern.run("gen bad.lua -o made", folder)
      assert.equal(1, code, out .. err)
      assert.truthy(err:find(case[2], 1, true), err)
      assert.equal(0, (quern.shell("test ! -e made", folder)))
      quern.remove(folder)
    end)
  end
end)

describe("an error of a tool", function()
  it("exits 3 with the compiler's name when there is none", function()
    local folder = quern.folder()
    local code, _, err = quern.shell(("CC=no_such_cc '%s' check '%s/specs/laplace.lua' -o made --size 3,3,3")
      :format(quern.quern, quern.root), folder)
    assert.equal(3, code)
    assert.truthy(err:find("no_such_cc: cannot be run (set CC)", 1, true), err)
    quern.remove(folder)
  end)

  it("exits 3 when there is no compiler to tune with, or no device to tune for", function()
    local code, out, err = quern.shell(("CC=no_such_cc '%s' tune specs/laplace.lua --size 3,3,3"):format(quern.quern))
    assert.equal(3, code, out)
    assert.truthy(err:find("no_such_cc: cannot be run (set CC)", 1, true), err)
    code, out, err = quern.run("tune specs/laplace.lua --backend cuda --device 99 --size 3,3,3")
    assert.equal(3, code, out)
    assert.equal("", out)
    assert.truthy(err:find("^quern: "), err)
  end)

  it("says once, before it compiles anything, that there is no such device", function()
    for _, command in ipairs { "check", "bench" } do
      local code, out, err = quern.shell(("NVCC=no_such_nvcc '%s' %s specs/laplace.lua --backend cuda --device 99")
        :format(quern.quern, command))
      assert.equal(3, code, out)
      assert.equal("", out)
      assert.truthy(err:find("^quern: [^\n]*\n$"), err)
      assert.falsy(err:find("nvcc", 1, true), err)
    end
  end)

  it("exits 3 with the command and what it said when the compiler fails", function()
    local folder = quern.folder()
    quern.write(folder .. "/cc", '#!/bin/sh\ncase "$*" in *-E*) exit 0 ;; esac\necho "no thanks" >&2\nexit 1\n')
    local code, _, err = quern.shell(("chmod +x cc; QUERN_CACHE= CC='%s/cc' '%s' check '%s/specs/laplace.lua' "
      .. "-o made --size 3,3,3")
      :format(folder, quern.quern, quern.root), folder)
    assert.equal(3, code)
    assert.truthy(err:find("-std=c11", 1, true), err)
    assert.truthy(err:find("no thanks", 1, true), err)
    quern.remove(folder)
  end)

  it("exits 3 with the package's name when Lua or LPeg is missing", function()
    local code, _, err = quern.shell(("LUA=no_such_lua '%s' list specs/heat.lua"):format(quern.quern))
    assert.equal(3, code)
    assert.truthy(err:find("apt-get install lua5.4", 1, true), err)
    code, _, err = quern.shell(("LUA_PATH=/none LUA_CPATH=/none '%s' list specs/heat.lua"):format(quern.quern))
    assert.equal(3, code)
    assert.equal("quern: needs lua-lpeg, lua-argparse, lua-filesystem; "
      .. "on Debian: apt-get install lua-lpeg lua-argparse lua-filesystem\n", err)
  end)
end)

describe("a bug in Quern", function()
  it("exits 4 with a traceback", function()
    local folder = quern.folder()
    quern.shell(("cp -R gen templates '%s/'"):format(folder))
    quern.write(folder .. "/gen/driver.lua", 'return { run = function() error("broken") end }\n')
    local code, out, err = quern.shell("gen/quern gen x.lua", folder)
    assert.equal(4, code)
    assert.equal("", out)
    assert.truthy(err:find("this is a bug in Quern", 1, true), err)
    assert.truthy(err:find("stack traceback", 1, true), err)
    quern.remove(folder)
  end)
end)
