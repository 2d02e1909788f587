-- What build refuses of names, defines and types.

local building = require "tests.building"

local GRID = building.GRID

local function refuses(what, text, entries)
  it(what, function() building.refused(text, entries) end)
end

describe("names", function()
  refuses("an undeclared name, with the nearest", GRID .. [=[
field { "u", "lapl" }
kernel { "k", [[ u = lapp ]] }]=], {
    "4:22: 'lapp' is not declared, wanted a field, a scalar, a local "
      .. "or a define; did you mean 'lapl'?",
  })

  refuses("an undeclared name that nothing is near", GRID .. [=[
field { "u" }
kernel { "k", [[ u = 2*zzz ]] }]=], {
    "4:24: 'zzz' is not declared, wanted a field, a scalar, a local or "
      .. "a define",
  })

  refuses("a local used before it is assigned", GRID .. [=[
field { "u" }
kernel { "k", [[ u = t  t = 2 ]] }]=], {
    "4:22: 't' is used before it is assigned",
  })

  refuses("a local assigned twice", GRID .. [=[
field { "u" }
kernel { "k", [[ t = 1  t = 2  u = t ]] }]=], {
    "4:25: the local 't' is assigned twice",
    "4:18: note: the first one is here",
  })

  refuses("a local never used", GRID .. [=[
field { "u" }
kernel { "k", [[ t = 1  u = 2 ]] }]=], {
    "4:18: the local 't' is never used",
  })

  refuses("a local with a time level", GRID .. [=[
field { "u" }
kernel { "k", [[ t.next = 1  u = t ]] }]=], {
    "4:18: 't' is not a field: only fields have time levels",
  })

  refuses("a time level of what is no field", GRID .. [=[
field { "u" }
scalar { "s" }
kernel { "k", [[ u = s.next ]] }]=], {
    "5:22: 's' is a scalar: only fields have time levels",
  })

  refuses("an assignment to what is no field", GRID .. [=[
field { "u" }
scalar { "s" }
kernel { "k", [[ s = u  u = s ]] }]=], {
    "5:18: 's' is a scalar, wanted a field or the name of a new local",
  })

  refuses("an axis where a number is wanted", GRID .. [=[
field { "u" }
kernel { "k", [[ u = x ]] }]=], {
    "4:22: 'x' is an axis, wanted a number",
  })

  refuses("an operator where a number is wanted", GRID .. [=[
field { "u" }
operator { "d", derivative = 1, order = 2 }
kernel { "k", [[ u = d ]] }]=], {
    "5:22: 'd' is an operator, wanted a number",
  })

  refuses("a field called like a function", GRID .. [=[
field { "u", "v" }
kernel { "k", [[ u = v(2) ]] }]=], {
    "4:22: 'v' is a field, wanted a function, an operator or a define",
  })

  refuses("an unknown function, with the nearest", GRID .. [=[
field { "u", "v" }
kernel { "k", [[ u = sqr(v) ]] }]=], {
    "4:22: 'sqr' is no function, operator or define; did you mean "
      .. "'sqrt'?",
  })

  refuses("a local called like a function", GRID .. [=[
field { "u" }
kernel { "k", [[ t = 2  u = t(1) + t ]] }]=], {
    "4:29: 't' is a local, wanted a function, an operator or a define",
  })

  refuses("a param that is no number", GRID .. [=[
param { "mode", default = "a" }
field { "u" }
kernel { "k", [[ u = mode ]] }]=], {
    "5:22: 'mode' is a param that is no number",
  })

  refuses("a bound name that hides a field", GRID .. [=[
field { "u" }
kernel { "k", [[ u = sum(u in axes, 1) ]] }]=], {
    "4:22: 'u' is already a field, and nothing may hide another name",
  })

  refuses("a bound name that hides a local", GRID .. [=[
field { "u" }
kernel { "k", [[ a = 1  u = a + sum(a in axes, 1) ]] }]=], {
    "4:33: 'a' is already a local, and nothing may hide another name",
  })

  refuses("a parameter that hides a field", GRID .. [=[
field { "u" }
define [[ f(u) = u^2 ]]
kernel { "k", [[ u = f(1) ]] }]=], {
    "4:13: 'u' is already a field, and nothing may hide another name",
  })

  refuses("a parameter that stands twice", GRID .. [=[
field { "u" }
define [[ f(a, a) = a ]]
kernel { "k", [[ u = f(1, 2) ]] }]=], {
    "4:16: parameter 'a' stands twice",
  })

  refuses("a local of the user inside a define", GRID .. [=[
field { "u" }
define [[ f(a) = a*t ]]
kernel { "k", [[ t = 2  u = f(t) ]] }]=], {
    "4:20: 't' is not declared, wanted a field, a scalar, a local or a "
      .. "define",
  })

  refuses("a time level of a parameter", GRID .. [=[
field { "u", time = { 0, 1 } }
define [[ f(a) = a.next ]]
kernel { "k", [[ u.next = u + f(u) ]] }]=], {
    "4:18: 'a' is a parameter: only fields have time levels",
  })

  refuses("an axis that dims leaves out", GRID .. [=[
field { "u" }
kernel { "k", [[ u = sum(a in (x, z), 1) ]] }]=], {
    "4:35: 'z' is not declared, wanted an axis",
  })

  refuses("an axis and a spacing that dims leaves out", [=[
precision { "float" }
grid { "x", "y", dims = 1, spacing = { "hx", "hy" } }
field { "u" }
kernel { "k", [[ u = u[y+1] + hy ]] }]=], {
    "4:24: dims = 1 leaves the axis 'y' out",
    "4:31: 'hy' is the spacing of 'y', which dims = 1 leaves out",
  })

  refuses("everything that is never used", GRID .. [=[
field { "u", "v" }
scalar { "s" }
operator { "d", derivative = 1, order = 2 }
define [[ f(a) = a
          g = 2 ]]
region { "r", rest = true }
kernel { "k", [[ u = 1 ]] }]=], {
    "3:15: 'v' is never used: a field that no formula needs",
    "4:11: 's' is never used: a scalar that no formula needs",
    "5:13: 'd' is never used: an operator that no formula needs",
    "6:11: 'f' is never used: a define that no formula needs",
    "7:11: 'g' is never used: a define that no formula needs",
    "8:11: 'r' is never used: a region that no formula needs",
  })

  refuses("tables and lists that are never used", [=[
precision { "float" }
domain { "p" }
field { "u", on = { "p" } }
neighbours { "n", from = "p", to = "p", count = 2 }
list { "l", of = "p" }
kernel { "k", [[ u = 1 ]] }]=], {
    "4:15: 'n' is never used: a neighbour table that no formula needs",
    "5:9: 'l' is never used: a list that no formula needs",
  })
end)

describe("defines", function()
  refuses("too few and too many arguments", GRID .. [=[
field { "u" }
define [[ f(a, b) = a + b
          c = 3 ]]
kernel { "k", [[ u = f(1) + f + c(2) ]] }]=], {
    "6:22: 'f' has 2 parameters, found 1 argument: wanted f(a, b)",
    "6:29: 'f' has 2 parameters, found no argument: wanted f(a, b)",
    "6:33: 'c' has no parameters, found 1 argument",
  })

  refuses("recursion", GRID .. [=[
field { "u" }
define [[ f(a) = g(a) + 1
          g(a) = f(a)*2 ]]
kernel { "k", [[ u = f(1) ]] }]=], {
    "5:18: 'f' is defined by itself: f, g, f",
  })

  refuses("a place where a parameter stands for an expression", GRID .. [=[
field { "u" }
define [[ f(n) = u[n] ]]
kernel { "k", [[ u = f(2) ]] }]=], {
    "4:20: 'n' is a parameter, wanted an axis or a place",
  })
end)

describe("types", function()
  refuses("a condition where a number is wanted", GRID .. [=[
field { "u", "v" }
kernel { "k", [[ u = v > 1 ]] }
kernel { "l", [[ u = 2 + (v > 1) ]] }
kernel { "m", [[ u = sqrt(v < 1) ]] }]=], {
    "4:24: found a condition, wanted a number",
    "5:29: found a condition, wanted a number",
    "6:29: found a condition, wanted a number",
  })

  refuses("a number where a condition is wanted", GRID .. [=[
field { "u", "v" }
kernel { "k", [[ u = where(v, 1, 2) ]] }
kernel { "l", [[ u = where(v > 1 and v, 1, 2) ]] }
kernel { "m", [[ u = where(not v, 1, 2) ]] }]=], {
    "4:28: found a number, wanted a condition: a comparison, or "
      .. "comparisons joined by 'and', 'or', 'not'",
    "5:38: found a number, wanted a condition: a comparison, or "
      .. "comparisons joined by 'and', 'or', 'not'",
    "6:32: found a number, wanted a condition: a comparison, or "
      .. "comparisons joined by 'and', 'or', 'not'",
  })

  refuses("wrong numbers of arguments of functions", GRID .. [=[
field { "u" }
kernel { "k", [[ u = sqrt(1, 2) + pow(2) + where(1 < 2, 3) + min(4) ]] }]=], {
    "4:22: 'sqrt' takes 1 argument, found 2",
    "4:35: 'pow' takes 2 arguments, found 1",
    "4:44: 'where' takes 3 arguments, found 2",
    "4:62: 'min' takes two arguments or more, found 1",
  })

  refuses("division by zero", GRID .. [=[
field { "u", "v" }
kernel { "k", [[ u = v/(1 - 1) ]] }
kernel { "l", [[ u = 0^-1 ]] }]=], {
    "4:23: division by zero",
    "5:23: division by zero",
  })

  refuses("exponents", GRID .. [=[
field { "u", "v" }
scalar { "s" }
kernel { "k", [[ u = v^s ]] }
kernel { "l", [[ u = v^(1/2) ]] }
kernel { "m", [[ u = v^2000 ]] }]=], {
    "5:24: found an expression, wanted a whole exponent that is known "
      .. "at generation; 'pow' takes any",
    "6:26: found 1/2, wanted a whole exponent that is known at "
      .. "generation; 'pow' takes any",
    "7:24: the exponent 2000 is too large; at most 1000 is possible",
  })

  refuses("numbers too long to write", GRID .. [=[
field { "u" }
kernel { "k", [[ a = 9^1000  u = a^9 ]] }
kernel { "l", [[ b = 7^800*11^800*13^800*17^800*19^800  u = b ]] }]=], {
    "4:35: found a number of more than 4096 digits, wanted at most "
      .. "that many",
    "5:48: found a number of 4408 digits, wanted at most 4096",
  })
end)
