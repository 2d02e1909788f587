-- Fields at half points, on one axis, of other types and in the place of an
-- older level, all with boundaries; one face of some is a stored halo, and one
-- kernel leaves points alone.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }
precision { T }
grid { "x", "y", spacing = { "hx", "hy" } }
scalar { "wall" }
scalar { "count", type = "int", range = { 0, 4 } }
field { "p", time = { -1, 0, 1 }, buffers = 2 }
field { "u", at = { x = 1/2 } }
field { "v", at = { y = -1/2 } }
field { "rise", on = { "y" }, at = { y = 1/2 } }
field { "mask", type = "int", range = { 0, 3 } }
field { "fine", type = "double" }
field { "w", "s" }

boundary { "p", x = { low = { "odd", about = "point", value = "wall" },
                      high = { "even", about = "face", slope = "wall" } },
                y = "periodic" }
boundary { "u", x = { low = "halo", high = { "odd", about = "face" } },
                y = { low = { "even", about = "face" }, high = "halo" } }
boundary { "v", x = "periodic",
                y = { low = { "constant", value = "wall/2" },
                      high = { "even", about = "point", slope = "-wall" } } }
boundary { "rise", y = { low = { "odd", about = "face", value = 2 },
                         high = { "even", about = "face" } } }
boundary { "mask", x = { "constant", value = "count" }, y = "periodic" }
boundary { "fine", x = { "even", about = "face" },
                   y = { "odd", about = "face", value = "1/3" } }

operator { "D",    derivative = 1, order = 2, staggered = true }
operator { "mean", derivative = 0, order = 4, staggered = true }
operator { "dd",   derivative = 2, order = 4 }

kernel { "wave", [[
  p.next = 2*p - p.prev + wall/8*(dd(p, x) + dd(p, y))
         + D(u, x)*D(rise, y) - mean(v, y) ]] }
kernel { "flow", [[
  u = u + D(p, x)*mask[x+1/2, y-1] - mean(mean(v, x), y)
  w = fine[x-1, y+1] + fine[x+1, y-1]*mask[x-1] + mask ]] }
region { "sides", shell = { x = { 2, "count" } } }    -- and no rest
kernel { "one_side", sides = [[ s = u[x+3/2] - 2*u[x+1/2, y-1] ]] }
step { "flow", "wave", "one_side" }
