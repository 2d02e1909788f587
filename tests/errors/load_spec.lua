-- Everything that load refuses: the message, its line and column, the caret.

local sandbox = require "gen.spec.sandbox"
local specs = require "tests.specs"

local HEAD = 'precision { "float" }\n'

-- The text behind HEAD is refused with these entries; lines count from HEAD.
local function refuses(text, entries, set)
  local whole = HEAD .. text
  local decls, problems = specs.load(whole, set)
  assert.is_nil(decls)
  assert.are.equal(specs.expected(whole, entries), specs.printed(problems))
end

local function test(what, text, entries, set)
  it(what, function() refuses(text, entries, set) end)
end

describe("keys", function()
  test("an unknown key names the nearest", 'field { "u", tmie = { 0, 1 } }',
    { "2:14: field has no key 'tmie'; did you mean 'time'?" })
  test("an unknown key far from any lists all", 'scalar { "a", zzzzz = 1 }',
    { "2:15: scalar has no key 'zzzzz'; its keys: per, range, type" })
  test("a constructor without keys says so", 'domain { "v", size = 3 }',
    { "2:15: domain has no key 'size'; its keys: none" })
  test("a key in brackets has the place of the call",
    'field { "u", ["tmie"] = 1 }',
    { "2:1: field has no key 'tmie'; did you mean 'time'?" })
  test("a key behind brackets of every kind",
    'field { "u", at = { ["x"] = (1/2) }, tmie = 1 } field { "v", tiem = 1 }',
    { "2:38: field has no key 'tmie'; did you mean 'time'?",
      "2:62: field has no key 'tiem'; did you mean 'time'?" })
  test("a key that is no word", 'field { "u", [true] = 1 }',
    { "2:1: field: found the key true, wanted a name" })
  test("a hole between names", 'field { "u", nil, "v" }',
    { "2:1: field: found the key 3, wanted a name" })
  test("a missing default", 'local R = param { "R" }',
    { "2:11: param wants the key 'default'" })
  test("a missing domain of a list", 'list { "l" }',
    { "2:1: list wants the key 'of'" })
  test("a misspelt kernel key beside a formula",
    'kernel { "k", swep = "k up", [[ u = 1 ]] }',
    { "2:15: found 'swep' beside a formula for all points, wanted one or the "
      .. "other; did you mean 'sweep'?" })
end)

describe("types", function()
  local cases = {
    { "on", '"x"', 'found "x", wanted a list of names { "x", .. }' },
    { "at", "{ x = 1/3 }",
      "found { x = 0.33333333333333 }, wanted half steps per axis { x = 1/2 }" },
    { "at", "{ x = 1/2, 1 }", "found a table, wanted half steps per axis { x = 1/2 }" },
    { "extra", "{ k = -1, j = 2 }",
      "found { j = 2, k = -1 }, wanted whole numbers from 0 on per axis { x = 1 }" },
    { "halo", "3", "found 3, wanted whole numbers from 0 on per axis { x = 1 }" },
    { "halo", "{ x = -1 }", "found { x = -1 }, wanted whole numbers from 0 on per axis { x = 1 }" },
    { "time", "{ 0, 2 }", "found { 0, 2 }, wanted consecutive levels "
      .. "from -9 .. 0 to 0 or 1, as { -1, 0, 1 }" },
    { "time", "{ -10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0 }",
      "found a table, wanted consecutive levels "
      .. "from -9 .. 0 to 0 or 1, as { -1, 0, 1 }" },
    { "time", "{ 1 }", "found { 1 }, wanted consecutive levels "
      .. "from -9 .. 0 to 0 or 1, as { -1, 0, 1 }" },
    { "buffers", "0", "found 0, wanted a whole number, at least 1" },
    { "buffers", "1.5", "found 1.5, wanted a whole number, at least 1" },
    { "type", '"flot"', 'found "flot", wanted "float", "double", "half", '
      .. "\"bfloat16\" or \"int\"; did you mean 'float'?" },
    { "constant", "1", "found 1, wanted true or false" },
    { "temporary", '"yes"', 'found "yes", wanted true or false' },
    { "only", "{}", "found an empty table, wanted a name" },
    { "packed", "function() end", "found a function, wanted true or false" },
    { "range", "{ 2, 1 }",
      "found { 2, 1 }, wanted two numbers { low, high }, low not above high" },
    { "range", "{ 0, 1/0 }", "found a table, wanted two numbers "
      .. "{ low, high }, low not above high" },
    { "range", "{ 0/0, 1 }", "found a table, wanted two numbers "
      .. "{ low, high }, low not above high" },
  }
  for _, case in ipairs(cases) do
    local key, value, message = table.unpack(case)
    test(("field: %s = %s"):format(key, value),
      ('field { "u", %s = %s }'):format(key, value),
      { ("2:14: '%s': %s"):format(key, message) })
  end
  test("grid: a spacing that is not positive",
    'grid { "x", spacing = { 0 } }',
    { "2:13: 'spacing': found { 0 }, wanted a list of names or positive "
      .. "numbers" })
  test("grid: no dims", 'grid { "x", dims = 0 }',
    { "2:13: 'dims': found 0, wanted a whole number, at least 1" })
  test("scalar: of another type", 'scalar { "a", type = "float" }',
    { "2:15: 'type': found \"float\", wanted \"int\" or \"double\"" })
  test("scalar: per what", 'scalar { "a", per = "step" }',
    { "2:15: 'per': found \"step\", wanted \"request\"" })
  test("neighbours: another skip value",
    'neighbours { "t", from = "a", to = "b", count = 3, skip = 1 }',
    { "2:52: 'skip': found 1, wanted -1 or 0" })
  test("neighbours: a pattern of names", 'neighbours { "t", through = '
    .. '{ "a", "b" }, count = 2, pattern = { { "a" } } }',
    { "2:54: 'pattern': found a table, wanted a list of lists of whole "
      .. "numbers from 0" })
  test("neighbours: through one table",
    'neighbours { "t", through = { "a" }, count = 2 }',
    { "2:19: 'through': found { \"a\" }, wanted a list of two names or more" })
  test("operator: a third of a point",
    'operator { "d", derivative = 1, offsets = { 0, 1/3 } }',
    { "2:33: 'offsets': found { 0, 0.33333333333333 }, wanted a list of whole "
      .. "or half numbers" })
  test("operator: taps without a weight", 'operator { "d", taps = { { 1 } } }',
    { "2:17: 'taps': found a table, wanted a list of entries "
      .. "{ i, j, .., weight }" })
  test("operator: an order that is none",
    'operator { "d", derivative = 1, order = { 2, 4 } }',
    { "2:33: 'order': found { 2, 4 }, wanted a whole number, or one per axis "
      .. "{ x = 4 }" })
  test("a derivative of order 2 * radius, of radius 0",
    'local R = 0 operator { "dd", derivative = 2, order = 2 * R }',
    { "2:46: 'order': found 0, wanted a whole number, or one per axis "
      .. "{ x = 4 }" })
  test("region: rest = false", 'region { "r", rest = false }',
    { "2:15: 'rest': found false, wanted true" })
  test("region: one bound", 'region { "r", x = { 0 } }',
    { "2:15: 'x': found { 0 }, wanted two bounds { low, high }" })
  test("region: a shell of one bound", 'region { "r", shell = { x = { 1 } } }',
    { "2:15: 'shell': found a table, wanted a width, or two per axis "
      .. "{ x = { low, high } }" })
  test("kernel: a sweep sideways",
    'kernel { "k", sweep = "k left", [[ u = 1 ]] }',
    { "2:15: 'sweep': found \"k left\", wanted \"<axis> up\" or "
      .. "\"<axis> down\"" })
  test("kernel: arithmetic in whole numbers",
    'kernel { "k", compute = "int", [[ u = 1 ]] }',
    { "2:15: 'compute': found \"int\", wanted \"float\" or \"double\"" })
  test("kernel: a formula that is a table", 'kernel { "k", { 1 } }',
    { "2:1: found no formula, wanted one",
      "2:1: found { 1 }, wanted a formula" })
  test("kernel: a region's formula that is a table",
    'kernel { "k", inner = { 1 } }',
    { "2:15: 'inner': found { 1 }, wanted a formula" })
  test("precision: an unknown one", 'grid { "x" } precision { "duoble" }',
    { "2:14: precision is declared twice",
      "1:1: note: the first declaration is here",
      "2:27: precision: found \"duoble\", wanted "
      .. "\"float\", \"double\", \"half\" or \"bfloat16\"; did you mean "
      .. "'double'?" })
  test("a text where a table is wanted", 'field "u"',
    { '2:1: field: found "u", wanted field { "name", .. }' })
  test("nothing where a table is wanted", "field()",
    { '2:1: field: found nil, wanted field { "name", .. }' })
  test("two tables where one is wanted", 'field({ "u" }, { "v" })',
    { "2:1: field: found 2 values, wanted one" })
  test("define without a text", "define { 1 }",
    { "2:1: define: found { 1 }, wanted a text [[ .. ]]" })
  test("a constructor's tables that never end",
    "local t = {} t.t = t\nfield(t)",
    { "3:1: a constructor takes tables at most 8 deep" })
  test("a table as key", "field { [{}] = 1 }",
    { "2:1: found a key that is a table, wanted a name" })
end)

describe("the number of names", function()
  test("none", "field { }", { "2:1: field: found 0 names, wanted at least 1" })
  test("too many", 'operator { "a", "b", taps = { { 1, 1 } } }',
    { "2:1: operator: found 2 items, wanted at most 1" })
  test("a chain of nothing", 'fuse { "a" }',
    { "2:1: fuse: found 1 names, wanted at least 2" })
  test("a kernel with two formulas", 'kernel { "k", "u = 1", "v = 1" }',
    { "2:1: kernel: found 3 items, wanted at most 2" })
end)

describe("names", function()
  local function named(what, name, message)
    test(what, ('field { "%s" }'):format(name), { "2:10: " .. message })
  end
  named("a digit first", "9a",
    "found '9a', wanted a name: letters, digits and _, a letter first")
  named("an underscore first", "_a",
    "found '_a', wanted a name: letters, digits and _, a letter first")
  named("a blank", "a b",
    "found 'a b', wanted a name: letters, digits and _, a letter first")
  named("an empty name", "",
    "found '', wanted a name: letters, digits and _, a letter first")
  named("letters beyond ASCII", "größe",
    "found 'größe', wanted a name: letters, digits and _, a letter first")
  named("41 letters", ("a"):rep(41), "the name '" .. ("a"):rep(41)
    .. "' has 41 letters; at most 40 are allowed")
  for _, word in ipairs { "in", "and", "or", "not", "sum", "axes" } do
    named("the word " .. word, word,
      ("'%s' is a word of the formula language"):format(word))
  end
  for _, word in ipairs { "abs", "sqrt", "exp", "log", "sin", "cos", "tan",
    "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "erf", "erfc",
    "floor", "ceil", "sign", "pow", "min", "max", "where", "same" } do
    named("the function " .. word, word,
      ("'%s' is a function of the formula language"):format(word))
  end
  test("a number", "field { 3 }", { "2:1: field: found 3, wanted a name" })
  test("declared twice", 'field { "u" }\nscalar { "v", "u" }',
    { "3:16: 'u' is declared twice",
      "2:10: note: the first declaration is here" })
  test("declared twice in the same words", 'field { "u" }\nfield { "u" }',
    { "3:10: 'u' is declared twice",
      "2:10: note: the first declaration is here" })
  test("a spacing like a field",
    'grid { "x", spacing = { "h" } }\nfield { "h" }',
    { "3:10: 'h' is declared twice",
      "2:26: note: the first declaration is here" })
  test("that differ by case only", 'field { "u" }\nkernel { "U", "u = 1" }',
    { "3:11: 'U' differs from 'u' by case only",
      "2:10: note: the first declaration is here" })
  test("of regions that kernels use as keys", 'region { "sweep", rest = true }',
    { "2:11: 'sweep' is a key of kernels: a region needs another name" })
  test("of lists that kernels use as keys", 'list { "setup", of = "p" }',
    { "2:9: 'setup' is a key of kernels: a list needs another name" })
  test("grid twice", 'grid { "x" }\ngrid { "y" }',
    { "3:1: grid is declared twice",
      "2:1: note: the first declaration is here" })
end)

describe("keys that need or exclude each other", function()
  test("more dims than axes", 'grid { "x", dims = 2 }',
    { "2:13: found dims = 2, but 1 axis is named" })
  test("too few spacings", 'grid { "x", "y", spacing = { "h" } }',
    { "2:18: found 1 spacings for 2 axes" })
  test("too many spacings", 'grid { "x", spacing = { "h", "g" } }',
    { "2:13: found 2 spacings for 1 axes" })
  test("a table from nowhere", 'neighbours { "t", to = "b", count = 3 }',
    { "2:1: the table wants 'from'" })
  test("a table without a count", 'neighbours { "t", from = "a", to = "b" }',
    { "2:1: the table wants 'count', or ragged = true" })
  test("a ragged table with a count",
    'neighbours { "t", from = "a", to = "b", count = 2, ragged = true }',
    { "2:41: a ragged table has no 'count'" })
  test("an affine table with missing neighbours",
    'neighbours { "t", from = "a", to = "b", count = 2, affine = true, skip = 0 }',
    { "2:67: an affine table has no 'skip': its entries are base + a*row + "
      .. "b*slot" })
  test("an affine table that is ragged",
    'neighbours { "t", from = "a", to = "b", ragged = true, affine = true }',
    { "2:41: an affine table has no 'ragged': its entries are base + a*row + "
      .. "b*slot" })
  test("a pattern without tables",
    'neighbours { "t", from = "a", to = "b", count = 2, pattern = {{0}} }',
    { "2:52: only a table 'through' others has a pattern" })
  test("a composed table with a domain",
    'neighbours { "t", through = { "a", "b" }, from = "c" }',
    { "2:43: a table 'through' others has no 'from'" })
  test("a composed table without a count",
    'neighbours { "t", through = { "a", "b" } }',
    { "2:1: a table 'through' others wants 'count'" })
  test("a pattern of three tables",
    'neighbours { "t", through = { "a", "b", "c" }, count = 2, pattern = '
      .. '{ { 0 } } }',
    { "2:59: a pattern is of two tables, 'through' names 3" })
  test("an operator of nothing", 'operator { "d" }',
    { "2:1: the operator wants 'derivative' or 'taps'" })
  test("a silent order", 'operator { "d", derivative = 1 }',
    { "2:1: the operator wants 'order' or 'offsets'" })
  test("order and offsets",
    'operator { "d", derivative = 1, order = 2, offsets = { 0, 1 } }',
    { "2:44: found both 'order' and 'offsets', wanted one of them" })
  test("weights without offsets",
    'operator { "d", derivative = 1, order = 2, weights = { 0, 1 } }',
    { "2:44: 'weights' want 'offsets'" })
  test("more weights than offsets",
    'operator { "d", derivative = 1, offsets = { 0 }, weights = { 0, 1 } }',
    { "2:50: found 2 weights for 1 offsets" })
  test("taps with an order",
    'operator { "d", taps = { { 1, 1 } }, order = 2 }',
    { "2:38: an operator with 'taps' has no 'order'" })
  test("a region of nothing", 'region { "r" }',
    { "2:1: the region wants 'shell', ranges of axes, or rest = true: none "
      .. "is given" })
  test("a region of two kinds", 'region { "r", rest = true, shell = 2 }',
    { "2:1: the region wants 'shell', ranges of axes, or rest = true: one "
      .. "of them only" })
  test("a kernel without a formula", 'kernel { "k" }',
    { "2:1: found no formula, wanted one" })
  test("a sweep in colours",
    'kernel { "k", sweep = "k up", colours = { "x % 2" }, "u = 1" }',
    { "2:15: found both 'sweep' and 'colours', wanted one of them" })
end)

describe("boundaries", function()
  local KINDS = "wanted a kind of boundary: constant, even, halo, odd, periodic"
  test("an unknown kind", 'boundary { "u", x = "peridic" }',
    { "2:17: 'x': found 'peridic', " .. KINDS
      .. "; did you mean 'periodic'?" })
  test("a table without a kind", 'boundary { "u", x = { value = 1 } }',
    { "2:17: 'x': found a table without one, " .. KINDS })
  test("a number", 'boundary { "u", x = 1 }',
    { "2:17: 'x': found a number, " .. KINDS })
  test("a key of another kind", 'boundary { "u", x = { "halo", value = 1 } }',
    { "2:17: 'x': a boundary 'halo' has no 'value'" })
  test("even about nothing", 'boundary { "u", x = { "even" } }',
    { "2:17: 'x': a boundary 'even' wants about = \"point\" or \"face\"" })
  test("a value that is a table",
    'boundary { "u", x = { "constant", value = {} } }',
    { "2:17: 'x': 'value': found a table, wanted a formula" })
  test("periodic at one end", 'boundary { "u", x = { low = "periodic" } }',
    { "2:17: 'x': a periodic axis is periodic on both sides" })
  test("a third side",
    'boundary { "u", x = { low = "halo", hgih = "halo" } }',
    { "2:17: 'x': found 'hgih' beside 'low' and 'high'" })
  test("no axis", 'boundary { "u" }', { "2:1: the boundary names no axis" })
end)

describe("params", function()
  test("a default below min", 'param { "R", default = 0, min = 1 }',
    { "2:14: the default of 'R' is 0, wanted at least 1" })
  test("a default above max", 'param { "R", default = 9, max = 8 }',
    { "2:14: the default of 'R' is 9, wanted at most 8" })
  test("a default that is none of the values",
    'param { "R", default = 3, values = { 1, 2 } }',
    { "2:14: the default of 'R' is 3, wanted one of 1, 2" })
  test("values of another type",
    'param { "R", default = 3, values = { "a" } }',
    { "2:27: the values and the default are of different types" })
  test("min above max", 'param { "R", default = 3, min = 4, max = 2 }',
    { "2:27: min 4 is above max 2" })
  test("min for a text", 'param { "R", default = "a", min = 4 }',
    { "2:29: 'min' needs a number as default" })
  test("values with min", 'param { "R", default = 1, min = 0, values = { 1 } }',
    { "2:36: wanted either 'values' or 'min' and 'max'" })
  test("a default that could be a path", 'param { "R", default = "../x" }',
    { "2:14: the default of 'R' is ../x, wanted at most 40 letters, digits, "
      .. "_ . + or -" })
  test("a short that is no name",
    'param { "R", default = 1, short = "a/b" }',
    { "2:10: short: found 'a/b', wanted a name or \"\"" })

  local R = 'local R = param { "radius", default = 4, min = 1, max = 8 }\n'
  test("--set above max", R,
    { "2:11: --set radius=9: found 9, wanted at most 8" }, { radius = "9" })
  test("--set of no number", R,
    { "2:11: --set radius=x: found x, wanted a number" }, { radius = "x" })
  test("--set of nothing", R,
    { "2:11: --set radius=: found nothing, wanted a number" }, { radius = "" })
  test("--set of half a point", R,
    { "2:11: --set radius=1.5: found 1.5, wanted a whole number" },
    { radius = "1.5" })
  test("--set of infinity", R,
    { "2:11: --set radius=1e999: found 1e999, wanted a number" },
    { radius = "1e999" })
  test("--set of no boolean", 'param { "B", default = true }',
    { "2:1: --set B=1: found 1, wanted true or false" }, { B = "1" })
  test("--set of none of the values",
    'param { "T", default = "a", values = { "a", "b" } }',
    { "2:1: --set T=c: found c, wanted one of a, b" }, { T = "c" })
  test("--set of an unknown param names the nearest", R,
    { "--set raduis: the spec has no such param; did you mean 'radius'?" },
    { raduis = "2" })
  test("--set of an unknown param lists them", R,
    { "--set zzz: the spec has no such param; its params: radius" },
    { zzz = "2" })
end)

describe("include", function()
  local function refused(name)
    return ("include: found '%s', wanted a file in this folder or below it")
      :format(name)
  end
  test("a folder above", 'include "../a.lua"',
    { "2:10: " .. refused "../a.lua" })
  test("a folder above, inside", 'include "a/../../b.lua"',
    { "2:10: " .. refused "a/../../b.lua" })
  test("an absolute path", 'include "/etc/passwd"',
    { "2:10: " .. refused "/etc/passwd" })
  it("a file that is not there", function()
    local _, problems = specs.load(HEAD .. 'include "no.lua"')
    assert.are.equal("s.lua:2:10: cannot read 'no.lua'\n"
      .. '    include "no.lua"\n             ^\n', specs.printed(problems))
  end)
  it("errors in an included file have its name and line", function()
    local _, problems = specs.load { ["s.lua"] = HEAD .. 'include "a/b.lua"',
      ["a/b.lua"] = 'field { "u" }\nfield { "u" }\nscalar { "dt" } oops()' }
    assert.are.equal([[
a/b.lua:2:10: 'u' is declared twice
    field { "u" }
             ^
a/b.lua:1:10: note: the first declaration is here
    field { "u" }
             ^
a/b.lua:3:17: unknown name 'oops'
    scalar { "dt" } oops()
                    ^
]], specs.printed(problems))
  end)
end)

describe("errors of the spec's Lua", function()
  test("syntax", 'field { "u" \nfield { "v" }',
    { "3:13: '}' expected (to close '{' at line 2) near 'field'" })
  test("an unknown name", 'feild { "u" }',
    { "2:1: unknown name 'feild'; did you mean 'field'?" })
  test("an assignment to a global", "local a = 1\n  Radius = 4",
    { "3:3: found an assignment to 'Radius', which is not declared: "
      .. "wanted 'local'" })
  test("arithmetic on nothing", "local a\nlocal b = 2 + a",
    { "3:15: attempt to perform arithmetic on a nil value (local 'a')" })
  test("error", 'local x = 1\n  error("no such scheme")',
    { "3:3: no such scheme" })
  test("error with a level, in the caller",
    'local function f()\n  error("bad use", 2)\nend\n  f()',
    { "5:3: bad use" })
  test("error with a level that has no caller", 'error("bad use", 2)',
    { "2:1: bad use" })
  test("error without anything", "error()",
    { "2:1: the spec raised an error that is no text, but nil" })
  test("a library function used wrongly", "table.insert(nil, 1)",
    { "2:1: insert: wanted a table, found nil" })
  test("rep of no number of times", 'string.rep("x", 0/0)',
    { "2:1: rep: wanted a whole number" })
  test("what Lua's own library says", "string.char(256)",
    { "2:8: bad argument #1 to 'char' (value out of range)" })
  test("assert inside a function",
    'local function f(x)\n  assert(x > 1, "too small")\nend\nf(0)',
    { "3:3: too small" })
  test("an error that is no text", "error({})",
    { "2:1: the spec raised an error that is no text, but a table" })
  test("a function that calls itself for ever",
    "local function f() return 1 + f() end\nf()",
    { "2:1: the spec calls functions too deeply" })
  test("brackets too deep for Lua",
    "local t = " .. ("{"):rep(300) .. "\n" .. ("}"):rep(300),
    { "the spec nests too deeply" })
  for _, name in ipairs { "pcall", "xpcall", "load", "require", "io", "os",
    "debug", "coroutine", "setmetatable", "getmetatable", "rawset", "next",
    "print", "dofile", "collectgarbage", "package", "utf8", "_G" } do
    it("there is no " .. name, function()
      local _, problems = specs.load(HEAD .. "local x = " .. name)
      assert.matches("^s.lua:2:11: unknown name '" .. name .. "'",
                     specs.printed(problems))
    end)
  end
  for _, call in ipairs { "string.gsub", "string.find", "string.match",
    "string.gmatch", "string.dump", "string.pack", "math.random",
    "math.randomseed", "table.move" } do
    local library, name = call:match("(%a+)%.(%a+)")
    test("there is no " .. call, ("local f = %s.%s"):format(library, name),
      { ("2:%d: %s has no '%s' in a spec"):format(12 + #library, library,
                                                 name) })
  end
  test("no pattern methods either", 'local s = ("x"):gsub("x", "y")',
    { "2:17: string has no 'gsub' in a spec" })
  test("no addresses from tostring", "tostring({})",
    { "2:1: a table has no text" })
  test("no addresses from %s", 'local s = ("%s"):format(print_it or {})',
    { "2:25: unknown name 'print_it'" })
  test("no addresses from %s of a table", 'local s = ("%s"):format({})',
    { "2:1: a table has no text" })
  test("no addresses from %p", 'local s = ("%p"):format({})',
    { "2:1: format: %p is not allowed" })
  test("fill of a name without a value", 'fill("a $b", { c = 1 })',
    { "2:10: fill: the text names $b, but the values have no 'b'" })
  test("fill of a dollar alone", 'fill("a $", {})',
    { "2:1: fill: a $ without a name" })
  test("what was noted before is reported too",
    'field { "u", tmie = 1 }\nlocal a = nil + 1',
    { "2:14: field has no key 'tmie'; did you mean 'time'?",
      "3:1: attempt to perform arithmetic on a nil value" })
end)

describe("budgets", function()
  -- The same as test, with less to use up.
  local function test_small(what, text, entries)
    it(what, function()
      local instructions, megabytes = sandbox.INSTRUCTIONS, sandbox.MEGABYTES
      sandbox.INSTRUCTIONS, sandbox.MEGABYTES = 1000000, 32
      local ok, problem = pcall(refuses, text, entries)
      sandbox.INSTRUCTIONS, sandbox.MEGABYTES = instructions, megabytes
      assert(ok, problem)
    end)
  end

  it("are what a spec may need, and no more", function()
    assert.same({ 10000000, 256 }, { sandbox.INSTRUCTIONS, sandbox.MEGABYTES })
  end)
  test_small("a loop for ever", "while true do end",
    { "2:1: the spec ran for more than 1000000 instructions" })
  test("a string that doubles", 'local s = "x"\nwhile true do s = s .. s end',
    { "3:1: the spec used more than 256 MB" })
  test_small("a table that grows",
    'local t, s = {}, ("x"):rep(1000)\nfor i = 1, 1e9 do t[i] = s .. i end',
    { "3:1: the spec used more than 32 MB" })
  test("declarations that never end",
    'local i = 0\nwhile true do\n  field { "f" .. i, time = { 0, 1 } }\n'
    .. '  i = i + 1\nend',
    { "4:3: the spec declares more than 100000 values" })
  test("rep, capped", 'local s = ("x"):rep(1e12)',
    { "2:1: rep: the result would be longer than 1048576 bytes" })
  test("rep of much, capped", 'local s = ("xy"):rep(1 << 20)',
    { "2:1: rep: the result would be longer than 1048576 bytes" })
  test("format of much, capped",
    'local s = ("x"):rep(1 << 20)\nlocal t = ("%s"):format(s)',
    { "3:1: format: the result would be longer than 1048576 bytes" })
  test("concat of much, capped",
    'local t = {}\nfor i = 1, 20 do t[i] = ("x"):rep(1 << 20) end\n'
    .. 'local s = table.concat(t)',
    { "4:1: concat: the result would be longer than 16777216 bytes" })
  test("unpack of much, capped", "table.unpack({}, 1, 1e6)",
    { "2:1: unpack: more than 10000 values" })
  test_small("work inside the library counts",
    'local s = ("x"):rep(1 << 20)\nwhile true do s:lower() end',
    { "3:1: the spec ran for more than 1000000 instructions" })
  it("more than 20 problems are counted, not shown", function()
    local text = HEAD .. ('field { "1" }\n'):rep(23)
    local _, problems = specs.load(text)
    local printed = specs.printed(problems)
    local _, shown = printed:gsub("wanted a name", "")
    assert.are.equal(20, shown)
    assert.matches("\n3 more not shown\n$", printed)
  end)
end)

describe("the file", function()
  it("no precision", function()
    local _, problems = specs.load('grid { "x" }')
    assert.are.equal("s.lua:1:1: the spec declares no precision\n    grid { \"x\" }\n    ^\n",
                     specs.printed(problems))
  end)
  it("no such file", function()
    local _, problems = require("gen.spec").load { spec = "no/such.lua" }
    assert.are.equal("no/such.lua: cannot read 'no/such.lua'\n",
                     specs.printed(problems))
  end)
  it("a folder", function()
    local _, problems = require("gen.spec").load { spec = "tests" }
    assert.are.equal("tests: cannot read 'tests'\n", specs.printed(problems))
  end)
  it("a name that is no name", function()
    local _, problems = specs.with_files({ ["a-b.lua"] = HEAD }, function(dir)
      return require("gen.spec").load { spec = dir .. "/a-b.lua" }
    end)
    assert.are.equal("a-b.lua: the spec is named after its file: found 'a-b', "
      .. "wanted a name: letters, digits and _, a letter first\n",
      specs.printed(problems))
  end)
  it("a name of a shared header", function()
    local names = { "Quern_ABI" }
    for header in pairs(require "gen.headers") do names[#names + 1] = header:match("^(.*)%.h$") end
    for _, name in ipairs(names) do
      local _, problems = specs.with_files({ [name .. ".lua"] = HEAD }, function(dir)
        return require("gen.spec").load { spec = dir .. "/" .. name .. ".lua" }
      end)
      assert.are.equal(("%s.lua: the spec is named after its file: '%s' is a header that all "
        .. "specs share\n"):format(name, name), specs.printed(problems))
    end
  end)
  it("a file too long", function()
    local _, problems = specs.load(HEAD .. ("-"):rep(1 << 20))
    assert.are.equal("s.lua: 's.lua' is longer than 1048576 bytes\n",
                     specs.printed(problems))
  end)
end)
