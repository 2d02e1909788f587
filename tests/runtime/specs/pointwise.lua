-- No neighbour at all: radius 0 on every axis.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }
precision { T }
grid { "x", "y", "z" }
scalar { "a" }
field { "u" }
field { "v" }
kernel { "apply", [[ v = a*v + u^2 ]] }
