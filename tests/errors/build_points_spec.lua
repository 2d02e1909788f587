-- What build refuses of where things are read: positions, reach, the ends of
-- levels, regions.

local building = require "tests.building"

local GRID, COLUMN = building.GRID, building.COLUMN

local function refuses(what, text, entries)
  it(what, function() building.refused(text, entries) end)
end

describe("positions", function()
  refuses("a field read between its points", GRID .. [=[
field { "mu" }
field { "sxy", at = { x = 1/2, y = 1/2 } }
kernel { "k", [[ sxy = mu ]] }]=], {
    "5:24: mu has points at x, y; here it is read at x+1/2, y+1/2 of "
      .. "sxy: interpolate",
  })

  refuses("shifts and staggered operators that end between points", GRID .. [=[
field { "b" }
field { "vx", at = { x = 1/2 } }
operator { "D", derivative = 1, order = 2, staggered = true }
kernel { "k", [[ vx = b[x-1] + D(D(b, x), x) + D(b, y) ]] }]=], {
    "6:23: b has points at x; here it is read at x-1/2 of vx: "
      .. "interpolate",
    "6:36: b has points at x, y; here it is read at x+1/2, y-1/2 of "
      .. "vx: interpolate",
    "6:36: b has points at x; here it is read at x-1/2 of vx: "
      .. "interpolate",
  })

  refuses("a define, with a note where it is used", GRID .. [=[
field { "b" }
field { "vx", at = { x = 1/2 } }
define [[ twice(f) = 2*b*f ]]
kernel { "k", [[ vx = twice(3) ]] }]=], {
    "5:24: b has points at x; here it is read at x+1/2 of vx: "
      .. "interpolate",
    "6:18: note: in the formula of 'vx'",
  })

  refuses("the second statement that reads it, not the first", GRID .. [=[
field { "b", "c" }
field { "v", at = { x = 1/2 } }
kernel { "k", [[ c = 2*b ]] }
kernel { "l", [[ v = 2*b ]] }]=], {
    "6:24: b has points at x; here it is read at x+1/2 of v: "
      .. "interpolate",
  })

  refuses("an assigned value at another position", GRID .. [=[
field { "u", at = { x = 1/2 } }
field { "v", at = { x = -1/2 } }
kernel { "k", [[ u = 1  v = u ]] }]=], {
    "5:29: u has points at x+1/2; here it is read at x-1/2 of v: "
      .. "interpolate",
  })

  refuses("reach", GRID .. [=[
field { "u", "v" }
operator { "d", derivative = 2, order = 32 }
kernel { "k", [[ u = v[x-65] + d(d(d(d(d(v, y), y), y), y), y) ]] }]=], {
    "5:22: v is read 65 points away along x, at most 64 are possible",
    "5:42: v is read 80 points away along y, at most 64 are possible",
  })

  refuses("targets on different spaces", GRID .. [=[
field { "u" }
field { "p", on = { "x" } }
field { "e", extra = { x = 1 } }
kernel { "k", [[ u = 1  p = 2  e = 3 ]] }]=], {
    "6:25: a kernel runs over the points of its targets: 'u' lies on "
      .. "x, y, 'p' on x",
    "6:32: a kernel runs over the points of its targets: 'u' has no "
      .. "extra points, 'e' has the extra points x = 1",
  })

  refuses("a field that varies along more axes than the target", GRID .. [=[
field { "u" }
field { "p", on = { "x" } }
kernel { "k", [[ p = u ]] }]=], {
    "5:22: u varies along y, but p lies on x only",
  })

  refuses("an axis twice in brackets, and a param that is no shift", GRID .. [=[
param { "m", default = "a" }
field { "u", "v" }
kernel { "k", [[ u = v[x+1, x-1] + v[x+m] + v[u+1] + v[w] ]] }]=], {
    "5:29: 'x' stands twice in one pair of brackets",
    "5:38: 'm' is a param, wanted a number of points that is known at "
      .. "generation",
    "5:47: 'u' is a field, wanted an axis",
    "5:56: 'w' is not declared, wanted a place",
  })

  refuses("no grid for axes", GRID .. [=[
field { "u", on = { "x" }, at = { y = 1/2 }, extra = { q = 1 } }
kernel { "k", [[ u = 1 ]] }]=], {
    "3:28: 'at' names 'y', which is no axis of this field (x)",
    "3:46: 'extra' names 'q', which is no axis of this field (x)",
  })
end)

describe("levels and regions", function()
  refuses("reads past the ends of levels", COLUMN .. [=[
field { "u", "v", on = { "x", "k" } }
kernel { "a", [[ u = v[k-1] + v[k+2] ]] }]=], {
    "5:22: v is read at k-1, past the start of k: keep it inside with "
      .. "a region, or give it a boundary",
    "5:31: v is read at k+2, past the end of k: keep it inside with a "
      .. "region, or give it a boundary",
  })

  refuses("reads that a region keeps only half in", COLUMN .. [=[
field { "u", "v", on = { "x", "k" } }
region { "top", k = { 0, 1 } }
region { "low", rest = true }
kernel { "a", top = [[ u = v[k-1] ]],
  low = [[ u = v[k-1] + v[k+1] + v[k-2] ]] }]=], {
    "7:28: v is read at k-1, past the start of k: keep it inside with "
      .. "a region, or give it a boundary",
    "8:25: v is read at k+1, past the end of k: keep it inside with a "
      .. "region, or give it a boundary",
    "8:34: v is read at k-2, past the start of k: keep it inside with "
      .. "a region, or give it a boundary",
  })

  refuses("reads that a region in the middle does not keep in", COLUMN .. [=[
field { "u", "v", on = { "x", "k" } }
region { "mid", k = { 1, 3 } }
region { "late", k = { "n-3", "n-1" } }
region { "other", rest = true }
kernel { "a", mid = [[ u = v[k-1] ]], late = [[ u = v[k+1] ]],
  other = [[ u = v[k-1] + v[k+1] ]] }]=], {
    "9:18: v is read at k-1, past the start of k: keep it inside with "
      .. "a region, or give it a boundary",
    "9:27: v is read at k+1, past the end of k: keep it inside with a "
      .. "region, or give it a boundary",
  })

  refuses("reads past interfaces", COLUMN .. [=[
field { "u", on = { "x", "k" } }
field { "w", on = { "x", "k" }, at = { k = -1/2 } }
kernel { "a", [[ u = w[k-1/2] + w[k+1/2] ]] }]=], {
    "6:33: w is read at k+1, past the end of k: keep it inside with a "
      .. "region, or give it a boundary",
  })

  refuses("sweeps over other regions", COLUMN .. [=[
field { "u", on = { "x", "k" } }
region { "a", x = { 0, 1 } }
region { "b", rest = true }
kernel { "s", sweep = "k up", a = [[ u = 1 ]], b = [[ u = 2 ]] }]=], {
    "7:31: regions of a sweep are ranges of 'k'; 'a' is not",
  })

  refuses("regions of another axis, and two rests", GRID .. [=[
field { "p", on = { "x" } }
region { "a", y = { 0, 1 } }
region { "b", rest = true }
region { "c", rest = true }
kernel { "k", a = [[ p = 1 ]], b = [[ p = 2 ]], c = [[ p = 3 ]] }]=], {
    "7:15: region 'a' is of y, but 'k' runs over x only",
    "7:49: 'b' and 'c' are both the rest, wanted one",
  })

  refuses("a shell without a grid", [=[
precision { "float" }
domain { "p" }
field { "u", on = { "p" } }
region { "a", shell = 1 }
kernel { "k", a = [[ u = 1 ]] }]=], {
    "4:15: a shell lies on the faces of a grid, and there is none",
  })

  refuses("a kernel for a region that is not declared", GRID .. [=[
field { "u" }
region { "inner", rest = true }
kernel { "k", iner = [[ u = 1 ]] }
kernel { "l", inner = [[ u = 1 ]] }]=], {
    "5:15: 'iner' is not declared, wanted a region; did you mean "
      .. "'inner'?",
  })

  refuses("fields stored in a region only", GRID .. [=[
field { "u" }
region { "slab", shell = { x = { 2, 2 } } }
region { "rest", rest = true }
field { "psi", only = "slab" }
kernel { "k", slab = [[ psi = u  u = psi[x+1] ]],
  rest = [[ u = psi ]] }
kernel { "l", [[ psi = 1 ]] }]=], {
    "7:38: psi is read at another point, but the same kernel assigns "
      .. "it: other points may be updated already",
    "7:25: note: it is overwritten here",
    "7:38: psi is stored only in 'slab'; here it is read at another "
      .. "point along x",
    "8:17: psi is stored only in 'slab'; here it is read in 'rest'",
    "9:18: psi is stored only in 'slab'; here it is assigned everywhere",
  })

  refuses("regions that 'only' cannot have", GRID .. [=[
field { "u" }
region { "two", shell = 2 }
region { "one", shell = { y = { 2, 2 } } }
field { "a", only = "two" }
field { "b", on = { "x" }, only = "one" }
field { "c", only = "none" }
kernel { "k", two = [[ u = a ]], one = [[ u = c ]] }
kernel { "l", one = [[ b = 1 ]] }]=], {
    "6:14: 'only' needs a region that is a shell along one axis; 'two' "
      .. "is not",
    "7:28: 'one' is a shell along y, and 'b' does not lie on it",
    "8:14: 'none' is not declared, wanted a region; did you mean 'one'?",
    "10:15: region 'one' is of y, but 'l' runs over x only",
  })
end)
