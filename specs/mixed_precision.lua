-- How numbers are stored and how they are computed with are two decisions:
-- diffusion u_t = div(k grad u) with u stored as `type`, arithmetic in double,
-- a coefficient that 11 bits serve, and a monitor that computes in float and
-- stores double.
local T = param { "type", default = "float", short = "",
                  values = { "float", "double", "half", "bfloat16" } }
precision { T, compute = "double" }
grid { "x", "y", spacing = { "hx", "hy" } }
scalar { "dt", range = { 0, 0.1 } }
field { "u", time = { 0, 1 } }
field { "k", type = "half", range = { 0.5, 1 } }
field { "heat", type = "double" }
operator { "dd", derivative = 2, order = 4 }
operator { "d", derivative = 1, order = 4 }
kernel { "step", [[
  u.next = u + dt*sum(a in axes, k*dd(u, a) + d(k, a)*d(u, a)) ]] }
kernel { "monitor", compute = "float", [[ heat = k*u^2/2 ]] }
step { "step", "monitor" }
