-- Fields stored in a shell only: right at every width, by the library too, and
-- faults in where their points lie, put into emitted files, are found.

local compile = require "gen.compile"
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local runner = require "gen.runner"
require "tests.widths"

local SPEC = [=[
precision { "float" }
grid { "x", "y" }
scalar { "width", type = "int", range = { 0, 40 } }
region { "sides", shell = { x = { "width", "width" } } }
field { "u", halo = { y = 2 } }
field { "psi", only = "sides" }
field { "t", "r", only = "sides", temporary = true, packed = true }
field { "d", only = "sides" }
kernel { "k", sides = [[ psi = psi/2 + u ]] }
kernel { "there", sides = [[ t = psi + 2*u  r = u ]] }
kernel { "back", sides = [[ d = t - r ]] }
kernel { "home", sides = [[ psi = d ]] }
fuse { "round", "there", "back", "home", drop = { "d" } }
]=]

local SIZES, WIDTHS = { 1, 2, 7, 12, 65 }, { -1, 0, 1, 3, 6, 7, 40 }

local SKIPPED, BETWEEN = "quern_skipped%(hollow_of%(a%), box%->lower%[0%]%)", "quern_between%(.-;"

-- What is replaced in the kernel, by what; all of it stays in the array.
local FAULTS = {
  { "puts the high slab a point off", SKIPPED, "%0 + (box->lower[0] > 0)" },
  { "puts the high slab over the low one", SKIPPED, "box->lower[0]" },
  { "puts the high slab first", SKIPPED,
    "(box->lower[0] ? hollow_of(a).upper : hollow_of(a).upper - a->n[0])" },
  { "moves by a hollow of less than no point", BETWEEN,
    "(struct quern_hollow){ a->width, a->n[0] - a->width };" },
}

describe("a field of a shell", function()
  local folder, options, made

  local function options_of(backend)
    return { root = quern.root, spec = folder .. "/only.lua", set = {}, shapes = {}, backend = backend, fp = "strict",
             arch = "sm_90", out = folder .. "/out", detect = backend == "simt", bits = 32 }
  end

  setup(function()
    folder = quern.folder()
    quern.write(folder .. "/only.lua", SPEC)
    options = options_of "c"
    made = assert(modules.make(options))
  end)
  teardown(function() quern.remove(folder) end)

  local function spoilt(files, name, pattern, to)
    local list, hits = {}, 0
    for i, file in ipairs(files) do
      local text, found = file.text, 0
      if file.path:find(name, 1, true) then text, found = text:gsub(pattern, to) end
      list[i], hits = { path = file.path, text = text }, hits + found
    end
    assert(hits == 1, pattern)
    return list
  end

  -- The answers at each size and width, { n, width, status, points, problem }.
  local function verdicts(context, kernel, module, reference)
    local requests, list = {}, {}
    for _, n in ipairs(SIZES) do
      for _, width in ipairs(WIDTHS) do
        requests[#requests + 1] = { ["do"] = "check", context = context, module = module, reference = reference,
          kernel = kernel, size = { n, 3 }, scalars = { width = width }, seed = 1 }
      end
    end
    for i, answer in ipairs(assert(runner.run(requests, options))) do
      list[i] = { n = requests[i].size[1], width = requests[i].scalars.width, status = answer.status,
        points = answer.points, problem = answer.problem }
    end
    return list
  end

  local function on_cpu(module, reference)
    return verdicts("cpu", "only_k_sides_blocked_512x4", module, reference)
  end

  local function wrong(list)
    local count = 0
    for _, answer in ipairs(list) do count = count + (answer.status == "wrong" and 1 or 0) end
    return count
  end

  it("is right at every width", function()
    for _, answer in ipairs(on_cpu(made.module, made.reference)) do
      local stored = math.min(2*math.max(answer.width, 0), answer.n)
      assert.equal("ok", answer.status, answer.problem)
      assert.equal(3*stored, answer.points)
    end
  end)

  it("says in the header which points are stored", function()
    local header = quern.read(folder .. "/out/c/only.h")
    local note = "/* psi; stored: x < width, right behind them x >= n - width, n of x */"
    assert.truthy(header:find(note, 1, true), header)
  end)

  -- What is wrong through the library with a module.
  local function complaints(module)
    local program = folder .. "/only"
    local code, _, complaint = quern.shell("test -x '" .. program .. "' || gcc -std=c11 -Wall -Wextra -Werror -O1 "
      .. "-Iruntime tests/runtime/only.c -o '" .. program .. "' out/runtime/libquern.a -fopenmp -ldl -lm", quern.root)
    assert.equal(0, code, complaint)
    local ran, said = quern.shell(("'%s' '%s'"):format(program, module))
    return said, ran
  end

  it("is right through the library", function()
    local said, ran = complaints(made.module)
    assert.equal("", said)
    assert.equal(0, ran)
  end)

  it("is refused where what is handed on lies on another in the workspace", function()
    local files = spoilt(made.state.files, "only_module", "begin %+= quern_bytes%(2, t_points, 2 %* sizeof%(float%)%)",
      "begin += quern_bytes(2, t_points, sizeof(float))")
    local said = complaints(assert(compile.module(files, options)))
    assert.truthy(said:find("t and d overlap", 1, true), said)
  end)

  for _, fault in ipairs(FAULTS) do
    it("is found wrong where a kernel " .. fault[1], function()
      local files = spoilt(made.state.files, "only_k_sides", fault[2], fault[3])
      local module = assert(compile.module(files, options))
      assert.is_true(wrong(on_cpu(module, made.reference)) > 0)
    end)
  end

  it("is found wrong where the reference mirrors the high slab", function()
    local driver = require "gen.driver"
    local oracle = options_of "reference"
    local state = assert(driver.run(oracle))
    local files = spoilt(state.files, "only_k_sides", "points_in_sides%(a%) %- %(n %- i%)", "n - 1 - i")
    local reference = assert(compile.module(files, oracle))
    assert.is_true(wrong(on_cpu(made.module, reference)) > 0)
  end)

  it("is right on simt, and found wrong where the array is not moved", function()
    local there = options_of "simt"
    local gpu = assert(modules.make(there))
    local kernel = "only_k_sides_gmem_64x4"
    for _, answer in ipairs(verdicts("simt", kernel, gpu.module, gpu.reference)) do
      assert.equal("ok", answer.status, answer.problem)
    end
    local files = spoilt(gpu.state.files, "only_k_sides", SKIPPED, "0 * %0")
    local module = assert(compile.module(files, there))
    for _, answer in ipairs(verdicts("simt", kernel, module, gpu.reference)) do
      local hollow = answer.width > 0 and answer.n > 2*answer.width
      assert.equal(hollow and "wrong" or "ok", answer.status, answer.problem)
    end
  end)
end)
