-- Weights in every form that they can be given in: one order for each axis, by
-- offsets to one side, as formulas of scalars that come with the launch, and
-- tap by tap in three dimensions.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
scalar { "third", range = { 0.015, 0.03 } }
scalar { "face", "edge", "corner", range = { 0, 0.5 } }
field { "u" }
field { "flat_u", "tuned_u", "slope_u", "cube_u" }

-- Nothing along z: there this operator cannot be used.
operator { "dd", derivative = 2, order = { x = 8, y = 8 } }
kernel { "flat", [[ flat_u = sum(a in (x, y), dd(u, a)) ]] }

-- Seven points, of order 4 for any `third`, which is left to tune how waves
-- travel: 1/60 gives order 6, 0.02651995 is Tam and Webb's (Dispersion-relation-
-- preserving finite difference schemes, J. Comput. Phys. 107, 1993). As all
-- derivatives these are divided by the spacing.
operator { "tuned", derivative = 1, offsets = { -3, -2, -1, 0, 1, 2, 3 },
  weights = { "-third", "1/12 + 4*third", "-(2/3 + 5*third)", 0,
              "2/3 + 5*third", "-(1/12 + 4*third)", "third" } }
kernel { "tune", [[ tuned_u = tuned(u, x) ]] }

-- Order 4 up to the faces, without a point beyond: weights from the offsets.
operator { "d",        derivative = 1, order = 4 }
operator { "from_low", derivative = 1, offsets = { 0, 1, 2, 3, 4 } }
operator { "by_low",   derivative = 1, offsets = { -1, 0, 1, 2, 3 } }
operator { "by_high",  derivative = 1, offsets = { -3, -2, -1, 0, 1 } }
operator { "to_high",  derivative = 1, offsets = { -4, -3, -2, -1, 0 } }
region { "lowest",  x = { 0, 1 } }
region { "low",     x = { 1, 2 } }
region { "highest", x = { "n - 1", "n" } }
region { "high",    x = { "n - 2", "n - 1" } }
region { "between", rest = true }
kernel { "slope", lowest  = [[ slope_u = from_low(u, x) ]],
                  low     = [[ slope_u = by_low(u, x) ]],
                  between = [[ slope_u = d(u, x) ]],
                  high    = [[ slope_u = by_high(u, x) ]],
                  highest = [[ slope_u = to_high(u, x) ]] }

-- A Laplacian of 27 points for equal spacings; face + 4 edge + 4 corner = 1.
-- Taps are never scaled: what is wanted of the spacing they say themselves.
local CLASS = { "face/hx^2", "edge/hx^2", "corner/hx^2",
                [0] = "-(6*face + 12*edge + 8*corner)/hx^2" }
local taps = {}
for k = -1, 1 do for j = -1, 1 do for i = -1, 1 do
  table.insert(taps, { i, j, k, CLASS[i*i + j*j + k*k] })
end end end
operator { "cube", taps = taps }
kernel { "compact", [[ cube_u = cube(u) ]] }
step { "flat", "tune", "slope", "compact" }
