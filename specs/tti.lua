-- Acoustic waves in a medium whose layers are tilted: P is faster along layers
-- than across (tilted transverse isotropy). Two coupled fields, with a finite
-- shear speed that keeps them stable where the tilt varies, after Fletcher, Du
-- and Fowler, Reverse time migration in tilted transversely isotropic media,
-- Geophysics 74 (2009):
--
--   p_tt = vpx2 across p + vpz2 along q + vsz2 (along p - along q)
--   q_tt = vpn2 across p + vpz2 along q - vsz2 (across p - across q)
--
-- `along` is the second derivative along the axis of symmetry, the normal of
-- the layers, `across` the rest of the Laplacian. A plane wave at an angle to
-- the axis has w^2 = an eigenvalue of a 2 x 2 matrix, P the larger. The axis is
-- computed once from its angles, so that a step takes no sine.
--
-- Mixed derivatives are first derivatives of first derivatives. Taken of the
-- wave directly they cost (2 radius)^2 points each; of slopes that a kernel of
-- their own has stored, 2 radius, for four more arrays (and their halos are the
-- owner's as well: no slope where the wave has not come).
local R = param { "radius", default = 4, min = 1, max = 8, short = "r" }
local M = param { "mixed", default = "direct", values = { "direct", "stored" },
                  short = "" }
local F = param { "faces", default = "halo", values = { "halo", "periodic" },
                  short = "" }
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }

field { "p", "q", time = { -1, 0, 1 }, buffers = 2 }
field { "vpx2", "vpz2", "vpn2", range = { 0.05, 0.1 } }     -- all (v dt)^2:
field { "vsz2", range = { 0, 0.05 } }         -- along layers, across, of NMO, S
field { "tilt", "azimuth", constant = true, range = { 0, 3.2 } } -- of the axis
field { "ax", "ay", "az", constant = true }                 -- its unit vector

operator { "d",  derivative = 1, order = 2 * R }
operator { "dd", derivative = 2, order = 2 * R }

kernel { "axis", setup = true, [[
  ax = sin(tilt)*cos(azimuth)
  ay = sin(tilt)*sin(azimuth)
  az = cos(tilt) ]] }

define [[
  lap(f) = sum(a in axes, dd(f, a))
  along(f, fx, fy) = ax^2*dd(f, x) + ay^2*dd(f, y) + az^2*dd(f, z)
    + 2*(ax*ay*d(fx, y) + ax*az*d(fx, z) + ay*az*d(fy, z))
]]

local names = { px = "d(p, x)", py = "d(p, y)", qx = "d(q, x)", qy = "d(q, y)" }
if M == "stored" then
  names = { px = "px", py = "py", qx = "qx", qy = "qy" }
  field { "px", "py", "qx", "qy" }
  kernel { "slopes", [[
    px = d(p, x)   py = d(p, y)   qx = d(q, x)   qy = d(q, y) ]] }
  step { "slopes", "advance" }
end
if F == "periodic" then
  local fields = M == "stored" and { "p", "q", "px", "py", "qx", "qy" }
    or { "p", "q" }
  fields.x, fields.y, fields.z = "periodic", "periodic", "periodic"
  boundary(fields)
end

kernel { "advance", fill([[
  along_p = along(p, $px, $py)   across_p = lap(p) - along_p
  along_q = along(q, $qx, $qy)   across_q = lap(q) - along_q
  p.next = 2*p - p.prev + vpx2*across_p + vpz2*along_q
         + vsz2*(along_p - along_q)
  q.next = 2*q - q.prev + vpn2*across_p + vpz2*along_q
         - vsz2*(across_p - across_q) ]], names) }
