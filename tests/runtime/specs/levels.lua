-- Levels beside a grid: kernels in several memory orders, profiles along
-- levels, ends kept inside by regions or answered by a boundary, four axes.
local dims = param { "dims", default = 2, min = 1, max = 3, short = "d" }
local type = param { "type", default = "float", values = { "float", "double" }, short = "" }
precision { type }
grid { "x", "y", "z", dims = dims, spacing = { "hx", "hy", "hz" } }
levels { "k" }
local names = { "x", "y", "z" }
local after, before = { table.unpack(names, 1, dims) }, { table.unpack(names, 1, dims) }
table.insert(after, "k")
table.insert(before, 1, "k")
scalar { "c", range = { 0.1, 0.5 } }
field { "t", "mixed", on = after }
field { "s", "flux", on = before }
field { "weight", on = { "k" } }
field { "up", on = { "k" }, range = { 0, 0.2 } }
field { "surface", "total", on = { table.unpack(names, 1, dims) } }
operator { "dd", derivative = 2, order = 4 }
define [[ lap(f) = sum(a in axes, dd(f, a)) ]]
boundary { "s", x = "periodic", k = { "even", about = "face" } }

region { "ground", k = { 0, 1 } }
region { "lid", k = { "n - 1", "n" } }
region { "air", rest = true }

-- Levels last: what is read past an end is kept out by regions.
kernel { "mix",
  ground = [[ mixed = weight*lap(t) + up*(t[k+1] - t) ]],
  lid = [[ mixed = weight*lap(t) + up*(t[k-1] - t) ]],
  air = [[ mixed = weight*lap(t) + up*(t[k+1] - 2*t + t[k-1]) + s ]] }
-- Levels first: contiguous; the other order is read across.
kernel { "move", [[ flux = s + c*(s[k+2] - s[k-1]) + c*s[x-2]*t + surface*weight ]] }
kernel { "add", [[ total = surface + c*surface[x+1] ]] }
kernel { "scale", [[ up = c*weight ]] }
