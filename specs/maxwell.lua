-- Maxwell's equations on the grid of Yee, with losses, in a box of metal: the
-- electric field along a wall is 0, at index 0 because nothing ever changes it
-- there, one point beyond the last because the boundary says so. The magnetic
-- field is the same on both sides of a wall.
--
-- With layer = "cpml" all walls stand behind `width` points that swallow waves:
-- the convolutional layer of Roden and Gedney (2000). There every derivative
-- across the wall gets its own fading past, psi = b psi + c d(f, a), which is
-- stored next to these walls only. b and c are profiles along a: b = exp(-(s +
-- alpha) dt), c = s (b - 1)/(s + alpha), where s, the conductivity over the
-- permittivity, rises from 0 towards the wall. A width of 0, or c = 0, is metal.
local LAYER = param { "layer", default = "none", values = { "none", "cpml" },
                      short = "" }
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

-- What a component gains from d(from, a), it gains from the past of that too.
local function past(to, sign, scale, from, a)
  return fill([[
    psi_$t$a = b_$f$a*psi_$t$a + c_$f$a*d($from, $a)
    $t = $t $sign $scale*psi_$t$a ]],
    { t = to, f = to:sub(1, 1), a = a, from = from, sign = sign, scale = scale })
end

-- The layers before the two walls across a; b and c are the axes along them.
local function layers(a, b, c)
  region { "ends_" .. a, shell = { [a] = { "width", "width" } } }
  field { "b_e" .. a, on = { a }, range = { 0, 1 } }
  field { "c_e" .. a, on = { a }, range = { -1, 0 } }
  field { "b_h" .. a, on = { a }, at = { [a] = 1/2 }, range = { 0, 1 } }
  field { "c_h" .. a, on = { a }, at = { [a] = 1/2 }, range = { -1, 0 } }
  field { "psi_e" .. b .. a, at = { [b] = 1/2 }, only = "ends_" .. a }
  field { "psi_e" .. c .. a, at = { [c] = 1/2 }, only = "ends_" .. a }
  field { "psi_h" .. b .. a, at = { [a] = 1/2, [c] = 1/2 }, only = "ends_" .. a }
  field { "psi_h" .. c .. a, at = { [a] = 1/2, [b] = 1/2 }, only = "ends_" .. a }
  kernel { "electric_" .. a, ["ends_" .. a] =
    past("e" .. b, "-", "mean(gain, " .. b .. ")", "h" .. c, a) ..
    past("e" .. c, "+", "mean(gain, " .. c .. ")", "h" .. b, a) }
  kernel { "magnetic_" .. a, ["ends_" .. a] =
    past("h" .. b, "+", "dt_mu", "e" .. c, a) ..
    past("h" .. c, "-", "dt_mu", "e" .. b, a) }
end

if LAYER == "cpml" then
  scalar { "width", type = "int", range = { 0, 12 } }
  layers("x", "y", "z")
  layers("y", "z", "x")
  layers("z", "x", "y")
  step { "electric", "electric_x", "electric_y", "electric_z",
         "magnetic", "magnetic_x", "magnetic_y", "magnetic_z" }
else
  step { "electric", "magnetic" }
end
