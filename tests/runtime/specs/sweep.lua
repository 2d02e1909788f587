-- Sweeps along any axis, up and down: several levels behind, boundaries along
-- the sweep and beside it, regions whose pieces lie between each other, points
-- more than the extent, another storage than arithmetic, a column alone.
local type = param { "type", default = "double", values = { "float", "double" }, short = "" }
precision { type }
grid { "x", "y", spacing = { "hx", "hy" } }
levels { "k" }
scalar { "edge", range = { 0, 1 } }
scalar { "cut", type = "int", range = { 2, 8 } }
local LAYERS = { "x", "y", "k" }
field { "p", "a", "b", "e", on = LAYERS, range = { 0, 0.5 } }
field { "q", on = { "k", "x", "y" }, range = { 0, 0.5 } }
field { "w", "v", on = LAYERS, at = { k = -1/2 }, extra = { k = 1 }, range = { 0, 0.5 } }
field { "single", on = LAYERS, type = "float", range = { 0, 0.5 } }
field { "m", "s", on = LAYERS, packed = true, range = { 0, 0.5 } }
field { "small", on = LAYERS, type = "half", range = { 0, 0.5 } }
field { "weight", "total", on = { "k" }, range = { 0, 0.5 } }
boundary { "p", x = "periodic" }
boundary { "e", k = { low = { "constant", value = "edge" }, high = { "even", about = "face" } } }
boundary { "single", k = { low = { "odd", about = "point", value = "edge" }, high = { "constant", value = 1 } } }
boundary { "total", k = { low = { "constant", value = 0 }, high = { "constant", value = 0 } } }
boundary { "a", y = { low = { "constant", value = 0 }, high = { "constant", value = "edge" } } }

region { "first", k = { 0, 2 } }
region { "band", k = { "cut", "cut + 2" } }
region { "others", rest = true }
region { "shelf", k = { "n", "n + 1" } }

-- Two levels behind; pieces of the rest on both sides of a band.
kernel { "fill", sweep = "k up",
  first = [[ a = p[x+1] ]],
  band = [[ a = p/2 + 0.25*a[k-2] ]],
  others = [[ a = p - 0.5*a[k-1] + 0.25*a[k-2] ]] }
-- Beside faces without a halo, and past the end of the levels.
kernel { "fall", sweep = "k down", [[ e = p[x-1] + 0.5*e[k+1] + 0.1*a[y+1]   single = e - 0.5*single[k+1] ]] }
-- Interfaces, the last a region of its own.
kernel { "rise", sweep = "k down",
  shelf = [[ w = p[k-1/2] ]],
  others = [[ w = p[k+1/2] - 0.5*w[k+1] ]] }
kernel { "upwards", sweep = "k up", [[ v = w + 0.5*where(w > 0.25, w, 1) ]] }
-- Levels first; along the grid, contiguous and not; a column alone.
kernel { "fast", sweep = "k up",
  first = [[ q = a ]],
  others = [[ q = a + 0.5*q[k-1] - 0.25*q[k-2] ]] }
kernel { "across", sweep = "x down", [[ b = a + 0.5*b[x+1] + 0.1*p[x-1] ]] }
kernel { "along", sweep = "y up", [[ p = a - 0.5*p[y-1] ]] }
-- Fields that interleave, and 16 bits.
kernel { "pair", sweep = "k up",
  first = [[ m = 1   small = 0.5 ]],
  others = [[ m = s + 0.5*m[k-1] + 0.25*m[k-2]   small = m - 0.5*small[k-1] ]] }
kernel { "integrate", sweep = "k up", [[ total = weight + total[k-1] ]] }
