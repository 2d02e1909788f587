-- Gravity after Barnes and Hut: a request is a bucket of particles, the particles
-- near it, and the cells of an octree that stand for those far away.
--
-- shift moves what pulls to one of its periodic images. Near holds the bucket's
-- own particles, too: a particle does not pull itself, as it is not away from
-- itself, whatever the softening.
precision { "float" }
domain { "particle", "cell" }
scalar { "G", "soft2", range = { 0.1, 1 } }
scalar { "shift_x", "shift_y", "shift_z", per = "request", range = { -1, 1 } }
field { "px", "py", "pz", on = { "particle" } }
field { "m", on = { "particle" }, range = { 0, 1 } }
field { "qx", "qy", "qz", on = { "cell" } }            -- centres of mass
field { "qm", on = { "cell" }, range = { 0, 1 } }
field { "ax", "ay", "az", on = { "particle" } }
list { "bucket", "near", of = "particle" }
list { "far", of = "cell" }

define [[
  r2(x, y, z) = (x + shift_x - px)^2 + (y + shift_y - py)^2 + (z + shift_z - pz)^2 + soft2
  pull(s)     = where(s > 0, G/(s*sqrt(s)), 0)
  near_pull(j) = m[j]*pull(r2(px[j], py[j], pz[j]))
  far_pull(c)  = qm[c]*pull(r2(qx[c], qy[c], qz[c]))
]]
request { "force",
  bucket = [[
    ax += sum(j in near, near_pull(j)*(px[j] + shift_x - px))
        + sum(c in far, far_pull(c)*(qx[c] + shift_x - px))
    ay += sum(j in near, near_pull(j)*(py[j] + shift_y - py))
        + sum(c in far, far_pull(c)*(qy[c] + shift_y - py))
    az += sum(j in near, near_pull(j)*(pz[j] + shift_z - pz))
        + sum(c in far, far_pull(c)*(qz[c] + shift_z - pz)) ]] }
