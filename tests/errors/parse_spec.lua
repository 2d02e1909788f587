-- Everything that parse refuses: what was found and wanted, line, column,
-- caret. Positions are those in the spec, whatever way a formula got there.

local specs = require "tests.specs"

local HEAD = 'precision { "float" }\n'

local function refuses(text, entries)
  local whole = HEAD .. text
  local decls, problems = specs.parse(whole)
  assert.is_nil(decls)
  assert.are.equal(specs.expected(whole, entries), specs.printed(problems))
end

local function test(what, text, entries)
  it(what, function() refuses(text, entries) end)
end

-- One formula in a kernel: `column` is that in the formula, from 1.
local function formula(text, column, message)
  test(text, ('kernel { "k", [=[%s]=] }'):format(text),
    { ("2:%d: %s"):format(17 + column, message) })
end

local function definition(text, column, message)
  test(text, ("define [[%s]]"):format(text),
    { ("2:%d: %s"):format(9 + column, message) })
end

local EXPRESSION = "wanted an expression"

describe("statements", function()
  formula("", 1, "found the end of the formula, wanted a field or a local")
  formula("u", 2, "found the end of the formula, wanted '=' or '+='")
  formula("u =", 4, "found the end of the formula, " .. EXPRESSION)
  formula("u = ", 4, "found the end of the formula, " .. EXPRESSION)
  formula("u = -- none", 4, "found the end of the formula, " .. EXPRESSION)
  formula("3 = u", 1, "found '3', wanted a field or a local")
  formula("u - 1 = 2", 3, "found '-', wanted '=' or '+='")
  formula("u = 1 2", 7, "found '2', wanted an operator or a new statement")
  formula("u = 1)", 6, "found ')', wanted an operator or a new statement")
  formula("u = 1 v", 8, "found the end of the formula, wanted '=' or '+='")
  formula("u == 1", 3, "found '==', wanted '=' or '+='")
  formula("sqrt = 1", 1, "found 'sqrt', wanted a field or a local")
  formula("u[x+1] = 1", 2, "found '[', wanted '=' or '+='")
  formula("u += 1", 1, "'+=' adds in a request only; here wanted '='")
  formula("u = 1;", 6, "found ';', wanted an operator or a new statement")
  formula(("v"):rep(41) .. " = 1", 1, "the name '" .. ("v"):rep(41)
    .. "' has 41 letters; at most 40 are allowed")
  formula("u.nxt = 1", 3, "found 'nxt', wanted a time level: next, prev, "
    .. "prev2 .. prev9; did you mean 'next'?")
  formula("u.prev10 = 1", 3, "found 'prev10', wanted a time level: next, "
    .. "prev, prev2 .. prev9; did you mean 'prev'?")
end)

describe("expressions", function()
  formula("u = 2*", 7, "found the end of the formula, " .. EXPRESSION)
  formula("u = * 2", 5, "found '*', " .. EXPRESSION)
  formula("u = (1 + 2", 11,
    "found the end of the formula, wanted an operator or ')'")
  formula("u = ()", 6, "found ')', " .. EXPRESSION)
  formula("u = (1, 2)", 7, "found ',', wanted an operator or ')'")
  formula("u = f()", 7, "found ')', " .. EXPRESSION)
  formula("u = f(1 2)", 9, "found '2', wanted an operator, ',' or ')'")
  formula("u = f(1,)", 9, "found ')', " .. EXPRESSION)
  formula("u = sqrt + 1", 10,
    "found '+', wanted '(' behind the function 'sqrt'")
  formula("u = and", 5, "found 'and', " .. EXPRESSION)
  formula("u = axes", 5, "found 'axes', " .. EXPRESSION)
  formula("u = a < b < c", 11, "found '<', wanted 'and' or 'or': "
    .. "comparisons do not chain")
  formula("u = a == b != c", 12, "found '!=', wanted 'and' or 'or': "
    .. "comparisons do not chain")
  formula("u = a ~= b", 7,
    "found '~', wanted an operator or a new statement")
  formula("u = a ! b", 7, "found '!', wanted an operator or a new statement")
  formula("u = a & b", 7, "found '&', wanted an operator or a new statement")
  formula("u = -", 6, "found the end of the formula, " .. EXPRESSION)
  formula("u = not", 8, "found the end of the formula, " .. EXPRESSION)
  formula("u = $x", 5, "found '$', " .. EXPRESSION)
  formula("u = 'x'", 5, "found ''', " .. EXPRESSION)
  formula("u = _x", 5, "found '_', " .. EXPRESSION)
  formula("u = é", 5, "found the byte 0xc3, " .. EXPRESSION)
  formula("u = \1", 5, "found the byte 0x01, " .. EXPRESSION)
end)

describe("powers", function()
  local WHOLE = "wanted a whole power (pow takes any)"
  formula("u = u^2^3", 8,
    "found '^', wanted an operator: powers do not chain, put brackets")
  formula("u = u^", 7, "found the end of the formula, " .. WHOLE)
  formula("u = u^0.5", 7, "found '0.5', " .. WHOLE)
  formula("u = u^1e2", 7, "found '1e2', " .. WHOLE)
  formula("u = u^+2", 7, "found '+', " .. WHOLE)
  formula("u = u^sqrt(2)", 7, "found 'sqrt', " .. WHOLE)
end)

describe("numbers", function()
  local BETWEEN = "wanted a number, an operator between a number and a name, "
    .. "or a new statement"
  formula("u = 2x", 5, "found '2x', " .. BETWEEN)
  formula("u = 2.x", 5, "found '2.x', " .. BETWEEN)
  formula("u = 2. + 1", 6,
    "found '.', wanted an operator or a new statement")
  formula("u = 1.5.2", 5, "found '1.5.2', " .. BETWEEN)
  formula("u = 0x10", 5, "found '0x10', " .. BETWEEN)
  formula("u = 1e", 5, "found '1e', " .. BETWEEN)
  formula("u = .5", 5, "found '.', " .. EXPRESSION)
  formula("u = 1e401", 5,
    "the exponent 401 is out of range; at most 400 is allowed")
  formula("u = 1e-99999999999999999999", 5, "the exponent "
    .. "-99999999999999999999 is out of range; at most 400 is allowed")
  it("of 401 digits", function()
    local _, problems = specs.parse(HEAD .. 'kernel { "k", "u = '
      .. ("9"):rep(401) .. '" }')
    assert.matches("^s.lua:2:20: a number of 401 digits; at most 400 are "
                   .. "allowed\n", specs.printed(problems))
  end)
end)

describe("places", function()
  local PLACE = "wanted an axis or a place"
  formula("u = u[]", 7, "found ']', " .. PLACE)
  formula("u = u[1]", 7, "found '1', " .. PLACE)
  formula("u = u[x[1]]", 8, "found '[', wanted ',' or ']'")
  formula("u = u[x+1", 10, "found the end of the formula, wanted ',' or ']'")
  formula("u = u[x+]", 9, "found ']', wanted a whole number or a param")
  formula("u = u[x+1.5]", 9, "found '1.5', wanted a whole number or a param")
  formula("u = u[x+1/3]", 11,
    "found '3', wanted 2: shifts are whole or half points")
  formula("u = u[x+R/2]", 10, "found '/', wanted ',' or ']'")
  formula("u = u[x*2]", 8, "found '*', wanted ',' or ']'")
  formula("u = u[x+9999999]", 9,
    "9999999 is too large; at most 1000000 is allowed")
  formula("u = u[x+99999999999999999999]", 9,
    "99999999999999999999 is too large; at most 1000000 is allowed")
  formula("u = u[sqrt]", 7, "found 'sqrt', " .. PLACE)
  formula("u = u[t(]", 9, "found ']', wanted a slot: a whole number or a name")
  formula("u = u[t(0]", 10, "found ']', wanted ',' or ')'")
  formula("u = u[t(e, 0, 1)]", 13, "found ',', wanted ')'")
  formula("u = u[t(0.5)]", 9, "found '0.5', wanted a slot: a whole number")
  formula("u = u]", 6, "found ']', wanted an operator or a new statement")
end)

describe("reductions", function()
  formula("u = sum", 8,
    "found the end of the formula, wanted '('")
  formula("u = sum(a, b)", 10, "found ',', wanted 'in'")
  formula("u = sum(2 in axes, 1)", 9, "found '2', wanted a name to bind")
  formula("u = sum(a in axes)", 18, "found ')', wanted ','")
  formula("u = sum(a in, 1)", 13, "found ',', wanted 'axes', axes in "
    .. "brackets, a table or a list")
  formula("u = sum(a in (x, 2), 1)", 18, "found '2', wanted an axis")
  formula("u = sum(a in (x y), 1)", 17, "found 'y', wanted ',' or ')'")
  formula("u = sum(a in axes, 1", 21,
    "found the end of the formula, wanted an operator or ')'")
  formula("u = max(e in v2e)", 17, "found ')', wanted ','")
end)

describe("definitions", function()
  definition("", 1, "found the end of the formula, wanted the name of a "
    .. "definition")
  definition("f", 2, "found the end of the formula, wanted '(' or '='")
  definition("f(x = 3", 5, "found '=', wanted ',' or ')'")
  definition("f() = 3", 3, "found ')', wanted the name of a parameter")
  definition("f(1) = 3", 3, "found '1', wanted the name of a parameter")
  definition("f(x) 3", 6, "found '3', wanted '='")
  definition("f += 3", 3, "found '+=', wanted '(' or '='")
  definition("f.next = 3", 2, "found '.', wanted '(' or '='")
  definition("sqrt(x) = x", 1,
    "found 'sqrt', wanted the name of a definition")
  definition("f = 1 2", 7, "found '2', wanted an operator or a new statement")
  test("defined twice", "define [[ f = 1\n  f(x) = 2 ]]",
    { "3:3: 'f' is declared twice",
      "2:11: note: the first declaration is here" })
  test("like a param", 'param { "R", default = 1 }\ndefine [[ R = 1 ]]',
    { "3:11: 'R' is declared twice",
      "2:10: note: the first declaration is here" })
  test("like a field", 'field { "u" }\ndefine [[ u = 1 ]]',
    { "3:11: 'u' is declared twice",
      "2:10: note: the first declaration is here" })
  test("41 letters", "define [[ " .. ("f"):rep(41) .. " = 1 ]]",
    { "2:11: the name '" .. ("f"):rep(41)
      .. "' has 41 letters; at most 40 are allowed" })
end)

describe("colours", function()
  local function colour(text, column, message)
    test(text, ('kernel { "k", colours = { "%s" }, "u = 1" }'):format(text),
      { ("2:%d: %s"):format(27 + column, message) })
  end
  colour("x", 2, "found the end of the formula, wanted '%' and a number; "
    .. "a sum before it needs brackets")
  colour("x + y % 2", 3, "found '+', wanted '%' and a number; "
    .. "a sum before it needs brackets")
  colour("(x + y % 2", 8, "found '%', wanted '+', '-' or ')'")
  colour("(x + y) % 0", 11, "found 0, wanted at least one colour")
  colour("x % y", 5, "found 'y', wanted the number of colours")
  colour("x % 2 + 1", 7,
    "found '+', wanted an operator or the end of the formula")
  colour("(x*y) % 2", 3, "found '*', wanted '+', '-' or ')'")
  colour("2*3 % 2", 3, "found '3', wanted an axis")
end)

describe("single expressions", function()
  test("a bound", 'region { "r", x = { "n-", 1 } }',
    { "2:24: found the end of the formula, wanted an expression" })
  test("a shell", 'region { "r", shell = "w w" }',
    { "2:26: found 'w', wanted an operator or the end of the formula" })
  test("a weight",
    'operator { "d", derivative = 1, offsets = { 0 }, weights = { "1/" } }',
    { "2:65: found the end of the formula, wanted an expression" })
  test("a weight of a tap", 'operator { "d", taps = { { 1, "w=" } } }',
    { "2:33: found '=', wanted an operator or the end of the formula" })
  test("a boundary's value",
    'boundary { "u", x = { "constant", value = "1 +" } }',
    { "2:47: found the end of the formula, wanted an expression" })
end)

describe("positions", function()
  test("in a long string of several lines",
    'kernel { "k", [[\n  u = 1\n\tv = 2 +* 3\n]] }',
    { "4:9: found '*', wanted an expression" })
  test("of the second of two equal formulas",
    'kernel { "k", a = [[ u = ]],\n  b = [[ u = ]] }',
    { "2:25: found the end of the formula, wanted an expression",
      "3:13: found the end of the formula, wanted an expression" })
  test("not in comments and strings that look alike",
    '-- kernel { "k", "u = +*" }\nlocal s = [[ kernel { "k", "u = +*" } ]]\n'
    .. 'kernel { "k" .. s:sub(1, 0), "u = +*" }',
    { "4:36: found '*', wanted an expression" })
  test("of a formula in a local above",
    'local F = "u = 1 + *"\nkernel { "k", F }',
    { "2:20: found '*', wanted an expression" })
  test("two calls on one line", 'kernel { "a", "u = " } kernel { "b", "v =" }',
    { "2:19: found the end of the formula, wanted an expression",
      "2:42: found the end of the formula, wanted an expression" })

  it("of a formula that Lua built: the call's, and its own", function()
    local _, problems = specs.parse(HEAD
      .. 'local t = { "u = 1", "v = 2*" }\n'
      .. 'kernel { "k", table.concat(t, "\\n") }')
    assert.are.equal([[
s.lua:3:1: found the end of the formula, wanted an expression
    kernel { "k", table.concat(t, "\n") }
    ^
  in the text built here, line 2, column 7:
    v = 2*
          ^
]], specs.printed(problems))
  end)

  it("of a formula that Lua built for a key: the key's", function()
    local _, problems = specs.parse(HEAD
      .. 'kernel { "k", inner = "u " .. "=" }')
    assert.matches("^s.lua:2:15: found the end of the formula, wanted an "
      .. "expression\n.-\n  in the text built here, line 1, column 4:\n",
      specs.printed(problems))
  end)

  it("of a string with escapes: the formula itself", function()
    local _, problems = specs.parse(HEAD .. 'kernel { "k", "u =\\n  *" }')
    assert.are.equal([[
s.lua:2:1: found '*', wanted an expression
    kernel { "k", "u =\n  *" }
    ^
  in the text built here, line 2, column 3:
      *
      ^
]], specs.printed(problems))
  end)

  it("in an included file", function()
    local _, problems = specs.parse { ["s.lua"] = HEAD .. 'include "b.lua"',
      ["b.lua"] = "\ndefine [[ f = ( ]]" }
    assert.are.equal("b.lua:2:16: found the end of the formula, wanted an "
      .. "expression\n    define [[ f = ( ]]\n                   ^\n",
      specs.printed(problems))
  end)

  test("every formula is read, whatever is wrong with others",
    'kernel { "a", "u = " }\nkernel { "b", "u = 1" }\nkernel { "c", "* = 2" }\n'
    .. 'define [[ f ]]',
    { "2:19: found the end of the formula, wanted an expression",
      "4:16: found '*', wanted a field or a local",
      "5:12: found the end of the formula, wanted '(' or '='" })
end)

describe("limits", function()
  local function nested(open, close, depth)
    return 'kernel { "k", "u = ' .. open:rep(depth) .. "1"
      .. close:rep(depth) .. '" }'
  end
  for _, pair in ipairs { { "(", ")" }, { "f(", ")" }, { "- ", "" },
      { "not ", "" }, { "sum(a in axes, ", ")" } } do
    local open, close = pair[1], pair[2]
    it("200 deep: " .. open, function()
      assert.is_table((specs.parse(HEAD .. nested(open, close, 200))))
      local _, problems = specs.parse(HEAD .. nested(open, close, 201))
      assert.matches("^s.lua:2:%d+: the formula nests more than 200 deep\n",
                     specs.printed(problems))
    end)
  end
  it("4096 operands in a row", function()
    local function row(n) return 'kernel { "k", "u = 1' .. (" + 1"):rep(n - 1)
      .. '" }' end
    assert.is_table((specs.parse(HEAD .. row(4096))))
    local _, problems = specs.parse(HEAD .. row(4097))
    assert.matches("^s.lua:2:%d+: more than 4096 operands in a row\n",
                   specs.printed(problems))
  end)
  it("50000 words and signs", function()
    local text = 'kernel { "k", "' .. ("u = 1 "):rep(16667) .. '" }'
    local _, problems = specs.parse(HEAD .. text)
    assert.matches("^s.lua:2:%d+: the formula has more than 50000 words and "
                   .. "signs\n", specs.printed(problems))
  end)
end)
