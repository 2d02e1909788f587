#!/usr/bin/env lua5.4
-- Two steps in one sweep are two steps: against the reference step by step, and
-- bit for bit against the same module's steps one by one, whatever the halos, on
-- a part of the domain too. Faults put into the kernel are found.
package.path = "./?.lua;" .. package.path
local check = require "gen.command.check"
local compile = require "gen.compile"
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local runner = require "gen.runner"
local shell = require "gen.shell"
require "tests.widths"

local LONG = os.getenv "QUERN_LONG" == "1"
local SPEC = "tests/runtime/specs/temporal.lua"
local DUE = "that a piece is on its way to"
local FILL = "depends on shared memory that no thread has written"
local folder = quern.folder()
local program = folder .. "/twice"
local number = 0

local function ok(well, name, why)
  number = number + 1
  print(("%s %d - %s"):format(well and "ok" or "not ok", number, name))
  if not well and why then print("# " .. tostring(why):gsub("\n", "\n# ")) end
end

-- A tile of 32 points along x (16 doubles) and two to ten along y, so that small
-- domains have several, and chunks of five planes.
local CASES = {
  { "heat", 1, "float", block = "8x6", rows = "2" },
  { "wave", 2, "float", block = "8x7", rows = "2" },
  { "heat", 2, "float", block = "8x6", rows = "2", halos = "1" },
  { "wave", 1, "float", block = "8x6", rows = "1", halos = "1", long = true },
  { "heat", 3, "double", block = "8x8", rows = "1", long = true },
  { "wave", 1, "double", block = "8x4", rows = "3", long = true },
  { "wave", 4, "float", block = "8x6", rows = "3", long = true },
  { "heat", 5, "float", block = "8x13", rows = "1", long = true },
  { "heat", 8, "double", block = "8x9", rows = "2", long = true },
  { "wave", 6, "float", block = "8x8", rows = "2", long = true },
}
local SIZES = { { 1, 1, 1 }, { 33, 11, 6 }, { 3, 23, 2 }, LONG and { 70, 5, 11 } or nil }
local PARTS = { { 5, 31, 2, 9, 1, 6 }, { 4, 4, 0, 11, 0, 6 }, LONG and { 0, 33, 2, 11, 0, 5 } or nil }

local function options_of(case)
  return { root = quern.root, spec = SPEC, backend = "simt", fp = "strict", arch = "sm_90",
    set = { equation = case[1], radius = tostring(case[2]), type = case[3] },
    shapes = { { name = "temporal",
      params = { block = case.block, rows = case.rows, chunk = "5", halos = case.halos } } },
    out = folder .. "/out", device = 0, seed = 1, detect = true, bits = 32 }
end

-- The requests that are about the kernel that makes two steps.
local function requests_of(made, options, sizes)
  local list = {}
  for _, request in ipairs(check.requests(made, sizes, options)) do
    list[#list + 1] = request.kernel:find("_temporal_") and request or nil
  end
  return list
end

local function fault_of(requests)
  local answers, problem = runner.run(requests, { root = quern.root, out = "." })
  if not answers then return problem end
  for i, answer in ipairs(answers) do
    if answer.status ~= "ok" then
      return ("%s: %s"):format(table.concat(requests[i].size, "x"), answer.problem)
    end
  end
  return #answers == 0 and "nothing was asked" or nil
end

local function differs(module, size, part)
  local words = { "simt", module }
  for _, list in ipairs { size, part or {} } do
    for _, n in ipairs(list) do words[#words + 1] = tostring(n) end
  end
  local well, text = shell.run("QUERN_RUNTIME=" .. shell.quote(quern.root .. "/out/runtime") .. " "
    .. shell.command(program, words))
  return not (well and text == "same\n") and table.concat(words, " ") .. ": " .. text or nil
end

local function try(case)
  local name = ("%s, radius %d, %s%s"):format(case[1], case[2], case[3], case.halos and ", one halo" or "")
  local options = options_of(case)
  local made, _, problem = modules.make(options)
  if not made then return ok(false, name, problem) end
  local requests = requests_of(made, options, SIZES)
  for _, part in ipairs(PARTS) do
    local request = requests_of(made, options, { SIZES[2] })[1]
    request.range = { { part[1], part[2] }, { part[3], part[4] }, { part[5], part[6] } }
    requests[#requests + 1] = request
  end
  local fault = fault_of(requests)
  ok(not fault, name .. ": agrees with the reference, step by step", fault)
  fault = nil
  for _, size in ipairs(LONG and SIZES or { SIZES[2] }) do fault = fault or differs(made.module, size) end
  for _, part in ipairs(LONG and PARTS or { PARTS[1] }) do fault = fault or differs(made.module, SIZES[2], part) end
  ok(not fault, name .. ": the bits of two steps", fault)
  return made
end

-- What is replaced by what, and what is said of it; nil: other numbers.
local MUTANTS = {
  { "a middle plane that is read too early",
    "middle_back = quern_back<%d>%(middle_slot, 1%)", "middle_back = middle_slot", DUE },
  { "no barrier between the planes", "__syncthreads%(%);\n(%s+if %(leader%) {\n%s+if %(p)", "%1", long = true },
  { "a middle step one row too narrow", "works = ty < 12", "works = ty < 10", FILL, long = true },
  { "no columns beside the tile", "within %? %(int%)threadIdx%.y : beside / 2", "(int)threadIdx.y", FILL, long = true },
  { "a halo of the middle step that nobody sends for",
    "if %(outside != 0", "if (0 && outside != 0", FILL, long = true },
  { "a halo of the middle step that nobody waits for", "quern_fetch_wait<%d>%(%);", "", DUE,
    long = true },
  { "a plane of the middle step made beyond the domain", "if %(!in_planes%)", "if (0)", long = true },
  { "a middle step that keeps one point too few",
    "{ 1, 1, 1 }, { 1, 1, 1 } };", "{ 1, 1, 1 }, { 1, 0, 1 } };", long = true },
  { "a plane refilled while it is read",
    "%(p >= 1 && p %+ (%d) < (planes %+ %d)%)(%s+fetch_u%(s, u_tensor, )u_back",
    "(p >= 1 && p + %1 < %2)%3(u_back + 1) %% %1", "none can go on", long = true },
  { "a first plane too few", "p >= 4 &&", "p >= 5 &&", long = true },
}

local function with_fault(files, mutant)
  local changed, count = {}, 0
  for i, file in ipairs(files) do
    local text, found = file.text, 0
    if file.path:find("_temporal_.*%.cu$") then text, found = text:gsub(mutant[2], mutant[3]) end
    changed[i], count = { path = file.path, text = text }, count + found
  end
  return count > 0 and changed or nil
end

local function try_mutant(made, case, mutant)
  local options = options_of(case)
  local files = with_fault(made.state.files, mutant)
  if not files then return ok(false, mutant[1], "there is no " .. mutant[2]) end
  local module, problem = compile.module(files, options)
  if not module then return ok(false, mutant[1], problem) end
  local changed = { module = module, reference = made.reference, state = made.state }
  local fault = fault_of(requests_of(changed, options, { { 33, 23, 11 } }))
  ok(fault and (not mutant[4] or fault:find(mutant[4], 1, true)), mutant[1] .. " is found", fault or "it is not")
end

local well, output = shell.run(("cd %s && make -s all && %s -std=c11 -O2 -Wall -Wextra -Werror -Iruntime "
  .. "-o %s tests/runtime/twice.c out/runtime/libquern.a -fopenmp -ldl -lm")
  :format(shell.quote(quern.root), os.getenv "CC" or "gcc", program))
ok(well, "the program builds", output)
for i, case in ipairs(CASES) do
  local made = (LONG or not case.long) and try(case)
  for _, mutant in ipairs(made and i == 1 and MUTANTS or {}) do
    if LONG or not mutant.long then try_mutant(made, case, mutant) end
  end
end
print("1.." .. number)
quern.remove(folder)
