-- What check, bench, list and explain say, and when they fail.

local bench = require "gen.command.bench"
local command_line = require "gen.command.arguments"
local quern = require "tests.quern"
local runner = require "gen.runner"

local function run(arguments)
  local code, out, err = quern.run(arguments)
  assert.equal(0, code, err)
  return out
end

describe("check", function()
  local folder
  before_each(function() folder = quern.folder() end)
  after_each(function() quern.remove(folder) end)

  -- `mistake`, a command of sed, is made in kernels' texts as they are compiled.
  local function check(mistake, more, spec)
    local compiler = ""
    if mistake then
      quern.write(folder .. "/cc", ("#!/bin/sh\nsed -i '%s' *_blocked_*.c 2>/dev/null\nexec gcc \"$@\"\n")
        :format(mistake))
      compiler = ("chmod +x cc; rm -rf made; export QUERN_CACHE= CC='%s/cc'; "):format(folder)
    end
    return quern.shell(("%s '%s' check '%s' -o made %s"):format(compiler, quern.quern,
      spec or quern.root .. "/specs/laplace.lua", more), folder)
  end

  it("prints one line for each kernel and size", function()
    local code, out, err = check(nil, "--size 9,8,7 --size 1,1,1")
    assert.equal(0, code, err)
    assert.truthy(out:find("ok  laplace_r1_d3_float_apply_blocked_%w+  9x8x7  504 "), out)
    assert.truthy(out:find("1x1x1  1 "), out)
    assert.truthy(out:find("2 checked, 0 failed, 0 without a point", 1, true), out)
  end)

  it("takes one backend after the other", function()
    local code, out, err = check(nil, "--size 9,8,7 --backend c --backend simt --shape gmem")
    assert.equal(0, code, out .. err)
    assert.truthy(out:find("apply_blocked_.*1 checked, 0 failed.*apply_gmem_.*1 checked, 0 failed"), out)
  end)

  it("exits 3 and names the worst point when a kernel is wrong", function()
    local code, out, err = check([[s/dd_x1, u\[/dd_y1, u[/]], "--size 9,8,7")
    assert.equal(3, code, out .. err)
    assert.truthy(out:find("FAIL  laplace_r1_d3_float_apply"), out)
    assert.truthy(out:find("lap_u at %d,%d,%d\n"), out)
    assert.truthy(out:find("1 checked, 1 failed", 1, true), out)
    assert.truthy(err:find("laplace_r1_d3_float_apply", 1, true), err)
  end)

  it("draws the ends of a range: what has no value there is refused", function()
    local function check_range(range)
      quern.write(folder .. "/end.lua", ([[
precision { "double" }
grid { "x", "y" }
field { "u", "f" }
field { "m", range = { %s } }
kernel { "step", "u = f/m" }]]):format(range))
      return quern.run("check end.lua --size 20,20 --backend c -o made", folder)
    end
    local code, out, err = check_range("0.5, 1")
    assert.equal(0, code, out .. err)
    for _, range in ipairs { "0, 1", "-1, 0" } do
      code, out, err = check_range(range)
      assert.equal(3, code, out .. err)
    end
  end)

  it("says so where a value is beyond the largest of its storage", function()
    quern.write(folder .. "/beyond.lua", [=[
precision { "float" }
grid { "x" }
field { "f", range = { 300, 301 } }
field { "h", type = "half" }
field { "i", type = "int" }
kernel { "halves", [[ h = f^2 ]] }
kernel { "wholes", [[ i = f^4 ]] }]=])
    local code, out, err = quern.run("check beyond.lua --size 20 --backend c -o made", folder)
    assert.equal(3, code, out .. err)
    for _, words in ipairs { "halves.*h%(0%): 90%d%d%d%.?%d* is beyond 65504, the largest half: the data's range",
        "wholes.*i%(0%): 8%.1%d*e%+09 is beyond 2%.14748e%+09, the largest int: the data's range" } do
      assert.truthy(err:find(words), err)
    end
  end)

  it("takes both branches that a scalar decides", function()
    quern.write(folder .. "/branch.lua", [=[
precision { "double" }
grid { "x", "y" }
scalar { "s" }
field { "u", "v" }
kernel { "step", [[ v = where(s > 1, 2*u, 3*u) ]] }]=])
    for _, mistake in ipairs { "s/? 2.0 /? 2.5 /", "s/: 3.0 /: 3.5 /", false } do
      local code, out, err = check(mistake or nil, "", "branch.lua")
      assert.equal(mistake and 3 or 0, code, out .. err)
    end
  end)

  it("exits 3 when a kernel crashes, and still tries the next size", function()
    local code, out, err = check("/^int .*_launch(/,/^{/s/^{/{ *(volatile int *)8 = 1;/",
      "--size 9,8,7 --size 1,1,1")
    assert.equal(3, code, out .. err)
    assert.truthy(err:find("crashed", 1, true), err)
    assert.truthy(out:find("2 checked, 2 failed", 1, true), out)
  end)

  it("exits 3 with one plain sentence when there is no CUDA device", function()
    local code, out, err = quern.shell([[
      for f in /dev/nvidia0 /dev/nvidiactl; do test -e $f && exit 77; done
      gen/quern check specs/laplace.lua --backend cuda --size 5,5,5 -o ']] .. folder .. "'")
    if code == 77 then return pending("a device") end
    assert.equal(3, code, out .. err)
    assert.truthy(err:find("CUDA", 1, true), err)
  end)
end)

describe("bench", function()
  it("says once which kernel has no point to time, and at which size", function()
    local code, _, err = quern.run("bench specs/laplace.lua --size 0,4,4 -o out/check")
    assert.equal(3, code)
    assert.equal("laplace_r1_d3_float_apply_blocked_512x16x16, 0x4x4: there is no point to time\n", err)
  end)

  it("prints an aligned table with the ratio to the stream kernel", function()
    local out = run("bench specs/laplace.lua --size 64,64,64 --repeats 3 -o out/check")
    local heading, row = out:match("\n(kernel[^\n]*)\n([^\n]*)\n")
    assert.truthy(heading:find("Gpoint/s +GB/s +stream +ratio$"), out)
    assert.equal(#heading, #row)
    local gpoints, gbytes = row:match("(%S+) +(%S+) +%S+ +%S+ %%$")
    assert.truthy(math.abs(gbytes / gpoints - 8) < 0.1, row)
  end)

  it("shows what is measured also where it is slow", function()
    local out = run("bench specs/laplace.lua --size 1,1,1 --repeats 3 -o out/check")
    local gpoints, gbytes, stream = out:match("(%S+) +(%S+) +(%S+) +%S+ %%\n$")
    assert.truthy(gpoints + 0 > 0 and gbytes + 0 > 0 and stream + 0 > 0, out)
  end)

  it("gives a kernel the scalars of the command line", function()
    for width, inner_has_points in pairs { [0] = true, [10] = false } do
      local out = run("bench specs/acoustic_iso.lua --size 20,20,20 --repeats 1 -o out/check --scalar width=" .. width)
      local inner, pml = out:match("_inner_[^\n]* (%S+) %%\n[^\n]*_pml_[^\n]* (%S+) %%\n")
      assert.equal(inner_has_points, inner + 0 > 0, out)
      assert.equal(not inner_has_points, pml + 0 > 0, out)
    end
  end)

  it("times a whole step, kernel after kernel, if it is asked to", function()
    local asked
    local ask = runner.run
    runner.run = function(requests) asked = requests; return nil, "asked" end
    bench.run(command_line.read({ "bench", "specs/elastic.lua", "--step", "--size", "5,6,7",
      "-o", "out/check" }, quern.root))
    runner.run = ask
    assert.same({ 3, asked[1].kernel, asked[2].kernel }, { #asked, table.unpack(asked[3].kernel) })
    assert.truthy(asked[1].kernel:find("velocity") and asked[2].kernel:find("stress"))
  end)

  it("asks for rows that are aligned where the command line says", function()
    local asked
    local ask = runner.run
    runner.run = function(requests) asked = requests; return nil, "asked" end
    local status, text = bench.run(command_line.read({ "bench", "specs/laplace.lua", "--size", "5,6,7",
      "--align", "27", "-o", "out/check" }, quern.root))
    runner.run = ask
    assert.same({ 3, "asked" }, { status, text })
    assert.same({ 1, 27 }, { #asked, asked[1].align })
  end)
end)

describe("list", function()
  it("shows params, fields and kernels", function()
    local out = run("list specs/acoustic_iso.lua --set radius=2")
    assert.truthy(out:find("radius  2\n"), out)
    assert.truthy(out:find("u +float +x y z +inout +%-1 to 1 +levels %-1 0 1, 2 buffers\n"), out)
    assert.truthy(out:find("step  point  in inner, pml\n", 1, true), out)
  end)

  it("says which shapes apply, and why others do not", function()
    local out = run("list specs/box27.lua")
    assert.truthy(out:find("gmem +default +box27_float_apply_gmem_32x4x4  rows=1\n"), out)
    assert.truthy(out:find("st_reg_shft +no +st_reg_shft: needs a star along z"), out)
  end)
end)

describe("explain", function()
  it("counts taps, groups, operations and bytes", function()
    local out = run("explain specs/laplace.lua --set type=double")
    for _, line in ipairs {
      "dd%(u%) +star of 7 taps, 4 weights; x %-1..1, y %-1..1, z %-1..1\n",
      "reads +u at 7 points\n", "writes +lap_u\n", "accesses +7 loaded, 1 stored\n",
      "flops +10 per point", "bytes +16 per point", "intensity +0.62 flops per byte\n",
      "hoisted +dd_0 = %-2/hx^2 %+ %-2/hy^2 %+ %-2/hz^2, dd_x1 = 1/hx^2,\n" } do
      assert.truthy(out:find(line), line .. "\n" .. out)
    end
  end)

  it("writes what is hoisted as a formula that means the same", function()
    local folder = quern.folder()
    quern.write(folder .. "/s.lua", [=[
      precision { "double" }
      grid { "x" }
      scalar { "a", "b" }
      field { "u" }
      field { "v" }
      kernel { "k", [[ v = a/(a*b)*u[x-1] + (a*b)^2*u + (a - 1/2)^2*u[x+1]
                         + a/(b/2)*u[x+2] + (-a)^2*u[x+3] + max(a, b)*u[x+4] ]] } ]=])
    local out = run("explain " .. folder .. "/s.lua"):gsub("%s+", " ")
    quern.remove(folder)
    for _, formula in ipairs { "= a/(a*b),", "= (a*b)^2,", "= (a + -1/2)^2,",
      "= a/(1/2*b),", "= (-a)^2,", "= where(b > a, b, a) " } do
      assert.truthy(out:find(formula, 1, true), formula .. "\n" .. out)
    end
  end)

  it("bounds the speed by memory or by arithmetic, whichever is less", function()
    assert.truthy(run("explain specs/laplace.lua --bandwidth 80 --peak 1000")
      :find("bound +10.0 Gpoint/s by memory, 80 GB/s / 8 bytes\n"))
    assert.truthy(run("explain specs/laplace.lua --bandwidth 80 --peak 50")
      :find("bound +5.0 Gpoint/s by arithmetic, 50 Gflop/s / 10 flops\n"))
  end)

  it("says what generating and compiling take, file by file", function()
    local out = run("explain specs/laplace.lua --timing --backend c --backend simt")
    assert.truthy(out:find("\ntiming, c\n  generate +%d+%.%d%d s\n  compile +%d+%.%d%d s  laplace_[^\n]*%.c\n"), out)
    assert.truthy(out:find("\ntiming, simt\n.*  compile +%d+%.[1-9]%d s  laplace_[^\n]*%.cu\n"), out)
    local code, text, err = quern.shell("NVCC=/no/nvcc " .. quern.quern .. " explain specs/laplace.lua --timing")
    assert.equal(3, code)
    assert.truthy(text:find("\ntiming, cuda for sm_90\n  generate "), text)
    assert.truthy(err:find("^/no/nvcc: cannot be run %(set NVCC%)\n"), err)
  end)
end)
