-- Maxwell's equations on the grid of Yee, with losses, in a box of metal: the
-- electric field along a wall is 0, at index 0 because nothing ever changes it
-- there, one point beyond the last because the boundary says so. The magnetic
-- field is the same on both sides of a wall.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", "z", spacing = { "dx", "dy", "dz" } }
scalar { "dt_mu", range = { 0, 1 } }                  -- dt over permeability

field { "ex", at = { x = 1/2 } }
field { "ey", at = { y = 1/2 } }
field { "ez", at = { z = 1/2 } }
field { "hx", at = { y = 1/2, z = 1/2 } }
field { "hy", at = { x = 1/2, z = 1/2 } }
field { "hz", at = { x = 1/2, y = 1/2 } }
field { "keep", range = { 0, 1 } }                    -- what losses leave of e
field { "gain", range = { 0, 1 } }                    -- dt over permittivity

local NOUGHT, EVEN = { "constant", value = 0 }, { "even", about = "face" }
boundary { "ex", "ey", "ez", x = NOUGHT, y = NOUGHT, z = NOUGHT }
boundary { "hx", "hy", "hz", "keep", "gain", x = EVEN, y = EVEN, z = EVEN }

operator { "d",    derivative = 1, order = 2, staggered = true }
operator { "mean", derivative = 0, order = 2, staggered = true }

kernel { "electric", [[
  ex = mean(keep, x)*ex + mean(gain, x)*(d(hz, y) - d(hy, z))
  ey = mean(keep, y)*ey + mean(gain, y)*(d(hx, z) - d(hz, x))
  ez = mean(keep, z)*ez + mean(gain, z)*(d(hy, x) - d(hx, y)) ]] }
kernel { "magnetic", [[
  hx = hx + dt_mu*(d(ey, z) - d(ez, y))
  hy = hy + dt_mu*(d(ez, x) - d(ex, z))
  hz = hz + dt_mu*(d(ex, y) - d(ey, x)) ]] }
step { "electric", "magnetic" }
