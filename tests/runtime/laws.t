#!/usr/bin/env lua5.4
-- Laws of the numbers: laplace converges at the order that it promises, weights
-- of zero freeze a field, an empty range changes nothing, NaN never validates.
package.path = "./?.lua;" .. package.path
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local shell = require "gen.shell"

local folder = quern.folder()
local program = folder .. "/laws"
local number = 0

local function ok(well, name, why)
  number = number + 1
  print(("%s %d - %s"):format(well and "ok" or "not ok", number, name))
  if not well and why then print("# " .. why:gsub("\n", "\n# ")) end
end

local function make(spec, set)
  local made, _, problem = modules.make { root = quern.root, spec = spec, set = set, shapes = {},
    backend = "c", fp = "strict", arch = "sm_90", out = folder .. "/out" }
  assert(made, problem)
  return made
end

local function build()
  local well, output = shell.run(("cd %s && make -s all && %s -std=c11 -O2 -Iruntime -o %s "
    .. "tests/runtime/laws.c out/runtime/libquern.a -fopenmp -ldl -lm")
    :format(shell.quote(quern.root), os.getenv "CC" or "gcc", program))
  ok(well, "the program of the laws builds", output)
end

local function laws(...)
  return shell.run(shell.command(program, { ... }))
end

-- Spacings at which the error of each order stands well above rounding.
local function coarse(order) return order <= 4 and 0.2 or order <= 12 and 0.5 or 0.75 end

local function converges(order)
  local made = make("specs/laplace.lua", { radius = tostring(order // 2), type = "double" })
  local errors = {}
  for i, h in ipairs { coarse(order), coarse(order) / 1.5 } do
    local well, output = laws("error", made.module, tostring(h))
    errors[i] = well and tonumber(output)
    if not errors[i] then return ok(false, "laplace of order " .. order, output) end
  end
  local found = math.log(errors[1] / errors[2]) / math.log(1.5)
  ok(math.abs(found - order) < 0.5, ("the error of laplace falls at order %d"):format(order),
    ("found %.3f from %.3g and %.3g"):format(found, errors[1], errors[2]))
end

build()
for order = 2, 16, 2 do converges(order) end
local frozen = make("tests/runtime/specs/frozen.lua", {})
ok(laws("freeze", frozen.module), "weights of zero freeze the field, others do not",
  select(2, laws("freeze", frozen.module)))
ok(laws("empty", frozen.module), "an empty range changes nothing",
  select(2, laws("empty", frozen.module)))
ok(laws("nan", frozen.module, frozen.reference), "a NaN among the inputs never validates",
  select(2, laws("nan", frozen.module, frozen.reference)))
print("1.." .. number)
quern.remove(folder)
