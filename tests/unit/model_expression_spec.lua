-- How formulas become nodes: names, folding, grouping, defines, shifts.

local building = require "tests.building"

local HEAD = building.GRID .. [[
field { "u", "v", "w" }
field { "px", on = { "x" } }
scalar { "s" }
param { "m", default = 3 }
operator { "dd", derivative = 2, order = 2 }
operator { "d", derivative = 1, order = 2 }
operator { "mean", derivative = 0, order = 2, staggered = true }
]]

-- Everything is used once, so that a test can leave out what it likes.
local USED = [[
kernel { "all", [=[ v = px + s + dd(w, x) + d(w, x) + mean(mean(w, x), x) ]=] }
]]

local function value(formula, more)
  return building.value(building.model(HEAD .. (more or "") .. USED
    .. 'kernel { "k", [=[ ' .. formula .. " ]=] }"))
end

local function becomes(formula, expected, more)
  it(formula, function() assert.equal(expected, value(formula, more)) end)
end

describe("sums and products", function()
  becomes("u = v + w - s", "(add v w (mul -1 s))")
  becomes("u = v + (w + s)", "(add v (add w s))")
  becomes("u = v - 2*w", "(add v (mul -2 w))")
  becomes("u = v*w*s/v", "(div (mul v w s) v)")
  becomes("u = v*(w*s)", "(mul v (mul w s))")
  becomes("u = -v^2", "(mul -1 v^2)")
  becomes("u = -(-v)", "v")
  becomes("u = v*-w", "(mul -1 v w)")
  becomes("u = -v*-w", "(mul v w)")
  becomes("u = 3*-w", "(mul -3 w)")
  becomes("u = v^m", "v^3")
  becomes("u = v^-(m - 1)", "v^-2")
  becomes("u = v^1 + w^0", "(add v 1)")
end)

describe("numbers", function()
  becomes("u = 1/2", "1/2")
  becomes("u = 0.1 + 0.2", "3/10")
  becomes("u = 2*3*v", "(mul 6 v)")
  becomes("u = v*2*3", "(mul v 2 3)")
  becomes("u = 1 + 2 + v + 3", "(add 3 v 3)")
  becomes("u = v + 0", "v")
  becomes("u = 0*v + w", "w")
  becomes("u = 1*v/1", "v")
  becomes("u = 1 - 1 + v", "v")
  becomes("u = (2/3)^-3", "27/8")
  becomes("u = abs(-1/2) + floor(-1/2) + ceil(1/3) + sign(-7)", "-1/2")
  becomes("u = where(m > 2, v, w)", "v")
  becomes("u = min(3, 2)*v", "(mul 2 v)")
  becomes("u = 2^200", ("1606938044258990275541962092341162602522202993782792"
    .. "835301376"))
end)

describe("choices", function()
  becomes("u = min(v, w)", "(select (< w v) w v)")
  becomes("u = max(v, w, s)",
    "(select (> s (select (> w v) w v)) s (select (> w v) w v))")
  becomes("u = where(not v < 1 and w >= 2 or v == s, 1, 2)",
    "(select (or (and (not (< v 1)) (>= w 2)) (== v s)) 1 2)")
  becomes("u = where(v > 0, w, w)", "w")
  becomes("u = atan2(v, exp(w))", "(atan2 v (exp w))")
end)

describe("shifts", function()
  becomes("u = v[x-1]", "v[x-1]")
  becomes("u = v[x-1][x+1]", "v")
  becomes("u = v[x+1, y-2][x+1]", "v[x+2 y-2]")
  becomes("u = v[x+m]", "v[x+3]")
  becomes("u = v[x]", "v")
  becomes("u = (v*w)[x+1]", "[x+1]((mul v w))")
  becomes("u = (v*w)[x+1][x-1]", "(mul v w)")
  becomes("u = (v*px)[y+1]", "[y+1]((mul v px))")
  becomes("u = px[y+1] + s", "(add px s)")
  becomes("u = (2*s)[x+1] + v", "(add (mul 2 s) v)")
  becomes("t = v*w  u = t[y-1]", "[y-1]((mul v w))")
end)

describe("operators", function()
  becomes("u = d(v, x)", "d{x-1:(mul -1/2 hx^-1), x+1:(mul 1/2 hx^-1)}(v)")
  becomes("u = dd(v, y)", "dd{y-1:hy^-2, :(mul -2 hy^-2), y+1:hy^-2}(v)")
  becomes("u = mean(mean(v, x), x)",
    "mean{x-1/2:1/2, x+1/2:1/2}(mean{x-1/2:1/2, x+1/2:1/2}(v))")
  becomes("u = d(px, y) + v", "v")
  becomes("u = mean(px, y)", "px")
  becomes("u = d(s, x) + v", "v")
  becomes("u = sum(a in axes, d(v, a))", "(add "
    .. "d{x-1:(mul -1/2 hx^-1), x+1:(mul 1/2 hx^-1)}(v) "
    .. "d{y-1:(mul -1/2 hy^-1), y+1:(mul 1/2 hy^-1)}(v))")
  becomes("u = max(a in (x, y), v[a+1])",
    "(select (> v[y+1] v[x+1]) v[y+1] v[x+1])")
  becomes("u = o(v) + o(px)", "(add o{x-1:s, y+1:2}(v) o{x-1:s, :2}(px))",
    'operator { "o", taps = { {-1,0,"s"}, {0,1,2}, {1,1,0} } }\n')
  becomes("u = o(px)", "o{:(add s 2), x+1:1}(px)",
    'operator { "o", taps = { {0,-1,"s"}, {0,1,2}, {1,1,1} } }\n')
  becomes("u = o(v, x)", "o{:(mul -3/2 hx^-1), x+1:(mul 2 hx^-1), "
    .. "x+2:(mul -1/2 hx^-1)}(v)",
    'operator { "o", derivative = 1, offsets = { 0, 1, 2 } }\n')
  becomes("u = o(v, x)", "o{x-1:(mul -1 s hx^-1), x+1:(mul s hx^-1)}(v)",
    'operator { "o", derivative = 1, offsets = { -1, 1 }, '
    .. 'weights = { "-s", "s" } }\n')
  becomes("u = o(mean(v, y), y)", "o{y-1/2:(mul -1 hy^-1), y+1/2:hy^-1}("
    .. "mean{y-1/2:1/2, y+1/2:1/2}(v))",
    'operator { "o", derivative = 1, order = 2, staggered = true }\n')
end)

describe("defines", function()
  becomes("u = f(v, w)", "(mul v (add w 1))",
    "define [[ f(a, b) = a*(b + 1) ]]\n")
  becomes("u = lap(v*w)", "(add " ..
    "dd{x-1:hx^-2, :(mul -2 hx^-2), x+1:hx^-2}((mul v w)) " ..
    "dd{y-1:hy^-2, :(mul -2 hy^-2), y+1:hy^-2}((mul v w)))",
    "define [[ lap(f) = sum(a in axes, dd(f, a)) ]]\n")
  becomes("u = move(v, y, m)", "v[y-3]",
    "define [[ move(f, a, n) = f[a-n] ]]\n")
  becomes("u = twice(v[x+1])[x-1]", "[x-1]((mul 2 v[x+1]))",
    "define [[ twice(f) = g*f  g = 2 ]]\n")
  becomes("u = f(f(v))", "(add (add v 1) 1)", "define [[ f(a) = a + 1 ]]\n")
end)

describe("what was assigned above", function()
  it("is the assigned node at the point itself, in locals and defines too",
    function()
      assert.equal("(add (mul 2 w) (mul 2 w) 1)",
        value("before = v  v = 2*w  u = v + f + where(0 < before, 1, 1)",
          "define [[ f = v ]]\n"))
    end)

  it("is not what a local means that was written before", function()
    assert.equal("(add v (mul 2 w))", value("t = v  v = 2*w  u = t + v"))
  end)

  it("is the next level's node", function()
    assert.equal("(mul 3 (add t v))", value("t.next = t + v  u = 3*t.next",
      'field { "t", time = { 0, 1 } }\nstep { "k" }\n'))
  end)

  it("is read from memory where a sweep reads behind", function()
    local model = building.model(building.GRID .. 'field { "u", "v" }\n'
      .. 'kernel { "k", sweep = "x up", [[ v = 2*u  u = v + v[x-1] ]] }')
    assert.equal("(add (mul 2 u) v[x-1])", building.value(model))
  end)
end)
