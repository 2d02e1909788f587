-- Requests of every kind: two lists with a formula each, lists that are only read,
-- a scalar that comes with each request, sums and plain results, of all but oneself.
precision { "double" }
domain { "particle", "cell" }
scalar { "pole" }
scalar { "shift", per = "request", range = { -1, 1 } }
field { "px", "m", on = { "particle" } }
field { "q", on = { "cell" } }
field { "f", "g", on = { "particle" } }
list { "a", "b", of = "particle" }
list { "far", of = "cell" }
request { "pull",
  a = [[ f += sum(j in b, m[j]*(px[j] + shift - px)) + pole*sum(c in far, q[c])*px ]],
  b = [[ f += shift*sum(j in a, m[j]) ]] }
request { "put", a = [[ g = sum(j in b, where(same(j), 0, m[j])) + shift*px ]] }
