-- Mistakes in the texts of kernels whose fields are packed or of few digits:
-- validation sees each, and says where.

local check = require "gen.command.check"
local compile = require "gen.compile"
local diag = require "gen.diag"
local driver = require "gen.driver"
local quern = require "tests.quern"
local runner = require "gen.runner"

local folder = quern.folder()
local SIZES = { { 33, 7 }, { 7, 13 } }

local function options_for(case, backend)
  return { root = quern.root, spec = case.spec, set = case.set or {}, shapes = {}, backend = backend,
    fp = "strict", arch = "", out = folder, device = 0, seed = 1 }
end

local function run(options)
  local state, problems = driver.run(options)
  assert(state, problems and diag.format(problems))
  return state
end

local references = {}

local function reference(case)
  local options = options_for(case, "reference")
  local state = run(options)
  local key = state.lowered.instance
  references[key] = references[key] or assert(compile.module(state.files, options))
  return references[key]
end

-- The files of a module with all its mistakes made.
local function spoilt(module, files)
  for _, wrong in ipairs(module) do
    local changed = 0
    for _, file in ipairs(files) do
      if file.path:find(wrong[1], 1, true) then
        local count
        file.text, count = file.text:gsub(wrong[2], wrong[3])
        changed = changed + count
      end
    end
    assert(changed > 0, "nothing was changed: " .. wrong[2])
  end
  return files
end

local made = {}

-- The answers about one kernel of a module.
local function judged(module, kernel)
  local options = options_for(module, "c")
  if not made[module] then
    local state = run(options)
    made[module] = { state = state, reference = reference(module),
      module = assert(compile.module(spoilt(module, state.files), options)) }
  end
  local requests = {}
  for _, request in ipairs(check.requests(made[module], SIZES, options)) do
    if request.kernel:find(kernel, 1, true) then requests[#requests + 1] = request end
  end
  return assert(runner.run(requests, { root = quern.root, out = folder }))
end

local PACKED, MIXED, HALF = "tests/runtime/specs/packed.lua", "specs/mixed_precision.lua", { type = "half" }

-- Modules, and the mistakes in them, one a kernel: { file, text, other text,
-- kernel, what it does, what is said of it }.
local MODULES = {
  { spec = PACKED,
    { "_damp_", "b_%[b_at%] =", "b_[b_at - 1] =", "_damp_", "writes the element beside its own",
      "a%(.*changed, and should not be" },
    { "_react_", "const float u_xp1  = u%[u_at %+ 3%]", "const float u_xp1  = u[u_at + 2]", "_react_",
      "reads the element beside its own", "wrong" } },
  { spec = MIXED, set = HALF,
    { "quern_types", "size %+ 0xfff %+ %(%(size >> 13%) & 1%)", "size", "_step_", "cuts digits off", "wrong" },
    { "_monitor_", "quern_half_to_float", "quern_bfloat16_to_float", "_monitor_", "reads another type's bits",
      "wrong" } },
  { spec = MIXED, set = HALF,
    { "_step_", "u_next%[u_at%]", "u_next[u_at & ~INT64_C(1)]", "_step_", "writes one element of two",
      "never written" } },
}
if os.getenv "QUERN_LONG" == "1" then
  table.insert(MODULES, { spec = PACKED,
    { "_damp_", "x %* 2", "x", "_damp_", "counts points, not elements", "wrong" } })
  table.insert(MODULES, { spec = MIXED, set = HALF,
    { "_step_", "quern_double_to_half", "quern_double_to_bfloat16", "_step_", "stores another type's bits", "wrong" } })
end

describe("validation fails a kernel that", function()
  teardown(function() quern.remove(folder) end)

  for _, module in ipairs(MODULES) do
    for _, wrong in ipairs(module) do
      it(wrong[5], function()
        local answers = judged(module, wrong[4])
        assert.equal(#SIZES, #answers)
        for _, answer in ipairs(answers) do
          assert.equal("wrong", answer.status)
          assert.truthy(answer.problem:find(wrong[6]), answer.problem)
        end
      end)
    end
  end
end)
