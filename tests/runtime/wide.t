#!/usr/bin/env lua5.4
-- Grids of more than 2^31 points: the arithmetic of a launch, on every backend
-- that a CPU runs, and the types that are emitted.
package.path = "./?.lua;" .. package.path
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local shell = require "gen.shell"

local folder = quern.folder()
local program = folder .. "/wide"
local number = 0

local function ok(well, name, why)
  number = number + 1
  print(("%s %d - %s"):format(well and "ok" or "not ok", number, name))
  if not well and why then print("# " .. why:gsub("\n", "\n# ")) end
end

local function make(backend, shapes)
  local made, _, problem = modules.make { root = quern.root, spec = "specs/heat.lua",
    set = { radius = "2" }, shapes = shapes, backend = backend, fp = "strict",
    arch = "sm_90", out = folder .. "/out" }
  assert(made, problem)
  return made
end

local function try(backend, shape)
  local made = make(backend, { { name = shape, params = {} } })
  local name = backend .. " " .. shape
  local _, count = shell.run(shell.command(program, { made.module, "count" }))
  ok(count == "2171747375\n", name .. " counts the 2,171,747,375 points of 1295^3", count)
  local _, _, code = os.execute(("'%s' %s > %s/said 2>&1"):format(program, made.module, folder))
  local far = name .. " finds planes 2^30 elements apart"
  if code == 77 then
    number = number + 1
    print(("ok %d - %s # SKIP no address space"):format(number, far))
  else
    ok(code == 0, far, quern.read(folder .. "/said"))
  end
  return made
end

-- It holds what modules need of libraries.
local well, output = shell.run((
  "%s -std=c11 -O2 -I%s/runtime -o %s %s/tests/runtime/wide.c -Wl,--no-as-needed -fopenmp -ldl -lm")
  :format(os.getenv "CC" or "gcc", shell.quote(quern.root), program, shell.quote(quern.root)))
ok(well, "the program builds", output)
local made = try("c", "blocked")
try("simt", "gmem")
try("simt", "st_reg_shft")
for _, file in ipairs(made.state.files) do
  if file.path:find("heat_[^/]*%.h$") then
    ok(not file.text:find("[%s(]int +n[%[;,]") and file.text:find("int64_t n[3]", 1, true),
      "extents are 64 bits wide in " .. file.path)
  end
end
print("1.." .. number)
quern.remove(folder)
