-- All 27 points of a 3 x 3 x 3 box with weights given at run time, one for each
-- symmetry class: the centre, the faces, the edges and the corners. Smoothers,
-- coarse-grid operators and isotropic Laplacians have this form.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", "z" }
scalar { "centre", "face", "edge", "corner", range = { -1, 1 } }
field { "u" }
field { "box_u" }

local CLASS = { [0] = "centre", "face", "edge", "corner" }
local taps = {}
for k = -1, 1 do for j = -1, 1 do for i = -1, 1 do
  taps[#taps + 1] = { i, j, k, CLASS[i*i + j*j + k*k] }
end end end
operator { "box", taps = taps }

kernel { "apply", [[ box_u = box(u) ]] }
