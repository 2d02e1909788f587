-- Specifications on meshes at random are generated without a diagnostic or a
-- crash, twice the same, and validated against the reference in every shape
-- that applies, with random parameters, on random tables of awkward sizes and on
-- meshes: empty domains, one level, rows without neighbours among them.

local driver = require "gen.driver"
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local random_mesh = require "tests.random_mesh"
local random_shapes = require "tests.random_shapes"
local runner = require "gen.runner"
local shell = require "gen.shell"

local LONG = os.getenv "QUERN_LONG" == "1"
local FROM = tonumber(os.getenv "QUERN_SEED" or "1")
local GENERATED = LONG and 200 or 5
-- A seed takes 10 CPU seconds, and as many again by nvcc: QUERN_SEED goes on.
local COMPILED = LONG and 12 or 0
local BY_NVCC = LONG and shell.run "command -v nvcc" and 3 or 0

describe("a specification on a mesh at random", function()
  local folder, variables
  setup(function()
    folder = quern.folder()
    local warnings = " -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unused-but-set-variable -Wno-unknown-pragmas"
    variables = { CC = "gcc" .. warnings, CXX = "g++" .. warnings, NVCC = "nvcc -Werror all-warnings" }
  end)
  teardown(function() quern.remove(folder) end)

  -- `seed`: or the path of a specification.
  local function options_of(seed, backend)
    local text, mesh, path
    if math.type(seed) then
      text, mesh = random_mesh.make(seed)
      path = ("%s/mesh%d.lua"):format(folder, seed)
      quern.write(path, text)
    else
      path, seed, text = seed, 1, ""
    end
    return { root = quern.root, spec = path, set = {}, shapes = {}, backend = backend, arch = "sm_90",
      fp = seed % 3 == 0 and "unfused" or "strict", out = folder .. "/out", detect = backend == "simt" }, text, mesh
  end

  local function generated(seed, backend)
    local options, text = options_of(seed, backend)
    options.stop_after = "emit"
    local state, problems = driver.run(options)
    assert(state, problems and problems[1].message .. "\n" .. text)
    local parts = {}
    for i, file in ipairs(state.files) do parts[i] = file.path .. "\n" .. file.text end
    return table.concat(parts)
  end

  it("generates for every backend, twice the same", function()
    for seed = FROM, FROM + GENERATED - 1 do
      for _, backend in ipairs { "c", "simt", "reference" } do
        assert.equal(generated(seed, backend), generated(seed, backend))
      end
    end
  end)

  it("unrolls no loops within loops into more lines than gcc takes in a while", function()
    local function pragmas(count)
      quern.write(folder .. "/nested.lua", ([[
        precision { "double" } domain { "v" } levels { "k" }
        neighbours { "t", from = "v", to = "v", count = %d }
        field { "p", "q", on = { "v", "k" } }
        kernel { "nested", "q = sum(a in t, sum(b in t(a), p[b]))" } ]]):format(count))
      local text = generated(folder .. "/nested.lua", "c")
      return select(2, text:gsub("#pragma GCC unroll " .. count, ""))
    end
    assert.equal(2 * pragmas(7), pragmas(5))
  end)

  -- Compilers that take no warning, for what is done here.
  local function made_of(options)
    local getenv = os.getenv
    os.getenv = function(name) return variables[name] or getenv(name) end -- luacheck: ignore
    local made, problem = random_shapes.served(options, function(o)
      local one, _, why = modules.make(o)
      return one, why
    end)
    os.getenv = getenv -- luacheck: ignore
    return made, problem
  end

  local function requests_of(seed, backend)
    local options, text, mesh = options_of(seed, backend)
    seed = math.type(seed) and seed or 1
    options.kernels = text == "" and not LONG and { "slots", "deep", "handed" } or nil
    options.shapes = random_shapes.on_meshes(options, seed)
    if text == "" and backend == "simt" then
      table.insert(options.shapes, { name = "gmem", params = { strides = "8" } })
    end
    local made, problem = made_of(options)
    assert(made, problem and problem .. "\n" .. text)
    local list = {}
    for n, size in ipairs(random_mesh.sizes(made.state.lowered, seed, backend == "simt" and 2 or 3)) do
      for _, plan in ipairs(made.state.plans) do
        list[#list + 1] = { ["do"] = "check", context = backend == "c" and "cpu" or "simt", module = made.module,
          reference = made.reference, kernel = plan.name, size = size, seed = seed + n,
          mesh = n == 1 and mesh or nil }
      end
    end
    return list, options, text
  end

  -- Too few levels, and rows that have no neighbour to choose among, are refused.
  local REFUSED = { "the extent along %w+ is %d+, this kernel needs at least %d+",
    "row %d+ has no neighbour, and its least or largest is wanted" }
  local function is_refused(answer)
    for _, sentence in ipairs(answer.status == "refused" and REFUSED or {}) do
      if answer.problem:find(sentence) then return true end
    end
  end

  local function validate(seed)
    local points = 0
    for _, backend in ipairs(LONG and { "c", "simt" } or { "c" }) do
      local requests, options, text = requests_of(seed, backend)
      for n, answer in ipairs(assert(runner.run(requests, options))) do
        local request = requests[n]
        assert.truthy(answer.status == "ok" or is_refused(answer), ("%s at %s, %s: %s\n%s"):format(request.kernel,
          table.concat(request.size, "x"), tostring(request.mesh), tostring(answer.problem), text))
        points = points + (answer.points or 0)
      end
    end
    assert.truthy(points > 0)
  end

  it("validates where others have not: tests/runtime/specs/found.lua", function()
    validate "tests/runtime/specs/found.lua"
  end)

  for seed = FROM, FROM + COMPILED - 1 do
    it("validates in every shape: seed " .. seed, function() validate(seed) end)
  end

  for i = 1, BY_NVCC do
    local seed = i < BY_NVCC and FROM + i - 1 or "tests/runtime/specs/found.lua"
    it("is compiled by nvcc without a warning: seed " .. seed, function()
      local options, text = options_of(seed, "cuda")
      options.shapes = random_shapes.on_meshes(options, math.type(seed) and seed or 1)
      local made, problem = made_of(options)
      assert(made, problem and problem .. "\n" .. text)
    end)
  end
end)
