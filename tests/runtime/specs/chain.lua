-- A chain of kernels that hand temporaries on, of several orders, types and
-- extents; a region keeps reads of one inside, a boundary answers for another.
local type = param { "type", default = "float", values = { "float", "double" }, short = "" }
precision { type }
grid { "x", "y", spacing = { "hx", "hy" } }
levels { "k" }
scalar { "dt", range = { 0, 0.1 } }
local COLUMN = { "x", "y", "k" }
field { "u", on = COLUMN }
field { "flux", on = { "k", "x", "y" }, at = { x = 1/2 }, temporary = true }
field { "mean", temporary = true, type = "double" }
field { "drop", on = COLUMN, at = { k = -1/2 }, extra = { k = 1 }, temporary = true }
boundary { "flux", x = "periodic" }
boundary { "u", x = "periodic", k = { "even", about = "face" } }
region { "low", y = { 0, 1 } }
region { "high", y = { "n - 1", "n" } }
region { "inner", rest = true }

kernel { "slopes", [[ flux = (u[x+1/2] - u[x-1/2])/hx ]] }
kernel { "fall", [[ drop = u[k+1/2] - u[k-1/2] ]] }
kernel { "column_mean", [[ mean = dt*(hx + hy) ]] }
kernel { "update",
  low = [[ u = u + dt*(flux[x+1/2] - flux[x-1/2])/hx + drop[k+1/2] ]],
  high = [[ u = u - drop[k-1/2] + mean[y-1] ]],
  inner = [[ u = u + dt*(flux[x+1/2] - drop[k-1/2])/hx + mean[y-1] + mean[y+1] ]] }
fuse { "move", "slopes", "fall", "column_mean", "update" }
step { "move" }
