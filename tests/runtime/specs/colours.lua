-- Colours of every kind: coefficients with an inverse and without, constants, forms that share an
-- axis, regions, several targets, faces; names that launchers have.
local type = param { "type", default = "float", values = { "float", "double" }, short = "" }
precision { type }
grid { "x", "y" }
scalar { "pass", range = { 0.1, 0.3 } }
field { "u", "v", "w", "q", "f" }
field { "colour", on = { "x" } }
boundary { "u", x = "periodic", y = { "odd", about = "point" } }
boundary { "q", y = { "even", about = "face" } }

region { "rim", shell = { x = { 3, 2 }, y = { 1, 1 } } }
region { "core", rest = true }

kernel { "diagonal", colours = { "(x - 2*y + 3) % 5" }, [[
  u = pass*(u[x-1] + u[y+1] + u[x+1, y+1] - u[x+1, y-1]) + f
  q = u + pass*(q[x-1] - q[y+1]) ]] }
kernel { "tested", colours = { "(2*x + y) % 4" }, [[ v = f + pass*(v[x-1] + v[y-1] - v[x-1, y+1]) ]] }
kernel { "mixed", colours = { "x % 2", "(2*x - y - 1) % 3" },
  rim = [[ w = pass*(w[x-1] + w[y+1] + w[x-1, y-1]) ]],
  core = [[ w = f + pass*(w[x-1] + w[x+1] + w[x+2] + w[y-1]) ]] }
kernel { "along", colours = { "(-x) % 3" }, [[ colour = pass*(colour[x-2] + colour[x-1] + colour[x+1]) ]] }
