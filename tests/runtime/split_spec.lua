-- Chains in pieces: each cut computes what the whole chain does, pieces in
-- another order are seen, cuts that cannot be are refused, and all are tried
-- where a chain is tuned.

local apply = require "gen.tune.apply"
local candidates = require "gen.tune.candidates"
local compile = require "gen.compile"
local driver = require "gen.driver"
local quern = require "tests.quern"
local record = require "gen.tune.record"
local runner = require "gen.runner"
local source = require "gen.tune.source"

local CHAIN = "nabla4_interpolate_verts2cells"
local folder = quern.folder()

teardown(function() quern.remove(folder) end)

local function options_of(backend, shapes, changes)
  local options = { root = quern.root, spec = "specs/icon.lua", set = {}, shapes = shapes, kernels = { CHAIN },
    backend = backend, fp = "strict", arch = "", out = folder, stop_after = "emit" }
  for key, value in pairs(changes or {}) do options[key] = value end
  return options
end

local function shape(name, fused) return { name = name, params = { fused = fused } } end

-- A module with one change in the files of a name.
local function module_of(options, file, from, to)
  local files = assert(driver.run(options)).files
  os.execute(("mkdir -p '%s/%s'"):format(folder, options.backend))
  for _, made in ipairs(files) do
    if file and made.path:find(file) then
      local times
      made.text, times = made.text:gsub(from, to)
      assert(times > 0, from)
    end
    quern.write(folder .. "/" .. made.path, made.text)
  end
  return assert(compile.module(files, options))
end

local function verdicts(module, names)
  local oracle = module_of(options_of("reference", {}))
  local requests, list = {}, {}
  for i, name in ipairs(names) do
    requests[i] = { ["do"] = "check", context = "cpu", module = module, reference = oracle, mesh = "torus:9x8",
      kernel = ("icon_horizontal_double_double_%s_%s"):format(CHAIN, name), size = { 1, 1, 1, 1, 5 }, seed = 1 }
  end
  for i, answer in ipairs(assert(runner.run(requests, options_of("c", {})))) do
    list[i] = answer.status
  end
  return list
end

local CUTS = { shape("inlined", "2x1"), shape("inlined", "1x2") }
local NAMES = { "inlined_2048x128_fused2x1", "inlined_2048x128_fused1x2" }

describe("a chain in pieces", function()
  it("is as the whole chain, cut after the second stage or after the first", function()
    assert.same({ "ok", "ok" }, verdicts(module_of(options_of("c", CUTS)), NAMES))
  end)

  it("is wrong if a piece is left out, and the validation sees it", function()
    local module = module_of(options_of("c", CUTS), "fused2x1",
      "error = icon_[%w_]+_verts2cells_blocked[%w_]+_launch%(a, stream%)", "error = 0")
    assert.same({ "wrong", "ok" }, verdicts(module, NAMES))
  end)

  it("has what converts the 16 bits that a piece hands on", function()
    local state = assert(driver.run(options_of("cuda", { shape("kloop", "2x1") }, { arch = "sm_90",
      spec = "tests/runtime/specs/found.lua", kernels = { "narrow" } })))
    for _, file in ipairs(state.files) do
      if file.path:find "narrow_1to2_kloop" then
        assert.truthy(file.text:find("quern_double_to_bfloat16", 1, true))
        assert.truthy(file.text:find('#include "quern_types.h"', 1, true))
        return
      end
    end
    error "no piece"
  end)

  it("is refused where pieces and stages do not agree, in one sentence", function()
    local said = {}
    for i, fused in ipairs { "2x2", "4", "2", "x", "0x3", "2x1x", "18446744073709551617x2" } do
      local _, problems = driver.run(options_of("c", { shape("inlined", fused) }))
      said[i] = problems and problems[1].message
    end
    assert.same({
      "inlined: fused=2x2: " .. CHAIN .. " has 3 stages, the pieces have 4",
      "inlined: fused=4: " .. CHAIN .. " has 3 stages, the pieces have 4",
      "inlined: fused=2: " .. CHAIN .. " has 3 stages, the pieces have 2",
      "inlined: fused=x: wanted how many stages each piece has, such as 2x1",
      "inlined: fused=0x3: wanted how many stages each piece has, such as 2x1",
      "inlined: fused=2x1x: wanted how many stages each piece has, such as 2x1",
      "inlined: fused=18446744073709551617x2: wanted how many stages each piece has, such as 2x1" }, said)
    local _, problems = driver.run(options_of("simt", { shape("folded", "2x1") }))
    assert.matches("folded: fused=2x1: a piece in the shape folded is prepared beforehand", problems[1].message)
    _, problems = driver.run(options_of("c", { shape("blocked", "2x1") }, { kernels = { "nabla4" } }))
    assert.matches("blocked: no param 'fused'", problems[1].message)
  end)

  it("is another text for tuning when one of its pieces is", function()
    local state = assert(driver.run(options_of("c", { CUTS[1] })))
    local before, plan = source.of(state.plans[1], state.files), state.plans[1]
    for _, file in ipairs(state.files) do
      if file.path:find "verts2cells_blocked" then file.text = file.text .. "\n" end
    end
    assert.is_string(before)
    assert.not_equal(before, source.of(plan, state.files))
  end)

  it("in one piece is the chain itself", function()
    local state = assert(driver.run(options_of("c", { shape("inlined", "3") })))
    assert.equal("icon_horizontal_double_double_" .. CHAIN .. "_inlined_2048x128", state.plans[1].name)
    assert.equal(1, #state.plans)
  end)

  it("has two stages in a piece where nobody says it, but folded ones have all", function()
    local function default(name, kernel)
      local state = assert(driver.run(options_of("c", { shape(name) }, { kernels = { kernel } })))
      return state.plans[1].name:match(kernel .. "_(.*)")
    end
    assert.equal("inlined_2048x128_fused2x1", default("inlined", CHAIN))
    assert.equal("folded_2048x128", default("folded", CHAIN))
    assert.equal("inlined_2048x128", default("inlined", "nabla4_interpolate"))
  end)

  it("is among what tuning tries, the default first, stage by stage too; folded ones are not", function()
    local options = options_of("cuda", {}, { arch = "sm_90", sizes = {}, stop_after = "lower" })
    local lowered = assert(driver.run(options)).lowered
    local cuts, defaults = {}, {}
    for _, candidate in ipairs(candidates.list(lowered, options, { 100, 300, 200, 1200, 80 })[1].list) do
      local cut = candidate.plan.pieces or "3"
      cuts[candidate.shape .. " " .. cut] = true
      if candidate.default then defaults[candidate.shape] = cut end
    end
    for _, name in ipairs { "inlined", "kloop", "inlined_cached", "staged" } do
      for _, cut in ipairs { "3", "2x1", "1x2" } do assert.is_true(cuts[name .. " " .. cut], name .. " " .. cut) end
      assert.equal("2x1", defaults[name])
    end
    assert.is_true(cuts["inlined_compressed 2x1"])
    assert.is_true(cuts["staged 1x1x1"])
    assert.is_nil(cuts["folded 2x1"])
  end)

  it("is tuned with no shape asked for, where it is named", function()
    local options = options_of("c", {}, { sizes = {}, searching = true, stop_after = "schedule" })
    local lowered = assert(driver.run(options)).lowered
    assert.equal(CHAIN, candidates.list(lowered, options, { 100, 300, 200, 1200, 80 })[1].kernel.name)
    options.kernels = { "interpolate" }
    assert.equal(1, #candidates.list(lowered, options, { 100, 300, 200, 1200, 80 }))
  end)
end)

describe("gen, where a record is about a chain", function()
  -- As if it had been measured.
  local function write(shapes)
    local options = options_of("c", shapes, { sizes = {} })
    local state = assert(driver.run(options))
    local plan = state.plans[1]
    assert(record.write(folder .. "/tuned", { format = record.FORMAT, instance = state.lowered.instance,
      spec = state.model.hash, kernel = CHAIN, backend = "c", fp = "strict", arch = "",
      compiler = record.compiler(compile.recipe(options)), device = "cpu", size_class = "1x1x1x1x1",
      size = { 1, 1, 1, 1, 1 }, plan = plan.name, shape = shapes[1].name, params = shapes[1].params,
      source = source.of(plan, state.files), median = 1, points_per_second = 1, ratio = 1, timed = 1,
      candidates = 1 }))
    return plan.name
  end

  it("makes of the chain what the record says, unless a shape is asked for", function()
    local name = write { { name = "inlined", params = { block = "64x8", fused = "1x2" } } }
    local function generated(changes)
      local options = options_of("c", {}, { sizes = {}, tuned_folder = folder .. "/tuned" })
      for key, value in pairs(changes) do options[key] = value end -- any order
      local state, said = apply.run(options)
      return state and state.plans[1].name, said
    end
    local made, said = generated { kernels = { CHAIN } }
    assert.equal(name, made)
    assert.matches("nabla4_interpolate_verts2cells: inlined:block=64x8,fused=1x2, as ", said[1])
    assert.not_equal(name, (generated { shapes = { shape("inlined") } }))
    assert.is_nil((generated { no_tune = true }))
  end)
end)
