-- The heat equation with its walls in the kernel and no halo, in one to three
-- dimensions. Along x heat flows in at the low face and leaves for a bath one
-- point beyond the high one; along y the low face is a wall of given
-- temperature and the high one is insulated; z goes around.
local R = param { "radius", default = 1, min = 1, max = 8, short = "r" }
local D = param { "dims", default = 3, min = 1, max = 3, short = "d" }
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", "z", dims = D, spacing = { "hx", "hy", "hz" } }
scalar { "dt", "kappa", range = { 0, 0.1 } }
scalar { "power", "wall", "inflow", range = { -1, 1 } }

field { "t", time = { 0, 1 } }
field { "source" }
boundary { "t",
  x = { low  = { "even", about = "face", slope = "inflow" },
        high = { "constant", value = "wall" } },
  y = { low  = { "odd", about = "face", value = "wall" },
        high = { "even", about = "face" } },
  z = "periodic" }

operator { "dd", derivative = 2, order = 2 * R }

kernel { "step", [[
  t.next = t + dt*(kappa*sum(a in axes, dd(t, a)) + power*source) ]] }
