-- Linear advection, q_t + v . grad q = 0, with one-sided differences taken from
-- the side that the flow comes from (second-order upwind in space).
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
scalar { "dt", range = { 0, 0.1 } }

field { "q", time = { 0, 1 } }
field { "vx", "vy", "vz" }

operator { "behind", derivative = 1, offsets = { -2, -1, 0 } }
operator { "ahead",  derivative = 1, offsets = { 0, 1, 2 } }
define [[ upwind(v, a) = v*where(v > 0, behind(q, a), ahead(q, a)) ]]

kernel { "step", [[
  q.next = q - dt*(upwind(vx, x) + upwind(vy, y) + upwind(vz, z)) ]] }
