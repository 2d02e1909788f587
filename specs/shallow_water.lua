-- Rotating shallow water over a bottom, on the C grid of Arakawa: the surface
-- and the bottom at whole points, the velocities between them (which carry
-- mass, but not each other). Mass moves with a limited upwind flux, so that
-- steps stay steps; then each velocity sees the newest of everything else
-- (forward-backward, stable as far as waves go). A flat surface at rest stays
-- so bit for bit, whatever the bottom.
local T = param { "type", default = "double", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", spacing = { "hx", "hy" } }
scalar { "dt", range = { 0, 0.01 } }
scalar { "g", "coriolis", range = { 0, 10 } }

field { "surface", time = { 0, 1 }, range = { 1, 2 } }
field { "bottom", range = { 0, 0.5 } }
field { "u", at = { x = 1/2 }, time = { 0, 1 } }
field { "v", at = { y = 1/2 }, time = { 0, 1 } }
boundary { "surface", "bottom", "u", "v", x = "periodic", y = "periodic" }

operator { "d",    derivative = 1, order = 2, staggered = true }
operator { "mean", derivative = 0, order = 2, staggered = true }
define [[
  minmod(a, b) = where(a*b > 0, where(abs(a) < abs(b), a, b), 0)
  depth        = surface - bottom
  tilt_x       = minmod(depth - depth[x-1], depth[x+1] - depth)
  tilt_y       = minmod(depth - depth[y-1], depth[y+1] - depth)
  carried_x    = u*where(u > 0, (depth + tilt_x/2)[x-1/2],
                                (depth - tilt_x/2)[x+1/2])
  carried_y    = v*where(v > 0, (depth + tilt_y/2)[y-1/2],
                                (depth - tilt_y/2)[y+1/2])
  across(f)    = mean(mean(f, x), y)
]]

kernel { "mass", [[
  surface.next = surface - dt*(d(carried_x, x) + d(carried_y, y)) ]] }
kernel { "along_x", [[
  u.next = u + dt*(coriolis*across(v) - g*d(surface.next, x)) ]] }
kernel { "along_y", [[
  v.next = v - dt*(coriolis*across(u.next) + g*d(surface.next, y)) ]] }
step { "mass", "along_x", "along_y" }
