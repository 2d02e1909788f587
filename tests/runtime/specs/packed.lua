-- Names that interleave in memory: read at other points, across faces, written
-- alone and together, in two time levels and in place.
local T = param { "type", default = "float", short = "", values = { "float", "double", "half", "bfloat16" } }
local D = param { "dims", default = 2, values = { 1, 2, 3 }, short = "d" }
precision { T }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" }, dims = D }
scalar { "dt", range = { 0, 0.05 } }
field { "u", "v", "w", time = { 0, 1 }, packed = true, range = { 0, 1 } }
field { "a", "b", packed = true, range = { 0.5, 1 } }
boundary { "v", x = "periodic" }
operator { "dd", derivative = 2, order = 4 }
define [[ lap(f) = sum(s in axes, dd(f, s)) ]]
kernel { "react", [[
  u.next = u + dt*(a*lap(u) - u*v^2)
  v.next = v + dt*(b*lap(v) + u*v^2)
  w.next = w + dt*u[x+1]*w[x-3] ]] }
kernel { "damp", [[ b = b/2 + a[x-1] ]] }
step { "react", "damp" }
