#!/usr/bin/env lua5.4
-- The halo that a kernel's check demands is the halo that it reads: with one
-- point less it is refused, with exactly as many it validates, beyond lie NaN.
package.path = "./?.lua;" .. package.path
local compile = require "gen.compile"
local driver = require "gen.driver"
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local shell = require "gen.shell"

local folder = quern.folder()
local program = folder .. "/halo"
local number = 0

local function ok(well, name, why)
  number = number + 1
  print(("%s %d - %s"):format(well and "ok" or "not ok", number, name))
  if not well and why then print("# " .. why:gsub("\n", "\n# ")) end
end

local function options_of(spec, backend, shape, set)
  return { root = quern.root, spec = "specs/" .. spec .. ".lua", set = set or {},
    shapes = shape and { { name = shape, params = {} } } or {}, backend = backend, fp = "strict",
    arch = "sm_90", out = folder .. "/out" }
end

local function said(backend, module, reference, size)
  local words = { backend == "c" and "cpu" or backend, module, reference }
  for _, extent in ipairs(size) do words[#words + 1] = tostring(extent) end
  return shell.run(shell.command(program, words))
end

-- Every line is well. Of kernels for the whole domain also that the least width is what is read.
local function fault(text, is_whole)
  local lines = 0
  for line in text:gmatch("[^\n]+") do
    local least, need, what = line:match("^%S+ %S+ %d (%d+) (%d+) (.*)$")
    lines = lines + 1
    if what ~= "ok" or is_whole and least ~= need then return line end
  end
  return lines == 0 and "nothing was tried" or nil
end

local function try(spec, backend, shape, size, is_whole, set)
  local made, _, problem = modules.make(options_of(spec, backend, shape, set))
  assert(made, problem)
  local well, text = said(backend, made.module, made.reference, size)
  local wrong = not well and text or fault(text, is_whole)
  ok(not wrong, ("%s %s reads the halo that it demands"):format(spec, shape), wrong)
  return made
end

-- The module with checks that demand a point less along y than its kernels read.
local function careless(state, backend)
  local files, changed = {}, 0
  for i, file in ipairs(state.files) do
    local text, count = file.text:gsub("{ { 2, 2 }, { 2, 2 }, { 2, 2 } } }",
      "{ { 2, 2 }, { 1, 1 }, { 2, 2 } } }")
    if not file.path:find("_module%.c$") then changed = changed + count else text = file.text end
    files[i] = { path = file.path, text = text }
  end
  assert(changed > 0, "no check was changed")
  return assert(compile.module(files, options_of("laplace", backend)))
end

-- Also where the reference's check has the same fault.
local function mutants(made)
  local kernel = careless(made.state, "c")
  local options = options_of("laplace", "reference", nil, { radius = "2" })
  for _, case in ipairs { { "its", made.reference },
                          { "every", careless(assert(driver.run(options)), "reference") } } do
    local well, text = said("c", kernel, case[2], { 9, 8, 7 })
    ok(well and fault(text, false), case[1] .. " check that demands too little is noticed", text)
  end
end

local well, output = shell.run(("cd %s && make -s all && %s -std=c11 -O2 -Wall -Wextra -Werror -Iruntime "
  .. "-o %s tests/runtime/halo.c out/runtime/libquern.a -fopenmp -ldl -lm")
  :format(shell.quote(quern.root), os.getenv "CC" or "gcc", program))
ok(well, "the program builds", output)
mutants(try("laplace", "c", "blocked", { 9, 8, 7 }, true, { radius = "2" }))
try("heat", "c", "blocked", { 9, 8, 7 }, true)
try("advection_upwind", "c", "blocked", { 9, 8, 7 }, true)
try("diffusion_variable", "c", "blocked", { 9, 8, 7 }, true)
try("acoustic_iso", "c", "blocked", { 19, 18, 17 }, false, { radius = "3" })
for _, shape in ipairs { "gmem", "st_reg_shft" } do
  try("laplace", "simt", shape, { 9, 8, 7 }, true, { radius = "2" })
end
print("1.." .. number)
quern.remove(folder)
