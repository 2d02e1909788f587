-- Folded kernels agree with the reference within the bound of such sums,
-- mistakes planted in them are seen, and their coefficients are found anew when
-- what they are made of changes.

local compile = require "gen.compile"
local driver = require "gen.driver"
local quern = require "tests.quern"
local runner = require "gen.runner"
local schedule = require "gen.schedule"
require "tests.widths"

local LONG = os.getenv "QUERN_LONG" == "1"
local SPEC = "tests/runtime/specs/folded.lua"
local KERNELS = { "both", "levels", "single", "between", "geometry" }
local folder = quern.folder()

local function run(command)
  local code, text, complaint = quern.shell(command, quern.root)
  return code == 0, text .. complaint
end

-- A module of some kernels, with one change in the text of the folded ones.
local function module_of(backend, kernels, mistake, shape)
  local options = { root = quern.root, spec = SPEC, set = {}, kernels = kernels, backend = backend, fp = "strict",
    shapes = { { name = shape or "folded", params = {} } }, arch = "sm_90", out = folder, detect = backend == "simt",
    bits = 64, stop_after = "emit" }
  local state = assert(driver.run(options))
  for _, file in ipairs(state.files) do
    local times = 1
    if mistake and file.path:find "_folded_" then file.text, times = file.text:gsub(mistake.from, mistake.to) end
    assert(times > 0, mistake and mistake.what)
  end
  os.execute(("mkdir -p '%s/%s'"):format(folder, backend))
  for _, file in ipairs(state.files) do quern.write(folder .. "/" .. file.path, file.text) end
  return assert(compile.module(state.files, options)), options
end

teardown(function() quern.remove(folder) end)

describe("folded kernels", function()
  it("are right on tables of all kinds", function()
    local well, text = run(("gen/quern check %s --shape folded --backend simt --kernel %s -o %s"):format(SPEC,
      table.concat(KERNELS, " --kernel "), folder))
    assert.truthy(well, text)
  end)

  it("are right in C", function()
    local well, text = run(("gen/quern check %s --shape folded:block=7x3 --backend c --kernel both --kernel levels "
      .. "-o %s"):format(SPEC, folder))
    assert.truthy(well, text)
  end)

  for _, order in ipairs { "k", "horizontal" } do
    local test = LONG and it or pending
    test("are right in C, contiguous: " .. order, function()
      local well, text = run(("gen/quern check specs/icon.lua --set contiguous=%s --shape folded:block=3x2 --backend c "
        .. "--kernel nabla4_interpolate --kernel nabla4_interpolate_verts2cells --mesh plane:9x7 --size 1,1,1,1,5 "
        .. "-o %s"):format(order, folder))
      assert.truthy(well, text)
    end)
  end

  it("are right tile by tile", function()
    local well, text = run(("gen/quern check %s --shape folded_staged:block=64 --backend simt --kernel both "
      .. "--kernel %s -o %s"):format(SPEC, LONG and "levels --kernel edges --kernel single" or "levels", folder))
    assert.truthy(well, text)
    -- Some rows of drawn tables have no neighbour, or more than there are places for; tiles have empty places.
    local folded, rows = text:match "_both_folded_staged_64: (%d+) of (%d+) rows of vert have a folded form\n"
    assert.truthy(folded and tonumber(folded) > 0 and tonumber(folded) < tonumber(rows), text)
  end)

  it("have no function that nothing calls where they read the points alone", function()
    local function seeks(formula)
      local path = folder .. "/alone.lua"
      quern.write(path, [[precision { "double" } domain { "vertex", "edge" } levels { "k" }
        neighbours { "ends", from = "edge", to = "vertex", count = 2 }
        field { "p", on = { "vertex", "k" } } field { "q", on = { "edge", "k" } }
        field { "r", on = { "edge", "k" } }
        kernel { "beside", "r = p[ends(0)]" } kernel { "alone", "q = ]] .. formula .. '" }')
      local state = assert(driver.run { root = quern.root, spec = path, set = {}, backend = "cuda", fp = "strict",
        kernels = { "alone" }, shapes = { { name = "folded_staged", params = {} } }, arch = "sm_90", out = folder,
        stop_after = "emit" })
      for _, file in ipairs(state.files) do
        if file.path:find "_folded_staged_" then return select(2, file.text:gsub("place_in%(", "")) end
      end
    end
    assert.equal(0, seeks "q/3")
    assert.equal(2, seeks "sum(v in ends, p[v])")
  end)

  it("have coefficients of what is there now", function()
    assert(run(("gcc -std=c11 -O1 -Wall -Wextra -Wconversion -Iruntime tests/runtime/folded.c "
      .. "tests/runtime/lib_tap.c out/runtime/libquern.a -o %s/folded -ldl -lm -lpthread -fopenmp"):format(folder)))
    local well, text = run(folder .. "/folded out/runtime " .. module_of("simt", KERNELS))
    assert.truthy(well, text)
  end)

  for _, mesh in ipairs { "torus:6x4", "plane:4x5", "icosahedron:R2B0" } do
    local test = LONG and it or pending
    test("are right where vertices have six edges, and fewer: " .. mesh, function()
      for _, kernel in ipairs { "nabla4_interpolate", "nabla4_interpolate_verts2cells" } do
        for _, shape in ipairs { "folded", "folded_staged:block=64" } do
          local well, text = run(("gen/quern check specs/icon.lua --shape %s --backend simt --kernel %s "
            .. "--mesh %s --size 1,1,1,1,6 -o %s"):format(shape, kernel, mesh, folder))
          assert.truthy(well, text)
        end
      end
    end)
  end
end)

describe("a folded kernel", function()
  for _, mistake in ipairs {
    { what = "coefficients wrong in the twelfth digit", from = "%(double%)result%[i%]",
      to = "result[i] * (1 + 1e-12)" },
    { what = "the coefficients of another slot", from = "of_slot = 0 %+ 2 %* slot", to = "of_slot = 2 * (4 - slot)",
      long = true },
    { what = "a level beside", from = "%(k %+ j %+ 1%)", to = "(k + j)", long = true },
    { what = "places that are not used somewhere else", from = "found%[0 %+ %(used %? slot : 0%)%]",
      to = "(used ? found[0 + slot] : -1)" },
    { what = "levels beyond the last", from = "k %+ 4 <= last", to = "k + 3 <= last", long = true },
    { what = "rows that have more neighbours than places", kernel = "both", from = "met%[0%] <= 5",
      to = "met[0] <= 9", long = true },
    { what = "neighbours found twice", kernel = "both", from = "if %(list%[i%] == at%)", to = "if (list[i] < 0)",
      long = true },
    { what = "neighbours at other places of a tile", shape = "folded_staged", from = "places%[0 %+ slot%] = place_in",
      to = "places[0 + slot] = 1 + place_in" },
    { what = "coefficients of another thread", shape = "folded_staged", from = "coefficient%[i %* pitch %+ place",
      to = "coefficient[i * pitch + (place ^ 1)", long = true },
    { what = "a level that is on its way", shape = "folded_staged", from = "quern_back<5>%(slot, 3%)",
      to = "quern_back<5>(slot, 0)", long = true },
    { what = "missing neighbours taken", kernel = "both", from = "near_edg < 0", to = "near_edg < -1", long = true },
  } do
    local test = (LONG or not mistake.long) and it or pending
    test("is wrong with " .. mistake.what, function()
      local kernels = { mistake.kernel or "levels" }
      local module, options = module_of("simt", kernels, mistake, mistake.shape)
      local reference = module_of("reference", kernels)
      local answers = assert(runner.run({
        { ["do"] = "check", context = "simt", module = module, reference = reference, kernel = kernels[1],
          size = { 7, 65, 3 } },
        { ["do"] = "check", context = "simt", module = module, reference = reference, kernel = kernels[1],
          size = { 130, 33, 6 } } }, options))
      local told = answers[1].status ~= "ok" and answers[1] or answers[2]
      assert.truthy(told.status == "wrong" or (told.problem or ""):find ", block %(", told.problem)
    end)
  end

  it("is asked of the reference where one is there", function()
    assert.same({}, schedule.oracles { {} })
    assert.same({ "reference", "folded" }, { schedule.oracles { {}, { folds = "k" } }[1].name,
      schedule.oracles { { folds = "k" } }[2].name })
  end)
end)
