-- The grammar: what formulas mean, as trees.

local dump = require "gen.dump"
local number = require "gen.formula.number"
local statement = require "gen.formula.statement"

-- A text completed as block, definitions, form or expression; or a sentence.
local function read(text, what)
  local t = { kind = "text", text = text, offset = 1,
              source = { name = "s.lua", text = text } }
  local ok, problem = statement.complete(t, what or "expression")
  return ok and t or nil, problem and problem.message
end

-- Trees as short texts: prefix form, every bracket written.
local show

local function all(list, f)
  local out = {}
  for i, item in ipairs(list) do out[i] = f(item) end
  return table.concat(out, " ")
end

local function show_place(p)
  if p.kind == "whole" then return tostring(p.n) end
  if p.kind == "axes" then return "axes" end
  if p.kind == "axis_list" then
    return "(" .. all(p.names, function(n) return n.name end) .. ")"
  elseif p.kind == "shift" then
    local by = p.param or p.n .. (p.d == 2 and "/2" or "")
    return p.name .. (p.sign == 1 and "+" or "-") .. by
  end
  return p.name .. (p.args and "(" .. all(p.args, show_place) .. ")" or "")
end

local BINARY = { add = "+", sub = "-", mul = "*", div = "/", pow = "^",
                 ["and"] = "and", ["or"] = "or" }

local SHOW = {
  number = function(t) return t.n .. (t.d ~= "1" and "/" .. t.d or "") end,
  name = function(t) return t.name .. (t.level and "." .. t.level or "") end,
  call = function(t) return t.name .. "{" .. all(t.args, show) .. "}" end,
  index = function(t)
    return show(t.arg) .. "[" .. all(t.shifts, show_place) .. "]"
  end,
  reduction = function(t)
    return ("{%s %s in %s: %s}"):format(t.fn, t.var, show_place(t.set),
                                        show(t.body))
  end,
  neg = function(t) return "{neg " .. show(t.arg) .. "}" end,
  ["not"] = function(t) return "{not " .. show(t.arg) .. "}" end,
  compare = function(t)
    return ("{%s %s %s}"):format(t.op, show(t.left), show(t.right))
  end,
}

function show(t)
  if SHOW[t.kind] then return SHOW[t.kind](t) end
  return ("{%s %s %s}"):format(BINARY[t.kind], show(t.left), show(t.right))
end

local function means(text, wanted)
  it((text:gsub("\n", " / ")), function()
    local t, problem = read(text)
    assert.are.equal(wanted, t and show(t.tree) or problem)
  end)
end

describe("precedence", function()
  means("a + b*c", "{+ a {* b c}}")
  means("a*b + c", "{+ {* a b} c}")
  means("a - b - c", "{- {- a b} c}")
  means("a/b/c", "{/ {/ a b} c}")
  means("a/b*c", "{* {/ a b} c}")
  means("(a - (b - c))", "{- a {- b c}}")
  means("-a^2", "{neg {^ a 2}}")
  means("(-a)^2", "{^ {neg a} 2}")
  means("-a*b", "{* {neg a} b}")
  means("a*-b", "{* a {neg b}}")
  means("a - -b", "{- a {neg b}}")
  means("+a", "a")
  means("- -a", "{neg {neg a}}")
  means("a^-2", "{^ a {neg 2}}")
  means("a^- -2", "{^ a {neg {neg 2}}}")
  means("a^R", "{^ a R}")
  means("a^(2*R - 1)", "{^ a {- {* 2 R} 1}}")
  means("a^2*b", "{* {^ a 2} b}")
  means("a[x+1]^2", "{^ a[x+1] 2}")
  means("(a^2)^3", "{^ {^ a 2} 3}")
  means("a < b + c", "{< a {+ b c}}")
  means("a < b and c >= d", "{and {< a b} {>= c d}}")
  means("a or b and c", "{or a {and b c}}")
  means("not a and b", "{and {not a} b}")
  means("not a == b", "{not {== a b}}")
  means("not not a", "{not {not a}}")
  means("(a or b) and c", "{and {or a b} c}")
  means("a != b", "{!= a b}")
end)

describe("names, calls and places", function()
  means("u.next", "u.next")
  means("u . prev2", "u.prev2")
  means("u.prev9[x-1]", "u.prev9[x-1]")
  means("f(a, b + 1)", "f{a {+ b 1}}")
  means("where(a > 0, b, 0)", "where{{> a 0} b 0}")
  means("u[x-1, y + 1]", "u[x-1 y+1]")
  means("u[x+1/2]", "u[x+1/2]")
  means("u[x-3/2]", "u[x-3/2]")
  means("u[x+4/2]", "u[x+2]")
  means("u[x+R]", "u[x+R]")
  means("u[x-0]", "u[x-0]")
  means("u[x+1][y-1]", "u[x+1][y-1]")
  means("(b*u)[x+1]", "{* b u}[x+1]")
  means("f(u)[x-1/2]/2", "{/ f{u}[x-1/2] 2}")
  means("p[e]", "p[e]")
  means("p[v2e(0)]", "p[v2e(0)]")
  means("p[v2e(e)]", "p[v2e(e)]")
  means("p[v2e(e, 0)]", "p[v2e(e 0)]")
  means("p[v2e(e2v(n, 1), 0)]", "p[v2e(e2v(n 1) 0)]")
  means("p[e, k+1]", "p[e k+1]")
  means("2[x+1]", "2[x+1]")
end)

describe("reductions", function()
  means("sum(a in axes, dd(f, a))", "{sum a in axes: dd{f a}}")
  means("sum(a in (x, y), f[a-1] + f[a+1])",
        "{sum a in (x y): {+ f[a-1] f[a+1]}}")
  means("sum(e in v2e, c[e]*p[e])", "{sum e in v2e: {* c[e] p[e]}}")
  means("sum(v in e2v(e), p[v])", "{sum v in e2v(e): p[v]}")
  means("min(e in v2e, p[e])", "{min e in v2e: p[e]}")
  means("max(a, b, c)", "max{a b c}")
  means("min(a, b)", "min{a b}")
  means("sum(a in axes, sum(b in axes, f[a+1, b-1]))",
        "{sum a in axes: {sum b in axes: f[a+1 b-1]}}")
end)

describe("white space and comments mean nothing", function()
  means("a\n+\tb -- and so on\n * c", "{+ a {* b c}}")
  means("--first\na", "a")
  means("  a--b", "a")
end)

describe("numbers are exact", function()
  local function is(text, n, d)
    it(text, function() assert.are.same({ n, d }, { number.parse(text) }) end)
  end
  is("0", "0", "1")
  is("0.000", "0", "1")
  is("0e400", "0", "1")
  is("007", "7", "1")
  is("0.1", "1", "10")
  is("0.5", "1", "2")
  is("2.50", "5", "2")
  is("1e3", "1000", "1")
  is("1E+3", "1000", "1")
  is("1e-3", "1", "1000")
  is("12.5e1", "125", "1")
  is("0.02651995", "530399", "20000000")
  is("0.79926643", "79926643", "100000000")
  is("3.1415926535897932384626433832795028842",
     "15707963267948966192313216916397514421",
     "5000000000000000000000000000000000000")
  is("5e-30", "1", "2" .. ("0"):rep(29))
  is("1024e-30", "1", "976562500000000000000000000")
  is("1" .. ("0"):rep(100), "1" .. ("0"):rep(100), "1")
  is("1e400", "1" .. ("0"):rep(400), "1")

  it("any decimal, against whole numbers", function()
    math.randomseed(11)
    for _ = 1, 2000 do
      local digits, places = math.random(0, 10 ^ 9 // 1 | 0), math.random(1, 8)
      local text = ("%d.%0" .. places .. "d"):format(digits,
        math.random(0, 10 ^ places // 1 - 1 | 0))
      local n, d = number.parse(text)
      local whole = math.tointeger(tonumber((text:gsub("%.", ""))))
      n, d = math.tointeger(tonumber(n)), math.tointeger(tonumber(d))
      assert.are.equal(whole * d, n * (10 ^ places // 1 | 0))
      local a, b = n, d
      while b ~= 0 do a, b = b, a % b end
      assert.are.equal(1, a)
    end
  end)
end)

describe("blocks", function()
  local function block(text, ...)
    local wanted = table.concat({ ... }, "; ")
    it((text:gsub("\n", " / ")), function()
      local t, problem = read(text, "block")
      local out = {}
      for i, s in ipairs(t and t.statements or {}) do
        out[i] = s.name .. (s.level and "." .. s.level or "")
          .. (s.add and " += " or " = ") .. show(s.value)
      end
      assert.are.equal(wanted, t and table.concat(out, "; ") or problem)
    end)
  end
  block("u.next = 2*u - u.prev", "u.next = {- {* 2 u} u.prev}")
  block("a = b c = d", "a = b", "c = d")
  block("a = b\n- c", "a = {- b c}")
  block("b = dtr - wl   cc = wl/b", "b = {- dtr wl}", "cc = {/ wl b}")
  block("a = f(b)[x+1] g = -1", "a = f{b}[x+1]", "g = {neg 1}")
  block("ax += sum(j in near, m[j]) ay += 1",
        "ax += {sum j in near: m[j]}", "ay += 1")
  block("a = b -- c = d\ne = f", "a = b", "e = f")
  block("a = not b c = d or e", "a = {not b}", "c = {or d e}")
end)

describe("definitions", function()
  local t = read("lap(f) = sum(a in axes, dd(f, a))\n"
                 .. "wu = (w + w[x+1])/4 edge(f, a, c) = 1/f", "definitions")
  it("have parameters or none, one after the other", function()
    local d = t.definitions
    assert.are.equal(3, #d)
    assert.are.same({ "lap", "wu", "edge" },
                    { d[1].name, d[2].name, d[3].name })
    assert.are.equal("f", d[1].params[1].name)
    assert.is_nil(d[2].params)
    assert.are.equal(3, #d[3].params)
    assert.are.equal("{/ 1 f}", show(d[3].value))
    assert.are.equal("s.lua:1:5",
                     require("gen.diag").where(d[1].params[1].pos))
  end)
end)

describe("colours", function()
  local function form(text, modulus, constant, ...)
    local terms = { ... }
    it(text, function()
      local t, problem = read(text, "form")
      assert.is_nil(problem)
      local f, out = t.form, {}
      for i, term in ipairs(f.terms) do
        out[i] = term.coefficient .. term.axis
      end
      assert.are.same({ modulus, constant, terms },
                      { f.modulus, f.constant, out })
    end)
  end
  form("x % 2", 2, 0, "1x")
  form("(x + y + z) % 2", 2, 0, "1x", "1y", "1z")
  form("(x + 2*y - z + 3) % 5", 5, 3, "1x", "2y", "-1z")
  form("2*x % 3", 3, 0, "2x")
  form("(-x - 1) % 4", 4, -1, "-1x")
end)

describe("positions", function()
  it("are those of the operators and the first letters", function()
    local t = read("  ab*(c + d[x+1]) < sqrt(e)")
    local tree = t.tree
    local where = {}
    local function note(node) where[#where + 1] = node.pos.offset end
    note(tree)
    note(tree.left)
    note(tree.left.left)
    note(tree.left.right)
    note(tree.left.right.right)
    note(tree.left.right.right.shifts[1])
    note(tree.right)
    assert.are.same({ 19, 5, 3, 9, 12, 13, 21 }, where)
  end)
end)

-- ---------------------------------------------------------------------------
-- Random trees: printed as formulas with no bracket too many, and read again.

local RANK = { ["or"] = 1, ["and"] = 2, ["not"] = 3, compare = 4, add = 5,
               sub = 5, mul = 6, div = 6, neg = 7, pow = 8 }

local print_tree

local function bracketed(t, least)
  local text = print_tree(t)
  if (RANK[t.kind] or 9) < least then return "(" .. text .. ")" end
  return text
end

local function gap()
  return ({ "", " ", "\n", "  ", " -- c\n" })[math.random(5)]
end

local function print_place(p)
  if p.kind == "shift" then
    return p.name .. gap() .. (p.sign == 1 and "+" or "-") .. " "
      .. (p.param or p.n .. (p.d == 2 and "/2" or ""))
  elseif p.kind == "whole" then
    return tostring(p.n)
  elseif p.kind == "axes" then
    return "axes"
  elseif p.kind == "axis_list" then
    local out = {}
    for i, n in ipairs(p.names) do out[i] = n.name end
    return "(" .. table.concat(out, ", ") .. ")"
  end
  local args = {}
  for i, a in ipairs(p.args or {}) do args[i] = print_place(a) end
  return p.name .. (p.args and "(" .. table.concat(args, ",") .. ")" or "")
end

local SIGN = { add = "+", sub = "-", mul = "*", div = "/", ["and"] = "and",
               ["or"] = "or" }

local PRINT = {
  number = function(t)
    if t.d == "1" then return t.n end
    return ("%de-1"):format(t.n * 10 // t.d)
  end,
  name = function(t) return t.name .. (t.level and "." .. t.level or "") end,
  call = function(t)
    local out = {}
    for i, a in ipairs(t.args) do out[i] = print_tree(a) end
    return t.name .. gap() .. "(" .. table.concat(out, gap() .. ",") .. ")"
  end,
  index = function(t)
    local out = {}
    for i, s in ipairs(t.shifts) do out[i] = print_place(s) end
    return bracketed(t.arg, 9) .. gap() .. "[" .. table.concat(out, ", ")
      .. "]"
  end,
  reduction = function(t)
    return ("%s(%s in %s,%s%s)"):format(t.fn, t.var, print_place(t.set), gap(),
                                        print_tree(t.body))
  end,
  neg = function(t) return "- " .. bracketed(t.arg, 7) end,
  ["not"] = function(t) return "not " .. bracketed(t.arg, 3) end,
  compare = function(t)
    return bracketed(t.left, 5) .. gap() .. t.op .. " "
      .. bracketed(t.right, 5)
  end,
  pow = function(t)
    local r = t.right
    local plain = r.kind == "name" and not r.level
      or r.kind == "number" and r.d == "1"
    return bracketed(t.left, 9) .. gap() .. "^"
      .. (plain and print_tree(r) or "(" .. print_tree(r) .. ")")
  end,
}

function print_tree(t)
  if PRINT[t.kind] then return PRINT[t.kind](t) end
  local rank = RANK[t.kind]
  return bracketed(t.left, rank) .. " " .. SIGN[t.kind] .. " " .. gap()
    .. bracketed(t.right, rank + 1)
end

local function pick(list) return list[math.random(#list)] end

local function random_place(depth)
  local p = { kind = "place", name = pick { "e", "v2e", "n" } }
  if depth > 0 and math.random(3) == 1 then
    p.args = { math.random(2) == 1 and random_place(depth - 1)
               or { kind = "whole", n = math.random(0, 9) } }
    if math.random(3) == 1 then p.args[2] = { kind = "whole", n = 1 } end
  end
  return p
end

local function random_shift()
  local kind = math.random(3)
  if kind == 1 then return random_place(2) end
  local s = { kind = "shift", name = pick { "x", "y" }, sign = pick { 1, -1 } }
  if kind == 2 then
    s.param = "R"
  else
    s.d = pick { 1, 2 }
    s.n = 2 * math.random(0, 9) + 1
  end
  return s
end

local function random_set()
  return pick { { kind = "axes" }, random_place(2),
    { kind = "axis_list", names = { { name = "x" }, { name = "z" } } } }
end

local random_tree

local function random_leaf()
  return pick {
    { kind = "number", n = tostring(math.random(0, 1 << 40)), d = "1" },
    { kind = "number", n = tostring(2 * math.random(0, 99) + 1), d = "2" },
    { kind = "name", name = pick { "u", "alpha_2", "inn", "sumx" } },
    { kind = "name", name = "u", level = pick { "next", "prev", "prev3" } } }
end

local RANDOM = {
  function(d) return { kind = "call", name = pick { "f", "sqrt", "min" },
    args = { random_tree(d), random_tree(d) } } end,
  function(d) return { kind = "index", arg = random_tree(d),
    shifts = { random_shift(), random_shift() } } end,
  function(d) return { kind = "reduction", fn = pick { "sum", "min", "max" },
    var = "e", set = random_set(), body = random_tree(d) } end,
  function(d) return { kind = pick { "neg", "not" }, arg = random_tree(d) } end,
  function(d) return { kind = "compare",
    op = pick { "<", "<=", ">", ">=", "==", "!=" }, left = random_tree(d),
    right = random_tree(d) } end,
  function(d) return { kind = pick { "add", "sub", "mul", "div", "pow", "and",
    "or" }, left = random_tree(d), right = random_tree(d) } end,
}
RANDOM[7], RANDOM[8] = RANDOM[6], RANDOM[6]

function random_tree(depth)
  if depth == 0 or math.random(5) == 1 then return random_leaf() end
  return pick(RANDOM)(depth - 1)
end

local function without_positions(value)
  if type(value) ~= "table" then return value end
  local out = {}
  for key, item in pairs(value) do
    if key ~= "pos" then out[key] = without_positions(item) end
  end
  return out
end

describe("random trees", function()
  it("printed and read again are the same", function()
    math.randomseed(3)
    for _ = 1, 1500 do
      local tree = random_tree(5)
      local text = print_tree(tree)
      local t, problem = read(text)
      assert.is_nil(problem, text)
      assert.are.equal(dump.text(tree),
                       dump.text(without_positions(t.tree)))
    end
  end)

  it("cut anywhere, or with a word changed, never raise an error", function()
    math.randomseed(4)
    local words = { "(", ")", "[", "]", ",", "=", "+", "^", "in", "sum", "1",
                    "x", ".", "not", "%", "\0", "\255", "/", "e5" }
    for _ = 1, 1500 do
      local text = print_tree(random_tree(4))
      local cut = math.random(#text)
      text = text:sub(1, cut - 1) .. pick(words)
        .. text:sub(cut + math.random(0, 2))
      for _, what in ipairs { "expression", "block", "definitions", "form" } do
        local t, problem = read(text, what)
        assert.is_true(t ~= nil or type(problem) == "string")
      end
    end
  end)

  it("bytes at random never raise an error", function()
    math.randomseed(5)
    for _ = 1, 1000 do
      local bytes = {}
      for i = 1, math.random(40) do
        bytes[i] = string.char(math.random(0, 255))
      end
      local t, problem = read(table.concat(bytes), "block")
      assert.is_true(t ~= nil or type(problem) == "string")
    end
  end)
end)
