-- What build refuses of meshes, requests, chains and steps.

local building = require "tests.building"

local GRID, MESH, LISTS = building.GRID, building.MESH, building.LISTS

local function refuses(what, text, entries)
  it(what, function() building.refused(text, entries) end)
end

describe("meshes", function()
  refuses("a field on another domain without a place", MESH .. [=[
kernel { "k", [[ p = q + sum(n in v2e, q[n]) ]] }
kernel { "l", [[ q = p[e2v(0)] ]] }]=], {
    "7:22: q lives on e, and the formula runs over v: name a place, "
      .. "q[..]",
  })

  refuses("a place on another domain", MESH .. [=[
kernel { "k", [[ p = sum(n in v2e, p[n]) ]] }
kernel { "l", [[ q = p[e2v(0)] + p[v2e(0)] ]] }]=], {
    "7:36: p lives on v; here it is read at a point of v2e, on e",
    "8:40: slot 0 of 'v2e' can be missing: only a reduction passes "
      .. "over missing neighbours",
  })

  refuses("a slot out of range, and one that can be missing", MESH .. [=[
kernel { "k", [[ q = p[e2v(2)] ]] }
kernel { "l", [[ p = q[v2e(0)] ]] }]=], {
    "7:28: 'e2v' has the slots 0 to 1, not 2",
    "8:28: slot 0 of 'v2e' can be missing: only a reduction passes "
      .. "over missing neighbours",
  })

  refuses("a row of another domain", MESH .. [=[
kernel { "k", [[ p = sum(n in e2v, p[n]) ]] }
kernel { "l", [[ p = sum(n in v2e, sum(m in v2e(n), q[m])) ]] }]=], {
    "7:31: e2v starts at e, and the formula runs over v",
    "8:49: 'v2e' starts at v, but this place is on e",
  })

  refuses("a table or a row without a slot, a second place", MESH .. [=[
kernel { "k", [[ q = p[e2v] ]] }
kernel { "l", [[ p = sum(n in v2e, p[e2v(n)]) ]] }
kernel { "m", [[ q = sum(n in e2v, p[n, n]) ]] }]=], {
    "7:24: 'e2v' is a neighbour table, wanted one of its slots, "
      .. "'e2v(0)', or a name bound by a reduction",
    "8:42: the row is known, but not its slot: wanted 'e2v(.., 0)' or "
      .. "a reduction over it",
    "9:41: found a second place, wanted one at most",
  })

  refuses("a slot called like a function, a place as a number", MESH .. [=[
kernel { "k", [[ q = e2v(0) ]] }
kernel { "l", [[ p = sum(n in v2e, n*q[n]) ]] }
kernel { "m", [[ q = e2v ]] }]=], {
    "7:22: a slot of 'e2v' is a place: it stands in brackets, f[e2v(0)]",
    "8:36: 'n' is a bound name, wanted a number",
    "9:22: 'e2v' is a neighbour table, wanted a number",
  })

  refuses("a domain in brackets, a shift along it, a sum over axes", MESH .. [=[
kernel { "k", [[ q = q[e] + q[e+1] + sum(a in axes, 1) ]] }
kernel { "l", [[ p = sum(n in v2e, q[n]) + sum(n in q, 1) ]] }
kernel { "m", [[ q = p[e2v(0)] ]] }]=], {
    "7:24: 'e' is a domain, wanted an axis or a place",
    "7:31: 'e' is a domain, wanted an axis",
    "7:47: there is no grid, so there are no axes",
    "8:53: 'q' is a field, wanted a table or a list",
  })

  refuses("a field on slots", MESH .. [=[
field { "c", on = { "v", "v2e" } }
kernel { "k", [[ p = c + sum(n in v2e, c[n]*q[n]) ]] }
kernel { "l", [[ c = 1 ]] }
kernel { "m", [[ q = c[e2v(0)] ]] }]=], {
    "8:22: c has a value for each slot of v2e: bind one, sum(e in v2e, "
      .. "c[e])",
    "9:11: 'c' has a value for each slot of 'v2e': kernels run over "
      .. "points, not slots",
    "10:22: c has a value for each slot of v2e; here it is read at "
      .. "e2v(0)",
  })

  refuses("an outer neighbour inside of brackets", MESH .. [=[
kernel { "k", [[ q = sum(n in e2v, (p[n])[n]) ]] }
kernel { "l", [[ p = sum(n in v2e, q[n]) ]] }]=], {
    "7:42: a point of e2v is bound outside these brackets: it is of "
      .. "the row of the point itself",
  })

  refuses("an expression at a point of another domain", MESH .. [=[
kernel { "k", [[ q = (p[e2v(0)])[e2v(1)] ]] }
kernel { "l", [[ q = (2*q)[e2v(1)] ]] }]=], {
    "7:33: e2v starts at e; here it is used at a point of v",
    "8:27: q lives on e; here it is read at e2v(1), on v",
  })

  refuses("lists outside of requests", MESH .. [=[
list { "l", of = "v" }
kernel { "k", [[ p = sum(j in l, p[j]) ]] }
kernel { "m", [[ q = p[e2v(0)]  ]] }
kernel { "n", [[ p = sum(n in v2e, q[n]) ]] }]=], {
    "8:31: 'l' is a list: lists come with requests, and this is a "
      .. "kernel",
    "10:22: 'n' is already a kernel, and nothing may hide another name",
  })

  refuses("reads through a table of what is assigned", MESH .. [=[
neighbours { "v2v", from = "v", to = "v", ragged = true }
kernel { "k", [[ p = sum(n in v2v, p[n]) + sum(n in v2e, q[n]) ]] }
kernel { "m", [[ q = p[e2v(0)] + p[v2v(0)] ]] }]=], {
    "8:36: p is read at another point, but the same kernel assigns it: "
      .. "other points may be updated already",
    "8:18: note: it is overwritten here",
    "9:40: slot 0 of 'v2v' can be missing: only a reduction passes "
      .. "over missing neighbours",
  })

  refuses("what fields lie on", [=[
precision { "float" }
domain { "v", "e" }
neighbours { "v2e", from = "v", to = "e", count = 2 }
scalar { "s" }
field { "a", on = { "v", "e" } }
field { "b", on = { "e", "v2e" } }
field { "c", on = { "s" } }
field { "d", on = { "v", "v" } }
field { "f" }
field { "g", on = { "w" } }
kernel { "k", [[ a = s ]] }]=], {
    "5:14: found two domains, 'v' and 'e', wanted one",
    "6:14: the slots of 'v2e' go with rows of 'v', but 'v' is not in "
      .. "'on'",
    "7:14: 's' is a scalar, wanted an axis or a domain",
    "8:14: 'v' stands twice in 'on'",
    "9:1: a field of a spec without a grid needs 'on'",
    "10:14: 'w' is not declared, wanted an axis or a domain",
  })
end)

describe("requests", function()
  refuses("what a request adds to, read", LISTS .. [=[
request { "r", a = [[ f += f ]] }]=], {
    "7:28: f is added to by this request: it cannot be read",
    "7:23: note: it is added to here",
  })

  refuses("what a request assigns, read elsewhere", LISTS .. [=[
request { "r", a = [[ f = f + sum(j in b, f[j]*m[j]) ]] }]=], {
    "7:43: f is assigned by this request: it can be read only at the "
      .. "point itself",
  })

  refuses("a list of another domain", LISTS .. [=[
request { "r", far = [[ f = m ]] }]=], {
    "7:16: 'far' is a list of points of c, but its formula assigns "
      .. "fields on p",
  })

  refuses("a request without a list, one for what is no list", LISTS .. [=[
scalar { "s" }
request { "t", s = [[ f = s ]] }]=], {
    "8:16: 's' is a scalar, wanted a list",
  })

  refuses("a sum into a local", LISTS .. [=[
request { "r", a = [[ t += m  f = t ]] }]=], {
    "7:23: 't' is not a field: '+=' adds to fields only",
  })

  refuses("slots of a list, and rows", LISTS .. [=[
request { "r", a = [[ f = m[b(0)] + sum(j in far(0), q[j]) ]] }]=], {
    "7:29: 'b' is a list: its points have no numbers, wanted a name "
      .. "bound by a reduction",
    "7:46: 'far' is a list: it has no rows",
  })

  refuses("scalars of a request in a kernel", LISTS .. [=[
scalar { "s", per = "request" }
kernel { "k", [[ f = s ]] }
request { "r", a = [[ f = m + s ]] }]=], {
    "8:22: 's' comes with a request (per = \"request\"), and this is a "
      .. "kernel",
  })

  refuses("points of two domains that cannot be the same", LISTS .. [=[
request { "r", a = [[ f = m + sum(j in far, where(same(j), 1, q[j])) ]] }
request { "s", a = [[ f = where(same(2), 1, 2) ]] }]=], {
    "7:56: 'same' compares points of one domain: this is one of c, the "
      .. "formula runs over p",
    "8:38: 'same' takes a place: a bound name",
  })

  refuses("points that are compared where there is no request", MESH .. [=[
kernel { "k", [[ q = sum(n in e2v, where(same(n), 1, p[n])) ]] }]=], {
    "7:42: 'same' stands in requests alone",
  })

  refuses("a request as a stage, a step or with time levels", LISTS .. [=[
field { "w", on = { "p" }, time = { 0, 1 } }
request { "r", a = [[ f = m  w.next = w ]] }
fuse { "chain", "r" }
step { "r" }]=], {
    "7:10: w.next is assigned by no kernel of the step",
    "8:30: 'w' has time levels: a request assigns fields without them",
    "8:30: w.next is assigned in 'r', which is no part of the step",
    "9:18: 'r' is a request, wanted a kernel",
    "10:9: 'r' is a request, wanted a kernel or a chain",
  })
end)

describe("chains and steps", function()
  refuses("stages and steps that are none", GRID .. [=[
field { "u", "v" }
field { "c", constant = true }
kernel { "a", [[ u = 1 ]] }
kernel { "b", [[ v = u ]] }
kernel { "s", setup = true, [[ c = 1 ]] }
fuse { "ab", "a", "bb", "s", drop = { "u", "c", "w" } }
step { "ab", "s", "u" }]=], {
    "8:20: 'bb' is not declared, wanted a kernel",
    "8:26: 's' is a setup kernel: it cannot be a stage",
    "8:30: 'w' is not declared, wanted a field",
    "9:15: 's' is a setup kernel: it is no part of a step",
    "9:20: 'u' is a field, wanted a kernel or a chain",
  })

  refuses("a kernel that assigns nothing", GRID .. [=[
field { "u" }
kernel { "k", [[ t = u ]] }]=], {
    "4:11: 'k' assigns no field",
    "4:18: the local 't' is never used",
  })

  refuses("a target that is nearly a field", GRID .. [=[
field { "u", "lap_u" }
kernel { "k", [[ lap_w = u ]] }
kernel { "l", [[ lap_v = u  lap_u = u ]] }]=], {
    "4:11: 'k' assigns no field; 'lap_w': did you mean 'lap_u'?",
    "4:18: the local 'lap_w' is never used; did you mean 'lap_u'?",
    "5:18: the local 'lap_v' is never used; did you mean 'lap_u'?",
  })
end)
