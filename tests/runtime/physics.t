#!/usr/bin/env lua5.4
-- Each specification by the physics that it is about, on the reference run as
-- kernels (oracle_step.c); and each proof on specifications that are wrong,
-- which it must refuse.
package.path = "./?.lua;" .. package.path
local diag = require "gen.diag"
local driver = require "gen.driver"
local quern = require "tests.quern"
local shell = require "gen.shell"

local CC = os.getenv "CC" or "gcc"
local LONG = os.getenv "QUERN_LONG" == "1"
local folder = quern.folder()
local program = folder .. "/physics"
local number, modules = 0, 0

local function ok(well, name, why)
  number = number + 1
  print(("%s %d - %s"):format(well and "ok" or "not ok", number, name))
  if why then print("# " .. tostring(why):gsub("\n", "\n# ")) end
end

local function must(command)
  local well, output = shell.run(("cd %s && %s"):format(quern.root, command))
  assert(well, output)
end

-- The reference as a module with kernels.
local function link(files, at)
  must("mkdir -p " .. at)
  for _, file in ipairs(files) do
    quern.write(at .. "/" .. file.path:match "[^/]+$", file.text)
  end
  must(("for f in %s/*.c; do %s -std=c11 -O0 -fPIC -Dquern_module=oracle_module -I%s "
    .. "-c $f -o $f.o || exit 1; done"):format(at, CC, at))
  must(("%s -shared %s/oracle_step.o %s/*.o -o %s/module.so -lm -Wl,-Bsymbolic")
    :format(CC, folder, at, at))
  return at .. "/module.so"
end

local kept = {}         -- modules without mistakes

local function key_of(name, set)
  local words = { name }
  for key, value in pairs(set) do words[#words + 1] = key .. "=" .. value end
  table.sort(words)
  return table.concat(words, " ")
end

-- The module of a shipped spec; `wrong`: { text, other text } makes a mistake.
local function made(name, set, wrong)
  modules = modules + 1
  local text = quern.read(("specs/%s.lua"):format(name))
  if wrong then
    local first, last = text:find(wrong[1], 1, true)
    assert(first, name .. " has no " .. wrong[1])
    text = text:sub(1, first - 1) .. wrong[2] .. text:sub(last + 1)
  end
  local path = ("%s/%s.lua"):format(folder, name)
  quern.write(path, text)
  local all = { type = "double" }
  for key, value in pairs(set or {}) do all[key] = value end
  local state, problems = driver.run { root = quern.root, spec = path, set = all, shapes = {},
    backend = "reference", fp = "strict", arch = "", out = folder }
  assert(state, problems and diag.format(problems))
  return link(state.files, ("%s/%d"):format(folder, modules))
end

local function make(name, set, wrong)
  if wrong then return made(name, set, wrong) end
  local key = key_of(name, set)
  kept[key] = kept[key] or made(name, set)
  return kept[key]
end

-- The numbers that a proof prints.
local function prove(words, module, ...)
  local list, rest = { program }, { ... }
  for word in words:gmatch "%S+" do list[#list + 1] = word end
  list[#list + 1] = module
  for _, value in ipairs(rest) do list[#list + 1] = tostring(value) end
  local command = {}
  for i, word in ipairs(list) do command[i] = shell.quote(word) end
  local well, output = shell.run(table.concat(command, " "))
  assert(well, output)
  local numbers = {}
  for word in output:gmatch "%S+" do
    numbers[#numbers + 1] = tonumber(word) or word:find "inf" and math.huge or 0/0
  end
  return table.unpack(numbers)
end

local function near(a, b) return math.abs(a - b) < 0.3 end

-- The order at which errors at two sizes fall.
local function order(words, module, small, large)
  return math.log(prove(words, module, small) / prove(words, module, large))
    / math.log(large / small)
end

-- Runs one proof on the spec and on what is made wrong of it.
local function proof(name, spec, set, holds, mutants)
  local well, why = holds(make(spec, set))
  ok(well, ("%s: %s"):format(spec, name), why)
  for _, mutant in ipairs(mutants) do
    local still = holds(make(spec, set, mutant))
    ok(not still, ("%s: %s is refused where %s"):format(spec, name, mutant[3]))
  end
end

must(("make -s all && %s -std=c11 -O2 -Iruntime -o %s tests/runtime/physics*.c "
  .. "out/runtime/libquern.a -fopenmp -ldl -lm"):format(CC, program))
must(("%s -std=c11 -O2 -fPIC -Iruntime -c tests/runtime/oracle_step.c -o %s/oracle_step.o")
  :format(CC, folder))

-- Variable density.

for _, radius in ipairs(LONG and { 1, 2, 3, 4, 5, 6, 7, 8 } or { 1, 4, 8 }) do
  local small = radius < 3 and 16 or 8
  proof(("plane waves at order %d"):format(2 * radius), "acoustic_density",
    { faces = "periodic", dims = "2", radius = tostring(radius) }, function(module)
      local found = order("acoustic order", module, small, small * 3 // 2)
      return math.abs(found - 2 * radius) < 0.6, found
    end, radius == 4 and { { "order = 2 * R", "order = 2 * R - 2", "the order is less" } } or {})
end
proof("its own adjoint", "acoustic_density", { faces = "periodic", radius = "2" },
  function(module)
    local off = prove("acoustic adjoint", module)
    return off < 1e-12, off
  end, { { "mean(b, a)*d(p, a)", "mean(b, a)*d(p, a) + mean(p, a)*d(b, a)/8",
         "the flux is another" } })

-- Elastic waves.

proof("P and S waves travel at their speeds", "elastic", { faces = "periodic", radius = "4" },
  function(module)
    local off = prove("elastic speeds", module)
    return off < 1e-4, off
  end, { { "d(sxy, y) + d(sxz, z)", "d(sxy, y)[y+1] + d(sxz, z)", "a shift is one off" },
         { "2*mu*ez", "mu*ez", "a stress is half" },
         { "d(v, c) + d(w, a)", "d(v, c) - d(w, a)", "a sign is wrong" } })
proof("waves do not grow", "elastic", { faces = "periodic" }, function(module)
  local most = prove("elastic growth", module, LONG and 10000 or 300)
  return most < 3, most
end, { { "d(sxx, x) + d(sxy, y)", "d(sxx, x) - d(sxy, y)", "a sign is wrong" } })
proof("no shear in a fluid", "elastic", { faces = "periodic" }, function(module)
  local wet, dry = prove("elastic fluid", module)
  return wet == 0 and dry == 1, wet
end, { { "dt/mean(mean(1/mu, a), c)", "dt*mean(mean(mu, a), c)", "the mean is not harmonic" } })

-- Heat between walls.

proof("decay at order 2", "heat_faces", {}, function(module)
  local _, uneven = prove("heat order", module, 8)
  local found = order("heat order", module, 8, 16)
  return near(found, 2) and uneven < 1e-9, ("%g %g"):format(found, uneven)
end, { { [["even", about = "face" } }]], [["even", about = "point" } }]],
         "a wall is half a point off" },
       { [[z = "periodic"]], [[z = { "even", about = "face" }]], "a boundary is another" } })
proof("small boxes", "heat_faces", {}, function(module)
  local off = prove("heat small", module)
  return off < 1e-9, off
end, { { [["odd", about = "face", value = "wall"]], [["odd", about = "face", value = 0]],
         "a wall is cold" } })
proof("steady flow", "heat_faces", { dims = "1" }, function(module)
  local off = prove("heat flow", module)
  return off < 1e-13, off
end, { { [[slope = "inflow"]], [[slope = "2*inflow"]], "the flow is double" } })

-- Shallow water.

proof("a lake at rest", "shallow_water", {}, function(module)
  return prove("water rest", module) == 1
end, { { "g*d(surface.next, x)", "g*d(surface.next - bottom/8, x)", "the bottom pulls" } })
proof("mass", "shallow_water", {}, function(module)
  local off, rough = prove("water mass", module)
  return off < 1e-13 and rough == 1, off
end, { { "d(carried_x, x)", "where(bottom > 1/4, 1, 2)*d(carried_x, x)", "mass is made" } })
for along = 0, 1 do
  for _, speed in ipairs { 20, -20 } do
    proof(("a step carried along %s at %d"):format(along == 0 and "x" or "y", speed),
      "shallow_water", {}, function(module)
        local over, moved = prove("water carried", module, along, speed)
        return over < 1e-12 and moved == 1, over
      end, along == 0 and speed > 0 and { { "(depth + tilt_x/2)[x-1/2]",
        "(depth + (depth[x+1] - depth)/2)[x-1/2]", "nothing limits" } } or {})
  end
  proof(("inertia-gravity waves along %s"):format(along == 0 and "x" or "y"), "shallow_water", {},
    function(module)
      local found = math.log(prove("water frequency", module, along, 8)
        / prove("water frequency", module, along, 16)) / math.log(2)
      return near(found, 2), found
    end, along == 0 and { { "coriolis*across(v)", "coriolis*across(v)/2", "the turning is less" },
      { "d(surface.next, x)", "d(surface.next, x)[x+1]", "a shift is one off" } } or {})
end

-- Maxwell.

proof("a box of metal", "maxwell", {}, function(module)
  local found = order("maxwell order", module, 4, 8)
  return near(found, 2), found
end, { { "d(hz, y) - d(hy, z)", "d(hz, y)[y+1] - d(hy, z)", "a shift is one off" },
       { [["constant", value = 0]], [["even", about = "face"]], "the walls are not metal" } })
proof("B has no sources", "maxwell", {}, function(module)
  local off, rings = prove("maxwell divergence", module)
  return off < 1e-12 and rings == 1, off
end, { { "d(ey, z) - d(ez, y)", "d(ey, z) - d(ez, y)/2", "a curl is none" } })

print("1.." .. number)
quern.remove(folder)
