-- A table of each kind, for mistakes in what they are given: mesh_input.c.
precision { "double" }
domain { "vertex", "edge", "ecv" }
levels { "k" }
neighbours { "v2e", from = "vertex", to = "edge", count = 3, skip = -1 }
neighbours { "e2v", from = "edge", to = "vertex", count = 2 }
neighbours { "e2ecv", from = "edge", to = "ecv", count = 2, affine = true }
neighbours { "from1", from = "vertex", to = "edge", count = 2, skip = 0 }
neighbours { "near", from = "vertex", to = "vertex", ragged = true }
neighbours { "v2v", from = "vertex", to = "vertex", ragged = true, skip = 0 }
neighbours { "v2e2v", through = { "v2e", "e2v" }, count = 4,
             pattern = { { 0, 1 }, { 0, 2 }, { 0, 3 } } }
field { "p", "p1", on = { "vertex", "k" } }
field { "q", "q1", on = { "edge", "k" } }
field { "q2", on = { "edge", "k" }, type = "float" }
field { "r", on = { "ecv" } }

kernel { "gather", [[ p1 = p + sum(n in v2e, q[n]) ]] }
kernel { "spread", [[ q1 = p[e2v(0)] - p[e2v(1)] + r[e2ecv(1)] ]] }
kernel { "around", [[ p1 = sum(n in v2v, p[n]) ]] }
kernel { "ends", [[ q2 = p[e2v(0)] + p[e2v(1)] ]] }
kernel { "sums", [[ p1 = sum(e in v2e, q2[e]) ]] }
fuse { "chain", "ends", "sums", drop = { "q2" } }
kernel { "others", [[ p1 = max(n in near, p[n]) + sum(n in from1, q[n]) ]] }
