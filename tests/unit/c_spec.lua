-- Expressions, numbers and names as C text.

local expression = require "gen.c.expression"
local number = require "gen.c.number"
local quern = require "tests.quern"
local statement = require "gen.c.statement"
local words = require "gen.c.words"

local function op(name, ...) return { op = name, ... } end
local function v(name) return { op = "value", name = name } end
local function num(n, d) return { op = "literal", n = tostring(n), d = tostring(d or 1) } end
local function call(fn, ...) return { op = "call", fn = fn, ... } end
local function compare(cmp, a, b) return { op = "compare", cmp = cmp, a, b } end

local function style(type)
  local function name(n) return n end
  return { type = type or "float", value = name, host = name, scalar = name,
           load = function(id) return "u[" .. id .. "]" end }
end

local function text(e, type) return expression.text(e, style(type)) end

describe("literals", function()
  local CASES = {
    { "8", "5", "float", "1.6f" }, { "8", "5", "double", "1.6" },
    { "-205", "72", "float", "-2.8472223f" }, { "1", "3", "double", "0.3333333333333333" },
    { "2", "1", "float", "2.0f" }, { "0", "1", "double", "0.0" }, { "1", "2", "float", "0.5f" },
    { "1", "100000", "float", "1e-05f" }, { "16777217", "1", "float", "16777216.0f" },
    { "16777217", "1", "double", "16777217.0" },
    -- a double that lies between two floats: the exact value decides
    { "1152921573326323713", "1152921504606846976", "float", "1.0000001f" },
    { "1152921573326323712", "1152921504606846976", "float", "1.0f" },
    { "1152921573326323711", "1152921504606846976", "float", "1.0f" },
    { "1" .. ("0"):rep(60), "7" .. ("0"):rep(60), "double", "0.14285714285714285" },
  }
  for _, case in ipairs(CASES) do
    it(("%s/%s as %s is %s"):format(case[1]:sub(1, 20), case[2]:sub(1, 20), case[3], case[4]), function()
      assert.equal(case[4], (number.literal(case[1], case[2], case[3])))
    end)
  end

  it("is nothing where the type is too small", function()
    assert.is_nil(number.literal("1" .. ("0"):rep(39), "1", "float"))
    assert.equal("1e+39", number.literal("1" .. ("0"):rep(39), "1", "double"))
  end)

  it("is the nearest double and the shortest decimal of it", function()
    local seed = 12345
    local function random()
      seed = (seed * 6364136223846793005 + 1442695040888963407)
      return (seed >> 16) % (1 << 50) + 1
    end
    for _ = 1, 300 do
      local n, d = random(), random()
      local s = number.literal(tostring(n), tostring(d), "double")
      assert.equal(n / d, tonumber(s))
      local digits = #s:gsub("e.*", ""):gsub("%.", ""):gsub("^0+", "")
      local shorter = ("%%.%dg"):format(digits - 1):format(n / d)
      assert.is_true(digits == 1 or tonumber(shorter) ~= n / d, s)
    end
  end)
end)

describe("expressions", function()
  local a, b, c, d = v "a", v "b", v "c", v "d"
  local CASES = {
    { op("add", op("add", a, b), c), "a + b + c" },
    { op("add", a, op("add", b, c)), "a + (b + c)" },
    { op("sub", a, op("sub", b, c)), "a - (b - c)" },
    { op("mul", op("add", a, b), c), "(a + b) * c" },
    { op("mul", a, op("mul", b, c)), "a * (b * c)" },
    { op("div", a, op("mul", b, c)), "a / (b * c)" },
    { op("add", op("mul", a, b), op("div", c, d)), "a * b + c / d" },
    { op("neg", op("add", a, b)), "-(a + b)" },
    { op("neg", op("neg", a)), "-(-a)" },
    { op("sub", a, op("neg", b)), "a + b" },
    { op("add", a, num(-1, 2)), "a - 0.5f" },
    { op("add", a, op("mul", num(-2), b)), "a - 2.0f * b" },
    { op("mul", a, op("neg", b)), "a * (-b)" },
    { op("fma", a, op("add", b, c), d), "fmaf(a, b + c, d)" },
    { call("abs", a), "fabsf(a)" }, { call("sqrt", op("add", a, b)), "sqrtf(a + b)" },
    { call("atan2", a, b), "atan2f(a, b)" },
    { op("select", compare("<", a, num(0)), op("neg", a), a), "a < 0.0f ? -a : a" },
    { op("add", op("select", compare(">=", a, b), c, d), a), "(a >= b ? c : d) + a" },
    { op("select", compare("<", a, b), a, op("select", compare("<", b, c), b, c)),
      "a < b ? a : b < c ? b : c" },
    { op("or", op("and", compare("<", a, b), compare("==", b, c)), compare(">", c, d)),
      "(a < b && b == c) || c > d" },
    { op("or", op("or", compare("<", a, b), compare("<", b, c)), compare("<", c, d)),
      "a < b || b < c || c < d" },
    { op("not", compare("<", a, b)), "!(a < b)" },
    { { op = "pow", a, exponent = 2 }, "a * a" },
    { op("div", b, { op = "pow", op("add", a, c), exponent = 2 }), "b / ((a + c) * (a + c))" },
    { { op = "pow", a, exponent = -1 }, "1.0f / a" },
    { { op = "pow", a, exponent = -2 }, "1.0f / (a * a)" },
    { { op = "pow", a, exponent = 5 }, "powf(a, 5.0f)" },
    { { op = "pow", a, exponent = 0 }, "1.0f" },
  }
  for _, case in ipairs(CASES) do
    it("read " .. case[2], function() assert.equal(case[2], text(case[1])) end)
  end

  it("take the functions and constants of the compute type", function()
    assert.equal("fma(0.5, sqrt(a), fabs(b))",
      text(op("fma", num(1, 2), call("sqrt", v "a"), call("abs", v "b")), "double"))
    for _, fn in ipairs { "exp", "sin", "erf", "floor", "tanh", "pow" } do
      assert.truthy(text(call(fn, v "a", v "b")):find("^" .. fn .. "f%("))
    end
  end)
end)

-- Random trees of small whole numbers: every value is exact, so that Lua and C
-- agree on each whatever the order of evaluation, and differ where brackets do.
local NAMES, VALUES = { "a", "b", "c", "d" }, { a = 2, b = -3, c = 5, d = 7 }
local seed = 1
local function random(n)
  seed = seed * 6364136223846793005 + 1442695040888963407
  return (seed >> 33) % n + 1
end

local function tree(depth)
  local kind = depth == 0 and random(2) or random(9)
  if kind == 1 then return v(NAMES[random(4)])
  elseif kind == 2 then return num(random(9) - 5)
  elseif kind == 3 then return op("neg", tree(depth - 1))
  elseif kind == 4 then return op("fma", tree(depth - 1), tree(depth - 1), tree(depth - 1))
  elseif kind == 5 then
    return op("select", compare("<", tree(depth - 1), tree(depth - 1)), tree(depth - 1), tree(depth - 1))
  end
  return op(({ "add", "sub", "mul", "sub" })[kind - 5], tree(depth - 1), tree(depth - 1))
end

local EVALUATE = {
  value = function(e) return VALUES[e.name] end,
  literal = function(e) return math.tointeger(tonumber(e.n)) end,
}
local function value(e)
  if EVALUATE[e.op] then return EVALUATE[e.op](e) end
  local x, y, z = value(e[1]), e[2] and value(e[2]), e[3] and value(e[3])
  if e.op == "neg" then return -x elseif e.op == "add" then return x + y
  elseif e.op == "sub" then return x - y elseif e.op == "mul" then return x * y
  elseif e.op == "fma" then return x * y + z
  elseif e.op == "compare" then return x < y end
  return x and y or z
end

describe("brackets and line breaks", function()
  it("are divided by a shape's own function where the dividend reads a field", function()
    local own, two, a, b = style(), op("load"), v "a", v "b"
    own.divide, two.id = { quotient = "quotient" }, 2
    local function divided(e, by) return expression.text(op("div", e, by), own) end
    assert.equal("quotient(a, b)", divided(a, b))
    assert.equal("quotient(2.0f * u[2], b)", divided(op("mul", num(2), two), b))
    assert.equal("1.0f / b", divided(num(1), b))
    assert.equal("dt / u[2]", divided({ op = "host", name = "dt" }, two))
  end)

  it("are divided the short way, which says where it cannot, and 1 by what has a function", function()
    local own, b, dt = style(), v "b", { op = "host", name = "dt" }
    own.divide = { quotient = "short", inverse = "inverse", odd = "odd" }
    local function divided(e, by) return expression.text(op("div", e, by), own) end
    assert.equal("short(a, b, odd)", divided(v "a", b))
    assert.equal("short(dt, b, odd)", divided(dt, b))
    assert.equal("inverse(b)", divided(num(1), b))
    assert.equal("short(2.0f, b, odd)", divided(num(2), b))
    own.divide = { inverse = "inverse" }
    assert.equal("a / b + inverse(b)", expression.text(op("add", op("div", v "a", b), op("div", num(1), b)),
      own))
    own.divide, own.type = { quotient = "short", inverse = "inverse", odd = "odd" }, "double"
    assert.equal("1.0 / b", divided(num(1), b))
  end)

  it("keep the value of 400 random expressions", function()
    local lines = { "#include <math.h>", "#include <stdio.h>", "int main(void) {",
      "const double a = 2, b = -3, c = 5, d = 7;", "(void)a; (void)b; (void)c; (void)d;" }
    local wanted = {}
    for i = 1, 400 do
      local e
      repeat e = tree(4) until math.abs(value(e)) < 1 << 40
      wanted[i] = tostring(value(e))
      local wide = statement.assignment("x = ", e, setmetatable({ width = i % 2 == 0 and 20 or 400 },
        { __index = style "double" }))
      lines[#lines + 1] = "{ double " .. table.concat(wide, "\n") .. " printf(\"%.0f\\n\", x + 0.0); }"
    end
    lines[#lines + 1] = "return 0; }"
    local folder = quern.folder()
    quern.write(folder .. "/t.c", table.concat(lines, "\n"))
    local code, out, problem = quern.shell("gcc -Wall -Wextra -Werror t.c -o t -lm && ./t", folder)
    quern.remove(folder)
    assert.equal(0, code, problem)
    assert.equal(table.concat(wanted, "\n") .. "\n", (out:gsub("%-0\n", "0\n")))
  end)
end)

describe("statements", function()
  local function load(id) return { op = "load", id = id } end
  local chain = op("mul", v "w0", load(0))
  for i = 1, 3 do
    chain = op("fma", v("w" .. i), op("add", load(-i * 9), load(i * 9)), chain)
  end

  it("write a chain as a running sum with its columns aligned", function()
    assert.same({ "/* taps */",
      "float s = w0 * u[0];",
      "s = fmaf(w1, u[-9]  + u[9],  s);",
      "s = fmaf(w2, u[-18] + u[18], s);",
      "s = fmaf(w3, u[-27] + u[27], s);" },
      statement.code({ name = "s", value = chain, comment = "taps" }, style()))
  end)

  it("write a short sum in one piece", function()
    assert.same({ "const float s = a + b + c;" },
      statement.code({ name = "s", value = op("add", op("add", v "a", v "b"), v "c") }, style()))
  end)

  it("convert what is stored in another type", function()
    assert.same({ "u[i] = (float)(a + b);" },
      statement.store("u[i]", "float", op("add", v "a", v "b"), style "double"))
  end)
end)

describe("names", function()
  for _, word in ipairs { "int", "restrict", "class", "template", "threadIdx", "y0", "j1", "gamma",
                          "index", "n", "lower", "stream", "min", "double" } do
    it("rename " .. word, function() assert.equal(word .. "_", words.name(word)) end)
  end

  it("leave others alone", function() assert.equal("u_prev", words.name "u_prev") end)

  it("are given once in a scope", function()
    local claim = words.scope()
    assert.equal("u", claim "u")
    assert.equal("u_", claim "u")
    assert.equal("int_", claim "int")
    assert.equal("int__", claim "int_")
  end)
end)
