-- What turned tiles meet that specs/icon.lua leaves out: slots side by side,
-- ragged rows, two domains, a point among its neighbours, values that are the
-- same at all levels here and there, levels alone, storage of other types,
-- least and most, a result that is an input, more
-- arrays than many points find room for.
precision { "double" }
domain { "vertex", "edge", "cell", "ecv" }
levels { "k" }
neighbours { "v2e", from = "vertex", to = "edge", count = 6, skip = -1, contiguous = "slot" }
neighbours { "v2c", from = "vertex", to = "cell", count = 6, skip = -1 }
neighbours { "e2c2v", from = "edge", to = "vertex", count = 4 }
neighbours { "c2v", from = "cell", to = "vertex", count = 3 }
neighbours { "v2v", from = "vertex", to = "vertex", ragged = true }

field { "u", "u1", "u2", "u3", "p", on = { "vertex", "k" } }
field { "v", on = { "vertex", "k" }, type = "float" }
field { "i", on = { "edge", "k" }, type = "int", range = { -9, 9 } }
field { "a", "b", on = { "edge", "k" } }
field { "c", "d", on = { "cell", "k" } }
field { "e", "f", on = { "cell", "k" }, type = "float" }
field { "w", on = { "vertex", "v2e" }, constant = true }
field { "g", on = { "edge" }, constant = true, type = "float" }
field { "h", on = { "k" }, constant = true }
field { "r", on = { "vertex", "v2v" }, constant = true }
field { "o", on = { "vertex" }, constant = true }

kernel { "skipped", [[
  u1 = h*sum(m in v2e, w[m]*g[m]*i[m]) + o
  u2 = sum(m in v2e, a[m]*i[m])*p
  v = sum(m in v2e, a[m] - b[m]) ]] }
kernel { "ragged", [[ u3 = sum(m in v2v, r[m]*(u[m] - u)) ]] }
kernel { "domains", [[ p = p/2 + sum(m in v2e, a[m]*g[m]) - sum(m in v2c, c[m]*d[m])*p ]] }
kernel { "slots", [[
  b = u[e2c2v(0)]*u[e2c2v(1)] - v[e2c2v(2)]*u1[e2c2v(3)] + u[e2c2v(2)]*v[e2c2v(0)] - u[e2c2v(3)]*u1[e2c2v(1)] + b ]] }
kernel { "narrow", compute = "float", [[ e = sum(m in c2v, v[m]*u2[m] - v[m]) + f*min(m in c2v, u2[m]) - max(m in c2v, v[m]) ]] }
