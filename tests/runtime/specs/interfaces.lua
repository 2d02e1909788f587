-- Fields with points more than the extent, along levels and along the grid:
-- interfaces from layers, layers from interfaces, halos and boundaries at both.
local type = param { "type", default = "double", values = { "float", "double" }, short = "" }
precision { type }
grid { "x", "y", spacing = { "hx", "hy" } }
levels { "k" }
scalar { "edge", range = { 0, 1 } }
scalar { "width", type = "int", range = { 0, 3 } }
local LAYERS = { "x", "y", "k" }
field { "p", "pile", "wide", on = LAYERS }
field { "q", on = { "k", "x", "y" }, at = { k = -1/2 }, extra = { k = 1 } }
field { "w", "flux", on = LAYERS, at = { k = -1/2 }, extra = { k = 1 } }
field { "s", "f", at = { x = -1/2 }, extra = { x = 1 } }
field { "a", "c" }
field { "b", on = { "x" }, extra = { x = 2 } }
field { "e", at = { x = -1/2 }, extra = { x = 1 }, only = "sides" }
boundary { "p", k = { low = { "constant", value = "edge" }, high = { "even", about = "face" } } }
boundary { "wide", k = { "odd", about = "point" }, x = "periodic" }
boundary { "s", x = { low = { "constant", value = 1 }, high = { "odd", about = "point" } } }
boundary { "a", x = { low = "halo", high = { "even", about = "point", slope = "edge" } } }

region { "first", k = { 0, 1 } }
region { "last", k = { "n", "n + 1" } }
region { "between", rest = true }
region { "rim", shell = "width" }
region { "sides", shell = { x = { 1, "width" } } }

-- On interfaces: the first and the last have a layer on one side only.
kernel { "move",
  first = [[ flux = w*pile[k+1/2] ]],
  last = [[ flux = w*pile[k-1/2] ]],
  between = [[ flux = w*(pile[k-1/2] + pile[k+1/2])/2 ]] }
-- Boundaries of layers as interfaces see them, two of them beyond.
kernel { "reach", [[ w = p[k+3/2] - p[k-3/2] + wide[x+1, k+1/2] + wide[x-2, k-1/2] ]] }
kernel { "across", [[ q = w + p[k-1/2] ]] }
-- Layers between interfaces.
kernel { "gather", [[ wide = flux[k+1/2] - flux[k-1/2] + q[k+1/2] + s[x+1/2] - s[x-1/2] + s[x-3/2] ]] }
-- The same along the grid: a halo on one side, a mirror on the other.
kernel { "faces", rim = [[ f = a[x+1/2] - a[x-1/2] + b[x-1/2] ]], between = [[ f = a[x+3/2] + b[x+3/2] ]] }
kernel { "beside", sides = [[ e = e + a[x-1/2] ]] }
kernel { "cells", [[ c = f[x+1/2] - f[x-1/2] + s[x+1/2, y+1] + b + a ]] }
