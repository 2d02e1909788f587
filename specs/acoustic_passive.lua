-- The acoustic wave equation at constant density behind a layer that absorbs and
-- cannot give energy back, whatever its damping: acoustic_iso for very long runs.
-- The layer is the same one, a medium that damps pressure and flow alike,
--
--   p_t + eta p = - c^2 div v,   v_t + eta v = - grad p.
--
-- acoustic_iso takes div v out of it and is left with grad eta, whose differences
-- no longer cancel against those of the Laplacian; here what eta takes from the
-- flow is kept, between the points, as `lost`:
--
--   u_tt + eta u_t = c^2 (lap u - div lost)
--   lost_t + eta lost = eta grad u
--
-- with the time step absorbed in eta. Both are centred in time. div and grad are
-- each other's adjoint, of order 2, and lap, of any order, is never above their
-- product; hence nothing grows in any medium, for any eta from 0 to 2 within the
-- layer and 0 outside, at every dt that is stable without it (see the README
-- beside this file).
local R = param { "radius", default = 4, min = 1, max = 16, short = "r" }
local D = param { "dims", default = 3, min = 2, max = 3, short = "d" }
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }
local AXES = { "x", "y", D == 3 and "z" or nil }

precision { T }
grid { "x", "y", "z", dims = D, spacing = { "hx", "hy", "hz" } }
scalar { "width", type = "int", range = { 0, 40 } }

field { "u", time = { -1, 0, 1 }, buffers = 2 }
field { "vp2dt2", range = { 0, 12 } }                 -- (c dt)^2
field { "eta", range = { 0, 0.5 } }
for _, a in ipairs(AXES) do
  field { "lost_" .. a, at = { [a] = 1/2 } }          -- its halo stays 0
end

operator { "d",  derivative = 1, order = 2, staggered = true }
operator { "dd", derivative = 2, order = 2 * R }
define [[ lap(f) = sum(a in axes, dd(f, a)) ]]

region { "pml",   shell = "width" }
region { "inner", rest = true }

-- Between a point of the layer and one outside there is no damping.
local keep, div = "", ""
for _, a in ipairs(AXES) do
  keep = keep .. fill([[
    e_$a = min(eta[$a-1/2], eta[$a+1/2])/2
    lost_$a = ((1 - e_$a)*lost_$a + e_$a*d(u + u.prev, $a))/(1 + e_$a) ]], { a = a })
  div = div .. fill(" - d(lost_$a, $a)", { a = a })
end

kernel { "keep", pml = keep }
kernel { "step",
  inner = [[ u.next = 2*u - u.prev + vp2dt2*lap(u) ]],
  pml = fill([[
    u.next = (2*u - (1 - eta/2)*u.prev + vp2dt2*(lap(u)$div))/(1 + eta/2) ]], { div = div }) }
step { "keep", "step" }
