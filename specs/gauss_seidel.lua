-- Gauss-Seidel sweeps over a box, in colours: points of one colour do not read
-- each other, so all of them are updated at once, each from the newest values of
-- the other colours.
--
--   red_black   7 points, -lap u = f: one sweep is two colours
--   multicolour 27 points, 26 u - (all others) = f, the operator of the HPCG
--               benchmark: one sweep is eight colours
--
-- Beyond fixed faces u is 0. Around a ring the colours go on only where the
-- extents are even: asked of every launch.
local T = param { "type", default = "double", values = { "float", "double" },
                  short = "" }
local F = param { "faces", default = "fixed", values = { "fixed", "periodic" },
                  short = "" }

precision { T }
grid { "x", "y", "z", spacing = { "h", "h", "h" } }
field { "u" }
field { "f" }

local KIND = F == "fixed" and { "constant", value = 0 } or "periodic"
boundary { "u", x = KIND, y = KIND, z = KIND }

local others = {}
for k = -1, 1 do for j = -1, 1 do for i = -1, 1 do
  if i ~= 0 or j ~= 0 or k ~= 0 then others[#others + 1] = { i, j, k, 1 } end
end end end
operator { "others", taps = others }

kernel { "red_black", colours = { "(x + y + z) % 2" }, [[
  u = (sum(a in axes, u[a-1] + u[a+1]) + h^2*f)/6 ]] }
kernel { "multicolour", colours = { "x % 2", "y % 2", "z % 2" }, [[
  u = (others(u) + f)/26 ]] }
