-- Colours of every kind: coefficients with an inverse and without, constants, forms that share an
-- axis, regions, several targets, faces.
local type = param { "type", default = "float", values = { "float", "double" }, short = "" }
precision { type }
grid { "x", "y" }
scalar { "c", range = { 0.1, 0.3 } }
field { "u", "v", "w", "q", "f" }
field { "line", on = { "x" } }
boundary { "u", x = "periodic", y = { "odd", about = "point" } }
boundary { "q", y = { "even", about = "face" } }

region { "rim", shell = { x = { 3, 2 }, y = { 1, 1 } } }
region { "core", rest = true }

kernel { "diagonal", colours = { "(x - 2*y + 3) % 5" }, [[
  u = c*(u[x-1] + u[y+1] + u[x+1, y+1] - u[x+1, y-1]) + f
  q = u + c*(q[x-1] - q[y+1]) ]] }
kernel { "tested", colours = { "(2*x + y) % 4" }, [[ v = f + c*(v[x-1] + v[y-1] - v[x-1, y+1]) ]] }
kernel { "mixed", colours = { "x % 2", "(2*x - y - 1) % 3" },
  rim = [[ w = c*(w[x-1] + w[y+1] + w[x-1, y-1]) ]],
  core = [[ w = f + c*(w[x-1] + w[x+1] + w[x+2] + w[y-1]) ]] }
kernel { "along", colours = { "(-x) % 3" }, [[ line = c*(line[x-2] + line[x-1] + line[x+1]) ]] }
