-- Radius 4 along x, 2 along y, none along z.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }
precision { T }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
field { "u" }
field { "lap_u" }
operator { "dd", derivative = 2, order = { x = 8, y = 4 } }
kernel { "apply", [[ lap_u = dd(u, x) + dd(u, y) + 0*hz ]] }
