-- Vertical advection with an implicit scheme, in every column of a grid:
-- u_t + w u_k = f, as a tridiagonal system over the layers, solved by Gauss's
-- elimination upwards and substitution downwards (Thomas's algorithm).
-- w lies on the interfaces below and above the layers, and on faces along x
-- where u is in the middle, so it is averaged.
local type = param { "type", default = "double", values = { "float", "double" }, short = "" }
local order = param { "order", default = "xyk", values = { "xyk", "kxy" }, short = "" }
precision { type }
grid { "x", "y" }
levels { "k" }
local COLUMN = order == "xyk" and { "x", "y", "k" } or { "k", "x", "y" }

scalar { "rate", range = { 0.5, 2 } }                  -- 1/dt
field { "u", on = COLUMN }
field { "f", on = COLUMN }                             -- what else changes u
field { "w", on = COLUMN, at = { x = -1/2, k = -1/2 }, extra = { k = 1 }, range = { -0.2, 0.2 } }
field { "c", "d", on = COLUMN, temporary = true }      -- the system once it is triangular

region { "ground", k = { 0, 1 } }
region { "lid", k = { "n - 1", "n" } }
region { "between", rest = true }

-- Half of w below and above the layer: what the layer there weighs.
define [[ below = (w[x-1/2, k-1/2] + w[x+1/2, k-1/2])/4
          above = (w[x-1/2, k+1/2] + w[x+1/2, k+1/2])/4 ]]

-- rate*(new - u) + below*(new - new[k-1]) + above*(new[k+1] - new) = f
-- becomes new + c*new[k+1] = d.
kernel { "eliminate", sweep = "k up",
  ground = [[
    b = rate - above
    c = above/b
    d = (rate*u + f)/b ]],
  between = [[
    b = rate + below - above + below*c[k-1]
    c = above/b
    d = (rate*u + f + below*d[k-1])/b ]],
  lid = [[
    d = (rate*u + f + below*d[k-1])/(rate + below + below*c[k-1]) ]] }

kernel { "substitute", sweep = "k down",
  lid = [[ u = d ]],
  between = [[ u = d - c*u[k+1] ]],
  ground = [[ u = d - c*u[k+1] ]] }

fuse { "advect", "eliminate", "substitute" }
step { "advect" }
