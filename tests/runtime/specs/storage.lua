-- Every storage type read and assigned, in float and in double arithmetic,
-- across faces, in place, and next to each other in memory.
local D = param { "dims", default = 2, values = { 1, 2, 3 }, short = "d" }
precision { "float" }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" }, dims = D }
scalar { "dt", range = { 0.01, 0.1 } }
scalar { "wall" }
field { "h", type = "half", time = { 0, 1 } }
field { "b", "c", type = "bfloat16", packed = true, range = { 0.3, 0.7 } }
field { "d", type = "double", range = { 1, 2 } }
field { "e", type = "double", on = { "x" } }
field { "i", type = "int", range = { -1000, 1000 } }
field { "j", type = "int", range = { 0, 7 } }
boundary { "h", x = { "odd", about = "face", value = "wall" } }
boundary { "i", x = "periodic" }
operator { "dd", derivative = 2, order = 4 }
kernel { "mix", [[
  lap = sum(a in axes, dd(h, a))
  h.next = h + dt*(b*lap + i[x-1]/1024 - e*d)
  c = c/2 + b[x+1]*h
  j = j + 10*d*(h - i[x+2]/512) ]] }
kernel { "wide", compute = "double", [[
  d = d + dt*h[x-1]*(b + i/8)
  i = i/2 + 100*c*d ]] }
step { "mix", "wide" }
