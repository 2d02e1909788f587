-- Diffusion with a variable coefficient in flux form, c_t = div(k grad c). The
-- flux through a face takes the mean of k on its two sides; what leaves one
-- cell enters the next, so the total is conserved to rounding.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
scalar { "dt", range = { 0, 0.1 } }

field { "c", time = { 0, 1 } }
field { "k", range = { 0.5, 2 } }

define [[
  upper(a, h) = (k + k[a+1])/2 * (c[a+1] - c)/h       -- flux through the face above
  net(a, h)   = (upper(a, h) - upper(a, h)[a-1])/h
]]

kernel { "step", [[
  c.next = c + dt*(net(x, hx) + net(y, hy) + net(z, hz)) ]] }
