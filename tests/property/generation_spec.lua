-- Generation as a function: of the specification and the options alone, never
-- of what was generated before; and quick.

local lfs = require "lfs"
local quern = require "tests.quern"

local function all()
  local list = {}
  for file in lfs.dir(quern.root .. "/specs") do list[#list + 1] = file:match "^(.*)%.lua$" end
  table.sort(list)
  return list
end

-- One of each kind; every one that ships in the long sweeps.
local SPECS = os.getenv "QUERN_LONG" and all()
  or { "acoustic_iso", "column", "gauss_seidel", "icon", "maxwell" }

describe("generation", function()
  local folder
  before_each(function() folder = quern.folder() end)
  after_each(function() quern.remove(folder) end)

  local function gen(spec, out, more)
    local code, said, err = quern.run(("gen '%s/specs/%s.lua' -o %s %s")
      :format(quern.root, spec, out, more or ""), folder)
    assert.equal(0, code, err)
    return said
  end

  local function files(out)
    local _, list = quern.shell("cd " .. out .. " && find . -type f | sort", folder)
    return list
  end

  for _, spec in ipairs(SPECS) do
    it("of " .. spec .. " gives the same bytes in two processes and two locales", function()
      for i, locale in ipairs { "C", "de_DE.UTF-8" } do
        local code, _, err = quern.shell(
          ("LC_ALL=%s '%s' gen '%s/specs/%s.lua' -o out%d --backend cuda --backend c --backend reference")
            :format(locale, quern.quern, quern.root, spec, i), folder)
        assert.equal(0, code, err)
      end
      local code, difference = quern.shell("diff -r out1 out2", folder)
      assert.equal(0, code, difference)
    end)
  end

  it("with another radius uses nothing of the old one", function()
    gen("laplace", "used", "--backend c --set radius=2")
    gen("laplace", "used", "--backend c --set radius=4")
    gen("laplace", "fresh", "--backend c --set radius=4")
    local code, difference = quern.shell([[
      for f in fresh/c/*; do cmp "$f" "used/c/${f##*/}" || exit 1; done
      ! grep -l _r2_ used/c/*_r4_*]], folder)
    assert.equal(0, code, difference)
  end)

  it("with another radius in the specification itself leaves no old piece", function()
    local text = [[
      precision { "float" }
      grid { "x", spacing = { "hx" } }
      field { "u" }
      field { "v" }
      operator { "dd", derivative = 2, order = %d }
      kernel { "apply", "v = dd(u, x)" }
    ]]
    local function write(order)
      quern.write(folder .. "/twice.lua", text:format(order))
      local code, said, err = quern.run("gen twice.lua -o used --backend c", folder)
      assert.equal(0, code, err)
      return said
    end
    write(4)
    assert.truthy(write(8):find("used/c/twice_apply", 1, true))
    quern.shell("rm -rf fresh && '" .. quern.quern .. "' gen twice.lua -o fresh --backend c", folder)
    local code, difference = quern.shell("diff -r fresh used", folder)
    assert.equal(0, code, difference)
  end)

  it("with another shape removes the files of the old one", function()
    gen("laplace", "used", "--shape gmem")
    gen("laplace", "used", "--shape gmem:block=64x2x2")
    gen("laplace", "fresh", "--shape gmem:block=64x2x2")
    assert.equal(files("fresh"), files("used"))
  end)

  it("writes no date, host, user or absolute path", function()
    gen("acoustic_iso", "made")
    gen("acoustic_iso", "made", "--backend c")
    local _, host = quern.shell("hostname")
    local code, found = quern.shell(("! grep -rnE '%s|/tmp/|/work/|/home/|20[0-9][0-9]-[0-9]|%s' made")
      :format(quern.root, (host:gsub("%s+$", ""))), folder)
    assert.equal(0, code, found)
  end)

  -- Processor time, of another run if one takes longer than it may: other work shares
  -- the machine.
  local function seconds(arguments, most)
    local least = math.huge
    for _ = 1, 3 do
      if least < most then break end
      local code, taken = quern.shell(("'%s' %s >/dev/null && times"):format(quern.quern, arguments), folder)
      assert.equal(0, code)
      local m1, s1, m2, s2 = taken:match("\n(%d+)m([%d.]+)s (%d+)m([%d.]+)s")
      least = math.min(least, 60 * (m1 + m2) + s1 + s2)
    end
    return least
  end

  it("of one kernel takes under 100 ms", function()
    local taken = seconds(("gen '%s/specs/laplace.lua' -o made"):format(quern.root), 0.1)
    assert.truthy(taken < 0.1, taken .. " s")
  end)

  it("of all shapes at radius 16 takes under 1 s", function()
    local taken = seconds(("gen '%s/specs/acoustic_iso.lua' -o made --set radius=16 --shape gmem --shape st_reg_shft")
      :format(quern.root), 1)
    assert.truthy(taken < 1, taken .. " s")
  end)

  -- The largest kernels that are shipped: long sums of reads, many statements.
  local LARGE = { { "tti", "--set radius=8" }, { "elastic", "--set radius=8" }, { "lbm_d3q19", "" } }
  for _, case in ipairs(LARGE) do
    it(("of %s %s takes under 1 s"):format(case[1], case[2]), function()
      local taken = seconds(("gen '%s/specs/%s.lua' -o made %s"):format(quern.root, case[1], case[2]), 1)
      assert.truthy(taken < 1, taken .. " s")
    end)

    it(("of %s %s gives kernels that nvcc compiles in under 60 s"):format(case[1], case[2]), function()
      if not os.getenv "QUERN_LONG" then return pending("QUERN_LONG is not set") end
      local nvcc = quern.nvcc()
      if not nvcc then return pending("nvcc is not here") end
      gen(case[1], "made", case[2])
      local code, taken, err = quern.shell(nvcc .. " -std=c++17 -O3 -arch=sm_90 -fmad=false -Xcompiler "
        .. "-Wall,-Wextra -c made/cuda/*gmem*.cu -odir made && times", folder)
      assert.equal(0, code, err)
      assert.equal("", err)
      local minutes, rest = taken:match("\n(%d+)m([%d.]+)s")
      assert.truthy(60 * minutes + rest < 60, taken)
    end)
  end
end)
