-- What storing numbers in few digits costs, measured on the specification
-- mixed_precision (storage.c): every result is that of double arithmetic,
-- rounded once, and the error of many steps is within what that allows.

local compile = require "gen.compile"
local diag = require "gen.diag"
local driver = require "gen.driver"
local quern = require "tests.quern"

local LONG = os.getenv "QUERN_LONG" == "1"
local BACKENDS = LONG and { "c", "simt" } or { "c" }
local CONTEXT = { c = "cpu", simt = "simt" }

-- Significant digits, and the exponent of the least normal number.
local TYPES = { { "float", 24, -126 }, { "half", 11, -14 }, { "bfloat16", 8, -126 } }

local folder = quern.folder()
local program = folder .. "/storage"
local modules = {}

-- The module that stores u in a type; `wrong` = { text, other text } makes a
-- mistake in its conversions.
local function module(backend, type, wrong)
  local key = backend .. type .. (wrong and wrong[1] or "")
  if modules[key] then return modules[key] end
  local options = { root = quern.root, spec = "specs/mixed_precision.lua", set = { type = type }, shapes = {},
    backend = backend, fp = "strict", arch = "", out = folder }
  local state, problems = driver.run(options)
  assert(state, problems and diag.format(problems))
  for _, file in ipairs(wrong and state.files or {}) do
    if file.path:find("quern_types.h", 1, true) then
      local first, last = file.text:find(wrong[1], 1, true)
      file.text = file.text:sub(1, first - 1) .. wrong[2] .. file.text:sub(last + 1)
    end
  end
  modules[key] = assert(compile.module(state.files, options))
  return modules[key]
end

-- The numbers that a proof prints.
local function prove(backend, type, proof, wrong)
  local words = { CONTEXT[backend], module(backend, "double"), module(backend, type[1], wrong), type[2], type[3],
    proof }
  local code, out, complaint = quern.shell(("OMP_NUM_THREADS=1 QUERN_RUNTIME=out/runtime %s %s")
    :format(program, table.concat(words, " ")))
  assert(code == 0, complaint)
  local numbers = {}
  for word in out:gmatch "%S+" do numbers[#numbers + 1] = tonumber(word) end
  return table.unpack(numbers)
end

local MISTAKES = {
  { "quern_odd(value))", "(float)value)", "a double is rounded to float first" },
  { "size + 0xfff + ((size >> 13) & 1)", "size", "digits are cut off" },
}

describe("stored numbers", function()
  setup(function()
    local code, _, complaint = quern.shell(("make -s all && %s -std=c11 -O2 -Wall -Wextra -Werror -Iruntime -o %s "
      .. "tests/runtime/storage.c out/runtime/libquern.a -fopenmp -ldl -lm"):format(os.getenv "CC" or "gcc", program))
    assert(code == 0, complaint)
  end)
  teardown(function() quern.remove(folder) end)

  for _, backend in ipairs(BACKENDS) do
    for _, type in ipairs(TYPES) do
      local where = (" as %s, %s"):format(type[1], backend)

      it("are what double gives, rounded once:" .. where, function()
        local points, wrong, worst = prove(backend, type, "once 20")
        assert.is_true(points > 40000)
        assert.equal(0, wrong)
        assert.is_true(worst > 0.9 and worst <= 1, "error over bound " .. worst)
      end)

      it("are as wrong after many steps as their digits say:" .. where, function()
        for _, steps in ipairs { 1, 10, 100 } do
          local err, bound = prove(backend, type, "steps " .. steps)
          assert.is_true(err > 0 and err <= bound, ("%g, at most %g"):format(err, bound))
        end
      end)

      it("are computed with in the kernel's own type:" .. where, function()
        local points, wider, worst = prove(backend, type, "monitor")
        assert.is_true(points > 2000)
        assert.equal(0, wider)
        assert.is_true(worst > 0.5 and worst <= 3, worst)
      end)
    end

    it("are the worse, the fewer digits they have, by the digits: " .. backend, function()
      local errors = {}
      for i, type in ipairs(TYPES) do errors[i] = prove(backend, type, "steps 10") end
      for i = 1, 2 do
        local digits = math.log(errors[i + 1] / errors[i], 2)
        assert.is_true(math.abs(digits - (TYPES[i][2] - TYPES[i + 1][2])) < 1, digits)
      end
    end)
  end

  for _, mistake in ipairs(MISTAKES) do
    it("are found out where " .. mistake[3], function()
      local _, wrong = prove("c", TYPES[2], "once 20", mistake)
      assert.is_true(wrong > 0)
    end)
  end
end)
