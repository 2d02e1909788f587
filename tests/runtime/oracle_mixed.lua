-- What the shipped specifications do not have: functions, choices, steps, a
-- profile, a whole scalar, an operator on an expression.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }
precision { T }
grid { "x", "y", spacing = { "hx", "hy" } }
scalar { "dt", range = { 0.01, 0.1 } }
scalar { "mode", type = "int", range = { 0, 3 } }
field { "u", time = { 0, 1 } }
field { "c", range = { 0.5, 1 } }
field { "p", on = { "y" }, range = { 0.5, 1 } }
operator { "dd", derivative = 2, order = 4 }
define [[ limited(a, b) = where(a*b > 0, sign(a)*min(abs(a), abs(b)), 0) ]]
kernel { "step", [[
  u.next = u + dt*p*sum(a in axes, dd(exp(u)*c, a))
         + limited(u[x+1] - u, u - u[x-1])
         + where(mode == 3, atan2(u, c), 0) + floor(4*u)/3 ]] }
