-- The acoustic wave equation at constant density, u_tt = c^2 lap u, in two or
-- three dimensions and any even order, with a perfectly matched layer on every
-- face. Inside the layer eta damps the wave and phi, an auxiliary field,
-- removes the reflection that damping alone would cause:
--
--   u_tt + 2 eta u_t + eta^2 u = c^2 (lap u + phi)
--   phi_t + eta phi = - grad eta . grad u
--
-- with the time step absorbed in eta and phi. Both are updated in place: u.next
-- takes the place of u.prev, phi.next that of phi.
--
-- This is the layer as it was published. Where layers of two axes cross, its
-- differences let a still wave grow, e-fold in 650 steps at a width of 10, in
-- 12,600 at 27 (README beside this file). acoustic_passive, for longer runs,
-- does not.
local R = param { "radius", default = 4, min = 1, max = 16, short = "r" }
local D = param { "dims", default = 3, min = 2, max = 3, short = "d" }
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", "z", dims = D, spacing = { "hx", "hy", "hz" } }
scalar { "width", type = "int", range = { 0, 40 } }

field { "u", time = { -1, 0, 1 }, buffers = 2 }
field { "phi", time = { 0, 1 }, buffers = 1 }
field { "vp2dt2", range = { 0, 12 } }                 -- (c dt)^2
field { "eta", range = { 0, 0.5 } }

operator { "d",  derivative = 1, order = 2 }
operator { "dd", derivative = 2, order = 2 * R }
define [[ lap(f) = sum(a in axes, dd(f, a)) ]]

region { "pml",   shell = "width" }
region { "inner", rest = true }

kernel { "step",
  inner = [[ u.next = 2*u - u.prev + vp2dt2*lap(u) ]],
  pml   = [[
    u.next   = ((2 - eta^2 + 2*eta)*u - u.prev + vp2dt2*(lap(u) + phi))
             / (1 + 2*eta)
    phi.next = (phi - sum(a in axes, d(eta, a)*d(u, a))) / (1 + eta) ]] }
