-- Fields of several orders: u is read furthest, as a star; eta around the point, as in a layer
-- that absorbs; slope on some sides, in steps of its own; mixed off the axes. dims as usual.
local T = param { "type", default = "float", short = "", values = { "float", "double" } }
local D = param { "dims", default = 3, values = { 1, 2, 3 }, short = "d" }
precision { T }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" }, dims = D }
field { "u", "eta", "slope", "mixed", range = { 0.5, 1 } }
field { "star", "sides", "edges" }
operator { "dd", derivative = 2, order = 6 }
operator { "d", derivative = 1, order = 2 }
define [[ lap(f) = sum(s in axes, dd(f, s)) ]]
kernel { "planes", [[ star = lap(u) + eta*sum(s in axes, d(eta, s)) ]] }
kernel { "stairs", [[ sides = lap(u) + slope[x-2] ]] .. (D > 1 and " - slope[y+1]" or "")
  .. (D > 2 and " + slope[z-1]*slope[z+2]" or "") }
kernel { "corners", [[ edges = lap(u) + mixed[x+1] ]] .. (D > 1 and " - mixed[x-1, y+1]" or "")
  .. (D > 2 and " + mixed[y-1, z-2]" or "") }
