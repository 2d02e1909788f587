-- The acoustic wave equation at variable density, p_tt = K div(b grad p), with
-- the bulk modulus K and the buoyancy b = 1/density. The flux b grad p lies
-- half a point off along its axis, so the operator is symmetric for any medium.
-- The faces: a stored halo; a free surface (no pressure at the first points of
-- the last axis) above a halo; or none, as everything repeats.
local R = param { "radius", default = 4, min = 1, max = 8, short = "r" }
local D = param { "dims", default = 3, min = 1, max = 3, short = "d" }
local F = param { "faces", default = "halo",
                  values = { "halo", "free", "periodic" }, short = "" }
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", "z", dims = D, spacing = { "hx", "hy", "hz" } }

field { "p", time = { -1, 0, 1 }, buffers = 2 }       -- p.next replaces p.prev
field { "kdt2", range = { 0, 1 } }                    -- K times dt^2
field { "b", range = { 0.2, 2 } }

if F == "periodic" then
  boundary { "p", "b", x = "periodic", y = "periodic", z = "periodic" }
elseif F == "free" then
  local down = ({ "x", "y", "z" })[D]
  boundary { "p", [down] = { low = { "odd", about = "point" }, high = "halo" } }
  boundary { "b", [down] = { low = { "even", about = "point" },
                             high = "halo" } }
end

operator { "d",    derivative = 1, order = 2 * R, staggered = true }
operator { "mean", derivative = 0, order = 2,     staggered = true }
define [[ flux(a) = mean(b, a)*d(p, a) ]]             -- half a point along a

kernel { "step", [[
  p.next = 2*p - p.prev + kdt2*sum(a in axes, d(flux(a), a)) ]] }
