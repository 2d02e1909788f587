-- Fields stored in a shell along one axis: equal and uneven slabs along the
-- first, a middle and the last axis, two regions that meet in one kernel, time
-- levels, profiles, faces along the other axes, reads at other points there,
-- points more at the ends.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }
precision { T }
grid { "x", "y", "z" }
scalar { "width", type = "int", range = { 0, 9 } }
scalar { "depth", type = "int", range = { 0, 5 } }

region { "sides", shell = { x = { "width", "width" } } }
region { "caps", shell = { z = { 2, "depth - 1" } } }
region { "flanks", shell = { y = { "depth", "2*width" } } }
field { "u", "v" }
field { "k", on = { "x" }, at = { x = 1/2 } }
field { "psi", only = "sides", at = { x = 1/2 } }
field { "phi", only = "caps", time = { 0, 1 } }
field { "chi", only = "flanks", on = { "y", "z" } }
field { "tau", only = "sides", extra = { x = 1, y = 1 } }
boundary { "psi", y = "periodic" }
boundary { "phi", x = { "even", about = "face" }, y = { "constant", value = 2 } }

kernel { "store",
  sides = [[ psi = k*psi + (u[x+1/2] - u[x-1/2]) ]],
  caps = [[ phi.next = phi/2 + u[z+1] - u[z-1] ]] }
kernel { "store_thin", flanks = [[ chi = chi/2 + 1 ]] }
kernel { "store_wide", sides = [[ tau = tau/2 + u ]] }
kernel { "use",
  sides = [[ v = v + psi[x+1/2, y+1]/2*tau[y+1] - psi[x+1/2, y-1]/4 ]],
  flanks = [[ v = v - chi[z-1] ]],
  caps = [[ v = v + phi.next[x-1] - phi.next[x+1, y-1] ]] }
step { "store", "store_thin", "store_wide", "use" }
