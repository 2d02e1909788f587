#!/usr/bin/env lua5.4
-- Waves in tilted media and a gas on a lattice by their physics, weights by the
-- polynomials that they are for.
package.path = "./?.lua;" .. package.path
local physics = require "tests.physics"
local LONG, proof, prove = physics.LONG, physics.proof, physics.prove

physics.start()

-- Waves in tilted media. The reference is slow: it shows at six points a wave
-- what the kernels of the CPU show by their order.

local function tilted(mixed, radius)
  return { mixed = mixed, radius = tostring(radius), faces = "periodic" }
end

proof("speeds of P and S at 0, 30, 60, 90 degrees", "tti", tilted("stored", 2),
  function(module)
    local p, s = prove("tti speeds", module, 6)
    return p < 0.0135 and s < 0.0135, ("%g %g"):format(p, s)
  end, { { "+ 2*(ax*ay", "+ (ax*ay", "mixed derivatives are half" },
         { "ay = sin(tilt)*sin(azimuth)", "ay = sin(azimuth)*sin(azimuth)",
           "an angle is the other" },
         { "- vsz2*(across_p", "+ vsz2*(across_p", "a sign is wrong" },
         { "qy = d(q, y) ]]", "qy = d(p, y) ]]", "a slope is the other wave's" } },
  { "reference" })

local function falls(mixed, radius)
  local small = radius < 3 and 8 or 12
  proof(("speeds at order %d, %s"):format(2 * radius, mixed), "tti", tilted(mixed, radius),
    function(module)
      local p, s = prove("tti speeds", module, small)
      local finer_p, finer_s = prove("tti speeds", module, 16)
      local rate = math.log(16 / small)
      local found_p, found_s = math.log(p / finer_p) / rate, math.log(s / finer_s) / rate
      local function near(found) return math.abs(found / (2 * radius) - 1) < 0.05 end
      return near(found_p) and near(found_s), ("%g %g"):format(found_p, found_s)
    end, {}, { "c" })
end

for _, radius in ipairs(LONG and { 1, 2, 3, 4, 5, 6 } or { 2 }) do
  falls("direct", radius)
  if LONG then falls("stored", radius) end
end

local plain = physics.make("reference", "acoustic_iso", { radius = "1" })
proof("waves without an axis are those of acoustic_iso", "tti", { radius = "1" },
  function(module)
    local off, most = prove("tti isotropic", module, plain)
    return off < 1e-13 and most > 0.1, ("%g of %g"):format(off, most)
  end, { { "lap(p) - along_p", "lap(p) + along_p", "a sign is wrong" } },
  { "reference" })

-- A gas on a lattice. Where (1/omega - 1/2)^2 = 3/16 flow between walls is exact.

local unhurried = physics.optimised
physics.optimised = LONG and unhurried or "-Og"
local PERIODIC = { faces = "periodic" }
local EXACT = 1/(1/2 + math.sqrt(3/16))
local BACK = { "and i + 1 or i - 1", "and i + 1 or i == 4 and 5 or i - 1",
               "an opposite is another" }
local WEIGHT = { "w = WEIGHT[x*x + y*y + z*z]", [[w = i == 7 and "1/35" or WEIGHT[x*x + y*y + z*z] ]],
                 "a weight is another" }
local FORCE = { "uy = (force_y/2 $y)", "uy = (0 $y)", "half a force does not count" }

proof("flow between walls", "lbm_d3q19", PERIODIC, function(module)
  local off = prove("lattice channel", module, 4, EXACT)
  return off < 1e-9, off
end, { BACK, WEIGHT, FORCE })
proof("walls at order 2", "lbm_d3q19", PERIODIC, function(module)
  local small = LONG and 4 or 3
  local coarse, fine = prove("lattice channel", module, small, 1.2), prove("lattice channel", module, 2*small, 1.2)
  local found = math.log(coarse / fine, 2)
  return math.abs(found - 2) < 0.02, found
end, {}, { "c" })
proof("momentum of a force", "lbm_d3q19", PERIODIC, function(module)
  local off = prove("lattice falling", module, 100)
  return off < 1e-11, off
end, { FORCE })
proof("momentum that is carried while a force acts", "lbm_d3q19", PERIODIC, function(module)
  local off = prove("lattice accelerated", module, 100)
  return off < 1e-7, off
end, { { "p$i*(1 + c$i) - power", "p$i + 0*power", "the force has no terms of second order" },
       LONG and { "p$i*(1 + c$i) - power", "p$i*(1 + c$i) - 0*power", "the force adds to the pressure" } or nil })
proof("mass", "lbm_d3q19", PERIODIC, function(module)
  local lost, most = prove("lattice kept", module, LONG and 2000 or 100)
  return lost < 1e-12 and most > 1e-4, ("%g, %g"):format(lost, most)
end, { BACK, WEIGHT })
proof("viscosity", "lbm_d3q19", PERIODIC, function(module)
  local off = prove("lattice viscosity", module, 12)
  return off < 0.06, off
end, { WEIGHT })
-- What is of second order in the velocity: half of it is half of the speed.
proof("a flow carries waves", "lbm_d3q19", PERIODIC, function(module)
  local off = prove("lattice carried", module, 16)
  return off < 0.01, off
end, { { "c$i^2/2 - square", "(c$i^2/2 - square)/2", "half of the momentum is carried" } },
  { "c" })
proof("viscosity at order 2", "lbm_d3q19", PERIODIC, function(module)
  local found = physics.order("lattice viscosity", module, 16, 24)
  return math.abs(found - 2) < 0.1, found
end, {}, { "c" })

physics.optimised = unhurried

-- Weights. Every polynomial up to a degree, and no further.

local function exact(form, mutants)
  proof(form .. ", polynomials", "weights", {}, function(module)
    local within, above = prove("weights " .. form, module)
    return within < 1e-13 and above > 1e-6, ("%g, %g"):format(within, above)
  end, mutants, LONG and { "reference", "c", "simt" } or nil)
end

exact("flat", { { "order = { x = 8, y = 8 }", "order = { x = 8, y = 6 }", "an order is less" } })
exact("tuned", { { [["tuned", derivative = 1]], [["tuned", derivative = 0]], "weights are not scaled" },
                 { "{ -3, -2, -1, 0, 1, 2, 3 }", "{ -2, -1, 0, 1, 2, 3, 4 }", "offsets are shifted" } })
exact("sixth", {})
exact("slope", { { [["n - 2", "n - 1"]], [["n - 2", "n - 2"]],
                   "a point beyond a face is read" } })
exact("cube", { { [["corner/hx^2"]], [["corner"]], "weights are not scaled" } })

physics.finish()
