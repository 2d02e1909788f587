-- What build makes of a formula has the value that the formula has: random
-- expressions against functions that are made beside them, and evaluated at
-- points without any of build's ideas.

local building = require "tests.building"

local HEAD = building.GRID .. [[
field { "u", "v", "w" }
field { "px", on = { "x" } }
scalar { "s" }
operator { "dd", derivative = 2, order = 2 }
operator { "up", derivative = 1, offsets = { 0, 1 } }
operator { "half", derivative = 0, order = 2, staggered = true }
operator { "o", taps = { { 0, 0, 2 }, { 1, -1, "s" }, { 0, 1, "1/3" } } }
kernel { "all", [=[ v = px + s + dd(w, x) + o(w) + up(w, x)
                        + half(half(w, x), x) ]=] }
]]

local SCALARS = { s = 0.75, hx = 0.5, hy = 1.25 }
local SPACING = { x = 0.5, y = 1.25 }

local FIELDS = {
  v = function(x, y) return math.sin(1.1*x + 0.3*y) end,
  w = function(x, y) return 0.2*x*y - math.cos(y) end,
  px = function(x) return 1.5 + math.sin(x) end,
}

-- ---------------------------------------------------------------------------
-- The value of a node at a point

local value_at

local function at_args(model, node, x, y)
  local values = {}
  for i, id in ipairs(node.args) do values[i] = value_at(model, id, x, y) end
  return table.unpack(values)
end

local AT = {
  num = function(_, n) return tonumber(n.n) / tonumber(n.d) end,
  scalar = function(_, n) return SCALARS[n.name] end,
  read = function(_, n, x, y)
    return FIELDS[n.field](x + (n.shift.x or 0)/2, y + (n.shift.y or 0)/2)
  end,
  shift = function(m, n, x, y)
    return value_at(m, n.arg, x + (n.by.x or 0)/2, y + (n.by.y or 0)/2)
  end,
  apply = function(m, n, x, y)
    local sum = 0
    for _, tap in ipairs(n.taps) do
      sum = sum + value_at(m, tap.w, x, y) * value_at(m, n.arg,
        x + (tap.shift.x or 0)/2, y + (tap.shift.y or 0)/2)
    end
    return sum
  end,
  add = function(m, n, x, y)
    local sum = 0
    for _, id in ipairs(n.args) do sum = sum + value_at(m, id, x, y) end
    return sum
  end,
  mul = function(m, n, x, y)
    local product = 1
    for _, id in ipairs(n.args) do product = product*value_at(m, id, x, y) end
    return product
  end,
  div = function(m, n, x, y)
    local a, b = at_args(m, n, x, y)
    return a/b
  end,
  pow = function(m, n, x, y) return at_args(m, n, x, y)^n.exponent end,
  call = function(m, n, x, y) return math[n.fn](at_args(m, n, x, y)) end,
  compare = function(m, n, x, y)
    local a, b = at_args(m, n, x, y)
    if n.op == "<" then return a < b end
    return a > b
  end,
  select = function(m, n, x, y)
    local condition, a, b = at_args(m, n, x, y)
    if condition then return a end
    return b
  end,
}

function value_at(model, id, x, y)
  local node = model.nodes[id]
  return AT[node.kind](model, node, x, y)
end

-- ---------------------------------------------------------------------------
-- Random expressions: text and function

local function constant(value) return function() return value end end

local LEAVES = {
  { "v", FIELDS.v }, { "w", FIELDS.w }, { "px", FIELDS.px },
  { "s", constant(0.75) }, { "0", constant(0) }, { "1", constant(1) },
  { "2", constant(2) }, { "1/4", constant(0.25) }, { "0.1", constant(0.1) },
}

local random

local MAKE = {
  function(a, f, b, g)
    return ("(%s + %s)"):format(a, b),
      function(x, y) return f(x, y) + g(x, y) end
  end,
  function(a, f, b, g)
    return ("(%s - %s)"):format(a, b),
      function(x, y) return f(x, y) - g(x, y) end
  end,
  function(a, f, b, g)
    return ("%s*%s"):format(a, b), function(x, y) return f(x, y)*g(x, y) end
  end,
  function(a, f, b, g)
    return ("(-%s)*3*-%s/2"):format(a, b),
      function(x, y) return 1.5*f(x, y)*g(x, y) end
  end,
  function(a, f, b, g)
    return ("(%s)/(3 + (%s)^2)"):format(a, b),
      function(x, y) return f(x, y)/(3 + g(x, y)^2) end
  end,
  function(a, f, b, g)
    return ("min(%s, max(%s, 0))"):format(a, b),
      function(x, y) return math.min(f(x, y), math.max(g(x, y), 0)) end
  end,
  function(a, f, b, g)
    return ("where(%s < %s, abs(%s), 2)"):format(a, b, a), function(x, y)
      return f(x, y) < g(x, y) and math.abs(f(x, y)) or 2
    end
  end,
  function(a, f)
    return ("(%s)[x+1, y-2]"):format(a),
      function(x, y) return f(x + 1, y - 2) end
  end,
  function(a, f)
    return ("dd(%s, y)"):format(a), function(x, y)
      return (f(x, y - 1) - 2*f(x, y) + f(x, y + 1))/SPACING.y^2
    end
  end,
  function(a, f)
    return ("up(%s, x)"):format(a),
      function(x, y) return (f(x + 1, y) - f(x, y))/SPACING.x end
  end,
  function(a, f)
    return ("half(half(%s, y), x)[x+1/2, y-1/2]"):format(a), function(x, y)
      return (f(x, y) + f(x + 1, y) + f(x, y - 1) + f(x + 1, y - 1))/4
    end
  end,
  function(a, f)
    return ("o(%s)"):format(a), function(x, y)
      return 2*f(x, y) + 0.75*f(x + 1, y - 1) + f(x, y + 1)/3
    end
  end,
  function(a, f)
    return ("sum(a in axes, (%s)[a+1])"):format(a),
      function(x, y) return f(x + 1, y) + f(x, y + 1) end
  end,
}

function random(depth)
  if depth == 0 then
    local leaf = LEAVES[math.random(#LEAVES)]
    return leaf[1], leaf[2]
  end
  local a, f = random(depth - 1)
  local b, g = random(math.random(0, depth - 1))
  if a:find "sum" or b:find "sum" then      -- nothing hides a name: one `a`
    return MAKE[math.random(#MAKE - 1)](a, f, b, g)
  end
  return MAKE[math.random(#MAKE)](a, f, b, g)
end

local POINTS = { { 0, 0 }, { 3, -2 }, { -1, 4 }, { 10, 7 } }

local function check(text, f)
  local model = building.model(HEAD .. 'kernel { "k", [=[ u = ' .. text
    .. " ]=] }")
  local id = model.kernels[2].blocks[1].assign[1].value
  for _, p in ipairs(POINTS) do
    local got, wanted = value_at(model, id, p[1], p[2]), f(p[1], p[2])
    assert.is_true(math.abs(got - wanted) <= 1e-9*(1 + math.abs(wanted)),
      ("%s: %.17g, wanted %.17g"):format(text, got, wanted))
  end
end

describe("a model", function()
  it("has the values that its formulas have", function()
    math.randomseed(21)
    for depth = 1, 4 do
      for _ = 1, 60 do check(random(depth)) end
    end
  end)
end)
