-- The schedule: which shape takes which block, and the sentences when it cannot.

local driver = require "gen.driver"
local emitted = require "tests.golden.emitted"
local fixture = require "tests.golden.lowered"
local lists = require "gen.list"
local lowering = require "tests.lowering"
local quern = require "tests.quern"
local schedule = require "gen.schedule"

local options = emitted.options

local function refusal(lowered, ...)
  local plans, problems = schedule.choose(lowered, options(...))
  assert.is_nil(plans)
  return problems[1].message
end

describe("the schedule", function()
  it("says why a shape does not apply", function()
    assert.equal("st_reg_shft: streams along the last of 2 or 3 axes, this kernel has 1",
      refusal(fixture.wave(1, 1), "cuda", "st_reg_shft"))
    local box = fixture.wave(1)
    box.kernels[1].blocks[1].loads[1].offset = { x = 1, z = 1 }
    assert.equal("st_reg_shft: needs a star along z: u is read at (1,0,1)",
      refusal(box, "cuda", "st_reg_shft"))
  end)

  it("says why a window has no fixed places", function()
    local function why(loads)
      local flat = fixture.wave(1)
      for i, load in ipairs(flat.kernels[1].blocks[1].loads) do load.offset = loads[i] or {} end
      return refusal(flat, "cuda", "st_reg_fixed")
    end
    assert.equal("st_reg_fixed: nothing is read at other points along z: st_reg_shft does that", why { { x = 1 } })
    assert.equal("st_reg_fixed: needs a star along z: u is read at (1,0,1)", why { { x = 1, z = 1 } })
    local profile = lowering.lower [=[
precision { "float" }
grid { "x", "y", "z" }
field { "u" }
field { "p", on = { "y", "z" } }
kernel { "k", [[ u = p[z-1] ]] }]=]
    assert.equal("st_reg_fixed: nothing is read at other points along z: st_reg_shft does that",
      refusal(profile, "cuda", "st_reg_fixed"))
  end)

  it("splits the sums of symmetric stars alone", function()
    local spec = [=[
precision { "float" }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
scalar { "c" }
field { "u", "v", "w", "rest" }
operator { "d", derivative = 1, order = 2 }
operator { "dd", derivative = 2, order = 32 }
operator { "up", taps = { { 0, 0, -1, "c" }, { 0, 0, 1, "2*c" } } }
operator { "box", taps = { { 0, 0, -1, "c" }, { 0, 0, 1, "c" }, { 1, 0, 1, 2 }, { 1, 0, -1, 2 } } }
kernel { "k", [[ w = %s ]] }
kernel { "others", [[ rest = d(u, x) + dd(u, x) + up(u) + box(v) + c ]] }]=]
    local function split(sum, params)
      local o = options("cuda", "semi", params)
      o.kernels = { "k" }
      local plans, problems = schedule.choose(lowering.lower(spec:format(sum)), o)
      if not plans then return problems[1].message end
      local list = { "ahead " .. plans[1].ahead }
      for i, one in ipairs(plans[1].sums) do list[i + 1] = one.buffer .. " " .. one.reach end
      return table.concat(list, ", ")
    end
    assert.equal("ahead 16, u 16", split "v*sum(a in axes, dd(u, a))")
    assert.equal("ahead 16, v 16", split "u*dd(v, z) + v*d(u, z)")
    for _, other in ipairs { "d(u, z)", "dd(u, x)", "up(u)", "box(u)" } do
      assert.equal("semi: needs a symmetric star along z, no stencil of this block is one", split(other))
    end
    assert.equal("semi: streams along the last of 2 or 3 axes, this kernel has 1",
      refusal(fixture.wave(1, 1), "cuda", "semi"))
    assert.equal("semi: block=64x32 is 2048 threads, the limit is 1024", split("dd(u, z)", { block = "64x32" }))
    assert.equal(("semi: needs %d bytes of shared memory, the limit is 49152"):format(4 * (1024 + 32) * (1 + 32)),
      split("sum(a in axes, dd(u, a))", { block = "1024x1" }))
  end)

  it("says why a block has no planes in shared memory", function()
    assert.equal("st_smem: streams along the last of 2 or 3 axes, this kernel has 1",
      refusal(fixture.wave(1, 1), "cuda", "st_smem"))
    local still = fixture.wave(1)
    still.kernels[1].blocks[1].loads = { still.kernels[1].blocks[1].loads[1] }
    still.kernels[1].blocks[1].loads[1].offset = {}
    assert.equal("st_smem: nothing is read at other points: gmem does that", refusal(still, "cuda", "st_smem"))
    local bytes = 17 * 4 * (128 + 16) * (8 + 16)
    assert.equal(("st_smem: needs %d bytes of shared memory, the limit is 232448"):format(bytes),
      refusal(fixture.wave(8), "cuda", "st_smem", { block = "128x8" }))
    local box = fixture.wave(1)
    box.kernels[1].blocks[1].loads[1].offset = { x = 1, z = 1 }
    assert.equal("st_smem", schedule.choose(box, options("cuda", "st_smem"))[1].shape)
  end)

  it("gives a walk as many planes as it steps through, of other buffers a number that divides it", function()
    local function planes(radius)
      local lowered = fixture.acoustic(radius)
      local plan = schedule.choose(lowered, options("cuda", "st_smem"))[1]
      local list = { plan.turns }
      for i, stream in ipairs(plan.streams) do list[i + 1] = stream.buffer .. stream.slots end
      return table.concat(list, " ")
    end
    assert.equal("9 u9 eta3", planes(4))
    assert.equal("5 u5 eta5", planes(2))
  end)

  it("gives a walk spare planes, one or as many as are copied ahead", function()
    local function planes(shape, params)
      local plan = schedule.choose(fixture.wave(2), options("cuda", shape, params))[1]
      return plan.shared
    end
    local plane = 4 * (64 + 4) * (8 + 4)
    local PLAIN = { block = "64x8", rows = "1", stages = "0", vec = "1" }
    assert.equal(plane, planes("st_reg_shft", PLAIN))
    PLAIN.spare = "1"
    assert.equal(2 * plane, planes("st_reg_shft", PLAIN))
    PLAIN.stages = "3"
    assert.equal(4 * plane, planes("st_reg_fixed", PLAIN))
    PLAIN.stages = "0"
    assert.equal(6 * plane, planes("st_smem", PLAIN))
    PLAIN.stages = "2"
    assert.equal(7 * plane, planes("st_smem", PLAIN))
  end)

  it("gives the threads of a walk with a window rows of points", function()
    local plan = schedule.choose(fixture.wave(2), options("cuda", "st_reg_shft",
      { block = "32x4", rows = "3", stages = "0", vec = "1" }))[1]
    assert.equal("wave_r2_step_st_reg_shft_32x4_stages0_vec1_rows3", plan.name)
    assert.same({ 32, 12, 64 }, plan.tile)
    assert.equal(128, plan.threads)
    assert.equal(4 * (32 + 4) * (12 + 4), plan.shared)
    assert.equal("st_reg_fixed: rows=9: wanted 1 to 8",
      refusal(fixture.wave(1), "cuda", "st_reg_fixed", { rows = "9" }))
    assert.equal("st_tma: rows=9: wanted 1 to 8", refusal(fixture.wave(1), "cuda", "st_tma", { rows = "9" }))
    assert.same({ 32, 8, 4 }, schedule.choose(fixture.wave(2), options("cuda", "gmem", { rows = "2" }))[1].tile)
    assert.equal("gmem: no param 'rows'", refusal(fixture.wave(1, 1), "cuda", "gmem", { rows = "2" }))
    assert.equal("st_reg_shft: no param 'rows'", refusal(fixture.wave(1, 2), "cuda", "st_reg_shft", { rows = "2" }))
  end)

  it("copies ahead by itself where the device can and the plane has room, in the blocks that were fastest", function()
    local function choice(lowered, name, arch)
      local o = options("cuda", name)
      o.arch = arch
      local list = {}
      for i, plan in ipairs(schedule.choose(lowered, o)) do
        list[i] = ("%s %d %d %d"):format(table.concat(plan.block_size, "x"), plan.rows, plan.stages, plan.vec)
      end
      return table.concat(list, ", ")
    end
    assert.equal("64x8 1 1 1, 32x8 1 1 4", choice(fixture.acoustic(4), "st_reg_shft", "sm_80,sm_90"))
    assert.equal("64x8 1 1 1, 64x8 2 1 1", choice(fixture.acoustic(4), "st_reg_fixed", "sm_90a"))
    assert.equal("16x8 1 1 4", choice(fixture.wave(2), "st_reg_fixed", "sm_90"))
    assert.equal("64x8 1 0 1, 16x16 1 2 4", choice(fixture.acoustic(4), "st_smem", "sm_90"))
    assert.equal("32x16 1 0 1, 64x4 1 0 1", choice(fixture.acoustic(4), "st_reg_shft", "sm_90,sm_75"))
    assert.equal("64x4 1 0 1", choice(fixture.wave(4), "st_reg_fixed", "sm_70"))
    assert.equal("128 1 1 1", choice(fixture.wave(2, 2), "st_reg_shft", "sm_80"))
    assert.equal("128 1 0 1", choice(fixture.wave(2, 2), "st_reg_shft", "sm_75"))
    -- More than registers hold.
    assert.equal("16x8 1 1 4", choice(fixture.wave(8), "st_reg_shft", "sm_90"))
    assert.equal("64x4 2 1 1", choice(fixture.wave(12), "st_reg_shft", "sm_90"))
    assert.equal("64x8 2 1 1", choice(fixture.wave(8), "st_reg_fixed", "sm_90"))
    assert.equal("32x8 1 1 1", choice(fixture.wave(12), "st_reg_fixed", "sm_90"))
    assert.equal("32x16 1 0 1", choice(fixture.wave(8), "st_smem", "sm_90"))
    local small, wide = fixture.wave(1), fixture.wave(16)
    small.fields[1].type, wide.kernels[1].compute, wide.fields[1].type = "half", "double", "double"
    assert.equal("64x4 1 0 1", choice(small, "st_reg_shft", "sm_90"))
    assert.equal("64x4 1 0 1", choice(wide, "st_reg_shft", "sm_90"))
  end)

  it("gives the threads of a walk points side by side, and their planes whole vectors", function()
    local params = { block = "32x4", rows = "1", stages = "0", vec = "4" }
    for _, shape in ipairs { "st_reg_shft", "st_reg_fixed" } do
      local plan = schedule.choose(fixture.wave(1), options("cuda", shape, params))[1]
      assert.same({ 128, 4, 64 }, plan.tile)
      assert.same({ 136, 6 }, plan.streams[1].size)
      assert.equal(4 * 136 * 6, plan.shared)
    end
    params.vec = "2"
    assert.equal(4 * 3 * 68 * 6, schedule.choose(fixture.wave(1), options("cuda", "st_smem", params))[1].shared)
  end)

  it("says why threads have no points side by side", function()
    local function why(lowered, shape, vec) return refusal(lowered, "cuda", shape, { vec = vec, stages = "0" }) end
    assert.equal("st_smem: vec=3: wanted 1, 2 or 4", why(fixture.wave(1), "st_smem", "3"))
    assert.equal("st_reg_shft: vec=5: wanted 1 to 4", why(fixture.wave(1), "st_reg_shft", "5"))
    local odd = fixture.wave(1)
    odd.fields[2].axes = { "y", "z" }
    assert.equal("st_reg_fixed: vec=2: vp2dt2 is on y, z", why(odd, "st_reg_fixed", "2"))
    odd = fixture.wave(1)
    odd.fields[1].type, odd.fields[2].type = "half", "half"
    assert.equal("st_smem: vec=4: u is stored as half", why(odd, "st_smem", "4"))
    odd.fields[1].type, odd.fields[2].type = "double", "double"
    assert.equal("st_smem: vec=4: u is stored as double and computed with as float", why(odd, "st_smem", "4"))
  end)

  it("says why planes are not copied ahead", function()
    assert.equal("st_smem: stages=5: wanted 0 to 4", refusal(fixture.wave(1), "cuda", "st_smem", { stages = "5" }))
    assert.equal("st_reg_shft: spare=x: wanted a whole number, such as 0",
      refusal(fixture.wave(1), "cuda", "st_reg_shft", { spare = "x" }))
    assert.equal("semi: no param 'stages'", refusal(fixture.wave(1), "cuda", "semi", { stages = "1" }))
    local small = fixture.wave(1)
    small.fields[1].type = "half"
    assert.equal("st_reg_fixed: stages are copied as they are, u is stored as half and computed with as float",
      refusal(small, "cuda", "st_reg_fixed", { stages = "1" }))
    local o = options("cuda", "st_smem", { stages = "1" })
    o.arch = "sm_90,sm_75"
    local _, problems = schedule.choose(fixture.wave(1), o)
    assert.equal("st_smem: stages are copied by threads of sm_80 and later, not of sm_75", problems[1].message)
  end)

  it("knows the shared memory of older devices", function()
    local function block(arch)
      local o = options("cuda", "st_smem")
      o.arch = arch
      return table.concat(schedule.choose(fixture.wave(6), o)[1].block_size, "x")
    end
    assert.equal("64x8 32x8", block("sm_90") .. " " .. block "sm_90,sm_86")
  end)

  it("splits the sums of wide stars of floats, where registers hold what they began, in step", function()
    local spec = [=[
precision { "%s" }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
field { "u", time = { -1, 0, 1 }, buffers = 2 }
field { "v" }
operator { "dd", derivative = 2, order = %d }
kernel { "k", [[ u.next = 2*u - u.prev + v*sum(a in axes, dd(u, a)) ]] }]=]
    local function choice(radius, type)
      local o = options("cuda", "st_tma")
      o.arch = "sm_90"
      local plan = schedule.choose(lowering.lower(spec:format(type or "float", 2 * radius)), o)[1]
      return ("%s %s %d %d"):format(table.concat(plan.block_size, "x"), plan.sums and "split" or "whole",
        plan.walks[1].ahead, plan.lockstep)
    end
    assert.equal("32x20 whole 3 3", choice(4))
    assert.equal("32x16 split 4 3", choice(6))
    assert.equal("32x16 split 4 9", choice(8))
    -- Beyond, as many threads as have registers for their columns.
    assert.equal("32x12 whole 3 0", choice(9))
    assert.equal("32x12 whole 3 0", choice(14))
    assert.equal("32x8 whole 3 0", choice(15))
    assert.equal("32x8 whole 3 0", choice(12, "double"))
    assert.equal("32x16 whole 3 3", choice(6, "double"))
  end)

  it("names what a launch decides about its walks only where it was asked for", function()
    local function name(params)
      local o = options("cuda", "st_tma", params)
      o.arch = "sm_90"
      local plans, problems = schedule.choose(fixture.wave(1), o)
      return plans and plans[1].name:match("st_tma_(.*)") or problems[1].message
    end
    assert.equal("32x20", name {})
    assert.equal("32x20", name { chunk = "0" })
    assert.equal("32x20_chunk64_lockstep0", name { chunk = "64", lockstep = "0" })
    assert.equal("32x20_lockstep4_late1", name { lockstep = "4", late = "1" })
    assert.equal("32x16_fit0", name { block = "32x16", fit = "0" })
    assert.equal("st_tma: scatter=2: wanted 0 to 1", name { scatter = "2" })
    assert.equal("st_tma: stages=0: wanted 1 to 1000000", name { stages = "0" })
    assert.equal("st_tma: block=32x0: wanted 1 to 1000000", name { block = "32x0" })
    -- 2^64 + 1
    assert.equal("st_tma: scatter=18446744073709551617: wanted 0 to 1", name { scatter = "18446744073709551617" })
    assert.equal("st_tma: lockstep=-1: wanted a whole number, such as 3", name { lockstep = "-1" })
  end)

  it("says why the tensor unit does not copy a block's planes", function()
    local function why(change, arch)
      local lowered = fixture.wave(1)
      change(lowered, lowered.kernels[1].blocks[1])
      local o = options("cuda", "st_tma")
      o.arch = arch or "sm_90"
      local _, problems = schedule.choose(lowered, o)
      return problems and problems[1].message
    end
    assert.is_nil(why(function() end))
    assert.equal("st_tma: needs sm_90, this is for sm_80", why(function() end, "sm_90,sm_80"))
    assert.equal("st_tma: u is stored as half", why(function(l) l.fields[1].type = "half" end))
    assert.equal("st_tma: u is packed",
      why(function(l) l.fields[1].packed = { names = { "u", "w" }, index = 0 } end))
    assert.equal("st_tma: u has extra points along z", why(function(l) l.fields[1].extra = { z = 1 } end))
    assert.equal("st_tma: updates all points at once, kernel step does not",
      why(function(l) l.kernels[1].kind = "colours" end))
    assert.equal("st_tma: nothing is read at other points: gmem does that",
      why(function(_, block) block.loads = { block.loads[1] }; block.loads[1].offset = {} end))
    assert.equal("st_tma: streams along the last of 3 axes, this kernel has 2",
      refusal(fixture.wave(1, 2), "cuda", "st_tma"))
    assert.truthy(refusal(fixture.wave(16), "cuda", "st_tma", { block = "64x16" }):find(
      "^st_tma: needs %d+ bytes of shared memory, the limit is 232448$"))
    assert.equal("st_tma: a plane of u is 272 points wide, the limit is 256",
      refusal(fixture.wave(1), "cuda", "st_tma", { block = "64x2", rows = "1" }))
  end)

  it("walks along a long axis of each thin box of a shell", function()
    local function walks(region, params)
      local o, list = options("cuda", "st_tma", params), {}
      o.shapes[1].region = region
      for _, plan in ipairs(assert(schedule.choose(fixture.acoustic(1), o))) do
        for i, walk in ipairs(plan.region == region and plan.walks or {}) do
          list[i] = ("%s: %s by %s, %s"):format(walk.thin or "all", table.concat(walk.block_size, "x"),
            walk.axes[2].name, walk.axes[3].name)
        end
      end
      return list
    end
    assert.same({ "all: 32x20 by y, z" }, walks "inner")
    assert.same({ "x: 8x32 by y, z", "y: 16x28 by y, z", "z: 16x28 by z, y" }, walks "pml")
    assert.same({ "x: 4x8 by y, z", "y: 8x4 by y, z", "z: 8x4 by z, y" },
      walks("pml", { block = "8x4", narrow = "4x8" }))
    local wide = options("cuda", "st_tma", { narrow = "64x32" })
    wide.shapes[1].region = "pml"
    local _, problems = schedule.choose(fixture.acoustic(1), wide)
    assert.equal("st_tma: narrow=64x32 is 2048 threads, the limit is 1024 (kernel step, region pml)",
      problems[1].message)
    assert.equal("st_tma: no param 'narrow'",
      refusal(fixture.wave(1), "cuda", "st_tma", { narrow = "8x8" }))
  end)

  it("splits the sums of st_tma where nothing else is read at other points", function()
    local spec = [=[
precision { "float" }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
field { "u", "v", "w", "rest" }
operator { "d", derivative = 1, order = 2 }
operator { "dd", derivative = 2, order = 8 }
kernel { "k", [[ w = %s ]] }
kernel { "others", [[ rest = d(u, x) + dd(u, x) + v ]] }]=]
    local function split(sum)
      local o = options("cuda", "st_tma", { scatter = "1", stages = "2" })
      o.kernels = { "k" }
      local plans, problems = schedule.choose(lowering.lower(spec:format(sum)), o)
      if not plans then return problems[1].message end
      local walk = plans[1].walks[1]
      local s = walk.streams[1]
      return ("ahead %d, plane %d to %d, column %d to %d, %d slots"):format(plans[1].ahead, s.first, s.newest,
        s.low, s.high, s.slots)
    end
    assert.equal("ahead 4, plane 4 to 4, column 0 to 4, 3 slots", split "v*sum(a in axes, dd(u, a)) + u")
    assert.equal("st_tma: scatter=1: no sum is a symmetric star along z", split "d(u, z)")
    assert.equal("st_tma: scatter=1: u is read at other points by more than such a sum",
      split "dd(u, z)*d(u, x)")
    assert.equal("st_tma: scatter=1: v is read at other points by more than such a sum",
      split "dd(u, z)*d(v, x)")
    assert.equal("st_tma: scatter=1: sums read u and v", split "dd(u, z)*w + dd(v, z)*u")
  end)

  it("says of every kernel why a shape does not apply, of those with one reason together", function()
    local function told(params)
      local lowered = fixture.wave(1)
      for i, name in ipairs { "second", "third" } do
        lowered.kernels[i + 1] = fixture.wave(1).kernels[1]
        lowered.kernels[i + 1].name = name
      end
      lowered.kernels[2].blocks[1].loads[1].offset = { x = 1, z = 1 }
      local plans, problems = schedule.choose(lowered, options("cuda", "st_reg_shft", params))
      local list = {}
      for i, problem in ipairs(plans and {} or problems) do list[i] = problem.message end
      return list
    end
    assert.same({ "st_reg_shft: block=64x64 is 4096 threads, the limit is 1024 (kernels step, third)",
      "st_reg_shft: needs a star along z: u is read at (1,0,1) (kernel second)" }, told { block = "64x64" })
    assert.same({ "st_reg_shft: no param 'bloc'; did you mean 'block'?" }, told { bloc = "64x8" })
    assert.same({}, told { block = "64x8" })
  end)

  it("says why no tile in shared memory helps a block", function()
    for _, shape in ipairs { "smem_u", "smem_eta_3", "smem_eta_1" } do
      assert.equal(shape .. ": nothing is read at other points: gmem does that",
        refusal(fixture.wave(0), "cuda", shape))
      local lowered = fixture.wave(1)
      lowered.kernels[1].kind = "colours"
      assert.equal(shape .. ": updates all points at once, kernel step does not", refusal(lowered, "cuda", shape))
      lowered = fixture.wave(1)
      lowered.axes = { "x", "y", "z", "w" }
      lowered.kernels[1].blocks[1].axes = lowered.axes
      assert.equal(shape .. ": needs 1 to 3 axes, this kernel has 4", refusal(lowered, "cuda", shape))
      local other = shape == "smem_u" and "; kernel step, region inner" or ""
      assert.equal(shape .. ": block=64x8x4 is 2048 threads, the limit is 1024 (kernel step, region pml"
        .. other .. ")",
        refusal(fixture.acoustic(2), "cuda", shape, { block = "64x8x4" }))
    end
    for _, shape in ipairs { "smem_eta_3", "smem_eta_1" } do
      assert.equal(shape .. ": no field is of lower order, all that are read at other points are read 4 away",
        refusal(fixture.wave(4), "cuda", shape))
    end
  end)

  it("takes as much shared memory for tiles as a launch may ask for", function()
    local function tile(radius, block, arch)
      local o = options("cuda", "smem_u", { block = block })
      o.arch = arch or "sm_90"
      local plans, problems = schedule.choose(fixture.wave(radius), o)
      if not plans then return problems[1].message end
      return plans[1].shared, plans[1].dynamic
    end
    assert.same({ 4 * 40 * 12 * 12, false }, { tile(4, "32x4x4", "sm_80,sm_90") })
    assert.same({ 4 * 48 * 20 * 20, true }, { tile(8, "32x4x4") })
    assert.equal("smem_u: needs 76800 bytes of shared memory, the limit is 65536", tile(8, "32x4x4", "sm_90,sm_75"))
    assert.equal("smem_u: needs 331776 bytes of shared memory, the limit is 232448", tile(16, "32x4x4"))
    assert.same({ 8, 8, 4 }, schedule.choose(fixture.wave(16), options("cuda", "smem_u"))[1].block_size)
  end)

  it("has a block by itself wherever a small one fits", function()
    local function choose(spec, radius, storage, shape)
      local o = options("cuda", shape)
      o.root, o.spec, o.stop_after = quern.root, "specs/" .. spec .. ".lua", "lower"
      o.set = { radius = tostring(radius), type = storage }
      return schedule.choose(assert(driver.run(o)).lowered, o)
    end
    local function block(spec, radius, storage, shape)
      local plans, problems = choose(spec, radius, storage, shape)
      if not plans then return problems[1].message end
      local made = lists.find(plans, "shape", shape)
      return table.concat(made.params.block, "x"), made.params.late and made.params.late[1]
    end
    local function narrow(storage)
      for _, made in ipairs(choose("acoustic_iso", 16, storage, "st_tma")) do
        if made.region == "pml" and made.shape == "st_tma" then return table.concat(made.params.narrow, "x") end
      end
    end
    assert.same({ "8x4", 0 }, { block("tti", 8, "double", "st_tma") })
    assert.same({ "8x8", 1 }, { block("laplace", 16, "double", "st_tma") })
    assert.same({ "8x8", "4x4" }, { narrow("float"), narrow("double") })
    for radius, storage in pairs { [7] = "double", [8] = "float", [9] = "float" } do
      assert.equal("4x28", block("heat", radius, storage, "temporal"))
    end
    assert.truthy(block("heat", 10, "float", "temporal"):find("^temporal: needs %d+ bytes of shared memory"))
  end)

  it("has tiles of the fields of the highest order, or of those of lower order", function()
    local function tiles(shape)
      local list = {}
      for i, made in ipairs(schedule.choose(fixture.acoustic(4), options("cuda", shape))) do
        list[i] = made.shape .. ":"
        for _, one in ipairs(made.tiles or {}) do list[i] = list[i] .. " " .. one.buffer end
      end
      return list
    end
    assert.same({ "smem_u: u", "smem_u: u" }, tiles "smem_u")
    assert.same({ "smem_eta_3: eta", "gmem:" }, tiles "smem_eta_3")
    assert.same({ "smem_eta_1: eta", "gmem:" }, tiles "smem_eta_1")
  end)

  it("refuses a kernel that no shape takes", function()
    local lowered = fixture.wave(1)
    lowered.axes = { "x", "y", "z", "w", "v" }
    lowered.kernels[1].blocks[1].axes = lowered.axes
    for backend, shape in pairs { cuda = "gmem", c = "blocked" } do
      assert.equal(shape .. ": needs 1 to 4 axes, this kernel has 5", refusal(lowered, backend))
    end
  end)

  it("refuses a block that no device launches, with both numbers", function()
    assert.equal("gmem: block=64x8x4 is 2048 threads, the limit is 1024",
      refusal(fixture.wave(1), "cuda", "gmem", { block = "64x8x4" }))
    assert.equal("gmem: block=1x1x65 is 65 deep, the limit is 64",
      refusal(fixture.wave(1), "cuda", "gmem", { block = "1x1x65" }))
    assert.equal(("st_reg_shft: needs %d bytes of shared memory, the limit is 49152"):format(4 * (512 + 32) * (1 + 32)),
      refusal(fixture.wave(16), "cuda", "st_reg_shft", { block = "512x1", rows = "1", stages = "0" }))
  end)

  it("refuses unknown shapes and params, with the nearest", function()
    assert.equal("no shape 'best' for backend c; it has blocked, inlined, inlined_compressed, folded, column",
      refusal(fixture.wave(1), "c", "best"))
    assert.equal("no shape 'gmen' for backend cuda; did you mean 'gmem'?", refusal(fixture.wave(1), "cuda", "gmen"))
    assert.equal("st_reg_shft: no param 'chnk'; did you mean 'chunk'?",
      refusal(fixture.wave(1), "cuda", "st_reg_shft", { chnk = "4" }))
    assert.equal("gmem: block=32x4: wanted 3 whole numbers, such as 32x4x4",
      refusal(fixture.wave(1), "cuda", "gmem", { block = "32x4" }))
  end)

  it("names an unknown param before saying that the shape does not apply", function()
    assert.equal("st_reg_shft: no param 'chnk'; did you mean 'chunk'?",
      refusal(fixture.wave(1, 1), "cuda", "st_reg_shft", { chnk = "4" }))
  end)

  it("says why a shape does not apply where it then has no params", function()
    local half = fixture.wave(1)
    half.fields[1].type = "half"
    for _, params in ipairs { {}, { lockstep = "1" }, { scatter = "0" } } do
      assert.equal("st_tma: u is stored as half", refusal(half, "simt", "st_tma", params))
    end
    assert.equal("st_tma: streams along the last of 3 axes, this kernel has 2",
      refusal(fixture.wave(1, 2), "simt", "st_tma", { late = "1" }))
  end)

  it("refuses a kernel or a region that is not there, with the nearest", function()
    local o = options "cuda"
    o.kernels = { "stp" }
    local _, problems = schedule.choose(fixture.acoustic(1), o)
    assert.equal("no kernel 'stp'; did you mean 'step'?", problems[1].message)
    o = options("cuda", "gmem")
    o.shapes[1].region = "iner"
    _, problems = schedule.choose(fixture.acoustic(1), o)
    assert.equal("no region 'iner'; did you mean 'inner'?", problems[1].message)
    assert.is_nil(problems[1].pos)
  end)

  it("falls back to the default shape where a request does not apply", function()
    local lowered = fixture.acoustic(2)
    lowered.kernels[1].blocks[1].loads[2].offset = { y = 1, z = 1 }
    local plans = assert(schedule.choose(lowered, options("cuda", "st_reg_shft")))
    assert.equal("gmem", plans[1].shape)
    assert.equal("st_reg_shft", plans[2].shape)
  end)

  it("puts a request for one region before those for all", function()
    local o = options("cuda", "st_reg_shft")
    o.shapes[2] = { region = "pml", name = "gmem", params = { block = "16x4x4" } }
    local names = {}
    for i, plan in ipairs(assert(schedule.choose(fixture.acoustic(2), o))) do names[i] = plan.name end
    assert.same({ "acoustic_iso_r2_d3_step_pml_gmem_16x4x4", "acoustic_iso_r2_d3_step_pml_st_reg_shft_64x8",
                  "acoustic_iso_r2_d3_step_inner_st_reg_shft_32x8" }, names)
  end)

  it("puts params that are not the default into the name", function()
    local plans = schedule.choose(fixture.wave(1), options("cuda", "st_reg_shft", { block = "32x8", chunk = "16" }))
    assert.equal("wave_r1_step_st_reg_shft_32x8_chunk16", plans[1].name)
  end)

  it("splits the sums of several points side by side where nothing else is read", function()
    local o = options("cuda", "semi", { block = "16x4", vec = "4" })
    o.root, o.spec, o.set, o.stop_after = quern.root, "specs/acoustic_iso.lua", {}, "lower"
    local lowered = assert(driver.run(o)).lowered
    o.shapes[1].region = "inner"
    local plans = assert(schedule.choose(lowered, o))
    assert.same({ 64, 4, 64 }, lists.find(plans, "shape", "semi").tile)
    o.shapes[1].region = "pml"
    local _, problems = schedule.choose(lowered, o)
    assert.equal("semi: vec=4: u is read at (0,0,-1) beside its sums (kernel step, region pml)", problems[1].message)
  end)

  it("serves each block of the specifications of the paper and beside it, or says in a sentence why not", function()
    local serves = {}
    for _, spec in ipairs { "acoustic_iso", "elastic", "tti", "box27", "heat", "heat_faces" } do
      local o = options "cuda"
      for key, value in pairs { root = quern.root, spec = "specs/" .. spec .. ".lua", set = {}, stop_after = "lower",
                                shapes = {} } do o[key] = value end -- any order
      local blocks = {}
      for _, row in ipairs(schedule.list(assert(driver.run(o)).lowered, o)) do
        local block = row.kernel .. (row.region or "")
        blocks[block] = (blocks[block] or 0) + 1
        if row.applies then
          serves[row.shape] = true
        else
          assert.truthy(row.why:find("^" .. row.shape .. ": %l[^\n]+$"), row.why)
        end
      end
      for _, count in pairs(blocks) do assert.equal(11, count) end -- any order
    end
    for _, shape in ipairs { "gmem", "smem_u", "smem_eta_3", "smem_eta_1", "semi", "st_smem", "st_reg_shft",
                             "st_reg_fixed", "st_tma", "temporal" } do
      assert.is_true(serves[shape], shape)
    end
  end)

  it("lists every shape of every region", function()
    local rows = schedule.list(fixture.acoustic(2), options "cuda")
    assert.equal(22, #rows)
    assert.same({ "pml", "gmem", true, true }, { rows[1].region, rows[1].shape, rows[1].default, rows[1].applies })
  end)
end)
