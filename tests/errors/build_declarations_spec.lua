-- What build refuses of operators, tables, regions, boundaries and other
-- declarations.

local building = require "tests.building"

local GRID = building.GRID

local function refuses(what, text, entries)
  it(what, function() building.refused(text, entries) end)
end

describe("a specification", function()
  refuses("without a kernel", [=[
precision { "float" }
param { "p", default = 1 }]=], {
    "1:1: the spec declares no kernel",
  })
end)

describe("operators", function()
  refuses("wrong numbers of arguments", GRID .. [=[
field { "u", "v" }
operator { "d", derivative = 1, order = 2 }
operator { "t", taps = { { 0, 0, 1 }, { 1, 0, 1 } } }
kernel { "k", [[ u = d(v) + t(v, x) ]] }]=], {
    "6:22: 'd' takes an expression and an axis, found 1 argument",
    "6:29: 't' takes one expression: its taps lie along all axes, "
      .. "found 2 arguments",
  })

  refuses("no axis where one is wanted", GRID .. [=[
field { "u", "v" }
operator { "d", derivative = 1, order = 2 }
kernel { "k", [[ u = d(v, 2) + d(v, v) + d(v, q) ]] }]=], {
    "5:27: 'd' takes an expression and an axis; this is no axis",
    "5:37: 'v' is a field, wanted an axis",
    "5:47: 'q' is not declared, wanted an axis",
  })

  refuses("an axis without an order", GRID .. [=[
field { "u", "v" }
operator { "d", derivative = 1, order = { x = 2 } }
kernel { "k", [[ u = d(v, x) + d(v, y) ]] }]=], {
    "5:37: 'd' has no order along 'y', only along x",
  })

  refuses("an axis without spacing", [=[
precision { "float" }
grid { "x" }
field { "u", "v" }
operator { "d", derivative = 1, order = 2 }
kernel { "k", [[ u = d(v, x) ]] }]=], {
    "5:27: 'x' has no spacing, so there is no derivative along it",
  })

  refuses("orders and offsets that cannot be", GRID .. [=[
field { "u", "v" }
operator { "a", derivative = 1, order = 3 }
operator { "b", derivative = 2, offsets = { 0, 1 } }
operator { "c", derivative = 1, offsets = { 1, 1 } }
kernel { "k", [[ u = a(v, x) + b(v, x) + c(v, x) ]] }]=], {
    "4:33: found order 3, wanted an even whole number from 2",
    "5:33: 2 offsets cannot give derivative 2, wanted at least 3",
    "6:33: offset 1 stands twice",
  })

  refuses("taps of the wrong length, and twice the same", GRID .. [=[
field { "u", "v" }
operator { "a", taps = { { 0, 1 } } }
operator { "b", taps = { { 0, 1, 1 }, { 0, 1, 2 } } }
kernel { "k", [[ u = a(v) + b(v) ]] }]=], {
    "4:17: tap 1 has 1 offset, wanted one for each of 2 axes, then the "
      .. "weight",
    "5:17: taps 1 and 2 have the same offsets",
  })

  refuses("more taps than are possible", GRID .. [=[
field { "u", "v" }
local taps = {}
for i = 0, 4096 do taps[#taps + 1] = { i % 64 - 32, i // 64 - 32, 1 } end
operator { "a", taps = taps }
kernel { "k", [[ u = a(v) ]] }]=], {
    "6:17: found 4097 taps, at most 4096 are possible",
  })
end)

describe("declarations", function()
  refuses("weights that cannot be", GRID .. [=[
field { "u", "v" }
operator { "b", derivative = 1, offsets = { 0, 1 }, weights = { 1, 1 } }
operator { "c", derivative = 1, offsets = { 0, 1 }, weights = { "v", 1 } }
operator { "f", derivative = 1, staggered = true, offsets = { 0, 1 } }
kernel { "k", [[ u = b(v, x) + c(v, x) ]] }]=], {
    "4:53: derivative 1 of x^0 comes out as 2, wanted 0",
    "5:66: found a formula of fields, wanted one of numbers, params "
      .. "and scalars",
    "6:33: 'staggered' goes with 'order': 'offsets' say themselves "
      .. "where the points are",
  })

  refuses("a setup kernel with an order of points", GRID .. [=[
field { "c", constant = true }
kernel { "b", sweep = "x up", setup = true, [[ c = 1 ]] }]=], {
    "4:31: a setup kernel takes no 'sweep' and no 'colours'",
  })

  refuses("bounds of regions", GRID .. [=[
field { "u" }
scalar { "s" }
param { "m", default = 1 }
region { "c", shell = "s" }
region { "d", x = { "1/2", "m + q" } }
region { "e", x = { "n/s", "u + sqrt(2)" } }
region { "f", q = { 0, 1 } }
region { "g", shell = { k = { 1, 2 } } }
region { "h", shell = "-m" }
levels { "k" }
kernel { "step", [[ u = 1 ]] }]=], {
    "6:24: 's' is no whole number, wanted a scalar of type \"int\"",
    "7:23: found a fraction, wanted a whole bound",
    "7:33: 'q' is not declared; bounds are made of n, numbers, params "
      .. "and int scalars",
    "8:24: 's' is no whole number, wanted a scalar of type \"int\"",
    "8:29: 'u' is a field; bounds are made of n, numbers, params and "
      .. "int scalars",
    "8:33: bounds are made of n, numbers, params and int scalars with "
      .. "+ - *",
    "9:15: 'q' is not declared, wanted an axis",
    "10:15: 'k' is a level axis, wanted an axis",
    "11:24: found -1, wanted a width from 0",
  })

  refuses("domains of tables and lists", [=[
precision { "float" }
domain { "v", "e" }
neighbours { "b", from = "v", to = "w", count = 2 }
neighbours { "f", from = "v", to = "e", count = 2 }
neighbours { "g", from = "e", to = "e", count = 2 }
neighbours { "r", from = "e", to = "e", ragged = true }
neighbours { "i", through = { "g", "f" }, count = 3, pattern = { { 0 } } }
neighbours { "j", through = { "f", "r" }, count = 3, pattern = { { 0 } } }
neighbours { "l", through = { "f", "g" }, count = 3, pattern = { { 0, 1 } } }
neighbours { "m", through = { "f", "g" }, count = 3,
  pattern = { { 0, 1 }, { 2 } } }
neighbours { "n", through = { "f", "g" }, count = 3,
  pattern = { { 0, 1 }, { 2, 3 } } }
neighbours { "h", through = { "f", "g" }, count = 3,
  pattern = { { 0, 1 }, { 2, 2 } } }
neighbours { "o", through = { "h", "g" }, count = 3, pattern = { { 0 } } }
neighbours { "p", through = { "f", "g" }, count = 3,
  pattern = { { 0, 2 }, { 2, 0 } } }
list { "t", of = "x" }
field { "u", on = { "v" } }
kernel { "k", [[ u = sum(z in b, 1) + sum(z in f, 1) ]] }
request { "q", t = [[ u += 1 ]] }]=], {
    "3:31: 'w' is not declared, wanted a domain",
    "7:19: 'g' leads to e, but 'f' starts at v",
    "8:19: 'r' is ragged, wanted a table with a fixed count that is "
      .. "not composed itself",
    "9:54: the pattern has 1 row, wanted 2: the slots of 'f'",
    "11:3: row 2 of the pattern has 1 target, wanted 2: the slots of "
      .. "'g'",
    "13:3: the pattern names target 3, but the count is 3: targets are "
      .. "0 to 2",
    "16:19: 'h' is composed, wanted a table with a fixed count that is "
      .. "not composed itself",
    "18:3: the pattern does not name target 1, and the count is 3",
    "19:13: 'x' is not declared, wanted a domain",
  })

  refuses("16-bit arithmetic", [=[
precision { "half", compute = "half" }
grid { "x" }
field { "u" }
kernel { "k", compute = "bfloat16", [[ u = 1 ]] }]=], {
    "1:21: found compute = \"half\", wanted \"float\" or \"double\": "
      .. "16-bit types are for storage",
    "4:15: found compute = \"bfloat16\", wanted \"float\" or "
      .. "\"double\": 16-bit types are for storage",
  })

  refuses("keys of fields that exclude each other", [=[
precision { "float" }
grid { "x" }
field { "a", constant = true, time = { 0, 1 } }
field { "b", temporary = true, constant = true }
field { "c", packed = true }
kernel { "k", [[ a.next = b + c ]] }]=], {
    "3:14: a field cannot have both 'constant' and 'time'",
    "4:14: a field cannot have both 'temporary' and 'constant'",
    "5:14: 'packed' interleaves the names of one declaration, wanted "
      .. "two or more",
    "6:18: 'a' is constant: only a setup kernel can assign it",
  })

  refuses("more spaces than are possible", [=[
precision { "float" }
grid { "x" }
domain { "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9", "d10" }
domain { "d11", "d12", "d13", "d14", "d15", "d16" }
field { "u" }
kernel { "k", [[ u = 1 ]] }]=], {
    "4:46: 'd16' is one too many: at most 16 axes, levels and domains",
  })

  refuses("more fields than are possible", [=[
precision { "float" }
grid { "x" }
local sum = {}
for i = 1, 512 do
  field { "f" .. i }
  sum[i] = "f" .. i
end
field { "u" }
kernel { "k", "u = " .. table.concat(sum, " + ") }]=], {
    "8:10: 'u' is one field too many: at most 512",
  })

  refuses("boundaries", GRID .. [=[
field { "u", "v" }
field { "p", on = { "x" } }
boundary { "p", y = "halo" }
boundary { "w", x = "halo" }
boundary { "u", q = "halo" }
boundary { "u", x = "periodic", y = { "constant", value = "v" } }
boundary { "u", x = "halo" }
kernel { "k", [[ u = v + p ]] }]=], {
    "5:17: 'p' does not lie on 'y'",
    "6:13: 'w' is not declared, wanted a field",
    "7:17: 'q' is not declared, wanted an axis or a level axis",
    "8:60: found a formula of fields, wanted one of numbers, params "
      .. "and scalars",
    "9:17: the boundary of 'u' along 'x' is declared twice",
  })

  refuses("scalars and values of boundaries", GRID .. [=[
field { "u", "v" }
boundary { "v", x = { "constant", value = "2*s" } }
boundary { "u", y = { "even", about = "face", slope = "x" } }
kernel { "k", [[ u = v ]] }]=], {
    "4:46: 's' is not declared, wanted a scalar or a param",
    "5:56: 'x' is an axis, wanted a number",
  })
end)
