-- The scalar wave equation in two dimensions with a source term,
-- u_tt = c^2 lap u + f, by leap-frog in time and any even order in space.
local R = param { "radius", default = 2, min = 1, max = 16, short = "r" }
local T = param { "type", default = "float", short = "",
                  values = { "float", "double", "half", "bfloat16" } }

precision { T }
grid { "x", "y", spacing = { "hx", "hy" } }
scalar { "dt", range = { 0, 0.1 } }

field { "u", time = { -1, 0, 1 }, buffers = 2 }       -- u.next replaces u.prev
field { "c2", range = { 0, 4 } }                      -- c^2
field { "f" }

operator { "dd", derivative = 2, order = 2 * R }

kernel { "step", [[
  u.next = 2*u - u.prev + dt^2*(c2*sum(a in axes, dd(u, a)) + f) ]] }
