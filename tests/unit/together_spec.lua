-- One launch for all regions of a kernel: what it is asked for by, what it
-- refuses, what of it is tried and when it is chosen. That its results are
-- right: tests/sweep_cases.lua.

local apply = require "gen.tune.apply"
local candidates = require "gen.tune.candidates"
local compile = require "gen.compile"
local driver = require "gen.driver"
local emitted = require "tests.golden.emitted"
local estimate = require "gen.tune.estimate"
local lists = require "gen.list"
local quern = require "tests.quern"
local record = require "gen.tune.record"
local schedule = require "gen.schedule"
local source = require "gen.tune.source"

local REGIONS = quern.root .. "/tests/runtime/specs/together.lua"

local function options(spec, shapes, changes)
  local o = { root = quern.root, spec = spec, set = {}, backend = "cuda", fp = "strict", arch = "sm_90",
              shapes = shapes, sizes = {}, stop_after = "emit" }
  if spec:find("acoustic") then o.set.radius = "2" end
  for key, value in pairs(changes or {}) do o[key] = value end
  return o
end

local function together(name, params, region)
  params = lists.copy(params or {})
  params.together = "1"
  return { name = name, params = params, region = region }
end

local function names(plans)
  local list = {}
  for i, plan in ipairs(plans) do list[i] = plan.name end
  return list
end

local function made(spec, ...)
  return assert(driver.run(options(spec, { ... })))
end

local function refusal(spec, ...)
  local state, problems = driver.run(options(spec, { ... }))
  assert.is_nil(state)
  return problems[1].message
end

local ACOUSTIC, OF = "specs/acoustic_iso.lua", "acoustic_iso_r2_d3_float_step_"

describe("one launch for all regions", function()
  it("is all that a kernel launches where nothing else is asked for", function()
    local state = made(ACOUSTIC, together("gmem"))
    assert.same({ OF .. "gmem_32x4x4_together1" }, names(state.plans))
    local module = emitted.text_of(state.files, "_module%.c$")
    assert.truthy(module:find("return " .. OF .. "gmem_32x4x4_together1_launch(a, stream);", 1, true))
    local text = emitted.text_of(state.files, "together1%.cu$")
    assert.equal(1, select(2, text:gsub("cudaLaunchKernel", "")))
  end)

  it("stands beside the launches of each region, which are the kernel's then", function()
    local state = made(ACOUSTIC, { name = "gmem", params = {} }, together("gmem"))
    assert.same({ OF .. "inner_gmem_32x4x4", OF .. "pml_gmem_32x4x4", OF .. "gmem_32x4x4_together1" },
      names(state.plans))
    local module = emitted.text_of(state.files, "_module%.c$")
    assert.truthy(module:find("error = " .. OF .. "pml_gmem_32x4x4_launch(a, stream);", 1, true))
    assert.falsy(module:find("return " .. OF .. "gmem_32x4x4_together1_launch(a, stream);\n", 1, true)
      and module:find("step_launch%(\n[^}]*together1"))
  end)

  it("has the default shape, in blocks of as many threads, where its own does not apply", function()
    local plan = made(ACOUSTIC, together("smem_eta_1", { block = "16x4x2" })).plans[1]
    assert.same({ "gmem", "smem_eta_1" }, { plan.parts[1].shape, plan.parts[2].shape })
    assert.same({ { 16, 4, 2 }, { 16, 4, 2 } }, { plan.parts[1].block_size, plan.parts[2].block_size })
  end)

  it("has one name for what is the same in several regions, and others for what is not", function()
    local plan = made(REGIONS, together("gmem")).plans[1]
    local hosts, seen = {}, {}
    for i, host in ipairs(plan.block.host) do
      hosts[i] = host.name
      assert.falsy(seen[host.name], host.name)
      seen[host.name] = true
    end
    assert.truthy(seen.k and seen.k_band and seen.k_rim, table.concat(hosts, " "))
    assert.equal(1, select(2, table.concat(hosts, " "):gsub("d2_x1", "")))
  end)

  -- The rim's sum is along two axes: what is called d2_0 there is another value than the core's.
  it("has the weights of each region in sums that semi splits", function()
    local folder = quern.folder()
    quern.write(folder .. "/weights.lua", [=[
precision { "float" }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
scalar { "width", type = "int" }
field { "u", time = { 0, 1 } }
operator { "d2", derivative = 2, order = 4 }
region { "rim", shell = { z = { 0, "width" } } }
region { "core", rest = true }
kernel { "k", rim = [[ u.next = u + d2(u, x) + d2(u, z) ]], core = [[ u.next = u + sum(a in axes, d2(u, a)) ]] }]=])
    local text = emitted.text_of(made(folder .. "/weights.lua", together("semi")).files, "together1%.cu$")
    quern.remove(folder)
    local begun = {}
    for weight in text:gmatch "d2_u_begun = (%S+) %*" do begun[#begun + 1] = weight end
    assert.same({ "d2_0", "d2_0_core" }, begun)
  end)

  it("sees arrays of a shell as each of its boxes does", function()
    local text = emitted.text_of(made("tests/runtime/specs/only.lua", together("gmem")).files,
      "store_gmem_32x4x4_together1%.cu$")
    assert.truthy(text:find("psi - (index_t)box.skipped,", 1, true), text)
    assert.truthy(text:find("phi - (index_t)box.skipped * phi_z,", 1, true))
    assert.equal(2, select(2, text:gsub("%->skipped =\n +quern_skipped%(hollow_of%(a%), list%[b%]%.lower", "")))
  end)

  it("is refused in a sentence that names the kernel", function()
    assert.equal("gmem: together=1: kernel apply has no regions", refusal("specs/laplace.lua", together("gmem")))
    assert.equal("st_tma: together=1: this shape launches each region of kernel step by itself",
      refusal(ACOUSTIC, together("st_tma")))
    assert.equal("gmem: together=1: one launch for all regions of kernel step is asked for without a region",
      refusal(ACOUSTIC, together("gmem", {}, "pml")))
    assert.equal("gmem: together=2: wanted 0 to 1",
      refusal(ACOUSTIC, { name = "gmem", params = { together = "2" } }))
    assert.equal("smem_u: block=64x32x1 is 2048 threads, the limit is 1024 (kernel step)",
      refusal(ACOUSTIC, together("smem_u", { block = "64x32x1" })))
    local o = options("tests/runtime/specs/mesh.lua", { together("gmem") })
    local _, problems = driver.run(o)
    assert.truthy(problems[1].message:find("gmem: together=1: kernel %a+ runs over a mesh, one launch for all "
      .. "regions is over a grid"), problems[1].message)
    o = options("tests/runtime/specs/colours.lua", { together("gmem") })
    _, problems = driver.run(o)
    assert.truthy(problems[1].message:find("^gmem: together=1: "), problems[1].message)
  end)

  it("is asked of the reference too", function()
    assert.same({ { name = "reference", params = {} }, { name = "reference", params = { together = "1" } } },
      schedule.oracles(made(ACOUSTIC, together("gmem")).plans))
    assert.same({}, schedule.oracles(made(ACOUSTIC, { name = "gmem", params = {} }).plans))
  end)
end)

describe("tuning", function()
  local o = options(ACOUSTIC, {}, { stop_after = "lower" })
  local l = assert(driver.run(o)).lowered
  local SIZE = { 256, 256, 256 }

  it("tries one launch for all regions beside those of each, where there are regions", function()
    o.shapes = { { name = "gmem", params = { block = "32x4x4" } }, { name = "st_tma", params = { block = "32x14" } } }
    local tasks = candidates.list(l, o, SIZE)
    assert.equal(3, #tasks)
    local list = {}
    for i, candidate in ipairs(tasks[3].list) do list[i] = candidate.plan.name end
    assert.same({ OF .. "gmem_32x4x4_together1" }, list)
    assert.same({ "st_tma: together=1: this shape launches each region of kernel step by itself" },
      { tasks[3].dropped[1].why })
    for i = 1, 2 do
      for _, candidate in ipairs(tasks[i].list) do assert.is_nil(candidate.params.together) end
    end
    local laplace = options("specs/laplace.lua", {}, { stop_after = "lower" })
    assert.equal(1, #candidates.list(assert(driver.run(laplace)).lowered, laplace, SIZE))
    o.shapes = {}
  end)

  it("tries that alone where a request asks for it, and not where one says no", function()
    o.shapes = { together("gmem", { block = "32x4x4", rows = "1" }) }
    local tasks = candidates.list(l, o, SIZE)
    assert.same({ 0, 0, 1 }, { #tasks[1].list, #tasks[2].list, #tasks[3].list })
    o.shapes = { { name = "gmem", params = { block = "32x4x4", together = "0" } } }
    tasks = candidates.list(l, o, SIZE)
    assert.same({ 1, 1, 0 }, { #tasks[1].list, #tasks[2].list, #tasks[3].list })
    o.shapes = {}
  end)

  it("guesses that it costs what its regions do, each as far as it has points", function()
    local plans = assert(schedule.choose(l, options(ACOUSTIC, { { name = "gmem", params = {} }, together("gmem") })))
    local inner, all = estimate.cost(plans[1], l, SIZE, { width = 27 })
    local pml, some = estimate.cost(plans[2], l, SIZE, { width = 27 })
    assert.equal((inner * all + pml * some) / (all + some), (estimate.cost(plans[3], l, SIZE, { width = 27 })))
  end)
end)

describe("gen with records of each region and of all together", function()
  local folder
  setup(function() folder = quern.folder() end)
  teardown(function() quern.remove(folder) end)

  local function asked(shapes)
    return options(ACOUSTIC, shapes, { backend = "simt", out = folder })
  end

  -- Records that a plan of a request took so long for so many points, as if it had been timed here.
  local function write(shape, number, seconds, points)
    local o = asked { shape }
    local state = assert(driver.run(o))
    local plan = state.plans[number]
    assert(record.write(folder .. "/tuned", { format = record.FORMAT, instance = state.lowered.instance,
      spec = state.model.hash, kernel = "step", region = plan.region, backend = "simt", fp = "strict", arch = "",
      compiler = record.compiler(compile.recipe(o) or ""), device = "here", size_class = "64x64x64",
      size = { 64, 64, 64 }, plan = plan.name, shape = shape.name, params = shape.params,
      source = source.of(plan, state.files), median = seconds,
      points_per_second = points / seconds, ratio = 0.5, timed = 1,
      candidates = 1 }))
  end

  local function chosen()
    local state, notes = assert(apply.run(asked {}))
    return names(state.plans), notes
  end

  it("takes what all of them take least time with", function()
    write(together("gmem", { block = "16x4x4" }), 1, 3.5, 3000)
    local list, notes = chosen()
    assert.same({ OF .. "gmem_16x4x4_together1" }, list)
    assert.truthy(notes[1]:find("^step: gmem:block=16x4x4,together=1, as "), notes[1])
    write({ name = "gmem", params = { block = "64x2x2" } }, 1, 1, 1000)
    assert.same({ OF .. "inner_gmem_64x2x2", OF .. "pml_gmem_32x4x4" }, (chosen()))
    write({ name = "gmem", params = { block = "8x8x8" } }, 2, 3, 2000)
    assert.same({ OF .. "gmem_16x4x4_together1" }, (chosen()))
    write({ name = "gmem", params = { block = "8x8x8" } }, 2, 2, 2000)
    assert.same({ OF .. "inner_gmem_64x2x2", OF .. "pml_gmem_8x8x8" }, (chosen()))
    -- In a wider shell: that is another work.
    write({ name = "gmem", params = { block = "8x8x8" } }, 2, 3, 2100)
    assert.same({ OF .. "inner_gmem_64x2x2", OF .. "pml_gmem_8x8x8" }, (chosen()))
  end)
end)
