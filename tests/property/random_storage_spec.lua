-- Specifications at random, of order and storage: they generate for every
-- backend, twice the same. QUERN_LONG=1 also compiles some, without a warning,
-- and compares them with the reference, under the detectors.

local driver = require "gen.driver"
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local random_shapes = require "tests.random_shapes"
local random_storage = require "tests.random_storage"
local runner = require "gen.runner"

local LONG = os.getenv "QUERN_LONG" == "1"
local GENERATED = LONG and 300 or 6
local COMPILED = LONG and 16 or 0
local MOST = LONG and 4 or 2      -- shapes beside gmem
local SIZES = { { 7, 5, 3, 4 }, { 12, 6, 12, 6 }, { 17, 3, 5, 7 } }

describe("a specification of order and storage at random", function()
  local folder
  setup(function() folder = quern.folder() end)
  teardown(function() quern.remove(folder) end)

  local function options_of(seed, backend, fp)
    local path = ("%s/random%d.lua"):format(folder, seed)
    quern.write(path, random_storage.make(seed))
    local options = { root = quern.root, spec = path, set = {}, shapes = {}, backend = backend, fp = fp,
                      arch = "sm_90", out = folder .. "/out", detect = backend == "simt" }
    if backend == "cuda" or backend == "simt" then
      options.shapes = random_shapes.drawn(random_shapes.applicable(options, nil, seed), seed, MOST)
    end
    return options
  end

  local function generated(seed, backend)
    local options = options_of(seed, backend, "strict")
    options.stop_after = "emit"
    local state, problem = random_shapes.served(options, function(o)
      local made, problems = driver.run(o)
      return made, problems and problems[1].message
    end)
    assert(state, problem)
    local parts = {}
    for i, file in ipairs(state.files) do parts[i] = file.path .. "\n" .. file.text end
    return table.concat(parts)
  end

  it("generates for every backend, twice the same", function()
    for seed = 1, GENERATED do
      for _, backend in ipairs { "c", "cuda", "reference" } do
        assert.equal(generated(seed, backend), generated(seed, backend))
      end
    end
  end)

  -- What an extent does not allow is refused.
  local function is_refused(answer)
    return answer.status == "refused" and (answer.problem:find " points beyond the %a+ face, its %a+ image has "
      or answer.problem:find "its colours need an extent that is a multiple of ")
  end

  local function validate(seed, backend, fp)
    local options, requests = options_of(seed, backend, fp), {}
    local made, problem = random_shapes.served(options, function(o)
      local one, _, why = modules.make(o)
      return one, why
    end)
    assert(made, problem)
    for _, plan in ipairs(made.state.plans) do
      for _, size in ipairs(SIZES) do
        requests[#requests + 1] = { ["do"] = "check", context = backend == "c" and "cpu" or "simt", seed = seed,
          module = made.module, reference = made.reference, kernel = plan.name,
          size = { table.unpack(size, 1, #made.state.lowered.axes) } }
      end
    end
    for n, answer in ipairs(assert(runner.run(requests, options))) do
      assert.truthy(answer.status == "ok" or is_refused(answer), requests[n].kernel .. ": " .. tostring(answer.problem))
    end
  end

  for seed = 1, COMPILED do
    it("validates: seed " .. seed, function()
      local fp = ({ "strict", "unfused", "fast" })[seed % 3 + 1]
      validate(seed, "c", fp)
      validate(seed, "simt", fp)
    end)
  end
end)
