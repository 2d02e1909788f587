#!/usr/bin/env lua5.4
-- Elastic waves, heat, shallow water and light by their physics.
package.path = "./?.lua;" .. package.path
local physics = require "tests.physics"
local proof, prove = physics.proof, physics.prove
local near, order = physics.near, physics.order

-- Of elastic waves' speeds: what a radius allows. Other proofs share radius 2.
local RADIUS = physics.LONG and "4" or "2"
local TOLD = physics.LONG and 2e-5 or 2e-3

physics.start()

-- Elastic waves.

proof("P and S waves travel at their speeds", "elastic", { faces = "periodic", radius = RADIUS },
  function(module)
    local off = prove("elastic speeds", module)
    return off < TOLD, off
  end, { { "d(sxy, y) + d(sxz, z)", "d(sxy, y)[y+1] + d(sxz, z)", "a shift is one off" },
         { "2*mu*ez", "mu*ez", "a stress is half" },
         { "d(v, c) + d(w, a)", "d(v, c) - d(w, a)", "a sign is wrong" } })
for radius = 1, physics.LONG and 4 or 0 do
  proof(("P and S waves at order %d"):format(2 * radius), "elastic",
    { faces = "periodic", radius = tostring(radius) }, function(module)
      local found = order("elastic speeds", module, 8, 12)
      return math.abs(found / (2 * radius) - 1) < 0.05, found
    end, {}, { "c" })
end
proof("S waves cross layers", "elastic", { faces = "periodic", radius = RADIUS },
  function(module)
    local off = prove("elastic layers", module)
    return off < TOLD, off
  end, { { "dt/mean(mean(1/mu, a), c)", "dt*mean(mean(mu, a), c)", "the mean is not harmonic" } })
-- So nothing grows, in solids and where half of the points are fluid.
proof("energy stays", "elastic", { faces = "periodic" }, function(module)
  local solid, wet = prove("energy stays", module, physics.LONG and 10000 or 1000)
  return solid < 1e-10 and wet < 1e-10, ("%g %g"):format(solid, wet)
end, { { "d(sxx, x) + d(sxy, y)", "d(sxx, x) - d(sxy, y)", "a sign is wrong" },
       { "vx = vx +", "vx = 1.00000001*vx +", "motion gains 1e-8 a step" } }, { "c" })
proof("a place is the same in every field", "elastic", { faces = "periodic" }, function(module)
  local off = prove("elastic places", module)
  return off < 1e-12, off
end, {})
proof("no shear in a fluid", "elastic", { faces = "periodic" }, function(module)
  local wet, dry = prove("elastic fluid", module)
  return wet == 0 and dry == 1, wet
end, { { ", c), 0)", ", c), dt)", "a fluid has shear" } })

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

-- Heat whose owner fills the halo: from each kind of wall on, the next along the
-- next axis.

proof("decay and heating between an owner's walls, order 2", "heat", {}, function(module)
  for first = 0, 3 do
    local found = order("diffusion order " .. first, module, 8, 12)
    if not near(found, 2) then return false, found end
  end
  return true
end, { { "dd(t, a))", "dd(t, a)[x+1])", "a shift is one off" },
       { "kappa*sum", "1.1*kappa*sum", "a coefficient is another" },
       { "sum(a in axes,", "sum(a in (x, y),", "an axis is dropped" },
       { "x = \"halo\"", "x = { \"even\", about = \"face\" }", "a wall is not the owner's" },
       { "power*source", "power*source[y-1]", "what heats is one off" } })
proof("small boxes between an owner's walls", "heat", {}, function(module)
  local off = prove("diffusion small", module)
  return off < 1e-12, off
end, { { "t[t_at - t_y] + t[t_at + t_y]", "2*t[t_at + t_y]", "a neighbour is dropped",
         generated = true } }, { "c", "reference" })

-- Shallow water.

proof("a lake at rest", "shallow_water", {}, function(module)
  return prove("water rest", module) == 1
end, { { "g*d(surface.next, x)", "g*d(surface.next - bottom/8, x)", "the bottom pulls" } })
proof("mass", "shallow_water", {}, function(module)
  local off, rough = prove("water mass", module)
  return off < 1e-13 and rough == 1, off
end, { { "d(carried_x, x)", "where(bottom > 1/4, 1, 2)*d(carried_x, x)", "mass is made" } })
-- Forward and backward in turns: a flow neither gains nor loses by turning.
proof("a uniform flow turns", "shallow_water", {}, function(module)
  local off, astray = prove("water turned", module)
  return off < 1e-12 and astray < 0.02, ("%g %g"):format(off, astray)
end, { { "across(u.next)", "across(u)", "both velocities see the old ones" } })
local WRONG_FLUX = {
  ["0 20"] = { { "(depth + tilt_x/2)[x-1/2]", "(depth + (depth[x+1] - depth)/2)[x-1/2]", "nothing limits" } },
  ["0 -20"] = { { "(depth - tilt_x/2)[x+1/2]", "depth[x+1/2]", "nothing is tilted" } },
  ["1 20"] = { { "(depth + tilt_y/2)[y-1/2]", "(depth + tilt_x/2)[y-1/2]", "a tilt is the other axis'" } },
  ["1 -20"] = {} }
for along = 0, 1 do
  for _, speed in ipairs { 20, -20 } do
    proof(("a step carried along %s at %d"):format(along == 0 and "x" or "y", speed),
      "shallow_water", {}, function(module)
        local over, moved, between = prove("water carried", module, along, speed)
        -- The first order, which is steady too, leaves 34 points between up and down.
        return over < 1e-12 and moved == 1 and between < 16, ("%g %d"):format(over, between)
      end, WRONG_FLUX[along .. " " .. speed])
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
proof("a box of metal full of what conducts", "maxwell", {}, function(module)
  local coarse, fine = prove("maxwell order", module, 4, 0.8), prove("maxwell order", module, 8, 0.8)
  local found = math.log(coarse / fine, 2)
  return near(found, 2), found
end, { { "mean(keep, x)*ex", "ex", "nothing is lost" },
       { "mean(keep, y)*ey", "mean(keep, y)^2*ey", "losses count twice" } }, { "c", "reference" })
proof("B has no sources", "maxwell", {}, function(module)
  local off, rings = prove("maxwell divergence", module)
  return off < 1e-12 and rings == 1, off
end, { { "d(ey, z) - d(ez, y)", "d(ey, z) - d(ez, y)/2", "a curl is none" } })

physics.finish()
