#!/usr/bin/env lua5.4
-- Functions keep to their published errors on every backend that a CPU runs,
-- and what is chosen or compared follows the rules also for NaN. Mistakes
-- planted in a kernel are found.
package.path = "./?.lua;" .. package.path
local compile = require "gen.compile"
local diag = require "gen.diag"
local driver = require "gen.driver"
local functions = require "tests.functions"
local quern = require "tests.quern"
local shell = require "gen.shell"

local CC = os.getenv "CC" or "gcc"
local LONG = os.getenv "QUERN_LONG" == "1"
local POINTS = LONG and "300000" or "20000"
local folder = quern.folder()
local program = folder .. "/program"
local number = 0

local function ok(well, name, why)
  number = number + 1
  print(("%s %d - %s"):format(well and "ok" or "not ok", number, name))
  if why and why ~= "" then print("# " .. why:gsub("\n$", ""):gsub("\n", "\n# ")) end
end

local function must(command)
  local well, output = shell.run(command)
  assert(well, output)
end

-- The generated files; `wrong` = { { name, text, other text }.. } plants mistakes.
local function files_of(options, wrong)
  local state, problems = driver.run(options)
  assert(state, problems and diag.format(problems))
  for _, mistake in ipairs(wrong or {}) do
    local planted = false
    for _, file in ipairs(state.files) do
      local first, last = file.text:find(mistake[2], 1, true)
      if first then
        file.text = file.text:sub(1, first - 1) .. mistake[3] .. file.text:sub(last + 1)
        planted = true
      end
    end
    assert(planted, mistake[2])
  end
  return state.files
end

local function write_all(files, at)
  must("mkdir -p " .. at)
  for _, file in ipairs(files) do
    quern.write(("%s/%s"):format(at, file.path:match "[^/]+$"), file.text)
  end
end

-- The reference as a module with kernels.
local function reference_of(files, spec)
  local at = ("%s/%s"):format(folder, spec)
  write_all(files, at)
  must(("%s -std=c11 -O1 -fPIC -Iruntime -c tests/runtime/oracle_step.c -o %s/step.o && "
    .. "%s -std=c11 -O1 -fPIC -shared -Dquern_module=oracle_module %s/*.c %s/step.o "
    .. "-o %s/module.so -lm -Wl,-Bsymbolic"):format(CC, at, CC, at, at, at))
  return at .. "/module.so"
end

local function options_for(spec, type, backend)
  return { root = quern.root, spec = ("tests/runtime/specs/%s.lua"):format(spec),
           set = { type = type }, shapes = {}, backend = backend, fp = "strict",
           arch = "sm_90", out = "out/check" }
end

local function module(spec, type, backend, wrong)
  local options = options_for(spec, type, backend)
  local files = files_of(options, wrong)
  if backend == "reference" then return reference_of(files, spec) end
  local path, problem = compile.module(files, options)
  assert(path, problem)
  return path
end

-- Runs the program on a module; gives whether it went well, and its output.
local function try(backend, path, ...)
  return shell.run(shell.command("QUERN_RUNTIME=out/runtime " .. program,
    { backend == "simt" and "simt" or "cpu", path, ... }))
end

local function errors(type, backend, wrong)
  local bounds = ("%s/%s.bounds"):format(folder, type)
  quern.write(bounds, functions.bounds("glibc", type))
  return try(backend, module("functions", type, backend, wrong), bounds, POINTS)
end

local function rules(type, backend, wrong)
  return try(backend, module("rules", type, backend, wrong))
end

local BACKENDS = { { "double", "reference" }, { "float", "c" }, { "double", "c" },
                   { "float", "simt" }, LONG and { "double", "simt" } or nil }

local function try_all()
  for _, case in ipairs(BACKENDS) do
    local name = table.concat(case, " ")
    local well, found = errors(table.unpack(case))
    ok(well, "functions keep to their errors: " .. name, found)
    well, found = rules(table.unpack(case))
    ok(well, "choices, comparisons and scalars: " .. name, found)
  end
end

local function try_nvcc()
  if not (LONG and shell.run("command -v nvcc")) then return end
  for _, spec in ipairs { "functions", "rules" } do
    for _, type in ipairs { "float", "double" } do
      local at = ("%s/cuda_%s_%s"):format(folder, spec, type)
      write_all(files_of(options_for(spec, type, "cuda")), at)
      local well, said = shell.run(("cd %s && nvcc -std=c++17 -fmad=false -arch=sm_90 "
        .. "-Xcompiler -Wall,-Wextra -c %s_*.cu -o kernel.o"):format(at, spec))
      ok(well and said == "", ("nvcc takes %s in %s"):format(spec, type), said)
    end
  end
end

-- Each in a result of its own, so that one module holds all.
local WRONG_RULES = {
  { "least", "b_here < a_here ? b_here : a_here", "fminf(a_here, b_here)" },
  { "most", "b_here > a_here ? b_here : a_here", "fmaxf(a_here, b_here)" },
  { "chosen", "a_here < b_here ? a_here : b_here", "a_here >= b_here ? b_here : a_here" },
  { "kept", "!(a_here == a_here) ? b_here : a_here",
    "a_here * (a_here == a_here) + b_here * (a_here != a_here)" },
  { "compared", "a_here != b_here ? 32.0f", "a_here < b_here || a_here > b_here ? 32.0f" },
  { "logic", "!(a_here < b_here) ? 1.0f", "a_here >= b_here ? 1.0f" },
  { "signs", "signf(a_here)", "copysignf(1.0f, a_here)" },
  { "difference", "(float)(a->s - a->t)", "(float)a->s - (float)a->t" },
  { "raised", "(float)(pow(a->s * a->t, 5.0))", "powf((float)a->s * (float)a->t, 5.0f)" },
  { "larger", "(float)(a->t > a->s ? a->t : a->s)", "(float)a->t" },
}
local WRONG_FUNCTIONS = {
  { "floor", "floorf(any_here)", "truncf(any_here)" },
  { "ceil", "ceilf(any_here)", "floorf(any_here) + 1.0f" },
  { "sinh", "sinhf(steep_here)", "0.5f * (expf(steep_here) - expf(-steep_here))" },
  { "sin", "sinf(angle_here)", "sinf(fmodf(angle_here, 6.2831853f))" },
  { "erfc", "erfcf(near_here)", "1.0f - erff(near_here)" },
  { "atan2", "atan2f(up[up_at], along[along_at])", "atan2f(up[up_at], along[along_at] + 0.0f)" },
  { "pow", "powf(base[base_at], exponent[exponent_at])",
    "expf(exponent[exponent_at] * logf(base[base_at]))" },
  { "to_7", "to_7_at] = ", "to_7_at] = 1.000001f * " },
}

local function find_mutants(run, mistakes)
  local well, found = run("float", "c", mistakes)
  local _, count = found:gsub("WRONG", "")
  ok(not well and count == #mistakes, ("%d mistakes make %d faults"):format(#mistakes, count))
  for _, mistake in ipairs(mistakes) do
    ok(found:find("WRONG " .. mistake[1] .. " ", 1, true) ~= nil,
      ("%s in the place of %s is found"):format(mistake[3], mistake[2]))
  end
end

must("make -s all")
must(("%s -std=c11 -O2 -ffp-contract=off -o %s tests/runtime/functions*.c "
  .. "out/runtime/libquern.a -fopenmp -ldl -lm"):format(CC, program))
try_all()
try_nvcc()
find_mutants(rules, WRONG_RULES)
find_mutants(errors, WRONG_FUNCTIONS)
local allowed = tonumber(quern.read "templates/part/reference_function.tpl"
  :match "#define LIBRARY %((%d+) %* UNIT%)") / 2
ok(functions.most() + 0.5 <= allowed and allowed <= 2 * functions.most(),
  ("check allows %g ulp, the worst published is %g"):format(allowed, functions.most()))
print("1.." .. number)
quern.remove(folder)
