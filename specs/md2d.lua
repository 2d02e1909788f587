-- Molecular dynamics in two dimensions: Lennard-Jones forces within a cutoff, between
-- the particles of two patches, and of a patch among themselves.
--
-- A pair of patches is one request with both sides, so that each particle's sum
-- is its own; a particle is not away from itself and does not push itself.
precision { "double" }
domain { "particle" }
scalar { "eps", "sigma2", "cut2", range = { 0.5, 2 } }
scalar { "shift_x", "shift_y", per = "request", range = { -1, 1 } }   -- of patch b, to its image
field { "px", "py", on = { "particle" } }
field { "fx", "fy", on = { "particle" } }
list { "a", "b", of = "particle" }

-- The force over the distance: of j on a particle at x, y away from it.
define [[
  push(r2)    = where(r2 > 0 and r2 < cut2, 24*eps*(2*(sigma2/r2)^6 - (sigma2/r2)^3)/r2, 0)
  from(x, y)  = push(x^2 + y^2)
]]
request { "interact",
  a = [[ fx += sum(j in b, from(px - px[j] - shift_x, py - py[j] - shift_y)*(px - px[j] - shift_x))
         fy += sum(j in b, from(px - px[j] - shift_x, py - py[j] - shift_y)*(py - py[j] - shift_y)) ]],
  b = [[ fx += sum(j in a, from(px - px[j] + shift_x, py - py[j] + shift_y)*(px - px[j] + shift_x))
         fy += sum(j in a, from(px - px[j] + shift_x, py - py[j] + shift_y)*(py - py[j] + shift_y)) ]] }
request { "within",
  a = [[ fx += sum(j in a, from(px - px[j], py - py[j])*(px - px[j]))
         fy += sum(j in a, from(px - px[j], py - py[j])*(py - py[j])) ]] }
