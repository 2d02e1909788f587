-- What specifications at random have found in kernels on meshes: profiles that
-- are read at one level beside alone, values of slots whose neighbours nobody
-- reads, tables of which only the number of slots matters, two loops over one
-- row of which one reads more, or is in another loop, what is read in a loop within that other one, chains that
-- hand on 16 bits, to what has others, constants alone.
precision { "double" }
domain { "vert", "edg" }
levels { "k" }
neighbours { "e2v", from = "edg", to = "vert", count = 3 }
neighbours { "v2e", from = "vert", to = "edg", count = 4, skip = -1 }
neighbours { "part", from = "edg", to = "vert", count = 2, affine = true }
neighbours { "ends", from = "edg", to = "vert", count = 2 }
field { "p", "p1", "p2", "p3", "p4", on = { "vert", "k" } }
field { "q1", "q2", "q3", on = { "edg", "k" } }
field { "up", on = { "k" }, extra = { k = 1 }, type = "float" }
field { "c", on = { "edg", "e2v" }, constant = true }
field { "g", on = { "edg", "part", "k" }, type = "bfloat16" }
field { "r", on = { "edg", "k" }, type = "bfloat16" }
field { "s", on = { "edg" }, type = "half", constant = true }
field { "u", on = { "vert", "k" }, type = "half" }
field { "t", on = { "vert", "k" }, type = "bfloat16" }

kernel { "slots", [[
  q1 = sum(v in e2v, up[k+1])
  q2 = c[e2v(2)]*g[part(1)] + sum(v in e2v, c[v]) + sum(v in part, 2)
     + sum(v in e2v, sum(m in part, p[v])) - sum(v in ends, sum(m in part, p[v])) ]] }
kernel { "deep", [[ p4 = sum(e in v2e, sum(f in v2e, sum(v in e2v(f), u[v]))) ]] }
kernel { "edges", [[ r = min(v in e2v, p[e2v(2)]) ]] }
kernel { "verts", [[ t = sum(e in v2e, r[e]) + max(e in v2e, 1/2) ]] }
kernel { "again", [[ q3 = sum(v in e2v, t[v]) ]] }
fuse { "handed", "edges", "verts", "again", drop = { "r", "t" } }
field { "p5", on = { "vert", "k" } }
field { "q4", on = { "edg", "k" } }
kernel { "wide", [[ p5 = sum(e in v2e, r[e]) ]] }
kernel { "last", [[ q4 = sum(v in e2v, p5[v]) ]] }
fuse { "narrow", "edges", "wide", "last", drop = { "r", "p5" } }
kernel { "still", [[ p1 = s[slot(0)] ]] }
-- Names of the generated text.
neighbours { "slot", from = "vert", to = "edg", count = 1 }
kernel { "constants", [[ p3 = 2 ]] }
fuse { "geometry", "constants", "gathered", drop = { "p3" } }
kernel { "gathered", [[ p2 = p3 + sum(e in v2e, s[e]) ]] }
