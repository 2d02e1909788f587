-- The Laplace operator, in one to three dimensions, of any even order up to 32:
-- the smallest useful stencil, and the one that shows the order of accuracy.
local R = param { "radius", default = 1, min = 1, max = 16, short = "r" }
local D = param { "dims", default = 3, min = 1, max = 3, short = "d" }
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", "z", dims = D, spacing = { "hx", "hy", "hz" } }
field { "u" }
field { "lap_u" }

operator { "dd", derivative = 2, order = 2 * R }

kernel { "apply", [[ lap_u = sum(a in axes, dd(u, a)) ]] }
