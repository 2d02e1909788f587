-- Elastic waves in velocity and stress on the staggered grid of Virieux, any
-- even order in space, leap-frog in time. The shear modulus is carried to the
-- edges of a cell by its harmonic mean, which is 0 beside a fluid, as it must:
-- said apart, because 1/0 has no error bound.
-- Everything is updated in place: velocities from stresses, then stresses from
-- the new velocities.
local R = param { "radius", default = 2, min = 1, max = 8, short = "r" }
local F = param { "faces", default = "halo", values = { "halo", "periodic" },
                  short = "" }
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
scalar { "dt", range = { 0, 0.1 } }

field { "vx", at = { x = 1/2 } }
field { "vy", at = { y = 1/2 } }
field { "vz", at = { z = 1/2 } }
field { "sxx", "syy", "szz" }
field { "sxy", at = { x = 1/2, y = 1/2 } }
field { "sxz", at = { x = 1/2, z = 1/2 } }
field { "syz", at = { y = 1/2, z = 1/2 } }
field { "buoyancy", "lambda", range = { 0.5, 2 } }
field { "mu", range = { 0, 2 } }                      -- 0: a fluid

if F == "periodic" then
  boundary { "vx", "vy", "vz", "sxx", "syy", "szz", "sxy", "sxz", "syz",
             "buoyancy", "mu", x = "periodic", y = "periodic", z = "periodic" }
end

operator { "d",    derivative = 1, order = 2 * R, staggered = true }
operator { "mean", derivative = 0, order = 2,     staggered = true }
define [[
  b(a)          = dt*mean(buoyancy, a)
  least(f, a)   = min(f[a-1/2], f[a+1/2])
  rigid(a, c)   = where(least(least(mu, a), c) > 0,
                        dt/mean(mean(1/mu, a), c), 0)
  shear(v, a, w, c) = rigid(a, c)*(d(v, c) + d(w, a))
]]

kernel { "velocity", [[
  vx = vx + b(x)*(d(sxx, x) + d(sxy, y) + d(sxz, z))
  vy = vy + b(y)*(d(sxy, x) + d(syy, y) + d(syz, z))
  vz = vz + b(z)*(d(sxz, x) + d(syz, y) + d(szz, z)) ]] }
kernel { "stress", [[
  ex = d(vx, x)   ey = d(vy, y)   ez = d(vz, z)
  volume = lambda*(ex + ey + ez)
  sxx = sxx + dt*(volume + 2*mu*ex)
  syy = syy + dt*(volume + 2*mu*ey)
  szz = szz + dt*(volume + 2*mu*ez)
  sxy = sxy + shear(vx, x, vy, y)
  sxz = sxz + shear(vx, x, vz, z)
  syz = syz + shear(vy, y, vz, z) ]] }
step { "velocity", "stress" }
