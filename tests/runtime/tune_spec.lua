-- `quern tune` whole, on the CPU, and `gen` with what it found.

local json = require "gen.json"
local quern = require "tests.quern"
local record = require "gen.tune.record"

local SPEC = quern.root .. "/specs/laplace.lua"
local TUNE = ("tune '%s' --set dims=1 --size 4097 --repeats 1"):format(SPEC)

describe("tune", function()
  local folder, path, measured
  local function run(arguments, before)
    return quern.shell(("export OMP_NUM_THREADS=1 QUERN_QUICK=1; %s '%s' %s")
      :format(before or "", quern.quern, arguments), folder)
  end
  local function gen(more, before)
    local code, out, err = run(("gen '%s' --set dims=1 --backend c -o made %s"):format(SPEC, more or ""), before)
    assert.equal(0, code, out .. err)
    local _, list = quern.shell("cat made/c/*.files", folder)
    return list:match("blocked_(%d+)%.c"), err
  end
  -- Another record in the place of the one that was measured.
  local function rewrite(changes)
    local changed = assert(record.read(path))
    for key, value in pairs(changes) do changed[key] = value end
    return assert(record.write(folder .. "/out/tuned", changed))
  end

  setup(function()
    folder = quern.folder()
    local code, out, err = run(TUNE)
    assert.equal(0, code, out .. err)
    assert.truthy(out:find("apply: 4 to try, ", 1, true), out)
    assert.truthy(out:find("not tried  column: marches along the axis of a sweep", 1, true), out)
    assert.truthy(out:find("4 of 4", 1, true), out)
    path = folder .. "/" .. out:match("record  (%S+)")
    measured = record.read(path)
    -- From now on as if 256 were the fastest, which is not the default.
    local plan = json.decode(quern.read(folder .. "/out/tune/laplace_r1_d1_float_c/tune.json"))
    for _, one in ipairs(plan.tasks[1].candidates) do
      if one.params.block == "256" then
        rewrite { plan = one.name, params = one.params, source = one.source }
      end
    end
  end)
  teardown(function() quern.remove(folder) end)
  before_each(function() quern.shell("rm -rf made; cp -R out/tuned kept", folder) end)
  after_each(function() quern.shell("rm -rf out/tuned; mv kept out/tuned", folder) end)

  it("writes a record of what was measured", function()
    local found = measured
    assert.equal("4096", found.size_class)
    assert.equal(4, found.timed)
    assert.truthy(found.device:find("^cpu, "))
    assert.is_true(found.median > 0)
    local _, best = quern.shell([[
      sed 's/.*"kernel":"\([^"]*\)".*"median":\([^,]*\),.*/\2 \1/' out/tune/laplace_r1_d1_float_c/results.jsonl |
      sort -g | head -n 1]], folder)
    assert.equal(found.plan .. "\n", best:match(" (.*)"))
  end)

  it("times nothing again, and comes to the same record", function()
    local code, out = run(TUNE)
    assert.equal(0, code)
    assert.equal(4, select(2, out:gsub(" known ", "")))
    assert.same(measured, record.read(path))
  end)

  -- A search that is told of one shape alone.
  it("keeps what another search found faster, if it stands for today's text", function()
    local narrow, fast = TUNE .. " --shape blocked:block=512", 1e15
    local function after(changes)
      rewrite(changes)
      local code, out, err = run(narrow)
      assert.equal(0, code, out .. err)
      return out:match("(%l+)%s+[^%s]+/tuned/"), record.read(path).params.block
    end
    assert.same({ "kept", "256" }, { after { points_per_second = fast } })
    assert.same({ "record", "512" }, { after { points_per_second = 1 } })
  end)

  it("keeps none of a text that is generated no more", function()
    rewrite { points_per_second = 1e15, source = ("0"):rep(16) }
    local code, out, err = run(TUNE .. " --shape blocked:block=512")
    assert.equal(0, code, out .. err)
    assert.equal("512", record.read(path).params.block)
  end)

  it("is used by gen, which says so, with the same bytes each time", function()
    local chosen = "256"
    local block, err = gen "--tuned out/tuned --depfile d"
    assert.equal(chosen, block)
    assert.truthy(err:find(("apply: blocked:block=%s, as out/tuned/"):format(chosen), 1, true), err)
    assert.truthy(err:find(" threads?, 4097, [%d.e-]+ Gpoint/s%)\n$"), err)
    assert.truthy(quern.read(folder .. "/d"):find("out/tuned/laplace", 1, true))
    quern.shell("mv made one", folder)
    gen("", "QUERN_TUNED=out/tuned")
    assert.equal(0, (quern.shell("diff -r one made && rm -r one", folder)))
    quern.shell("rm -rf made && mkdir made && cp -R out/tuned made/tuned", folder)
    assert.equal(chosen, gen())
  end)

  it("is not used where it is not asked for, or where a shape is", function()
    local block, err = gen()
    assert.same({ "1024", "" }, { block, err })
    block, err = gen "--tuned out/tuned --no-tune"
    assert.same({ "1024", "" }, { block, err })
    block, err = gen "--tuned out/tuned --shape blocked:block=77"
    assert.same({ "77", "" }, { block, err })
  end)

  local function is_missed(why, changes, more, before)
    if changes then
      local other = rewrite(changes)
      if other ~= path then os.remove(path) end
    end
    local block, err = gen("--tuned out/tuned " .. (more or ""), before)
    assert.equal("1024", block)
    assert.truthy(err:find("apply: as without tuning: ", 1, true), err)
    assert.truthy(err:find(why, 1, true), err)
  end

  it("is not used where it does not hold: gen says why", function()
    is_missed("is for another text or other params, or by another Quern", { spec = "other" })
    quern.shell("rm -rf out/tuned; cp -R kept out/tuned", folder)
    is_missed("is for --fp strict", nil, "--fp unfused")
    is_missed("is for sizes near 4096", nil, "--size 512")
    is_missed("is of cpu, ", nil, "--for-device H100")
    is_missed("is for another compiler or other flags", nil, nil, "CC=no_such_cc")
    is_missed("is about a text that is generated no more", { source = "other" })
    is_missed("is about a text that is generated no more", { params = { block = "0" } })
    quern.write(path, quern.read(path):sub(1, -2))
    is_missed("is no whole record")
  end)

  it("is not used where another Quern wrote it, whose shapes or texts were others", function()
    for _, case in ipairs {
      { "is of the shape tiled, which backend c does not have", { shape = "tiled" } },
      { "is of the shape st_tma, which backend c does not have", { shape = "st_tma" } },
      { "is about a text that is generated no more", { params = { tile = "256" } } },
      { "is no whole record", { params = { block = 256 } } },
      { "is no whole record", { params = { block = { 256 } } } },
      { "is no whole record", { params = { "256" } } },
      { "is no whole record", { size = { "4097" } } } } do
      is_missed(case[1], case[2])
      quern.shell("rm -rf out/tuned; cp -R kept out/tuned", folder)
    end
  end)

  it("is nothing to kernels of like names, or to other kernels", function()
    rewrite { instance = "laplace_r1_d1", kernel = "float_apply", device = "another" }
    assert.equal("256", (gen "--tuned out/tuned"))
    local code, out, err = run(("gen '%s' --set dims=1 --backend c -o made --tuned out/tuned --kernel appply")
      :format(SPEC))
    assert.equal(2, code, out)
    assert.truthy(err:find("no kernel 'appply'; did you mean 'apply'?", 1, true), err)
  end)

  it("is not used where records of two devices hold, but by name", function()
    rewrite { device = "A" }
    is_missed("records of A and cpu, ")
    local block = gen "--tuned out/tuned --for-device A"
    assert.equal("256", block)
  end)

  it("is used for the largest of several sizes, or the one that is asked for", function()
    local wide = { size = { 9000 }, size_class = "8192", plan = "laplace_r1_d1_float_apply_blocked_512",
                   params = { block = "512" } }
    rewrite(wide)
    is_missed("is about a text that is generated no more")
    assert.equal("256", (gen "--tuned out/tuned --size 4000"))
  end)

  it("compiles no more than it tries, unless it tries all", function()
    quern.shell("mkdir few && ln -s ../out/cache few/cache", folder)
    local function modules(more)
      assert.equal(0, (run(TUNE .. " -o few --most " .. more)))
      local _, list = quern.shell("ls few/tune/*/modules | grep -vc reference", folder)
      return tonumber(list)
    end
    assert.equal(1, modules "1")
    assert.equal(2, modules "3")                -- one is known
    assert.equal(1, modules "all")
  end)

  it("says which candidate the compiler refuses, and tries the others", function()
    quern.write(folder .. "/cc", '#!/bin/sh\nif ls *blocked_4096.c >/dev/null 2>&1; then\n'
      .. 'echo "not that" >&2\nexit 1\nfi\nexec gcc "$@"\n')
    local code, out, err = run(TUNE .. " -o some", "chmod +x cc; export CC=$PWD/cc QUERN_CACHE=;")
    assert.equal(0, code, out .. err)
    assert.truthy(err:find("not that", 1, true), err)
    assert.truthy(out:find("blocked_4096: is not compiled", 1, true), out)
    assert.truthy(out:find("4 of 4 tried, the fastest: laplace", 1, true), out)
  end)

  it("makes a folder that is run without Lua, and records what that found", function()
    local code, out, err = run(TUNE .. " --prepare kit --most 2")
    assert.equal(0, code, out .. err)
    code, out, err = run("tune '" .. SPEC .. "' --set dims=1 --record kit")
    assert.equal(3, code, out)
    assert.truthy(err:find("quern: nothing was measured in kit: run kit/run", 1, true), err)
    code, out, err = quern.shell("mkdir away && mv kit away && LUA_PATH=/none away/kit/run", folder)
    assert.equal(0, code, out .. err)
    assert.truthy(out:find("2 of 4 tried, the fastest: laplace", 1, true), out)
    code, out, err = quern.shell("LUA_PATH=/none away/kit/run --most 3", folder)
    assert.equal(0, code, out .. err)
    assert.equal(2, select(2, out:gsub(" known ", "")), out)
    assert.truthy(out:find("3 of 4 tried, the fastest: laplace", 1, true), out)
    code, out, err = run("tune '" .. SPEC .. "' --set dims=1 --record away/kit --tuned mine")
    assert.equal(0, code, out .. err)
    assert.equal(3, record.read(folder .. "/" .. out:match("record  (%S+)")).timed)
  end)
end)
