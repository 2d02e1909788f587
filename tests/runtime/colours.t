#!/usr/bin/env lua5.4
-- Gauss-Seidel in colours makes the same bits as sequential loops written by
-- hand, and converges as fast as the theory says. Kernels that are wrong do not.
package.path = "./?.lua;" .. package.path

local compile = require "gen.compile"
local diag = require "gen.diag"
local driver = require "gen.driver"
local quern = require "tests.quern"
local shell = require "gen.shell"

local CONTEXT = { c = "cpu", simt = "simt" }
-- Extents of 1 and 2, odd and even ones, one longer than a tile of a row.
local BOXES = { "1 1 1", "2 2 2", "2 1 3", "7 6 5", "8 9 4", "5 12 11" }
local RINGS = { "2 2 2", "4 2 6", "6 8 4" }
-- What is replaced in the kernels, by what.
local MUTANTS = {
  { "the colours in another order", "colour = pass;", "colour = 1 - pass;" },
  { "a missed colour", "error == 0 && pass < 2", "error == 0 && pass < 1" },
  { "a neighbour of the same colour", "u[u_at + 1]", "u[u_at + 2]" },
  { "old values of the other colour", "x += 2", "x += 1" },
}

local folder, number = quern.folder(), 0
local program = folder .. "/colours"

local function ok(well, name, why)
  number = number + 1
  print(("%s %d - %s"):format(well and "ok" or "not ok", number, name))
  if not well and why then print("# " .. tostring(why):gsub("\n", "\n# ")) end
end

local function options_for(backend, set)
  return { root = quern.root, spec = "specs/gauss_seidel.lua", set = set, shapes = {},
           backend = backend, fp = "unfused", arch = "", out = folder }
end

local function files_of(options)
  options.stop_after = "emit"
  local state, problems = driver.run(options)
  assert(state, problems and diag.format(problems))
  return state.files
end

local function replaced(files, from, to)
  local list, hits = {}, 0
  for i, file in ipairs(files) do
    local text = file.text
    local first, last = text:find(from, 1, true)
    if first and file.path:find "red_black" then
      text, hits = text:sub(1, first - 1) .. to .. text:sub(last + 1), hits + 1
    end
    list[i] = { path = file.path, text = text }
  end
  assert(hits > 0, "there is no " .. from)
  return list
end

-- The numbers that the program prints.
local function prove(backend, module, words)
  local well, output = shell.run(("QUERN_RUNTIME=%s/out/runtime OMP_NUM_THREADS=2 %s %s %s %s")
    :format(quern.root, program, CONTEXT[backend], module, words))
  assert(well, output)
  local list = {}
  for word in output:gmatch "%S+" do list[#list + 1] = tonumber(word) end
  return table.unpack(list)
end

local function prove_same(backend, module, ring, sizes)
  for _, kernel in ipairs { "red_black", "multicolour" } do
    local differ = {}
    for _, size in ipairs(sizes) do
      local count = prove(backend, module, ("same %s %d %s"):format(kernel, ring, size))
      if count ~= 0 then differ[#differ + 1] = ("%d points at %s"):format(count, size) end
    end
    ok(#differ == 0, ("%s, %s: the bits of a loop by hand"):format(kernel, backend),
      table.concat(differ, ", "))
  end
end

-- A factor of cos^2(pi h) a sweep, in the end, and then nothing is left.
local function prove_rate(backend, module)
  for _, n in ipairs { 6, 9 } do
    local rate, rest = prove(backend, module, "rate " .. n)
    local wanted = math.cos(math.pi / (n + 1)) ^ 2
    ok(math.abs(rate - wanted) < 1e-4 and rest < 1e-12,
      ("red_black, %s: converges at cos^2(pi h) with %d points"):format(backend, n),
      ("%.17g, wanted %.17g, left %g"):format(rate, wanted, rest))
  end
end

local function compiled(files, options)
  local module, problem = compile.module(files, options)
  return assert(module, problem)
end

local well, output = shell.run(("cd %s && make -s all && %s -std=c11 -O2 -ffp-contract=off -Iruntime -o %s "
  .. "tests/runtime/colours.c out/runtime/libquern.a -fopenmp -ldl -lm")
  :format(quern.root, os.getenv "CC" or "gcc", program))
assert(well, output)
for _, backend in ipairs { "c", "simt" } do
  local options = options_for(backend, {})
  local module = compiled(files_of(options), options)
  prove_same(backend, module, 0, BOXES)
  if backend == "c" then prove_rate(backend, module) end
end
local alone = options_for("c", {})
alone.kernels = { "red_black" }
for _, mutant in ipairs(MUTANTS) do
  local wrong = compiled(replaced(files_of(alone), mutant[2], mutant[3]), alone)
  ok(prove("c", wrong, "same red_black 0 7 6 5") > 0, mutant[1] .. " is another result")
end
local rings = options_for("c", { faces = "periodic" })
prove_same("c", compiled(files_of(rings), rings), 1, RINGS)
print("1.." .. number)
quern.remove(folder)
