-- A box whose weights, when all are zero, leave the field as it was.
precision { "float" }
grid { "x", "y", "z" }
scalar { "w0", "w1" }
field { "u", time = { 0, 1 } }
operator { "cross", taps = {
  { 0, 0, 0, "w0" }, { -1, 0, 0, "w1" }, { 1, 0, 0, "w1" }, { 0, -1, 0, "w1" },
  { 0, 1, 0, "w1" }, { 0, 0, -1, "w1" }, { 0, 0, 1, "w1" } } }
kernel { "step", [[ u.next = u + cross(u) ]] }
