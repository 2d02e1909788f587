-- What folds and what specs/icon.lua leaves out: tables from 1, slots or rows
-- side by side, a composed table that few rows follow, levels beside, the point
-- itself, scalars, quotients, storage of all types, a chain that hands on
-- floats, a result that is an input, a step of two kernels, constants that a
-- kernel sets.
precision { "float", compute = "double" }
domain { "vert", "edg" }
levels { "k" }
scalar { "w" }
neighbours { "v2e", from = "vert", to = "edg", count = 3, skip = 0, contiguous = "slot" }
neighbours { "e2v", from = "edg", to = "vert", count = 2 }
neighbours { "near", from = "vert", to = "vert", count = 4, skip = -1 }
neighbours { "v2v", through = { "v2e", "e2v" }, count = 4, pattern = { { 0, 1 }, { 0, 2 }, { 0, 3 } } }
field { "q2", on = { "edg", "k" } }
field { "p", "p1", "p2", "p4", "p5", "p6", on = { "vert", "k" } }
field { "p3", on = { "vert", "k" }, type = "double" }
field { "h", on = { "k", "vert" }, extra = { k = 1 }, type = "double" }
field { "q", "q1", on = { "edg", "k" } }
field { "a", "b", on = { "edg" }, constant = true, type = "double", range = { 0.5, 1.5 } }
field { "c", on = { "vert", "v2e" }, constant = true }
field { "s", on = { "vert", "near" }, constant = true, type = "half" }
field { "i", on = { "vert" }, constant = true, type = "int", range = { -3, 3 } }

kernel { "edges", [[ q1 = a*p[e2v(0)] - w*p[e2v(1)]/b + q ]] }
kernel { "vertices", [[
  p1 = sum(e in v2e, c[e]*q1[e])
  p2 = 3*p - sum(e in v2e, c[e]*(q1[e] + q[e])/2) ]] }
fuse { "both", "edges", "vertices", drop = { "q1" } }

kernel { "levels", [[ p3 = sum(v in near, s[v]*w*(h[v, k+1] - h[v])) + (h[k+1] + h)/2 ]] }
kernel { "single", compute = "float", [[
  p4 = i*p4 + sum(e in v2e, sum(v in e2v(e), (a[e] + b[e])*p[v])) ]] }
-- What is read at the point comes between values that are read at edges.
kernel { "between", [[ p5 = sum(e in v2e, q[e])  p6 = sum(e in v2e, p + q2[e]) ]] }
kernel { "geometry", setup = true, [[ a = 2*b ]] }
step { "levels", "single" }
