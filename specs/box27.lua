-- All 27 points of a 3 x 3 x 3 box, each with a weight of its own that is
-- given at run time: smoothers, coarse-grid operators, convolutions. The names
-- say where a point lies, m0p is one point below in x and one above in z.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", "z" }
field { "u" }
field { "box_u" }

local SIDE = { [-1] = "m", [0] = "0", [1] = "p" }
local taps = {}
for k = -1, 1 do for j = -1, 1 do for i = -1, 1 do
  local name = "w" .. SIDE[i] .. SIDE[j] .. SIDE[k]
  scalar { name, range = { -1, 1 } }
  taps[#taps + 1] = { i, j, k, name }
end end end
operator { "box", taps = taps }

kernel { "apply", [[ box_u = box(u) ]] }
