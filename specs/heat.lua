-- The heat equation, T_t = kappa lap T + power source, by explicit steps. The
-- temperature outside the domain is the owner's: a stored halo, filled before
-- each step, is any boundary condition.
local R = param { "radius", default = 1, min = 1, max = 16, short = "r" }
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
scalar { "dt", "kappa", range = { 0, 0.1 } }
scalar { "power" }

field { "t", time = { 0, 1 } }
field { "source" }
boundary { "t", x = "halo", y = "halo", z = "halo" }

operator { "dd", derivative = 2, order = 2 * R }

kernel { "step", [[
  t.next = t + dt*(kappa*sum(a in axes, dd(t, a)) + power*source) ]] }
