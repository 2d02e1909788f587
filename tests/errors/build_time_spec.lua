-- What build refuses of time levels and of updates in place.

local building = require "tests.building"

local GRID = building.GRID

local function refuses(what, text, entries)
  it(what, function() building.refused(text, entries) end)
end

describe("levels of time", function()
  refuses("a level that a field does not have", GRID .. [=[
field { "u", time = { 0, 1 } }
field { "v" }
kernel { "k", [[ u.next = u.prev + v.next ]] }]=], {
    "5:27: u has the levels now, next; there is no 'u.prev'",
    "5:36: v has no time levels, so there is no 'v.next'",
  })

  refuses("a target that is not the next level", GRID .. [=[
field { "u", time = { 0, 1 } }
field { "v" }
kernel { "k", [[ u = 1  u.next = 2  v.next = 3 ]] }]=], {
    "5:18: found 'u', wanted 'u.next': of a field with time levels "
      .. "only the next is assigned",
    "5:37: v has no time levels: assign 'v'",
  })

  refuses("a field without a next level as a target", GRID .. [=[
field { "u", time = { -1, 0 } }
kernel { "k", [[ u.next = 1 ]] }]=], {
    "4:18: u has the levels prev, now; there is no 'u.next'",
  })

  refuses("a next level read before it is assigned", GRID .. [=[
field { "u", "v", time = { 0, 1 } }
kernel { "k", [[ v.next = u.next  u.next = 2*u ]] }]=], {
    "4:27: u.next is read before it is assigned",
  })

  refuses("a next level read in a region that does not assign it", GRID .. [=[
field { "u", "v", time = { 0, 1 }, buffers = 1 }
region { "a", shell = 2 }
region { "b", rest = true }
kernel { "k", a = [[ v.next = v  u.next = u ]],
  b = [[ v.next = u.next ]] }]=], {
    "7:19: u.next is read before it is assigned",
  })

  refuses("a next level read before its kernel", GRID .. [=[
field { "u", "v", time = { 0, 1 } }
kernel { "first", [[ v.next = u.next + v ]] }
kernel { "second", [[ u.next = 2*u ]] }
step { "first", "second" }]=], {
    "4:31: u.next is read in 'first' before a kernel of the step has "
      .. "assigned it",
  })

  refuses("a next level that nothing assigns", GRID .. [=[
field { "u", "v", time = { 0, 1 } }
kernel { "k", [[ u.next = u + v ]] }]=], {
    "3:15: v.next is assigned by no kernel of the step",
  })

  refuses("a next level assigned twice in a step", GRID .. [=[
field { "u", time = { 0, 1 } }
kernel { "first", [[ u.next = u ]] }
kernel { "second", [[ u.next = 2*u ]] }
step { "first", "second" }]=], {
    "5:23: u.next is assigned twice in a step",
    "4:22: note: the first assignment is here",
  })

  refuses("a next level outside of the step", GRID .. [=[
field { "u", time = { 0, 1 } }
field { "v", "w" }
kernel { "inside", [[ v = u ]] }
kernel { "outside", [[ u.next = u ]] }
kernel { "reader", [[ w = u.next ]] }
step { "inside" }]=], {
    "3:10: u.next is assigned by no kernel of the step",
    "6:24: u.next is assigned in 'outside', which is no part of the "
      .. "step",
    "7:27: u.next is read in 'reader', which is no part of the step: "
      .. "only within a step is there a next level",
  })

  refuses("time levels, several kernels and no step", GRID .. [=[
field { "u", time = { 0, 1 } }
field { "v" }
kernel { "first", [[ u.next = u ]] }
kernel { "second", [[ v = u ]] }]=], {
    "6:11: there are time levels and more than one kernel: wanted step "
      .. "{ \"first\", .. }, what a time step launches",
  })

  refuses("buffers", GRID .. [=[
field { "a", time = { -1, 0, 1 }, buffers = 1 }
field { "b", time = { -1, 0 }, buffers = 1 }
field { "c", buffers = 2 }
kernel { "k", [[ a.next = b + c ]] }]=], {
    "3:35: found buffers = 1, wanted 2 or 3 for 3 levels",
    "4:32: found buffers = 1 for 2 levels without a next one: nothing "
      .. "takes a level's place",
    "5:14: found buffers = 2, wanted 1 for 1 level",
  })

  refuses("a next level that is not assigned everywhere", GRID .. [=[
field { "u", time = { 0, 1 } }
field { "v" }
region { "edge", shell = 2 }
region { "inner", rest = true }
kernel { "a", edge = [[ u.next = u ]], inner = [[ v = u ]] }]=], {
    "7:40: u.next must be assigned at every point, and 'inner' does "
      .. "not assign it",
  })

  refuses("a next level without a rest", GRID .. [=[
field { "u", time = { -1, 0, 1 }, buffers = 2 }
region { "edge", shell = 2 }
region { "mid", x = { 2, "n-2" } }
kernel { "a", edge = [[ u.next = u + u.prev ]],
  mid = [[ u.next = u.prev ]] }]=], {
    "6:25: u.next must be assigned at every point, and edge, mid leave "
      .. "some out: wanted a region with rest = true",
  })
end)

describe("updates in place", function()
  refuses("a field that the kernel assigns, read at another point", GRID .. [=[
field { "u" }
kernel { "k", [[ u = u[x+1] ]] }]=], {
    "4:22: u is read at another point, but the same kernel assigns it: "
      .. "other points may be updated already",
    "4:18: note: it is overwritten here",
  })

  refuses("the same by an operator, in another region", GRID .. [=[
field { "u", "v" }
operator { "d", derivative = 1, order = 2 }
region { "edge", shell = 2 }
region { "inner", rest = true }
kernel { "k", edge = [[ u = 1 ]], inner = [[ v = d(u, x) ]] }]=], {
    "7:52: u is read at another point, but the same kernel assigns it: "
      .. "other points may be updated already",
    "7:25: note: it is overwritten here",
  })

  refuses("the level whose place the next one takes", GRID .. [=[
field { "u", time = { -1, 0, 1 }, buffers = 2 }
kernel { "k", [[ u.next = u + u.prev[x-1] ]] }]=], {
    "4:31: u.prev is read at another point, but 'u.next' takes its "
      .. "place: other points may be updated already",
    "4:18: note: it is overwritten here",
  })

  refuses("the level now, in one buffer", GRID .. [=[
field { "u", time = { 0, 1 }, buffers = 1 }
kernel { "k", [[ u.next = (u[x-1] + u[x+1])/2 ]] }]=], {
    "4:28: u is read at another point, but 'u.next' takes its place: "
      .. "other points may be updated already",
    "4:18: note: it is overwritten here",
    "4:37: u is read at another point, but 'u.next' takes its place: "
      .. "other points may be updated already",
    "4:18: note: it is overwritten here",
  })

  refuses("the next level at another point in its own kernel", GRID .. [=[
field { "u", time = { 0, 1 } }
field { "v" }
kernel { "k", [[ u.next = u  v = u.next[x+1] ]] }]=], {
    "5:34: u.next is read at another point, but the same kernel "
      .. "assigns it: other points may be updated already",
    "5:18: note: it is overwritten here",
  })

  refuses("a level read after it was overwritten", GRID .. [=[
field { "u", time = { -1, 0, 1 }, buffers = 2 }
field { "v" }
kernel { "first", [[ u.next = u + u.prev ]] }
kernel { "second", [[ v = u.prev ]] }
step { "first", "second" }]=], {
    "6:27: u.prev is read after 'u.next' has taken its place in 'first'",
    "5:22: note: it is overwritten here",
  })

  refuses("a define of what was assigned, read elsewhere", GRID .. [=[
field { "u", "v" }
define [[ twice = 2*v ]]
kernel { "k", [[ v = 1  u = twice + twice[x+1] ]] }]=], {
    "4:21: v is read at another point, but the same kernel assigns it: "
      .. "other points may be updated already",
    "5:18: note: it is overwritten here",
  })

  refuses("the same target twice", GRID .. [=[
field { "u" }
kernel { "k", [[ u = 1  u = 2 ]] }]=], {
    "4:25: 'u' is assigned twice in one formula",
    "4:18: note: the first assignment is here",
  })

  refuses("a local that has an assigned value, read elsewhere", GRID .. [=[
field { "u", "v" }
kernel { "k", [[ u = 2  t = 3*u  v = t[x+1] ]] }]=], {
    "4:38: 't' has the value that 'u' is assigned above: only at the "
      .. "point itself is it known",
  })

  refuses("red and black with 9 points", GRID .. [=[
field { "u" }
kernel { "k", colours = { "(x + y) % 2" },
  [[ u = u[x-1] + u[x+1, y+1] ]] }]=], {
    "5:19: u is read at x+1, y+1, a point of the same colour",
  })

  refuses("colours of what has time levels", GRID .. [=[
field { "u", time = { 0, 1 } }
kernel { "k", colours = { "(x + y) % 2" }, [[ u.next = u[x-1] ]] }]=], {
    "4:47: colours are for fields without time levels, and 'u' has some",
  })

  refuses("a mirror image of the same colour", GRID .. [=[
field { "u" }
boundary { "u", x = { "even", about = "point" } }
kernel { "k", colours = { "(x - y) % 3" },
  [[ u = u[x+1] + u[x-1, y-2] ]] }]=], {
    "6:19: u is read at x-1, y-2: beyond a face its image may be a point of the same colour",
  })

  refuses("more colours than a launch should make", GRID .. [=[
field { "u" }
kernel { "k", colours = { "x % 70", "y % 70" }, [[ u = u[x-1] ]] }]=], {
    "4:38: 'k' has more than 4096 colours",
  })

  refuses("colours along an axis that there is not", GRID .. [=[
field { "u" }
kernel { "k", colours = { "(x + z) % 2" }, [[ u = u[x-1] ]] }]=], {
    "4:33: 'z' is no axis of 'k', which runs over x, y",
  })

  refuses("a sweep that reads ahead, or aside", GRID .. [=[
field { "u" }
kernel { "a", sweep = "x up", [[ u = u[x+1] ]] }
kernel { "b", sweep = "x down", [[ u = u[x-1] ]] }
kernel { "c", sweep = "x up", [[ u = u[x-1, y+1] ]] }]=], {
    "4:38: a sweep of 'x up' reads what it assigns only along x, and "
      .. "only behind: u is read elsewhere",
    "5:40: a sweep of 'x down' reads what it assigns only along x, and "
      .. "only behind: u is read elsewhere",
    "6:38: a sweep of 'x up' reads what it assigns only along x, and "
      .. "only behind: u is read elsewhere",
  })

  refuses("a sweep that mixes old and new values", GRID .. [=[
field { "u", "v" }
operator { "left", derivative = 1, offsets = { -1, 0 } }
kernel { "a", sweep = "x up", [[ u = u[x-1]  v = left(u, x) ]] }]=], {
    "5:55: u is assigned above, and read here at the point itself "
      .. "together with others: read it apart",
    "5:34: note: it is assigned here",
  })

  refuses("a sweep along what the kernel does not run over", GRID .. [=[
levels { "k" }
field { "u" }
kernel { "a", sweep = "k up", [[ u = 1 ]] }
kernel { "b", sweep = "q up", [[ u = 1 ]] }]=], {
    "5:15: a sweep along k, but 'a' runs over x, y",
    "6:15: 'q' is not declared, wanted an axis or a level axis",
  })

  refuses("constant fields and setup kernels", GRID .. [=[
field { "u" }
field { "c", constant = true }
kernel { "a", [[ c = 1 ]] }
kernel { "b", setup = true, [[ u = 1 ]] }]=], {
    "5:18: 'c' is constant: only a setup kernel can assign it",
    "6:32: a setup kernel assigns constant fields only, and 'u' is none",
  })
end)
