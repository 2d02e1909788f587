-- What the shipped specifications on meshes leave out: tables from 1, slots or
-- rows side by side, ragged ones that skip, extremes, reductions of reductions,
-- levels beside a neighbour, interfaces, storage of all types, regions.
precision { "float", compute = "double" }
domain { "vert", "edg" }
levels { "k" }
scalar { "w" }
neighbours { "v2e", from = "vert", to = "edg", count = 5, skip = 0, contiguous = "slot" }
neighbours { "e2v", from = "edg", to = "vert", count = 2, contiguous = "slot" }
neighbours { "near", from = "vert", to = "vert", ragged = true, skip = -1 }
neighbours { "some", from = "vert", to = "vert", ragged = true }
field { "p", "p1", "p2", "p3", "p4", on = { "vert", "k" } }
field { "q", "q1", on = { "k", "edg" } }
field { "c", on = { "vert", "v2e" }, type = "double" }
field { "g", on = { "e2v", "edg", "k" }, type = "int", range = { -3, 3 } }
field { "h", on = { "vert", "k" }, extra = { k = 1 } }
field { "s", on = { "vert", "near" }, type = "half" }
region { "top", k = { 0, 1 } }
region { "below", rest = true }
region { "shore", vert = { 1, "n - 1" } }
region { "sea", rest = true }

kernel { "nested",
  top = [[ p1 = sum(e in v2e, q[e]) ]],
  below = [[ p1 = max(v in some, p[v, k-1])*w
                + sum(e in v2e, c[e]*q[e, k-1]*sum(v in e2v(e), p[v])) ]] }
kernel { "moments", [[
  n = sum(e in v2e, 1)
  mean = sum(e in v2e, q[e])/n
  p2 = where(n > 0, sum(e in v2e, (q[e] - mean)^2), 0) + h[k+1] - h
     + min(v in some, p[v] - p) ]] }
kernel { "edges", [[ q1 = sum(v in e2v, g[v]*p[v]) + g[e2v(1)]*p[e2v(0)] ]] }
kernel { "ragged",
  sea = [[ p3 = sum(v in near, s[v]*p[v]*w)
              + sum(v in some, sum(u in some, abs(p[v] - p[u]))) ]],
  shore = [[ p3 = 0 ]] }
kernel { "shifted",
  top = [[ p4 = sum(e in v2e, (sum(v in e2v, p[v]*q))[e]) ]],
  below = [[ p4 = sum(e in v2e, ((q - p[e2v(0)])[e])[k-1]) ]] }
