-- The reference's text, from models written by hand as gen/README.md has them.

local reference = require "gen.c.reference"
local regions = require "gen.c.reference_region"

local NAMES = {
  scalar = function(name) return "in->a->" .. name end,
  array = function(field, level)
    local name = field .. (level == -1 and "_prev" or "")
    return { name = name, member = name, strides = field .. "_stride" }
  end,
}

-- A pool of nodes: each call appends one and gives its id.
local function pool()
  local nodes = {}
  return nodes, function(node)
    node.type = node.type or "real"
    nodes[#nodes + 1] = node
    return #nodes
  end
end

local function num(add, n, d)
  return add { kind = "num", n = tostring(n), d = tostring(d or 1) }
end

local function read(add, field, level)
  return add { kind = "read", field = field, level = level or 0, shift = {} }
end

-- A second derivative of any radius along x: weights of no meaning.
local function derivative(add, arg, radius)
  local taps = {}
  for r = -radius, radius do
    taps[#taps + 1] = { shift = { x = 2 * r }, w = num(add, r * r + 1, 7) }
  end
  return add { kind = "apply", name = "dd", axis = "x", taps = taps, arg = arg }
end

local function text(nodes, value, compute)
  local halo = { low = { kind = "halo" }, high = { kind = "halo" } }
  local field = { type = "float", on = { "x", "y" }, axes = { "x", "y" }, at = { x = 0, y = 0 },
    boundary = { x = halo, y = halo } }
  local model = { compute = compute or "float", nodes = nodes,
    spaces = { x = { kind = "axis", rank = 1 }, y = { kind = "axis", rank = 2 } },
    scalars = { dt = { type = "double" }, mode = { type = "int" } },
    fields = { u = field, v = field } }
  local kernel = { blocks = { { assign = {
    { field = "v", level = 0, value = value } } } } }
  return reference.text(model, kernel, kernel.blocks[1], { "x", "y" }, NAMES)
end

local function size(value)
  if type(value) ~= "table" then return #tostring(value) end
  local total = 0
  for _, item in next, value do total = total + size(item) end
  return total
end

describe("the text of the reference", function()
  it("reads a time level where its shift says", function()
    local nodes, add = pool()
    local value = add { kind = "read", field = "u", level = -1,
      shift = { x = -4, y = 2 } }
    local made = text(nodes, value)
    assert.same({ "const struct number u_prev_1 = u_prev_at(in, "
      .. "SHIFTED(q, -4, 2));" }, made.groups[1].lines)
    assert.same({ { name = "u_prev_at",
      strides = "u_stride", indices = "q.half[0] / 2, q.half[1] / 2",
      element = "in->a->u_prev[i[0] * s[0] + i[1] * s[1]]", sides = {} } }, made.readers)
  end)

  it("evaluates what scalars alone decide once a launch", function()
    local nodes, add = pool()
    local dt = add { kind = "scalar", name = "dt" }
    local square = add { kind = "pow", args = { dt }, exponent = 2 }
    local product = add { kind = "mul", args = { square, read(add, "u") } }
    local made = text(nodes, product)
    assert.equal(1, made.count)
    assert.same({ "const struct number dt_1 = exact(in->a->dt);",
      "const struct number power_2 = power(dt_1, 2);",
      "in->constant[0] = rounded_once(power_2);" }, made.constants)
    assert.equal("const struct number product_4 = "
      .. "scaled(in->constant[0], u_3);", made.groups[1].lines[2])
  end)

  it("writes a node that is used twice once", function()
    local nodes, add = pool()
    local u = read(add, "u")
    local square = add { kind = "mul", args = { u, u }, hint = "square" }
    local sum = add { kind = "add", args = { square, square } }
    local made = text(nodes, sum)
    assert.same({ "const struct number u_1 = u_at(in, q);",
      "const struct number square_2 = mul(u_1, u_1);",
      "const struct number sum_3 = add(square_2, square_2);" }, made.groups[1].lines)
  end)

  it("keeps a sum open under constants, and closes it under fields",
    function()
      local nodes, add = pool()
      local u, three = read(add, "u"), num(add, 3)
      local sum = add { kind = "add", args = { u, u } }
      local third = add { kind = "div", args = { sum, three } }
      local product = add { kind = "mul", args = { three, u, third } }
      local made = text(nodes, product)
      assert.equal("const struct number ratio_4 = scaled(quotient("
        .. "exact(1.0), exact(3.0)), sum_3);", made.groups[1].lines[3])
      assert.equal("const struct number product_5 = mul(scaled("
        .. "exact(3.0), u_1), ratio_4);", made.groups[1].lines[4])
    end)

  it("takes a minus for what it is", function()
    local nodes, add = pool()
    local minus = num(add, -1)
    local made = text(nodes, add { kind = "mul",
      args = { minus, read(add, "u") } })
    assert.equal("const struct number minus_3 = negative(u_2);",
      made.groups[1].lines[2])
  end)

  it("makes a function of what an operator reads elsewhere", function()
    local nodes, add = pool()
    local u = read(add, "u")
    local square = add { kind = "mul", args = { u, u }, hint = "flux" }
    local made = text(nodes, derivative(add, square, 1))
    assert.equal("flux_2_at", made.values[1].name)
    assert.equal("flux_2", made.values[1].result)
    assert.same({ "{ { -2, 0 }, 0 },", "{ { 0, 0 }, 1 },",
      "{ { 2, 0 }, 2 }," }, made.taps[1].rows)
    assert.equal(3, made.taps[1].count)
  end)

  it("never reads where the weight is nought", function()
    local nodes, add = pool()
    local zero, one, u = num(add, 0), num(add, 1), read(add, "u")
    local value = add { kind = "apply", name = "d", axis = "x", arg = u,
      taps = { { shift = { x = -2 }, w = one }, { shift = {}, w = zero },
               { shift = { x = 2 }, w = one } } }
    local made = text(nodes, value)
    assert.same({ "{ { -2, 0 }, 0 },", "{ { 2, 0 }, 0 }," },
      made.taps[1].rows)
  end)

  it("grows with the taps, not with their product", function()
    local function nested(radius)
      local nodes, add = pool()
      local inner = derivative(add, read(add, "u"), radius)
      return size(text(nodes, derivative(add, inner, radius)))
    end
    assert.is_true(nested(16) < 10 * nested(2))
  end)

  it("rounds what is stored narrower than it is computed", function()
    local nodes, add = pool()
    local made = text(nodes, read(add, "u"), "double")
    assert.equal("0x1p-24", made.groups[1].stores[1].relative)
    assert.equal("0", text(nodes, 1, "float").groups[1].stores[1].relative)
    assert.equal("p.at[0] + in->n[0] * p.at[1]",
      made.groups[1].stores[1].index)
  end)
end)

describe("the reference's regions", function()
  local function number(n) return { kind = "number", n = n, d = "1" } end
  local model = { regions = {
    { name = "pml", shell = { x = { { kind = "scalar", name = "width" },
      { kind = "scalar", name = "width" } } } },
    { name = "low", ranges = { y = { number "0", { kind = "sub",
      left = { kind = "n" }, right = number "2" } } } },
    { name = "inner", rest = true } } }

  local function tests_of(...)
    local kernel = { blocks = {} }
    for i, name in ipairs { ... } do kernel.blocks[i] = { region = name } end
    return regions.tests(model, kernel, { "x", "y" }, NAMES)
  end

  it("are tested in the order of the spec, the rest last", function()
    assert.same({
      { name = "pml", test = { "p.at[0] < in->a->width"
        .. " || p.at[0] >= n[0] - in->a->width" } },
      { name = "low", test = { "p.at[1] >= 0 && p.at[1] < (n[1] - 2)" } },
      { name = "inner" } }, tests_of("inner", "low", "pml"))
  end)

  it("are those that the kernel names", function()
    local list = tests_of "low"
    assert.equal(1, #list)
    assert.equal("low", list[1].name)
  end)
end)
