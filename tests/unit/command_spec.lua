-- The command: found from anywhere, helpful, and silent when nothing changes.

local lfs = require "lfs"
local outcome = require "gen.command.outcome"
local quern = require "tests.quern"

local SPEC = quern.root .. "/specs/laplace.lua"

describe("what is said of a step", function()
  it("counts one kernel as one", function()
    assert.equal("a step: 1 kernel", outcome.subject { kernel = { "a" } })
    assert.equal("a step: 2 kernels", outcome.subject { kernel = { "a", "b" } })
  end)
end)

describe("the command", function()
  local folder
  before_each(function() folder = quern.folder() end)
  after_each(function() quern.remove(folder) end)

  it("works from another folder", function()
    local code, _, err = quern.run(("dump '%s' --after load"):format(SPEC), folder)
    assert.equal(0, code, err)
  end)

  -- Tables on meshes refer to what they are parts of.
  it("shows what each pass gives of kernels on a mesh", function()
    for _, pass in ipairs { "load", "parse", "build", "lower", "schedule", "emit" } do
      local code, out, err = quern.run(("dump specs/ocean_mesh.lua --after %s --backend c"):format(pass))
      assert.equal(0, code, err)
      assert.truthy(out:find("node_gradient", 1, true), pass)
    end
  end)

  it("works through a relative link to a link, and through PATH", function()
    local code, _, err = quern.shell(([[
      mkdir a b && ln -s '%s' a/first && ln -s ../a/first b/quern
      b/quern list '%s' && PATH="$PWD/b:$PATH" quern list '%s']])
      :format(quern.quern, SPEC, SPEC), folder)
    assert.equal(0, code, err)
  end)

  it("works when its folder has blanks and quotes in its name", function()
    local code, _, err = quern.shell(([[
      mkdir "it's here" && ln -s '%s' "it's here/quern"
      cp '%s' "it's here/laplace.lua" && cd "it's here"
      ./quern gen laplace.lua -o "out put" --backend c && ls "out put/c" >/dev/null]])
      :format(quern.quern, SPEC), folder)
    assert.equal(0, code, err)
  end)

  it("checks where the folder's name is no UTF-8", function()
    local code, out, err = quern.shell(([[
      d=$(printf 'd\\377') && mkdir "$d" && cp '%s' "$d" && '%s' check "$d/laplace.lua" -o "$d/out" --size 3,3,3]])
      :format(SPEC, quern.quern), folder)
    assert.equal(0, code, out .. err)
  end)

  it("is not disturbed by LUA_INIT", function()
    local code = quern.shell(("LUA_INIT='os.exit(9)' '%s' list '%s'"):format(quern.quern, SPEC))
    assert.equal(0, code)
  end)

  it("says so where what it says cannot be written", function()
    local code, _, err = quern.shell(("'%s' list '%s' >/dev/full"):format(quern.quern, SPEC))
    assert.equal(2, code)
    assert.equal("quern: what it says cannot be written: No space left on device\n", err)
  end)

  it("has help for itself and for every command", function()
    local code, out = quern.run("--help")
    assert.equal(0, code)
    assert.truthy(out:find("Exit codes: 0 well", 1, true))
    for _, name in ipairs { "gen", "check", "bench", "list", "dump", "explain" } do
      assert.truthy(out:find("\n   " .. name .. " ", 1, true), name)
      local status, help = quern.run(name .. " --help")
      assert.equal(0, status)
      assert.truthy(help:find("Usage: quern " .. name, 1, true), name)
    end
  end)
end)

describe("list", function()
  it("says what each shape can be told beside its block", function()
    local code, out, err = quern.run("list specs/heat.lua", quern.root)
    assert.equal(0, code, err)
    assert.truthy(out:find("yes +heat_r1_float_step_st_reg_shft_32x8  chunk=64,spare=0,stages=1,vec=4,rows=1\n"), out)
    assert.truthy(out:find("yes +heat_r1_float_step_smem_u_32x4x4\n"), out)
  end)

  it("says what each shape's block and other parameters may be", function()
    local code, out, err = quern.run("list specs/icon.lua", quern.root)
    assert.equal(0, code, err)
    local told = out:match "\nwhat they can be told, .-\n(.*)$"
    for _, line in ipairs { "  staged +block +from 1 +608 128 256 512\n",
        "  staged +stages +1 to 6 +2 1 3\n", "  kloop +block +any +64x2 32x2 32x4 ",
        "  inlined_cached +fused +stages of pieces +2 1x1 2x1 3 1x2 1x1x1\n" } do
      assert.truthy(told:find(line), told)
    end
  end)
end)

describe("explain", function()
  it("knows the bandwidth of no processor that C runs on", function()
    for more, line in pairs {
        ["--backend c"] = "  bound       by --bandwidth, as `bench` finds it for a stream, and --peak\n",
        ["--backend c --bandwidth 24"] = "  bound       2.0 Gpoint/s by memory, 24 GB/s / 12 bytes\n",
        [""] = "  bound       366.7 Gpoint/s by memory, 4400 GB/s / 12 bytes\n" } do -- any order
      local code, out, err = quern.run("explain specs/heat.lua " .. more, quern.root)
      assert.equal(0, code, err)
      assert.truthy(out:find(line, 1, true), out)
    end
  end)
end)

describe("gen", function()
  local folder
  before_each(function() folder = quern.folder() end)
  after_each(function() quern.remove(folder) end)

  local function gen(more)
    return quern.run(("gen '%s' -o made %s"):format(SPEC, more or ""), folder)
  end

  it("prints the files that it wrote, and nothing when nothing changed", function()
    local code, out, err = gen("--backend c")
    assert.equal(0, code, err)
    assert.truthy(out:find("made/c/laplace_r1_d3_float.h", 1, true), out)
    code, out = gen("--backend c")
    assert.equal(0, code)
    assert.equal("", out)
  end)

  it("leaves an unchanged file's time as it is", function()
    gen("--backend c")
    quern.shell("find made -type f -exec touch -d 2001-01-01 {} +", folder)
    gen("--backend c")
    local _, newer = quern.shell("find made -type f -newermt 2002-01-01", folder)
    assert.equal("", newer)
  end)

  it("gives the same bytes in two processes and two locales", function()
    for _, backend in ipairs { "cuda", "c", "reference" } do
      local one = ("LC_ALL=C '%s' gen '%s' --backend %s -o one"):format(quern.quern, SPEC, backend)
      local two = ("LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 '%s' gen '%s' --backend %s -o two")
        :format(quern.quern, SPEC, backend)
      assert.equal(0, (quern.shell(one .. " && " .. two, folder)))
    end
    local code, out = quern.shell("diff -r one two", folder)
    assert.equal(0, code, out)
  end)

  it("writes the same bytes wherever the specification lies", function()
    quern.shell(("mkdir deep && cp '%s' deep/"):format(SPEC), folder)
    local code, out = quern.shell(([[
      '%s' gen deep/laplace.lua -o one && cd deep && '%s' gen laplace.lua -o ../two &&
      diff -r ../one ../two]]):format(quern.quern, quern.quern), folder)
    assert.equal(0, code, out)
  end)

  it("takes params from --set and names them", function()
    local code, out = gen("--backend c --set radius=3 --set dims=2 --set type=double")
    assert.equal(0, code)
    assert.truthy(out:find("laplace_r3_d2", 1, true), out)
  end)

  it("writes for several backends at once, shapes for those that have them", function()
    local code, out, err = gen("--backend c --backend cuda --backend c --arch sm_80 --arch sm_90a "
      .. "--shape gmem:block=8x8x8 --shape st_reg_shft --shape blocked:block=64x8x8 --depfile made/d")
    assert.equal(0, code, err)
    for _, path in ipairs { "c/laplace_r1_d3_float_apply_blocked_64x8x8.c", "cuda/laplace_r1_d3_float.files",
        "cuda/laplace_r1_d3_float_apply_gmem_8x8x8.cu", "c/laplace_r1_d3_float.files",
        "cuda/laplace_r1_d3_float_apply_st_reg_shft_32x8.cu" } do
      assert.truthy(out:find("made/" .. path, 1, true), path)
    end
    local depfile = quern.read(folder .. "/made/d")
    assert.truthy(depfile:find("made/c/laplace_r1_d3_float.h", 1, true))
    assert.truthy(depfile:find("made/cuda/laplace_r1_d3_float.h", 1, true))
    assert.truthy(quern.read(folder .. "/made/cuda/laplace_r1_d3_float_module.c")
      :find('.arch = "sm_80,sm_90a"', 1, true))
  end)

  it("writes nothing for any backend when one refuses", function()
    local code, out, err = gen("--backend c --backend cuda --shape gmem:block=32x32x32")
    assert.equal(2, code, out)
    assert.truthy(err:find("gmem: ", 1, true), err)
    assert.is_nil(lfs.attributes(folder .. "/made"))
  end)

  it("says what each pass took when asked", function()
    local code, _, err = gen("--backend c --timing")
    assert.equal(0, code)
    for _, pass in ipairs { "load", "parse", "build", "lower", "schedule", "emit", "write" } do
      assert.truthy(err:find(pass .. " +[%d.]+ ms"), pass)
    end
  end)
end)
