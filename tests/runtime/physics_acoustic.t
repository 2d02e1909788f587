#!/usr/bin/env lua5.4
-- Acoustic waves, at constant and variable density, by their physics.
package.path = "./?.lua;" .. package.path
local physics = require "tests.physics"
local LONG, proof, prove = physics.LONG, physics.proof, physics.prove

physics.start()

-- Plane waves. The errors at both sizes are far above rounding, and so small
-- that the first term rules.

local function converges(words, radius, small, large)
  return function(module)
    local found = physics.order(words, module, small, large)
    return math.abs(found / (2 * radius) - 1) < 0.035, found
  end
end

local LESS = { "order = 2 * R", "order = 2 * R - 2", "the order is less" }
local WAVE = "u.next = 2*u - u.prev + vp2dt2*lap(u)"
local ASIDE = { WAVE, WAVE .. "[x+1]", "a shift is one off" }
local ALL = { 1, 2, 3, 4, 5, 6, 7, 8 }

local function plane_waves(dims, radius, mutants)
  local set = { dims = tostring(dims), radius = tostring(radius) }
  local small = radius < 3 and 24 or 12
  local large = radius < 7 and small * 3 // 2 or 15
  proof(("plane waves at order %d in %d-D"):format(2 * radius, dims), "acoustic_iso", set,
    converges("wave order", radius, small, large), mutants)
end

for _, radius in ipairs(LONG and ALL or { 1, 4, 8 }) do
  plane_waves(2, radius, radius == 4 and { LESS, ASIDE } or {})
end
for _, radius in ipairs(LONG and ALL or { 3 }) do
  plane_waves(3, radius, {})
end
for _, radius in ipairs(LONG and ALL or { 1, 4 }) do
  local small = radius < 3 and 16 or 8
  proof(("plane waves at order %d"):format(2 * radius), "acoustic_density",
    { faces = "periodic", dims = "2", radius = tostring(radius) },
    converges("acoustic order", radius, small, small * 3 // 2), radius == 4 and { LESS } or {})
end
-- In a box of three axes, which what follows needs too.
local BOX = { faces = "periodic", radius = "2" }
proof("plane waves at order 4 in 3-D", "acoustic_density", BOX, converges("acoustic order", 2, 8, 12), {})

-- Some of what follows takes 20,000 steps.
local unhurried = physics.optimised
physics.optimised = "-O1"

-- Layers of 40 points: what comes back of waves that enter at 0 and 45 degrees.
-- 1 % is what is asked of them; less than 0.12 % and 0.15 % is what they do.

local LATE = { [[shell = "width"]], [[shell = "width - 8"]], "damping begins late" }
local BACK = {
  acoustic_iso = {
    [0] = { LATE, LONG and { "vp2dt2*(lap(u) + phi)", "vp2dt2*lap(u)", "damping is alone" } or nil },
    [45] = { { "phi - sum", "phi + sum", "phi has another sign" },
             LONG and { "(2 - eta^2 + 2*eta)*u", "2*(1 + eta)*u", "eta^2 is absent" } or nil } },
  acoustic_passive = {
    [0] = { { "(lap(u)$div)", "lap(u)", "damping is alone" }, LONG and LATE or nil },
    [45] = LONG and { { "(1 - eta/2)*u.prev", "u.prev", "u is damped from one side" } } or {} } }

for _, spec in ipairs { "acoustic_iso", "acoustic_passive" } do
  for _, degrees in ipairs { 0, 45 } do
    proof(("a layer swallows waves at %d degrees"):format(degrees), spec,
      { dims = "2" }, function(module)
        local back = prove("wave reflection", module, degrees)
        return back < 0.0015, back
      end, BACK[spec][degrees], { "c" })
  end
end

-- Long runs behind layers. Of the published ones, across one axis, nothing grows; where
-- they cross, a wave at the inner corners does, at a rate that is known (specs/README.md).
-- Layers that are passive take from every wave, whatever their damping.

local function fades(words, most, ...)
  local rest = { ... }
  return function(module)
    local worst, all, rate = prove("wave " .. words, module, table.unpack(rest))
    return worst < 1 and all < most, ("%.3f %.3g %.4f"):format(worst, all, rate)
  end
end

local function creeps(width, inner, steps)
  return function(module)
    local worst, _, rate = prove("wave grows", module, width, inner, 1, steps)
    return rate > 0.36 and rate < 0.38, ("%.3f %.4f"):format(worst, rate)
  end
end

local FLAT = { dims = "2" }
proof("waves fade for 20,000 steps before layers across one axis", "acoustic_iso", FLAT,
  fades("grows", 0.01, 27, 20, 0, 20000), {
    { "(2 - eta^2 + 2*eta)*u", "(2 - eta^2 - 2*eta)*u", "eta's term has another sign" },
    LONG and { "/ (1 + eta) ]]", "/ (1 - eta) ]]", "phi grows by itself" } or nil }, { "c" })
proof("where layers cross, waves grow by 0.37 of the least eta a step", "acoustic_iso", FLAT,
  creeps(10, 14, 20000), {
    { "phi - sum", "phi + sum", "phi has another sign" },
    LONG and { "/ (1 + eta) ]]", "/ (1 + eta/2) ]]", "phi fades half as fast" } or nil }, { "c" })
if LONG then
  proof("so that less is left after 20,000 steps at a width of 40", "acoustic_iso", FLAT,
    function(module)
      local worst, all, rate = prove("wave grows", module, 40, 20, 1, 20000)
      return worst < 1.1 and all < 0.3, ("%.3f %.3g %.4f"):format(worst, all, rate)
    end, { { "phi - sum", "phi + sum", "phi has another sign" } }, { "c" })
  proof("they grow by as much at a width of 27", "acoustic_iso", FLAT, creeps(27, 20, 200000), {}, { "c" })
end
proof("waves fade for 20,000 steps where layers cross", "acoustic_passive", FLAT,
  fades("grows", 0.01, 10, 14, 1, 20000), {
    { "- d(lost", "- 1.02*d(lost", "the loss is 2 % too large" },
    LONG and { "(1 - e_$a)*lost", "lost", "what is lost does not fade" } or nil }, { "c" })
proof("waves fade at any damping in a rough medium", "acoustic_passive", FLAT,
  fades("rough", 0.01, 5, 6, 20000), {}, { "c" })
if LONG then
  proof("the same in 3-D", "acoustic_passive", {}, fades("rough", 0.02, 4, 4, 2000), {}, { "c" })
end

-- Energy in a closed box, and propagation from sources to receivers and back.
physics.optimised = unhurried

local function keeps_energy(module)
  local off, moves = prove("laws energy", module, LONG and 20000 or 2000)
  return off < 1e-10 and moves == 1, off
end

local function adjoint(module)
  local off = prove("laws adjoint", module)
  return off < 1e-12, off
end

-- Sources and receivers at any place: linear, and sinc over 8 points.
local function adjoint_anywhere(dims)
  return function(module)
    local linear = prove("laws anywhere", module, dims, 0)
    local sinc = prove("laws anywhere", module, dims, 4)
    return linear < 1e-12 and sinc < 1e-12, ("%g, %g"):format(linear, sinc)
  end
end

local WITHIN = { WAVE, "u.next = 2*u - u.prev + lap(vp2dt2*u)", "the speed is inside lap" }
local FLUX = { "mean(b, a)*d(p, a)", "mean(b, a)*d(p, a) + mean(p, a)*d(b, a)/8",
               "the flux is another" }
local GAIN = { WAVE, WAVE .. " + (u - u.prev)/100000000", "motion gains 1e-8 a step" }
local LOSS = { "p.next = 2*p - p.prev +", "p.next = 2*p - p.prev - (p - p.prev)/100000000 +",
               "motion loses 1e-8 a step" }

for dims = 2, 3 do
  local set = { dims = tostring(dims), radius = dims == 2 and "4" or "3" }
  proof(("energy stays in %d-D"):format(dims), "acoustic_iso", set, keeps_energy,
    dims == 2 and { GAIN, ASIDE, WITHIN } or {}, { "c" })
  proof(("propagation is its own adjoint in %d-D"):format(dims), "acoustic_iso", set,
    adjoint, dims == 2 and { ASIDE, WITHIN } or {}, { "c", "reference" })
  proof(("the same between places anywhere in %d-D"):format(dims), "acoustic_iso", set,
    adjoint_anywhere(dims), dims == 2 and { ASIDE, WITHIN } or {}, { "c" })
end
for _, faces in ipairs { "halo", "periodic" } do
  local set = { dims = "2", faces = faces }
  proof(("energy stays, faces %s"):format(faces), "acoustic_density", set, keeps_energy,
    faces == "halo" and { LOSS, FLUX } or {}, { "c" })
  proof(("propagation is its own adjoint, faces %s"):format(faces), "acoustic_density", set,
    adjoint, faces == "halo" and { FLUX } or {}, { "c", "reference" })
  proof(("the same between places anywhere, faces %s"):format(faces), "acoustic_density", set,
    adjoint_anywhere(2), faces == "halo" and { FLUX } or {}, { "c" })
end
proof("energy stays in 3-D", "acoustic_density", BOX, keeps_energy, {},
  { "c" })
proof("propagation is its own adjoint in 3-D", "acoustic_density", BOX, adjoint, {}, { "c", "reference" })
proof("the same between places anywhere in 3-D", "acoustic_density", BOX, adjoint_anywhere(3), {}, { "c" })
proof("the operator is its own adjoint", "acoustic_density", BOX, function(module)
  local off = prove("acoustic adjoint", module)
  return off < 1e-12, off
end, { FLUX })

-- A free surface: what is above it is the mirror image of what is below. To
-- rounding: of a difference of two products only one is fused.

for dims = 2, LONG and 3 or 2 do
  local D = tostring(dims)
  for _, backend in ipairs { "reference", "c" } do
    proof(("a free surface is a mirror in %s-D"):format(D), "acoustic_density",
      { faces = "free", dims = D }, function(module)
        local halo = physics.make(backend, "acoustic_density", { faces = "halo", dims = D })
        local off, most = prove("acoustic mirror", module, halo, dims)
        return off < 1e-13 and most > 1, ("%g %g"):format(off, most)
      end, backend == "reference" and dims == 2 and {
        { [["p", [down] = { low = { "odd"]], [["p", [down] = { low = { "even"]],
          "the image keeps its sign" },
        { [["odd", about = "point"]], [["odd", about = "face"]], "the surface is half a point up" },
        { [["even", about = "point"]], [["even", about = "face"]], "the medium's is half a point up" } }
        or {}, { backend })
  end
end

physics.finish()
