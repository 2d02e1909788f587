-- What kernels that go through a mesh tile by tile could take for each other:
-- ways with one name, fields with several values of a point in two ways, values
-- that stages keep with one name, missing neighbours of what is no point.
precision { "float", compute = "double" }
domain { "vert", "edg", "part" }
levels { "k" }
neighbours { "e2v", from = "edg", to = "vert", count = 2, skip = -1 }
neighbours { "v2e", from = "vert", to = "edg", count = 3, skip = -1 }
neighbours { "v2e_e2v", from = "vert", to = "vert", count = 4 }
neighbours { "ends", from = "edg", to = "vert", count = 2 }
neighbours { "e2p", from = "edg", to = "part", count = 4, affine = true }
neighbours { "e2h", from = "edg", to = "part", count = 2, affine = true }
field { "p", "p1", "p2", on = { "vert", "k" } }
field { "q", "q1", "q2", "q3", "q4", on = { "edg", "k" } }
field { "p6", on = { "vert", "k" } }
field { "q6", "q7", on = { "edg", "k" } }
field { "r", on = { "part", "k" }, constant = true }
field { "g", on = { "edg", "e2p", "k" } }
field { "c", on = { "vert" }, constant = true }
field { "d", on = { "edg" }, constant = true }

kernel { "ways", [[ p1 = sum(e in v2e, sum(v in e2v(e), p[v]))
                       + sum(v in v2e_e2v, p[v]) ]] }
kernel { "slots", [[ q1 = sum(i in e2p, r[i]*g[i]) - r[e2h(1)]
                        + sum(v in ends, p[v]) ]] }
kernel { "affine", [[ q4 = q*r[e2p(0)] + p[ends(1)] ]] }
kernel { "led", [[ q3 = r[e2p(0)] + p[ends(1)] ]] }
kernel { "gather", [[ q2 = sum(v in e2v, c[v]*p[v])*d ]] }
kernel { "spread", [[ p2 = sum(e in v2e, d[e]*q2[e])
                         + sum(e in v2e, q2[e]*sum(v in e2v(e), c[v]))*c ]] }
fuse { "chain", "gather", "spread", drop = { "q2" } }

-- Tiles do not know of regions: points of others are passed over.
region { "shore", vert = { 1, "n - 3" } }
region { "sea", rest = true }
field { "p7", on = { "vert", "k" } }
kernel { "parts", shore = [[ p7 = sum(e in v2e, q[e]) ]],
         sea = [[ p7 = 2*sum(e in v2e, q[e]) ]] }

-- What the first stage hands on is read by the third, two levels behind it.
kernel { "one", [[ q6 = sum(v in ends, p[v]) ]] }
kernel { "two", [[ p6 = sum(e in v2e, q6[e]) ]] }
kernel { "three", [[ q7 = sum(v in ends, p6[v] - sum(e in v2e(v), q6[e])) ]] }
fuse { "skip", "one", "two", "three", drop = { "q6", "p6" } }
