-- Radius 4 along one axis, 2 along another, none along the third.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }
local A = param { "along", default = "xy", values = { "xy", "xz", "yz" }, short = "" }
precision { T }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
field { "u" }
field { "lap_u" }
local first, second, none = A:sub(1, 1), A:sub(2, 2),
  ({ xy = "z", xz = "y", yz = "x" })[A]
operator { "dd", derivative = 2, order = { [first] = 8, [second] = 4 } }
kernel { "apply", fill([[ lap_u = dd(u, $first) + dd(u, $second) + 0*h$none ]],
  { first = first, second = second, none = none }) }
