-- The one order of operations, the multiply-adds in it, and what has a name.
-- Expected texts are typed by hand from gen/README.md.

local lowering = require "tests.lowering"
local cases = require "tests.lowering_cases"

local GRID, CUBE, LINE = cases.GRID, cases.CUBE, cases.LINE

local function block_of(text, options)
  return lowering.lower(text, options).kernels[1].blocks[1]
end

local function text_of(text, options)
  return lowering.text(block_of(text, options))
end

describe("the sums of --fp unfused", function()
  it("keeps the applies of a sum apart", function()
    assert.equal(table.concat({
      "host dd_x0 = (-2/hx^2)", "host dd_x1 = (1/hx^2)",
      "host dd_y0 = (-2/hy^2)", "host dd_y1 = (1/hy^2)",
      "host dd_z0 = (-2/hz^2)", "host dd_z1 = (1/hz^2)",
      "code dd_u_x = ((dd_x0*u) + (dd_x1*(u_xm1 + u_xp1)))",
      "code dd_u_y = ((dd_y0*u) + (dd_y1*(u_ym1 + u_yp1)))",
      "code dd_u_z = ((dd_z0*u) + (dd_z1*(u_zm1 + u_zp1)))",
      "code lap = ((dd_u_x + dd_u_y) + dd_u_z)",
      "store v = lap" }, "\n"), text_of(cases.laplace(2), { fp = "unfused" }))
  end)
end)

-- The one order of 25 points, typed by hand from gen/README.md.
local TWENTY_FIVE = [[
host dd_0 = (((-205/72/hx^2) + (-205/72/hy^2)) + (-205/72/hz^2))
host dd_x1 = (8/5/hx^2)
host dd_y1 = (8/5/hy^2)
host dd_z1 = (8/5/hz^2)
host dd_x2 = (-1/5/hx^2)
host dd_y2 = (-1/5/hy^2)
host dd_z2 = (-1/5/hz^2)
host dd_x3 = (8/315/hx^2)
host dd_y3 = (8/315/hy^2)
host dd_z3 = (8/315/hz^2)
host dd_x4 = (-1/560/hx^2)
host dd_y4 = (-1/560/hy^2)
host dd_z4 = (-1/560/hz^2)
code lap = SUM
store u_prev = fma(c2, lap, fma(2, u, -u_prev))]]

local function twenty_five_sum()
  local sum = "(dd_0*u)"
  for r = 1, 4 do
    for _, a in ipairs { "x", "y", "z" } do
      sum = ("fma(dd_%s%d, (u_%sm%d + u_%sp%d), %s)"):format(a, r, a, r, a, r,
        sum)
    end
  end
  return sum
end

describe("the one order", function()
  it("is centre, rings outward, axes in order, pairs first", function()
    assert.equal((TWENTY_FIVE:gsub("SUM", twenty_five_sum())),
      text_of(cases.wave(8)))
  end)

  it("shares one weight per ring where spacings are one name", function()
    assert.equal(table.concat({ "host dd_0 = (-15/2/h^2)",
      "host dd_1 = (4/3/h^2)", "host dd_2 = (-1/12/h^2)",
      "code lap = fma(dd_2, (((u_xm2 + u_xp2) + (u_ym2 + u_yp2))"
        .. " + (u_zm2 + u_zp2)), fma(dd_1, (((u_xm1 + u_xp1)"
        .. " + (u_ym1 + u_yp1)) + (u_zm1 + u_zp1)), (dd_0*u)))",
      "store v = lap" }, "\n"), text_of(cases.laplace(4, CUBE)))
  end)

  it("shares literals where spacings are equal numbers", function()
    local grid = [[precision { "float" }
      grid { "x", "y", "z", spacing = { 0.5, 0.5, 0.25 } } ]]
    assert.equal(table.concat({
      "code lap = fma(16, (u_zm1 + u_zp1), fma(4, ((u_xm1 + u_xp1)"
        .. " + (u_ym1 + u_yp1)), (-48*u)))",
      "store v = lap" }, "\n"), text_of(cases.laplace(2, grid)))
  end)

  it("subtracts antisymmetric pairs", function()
    assert.equal(table.concat({ "host d_x1 = (2/3/h)", "host d_x2 = (-1/12/h)",
      "code d_u_x = fma(d_x2, (u_xp2 - u_xm2), (d_x1*(u_xp1 - u_xm1)))",
      "store v = d_u_x" }, "\n"), text_of(LINE .. [==[
        field { "u", "v" }
        operator { "d", derivative = 1, order = 4 }
        kernel { "k", [[ v = d(u, x) ]] } ]==]))
  end)

  it("puts faces before edges before corners of a box", function()
    local block = block_of(cases.named "box with run-time weights")
    local box = block.stencils[1]
    assert.equal("box", box.kind)
    assert.equal(27, box.taps)
    assert.equal("w0 w1 w2 w3", table.concat({ box.groups[1].weight.name,
      box.groups[2].weight.name, box.groups[3].weight.name,
      box.groups[4].weight.name }, " "))
    assert.same({ 1, 6, 12, 8 }, { #box.groups[1].taps, #box.groups[2].taps,
      #box.groups[3].taps, #box.groups[4].taps })
    assert.truthy(lowering.text(block):find("((u_xm1 + u_xp1) + "
      .. "(u_ym1 + u_yp1)) + (u_zm1 + u_zp1)", 1, true))
    assert.truthy(lowering.text(block):find("(u_xm1_ym1 + u_xp1_yp1) + "
      .. "(u_xm1_yp1 + u_xp1_ym1)", 1, true))
  end)

  it("computes taps that have no partner singly", function()
    assert.equal(table.concat({ "host right_x0 = (-3/2/h)",
      "host right_x1 = (2/h)", "host right_x2 = (-1/2/h)",
      "code right_u_x = fma(right_x2, u_xp2, fma(right_x1, u_xp1, "
        .. "(right_x0*u)))",
      "store v = right_u_x" }, "\n"), text_of(LINE .. [==[
        field { "u", "v" }
        operator { "right", derivative = 1, offsets = { 0, 1, 2 } }
        kernel { "k", [[ v = right(u, x) ]] } ]==]))
  end)
end)

local function kernel_text(formula, extra)
  return text_of(GRID .. (extra or "") .. [[
    scalar { "s", "t" }
    field { "u", "v", "w", "r" }
    kernel { "k", "]] .. formula .. [[" } ]])
end

describe("multiply-adds", function()
  local USE = " w = s*t*u*v "     -- so that no declaration is unused

  local function first_store(formula)
    local text = kernel_text(formula .. USE)
    return text:match("store r = ([^\n]*)")
  end

  it("take every term of two factors", function()
    assert.equal("fma(u, v, w)", first_store "r = w + u*v")
    assert.equal("fma(u, v, w)", first_store "r = u*v + w")
    assert.equal("fma(-u, v, w)", first_store "r = w - u*v")
    assert.equal("fma(u, v, -w)", first_store "r = u*v - w")
    assert.equal("fma(-2, u, w)", first_store "r = w - 2*u")
  end)

  it("leave the first of two products a multiply", function()
    assert.equal("fma(v, w, (u*v))", first_store "r = u*v + v*w")
  end)

  it("go left to right", function()
    assert.equal("((u + v) + w)", first_store "r = u + v + w")
    assert.equal("(u + (v + w))", first_store "r = u + (v + w)")
    assert.equal("((u + v) - w)", first_store "r = u + v - w")
  end)

  it("have no need for a minus in front", function()
    assert.equal("(v - u)", first_store "r = -u + v")
    assert.equal("fma(v, w, -u)", first_store "r = -u + v*w")
  end)

  it("square within a sum", function()
    assert.equal("fma(u, u, v)", first_store "r = v + u^2")
  end)
end)

describe("what the host computes", function()
  local function lines(formula)
    return kernel_text(formula)
  end

  it("is what numbers and scalars alone decide", function()
    assert.equal(table.concat({ "host constant = (sin(s) + (2*t))",
      "store r = (constant*u)", "store w = v" }, "\n"),
      lines "r = (sin(s) + 2*t)*u w = v")
  end)

  it("is a scalar under its own name where it stands alone", function()
    assert.equal(table.concat({ "host s = s", "host t = t",
      "store r = fma(s, u, t)", "store w = v" }, "\n"),
      lines "r = s*u + t w = v")
  end)

  it("is a power of a scalar under that name", function()
    assert.equal(table.concat({ "host s_squared = s^2", "host t_cubed = t^3",
      "store r = fma(s_squared, u, t_cubed)", "store w = v" }, "\n"),
      lines "r = s^2*u + t^3 w = v")
  end)

  it("gathers factors of a product, numbers first", function()
    assert.equal(table.concat({ "host constant = ((2*s)*t)",
      "store r = ((constant*u)*v)", "store w = v" }, "\n"),
      lines "r = s*u*2*v*t w = v")
  end)

  it("is not a division at each point, unless that is by a number",
    function()
      assert.equal(table.concat({ "host s = s", "host t = t",
        "store r = ((1/3*u)/s)", "store w = (v*t)" }, "\n"):gsub("v%*t", "t*v"),
        lines "r = u/3/s w = v*t")
    end)
end)

describe("common subexpressions", function()
  it("are computed once and carry their name in the spec", function()
    assert.equal(table.concat({ "code flux = (u - v)",
      "store r = (flux*flux)", "store w = (1/flux)" }, "\n"),
      text_of(GRID .. [==[ field { "u", "v", "w", "r" }
        kernel { "k", [[ flux = u - v   r = flux*flux   w = 1/flux ]] } ]==]))
  end)

  it("are named after what they are where the spec has no name", function()
    assert.equal(table.concat({ "code sum = (u + v)",
      "code sum_2 = (u - v)", "code u_squared = (u*u)",
      "store r = ((sum*sum_2)/u_squared)", "store w = ((sum*u_squared)/sum_2)" },
      "\n"), text_of(GRID .. [==[ field { "u", "v", "w", "r" }
        kernel { "k", [[ r = (u + v)*(u - v)/u^2
                         w = (u + v)*u^2/(u - v) ]] } ]==]))
  end)

  it("of one name along several axes say along which", function()
    assert.equal(table.concat({ "code flux_x = (u_xp1 - u)",
      "code flux_y = (u_yp1 - u)", "store v = (flux_x*flux_y)",
      "store w = (1/flux_x)" }, "\n"), text_of(GRID .. [==[
        field { "u", "v", "w" }
        define [[ flux(a) = u[a+1] - u ]]
        kernel { "k", [[ v = flux(x)*flux(y)   w = 1/flux(x) ]] } ]==]))
  end)

  it("of one name for several fields say which", function()
    local block = block_of(GRID .. [==[
      field { "a", "p", "q", "v" }
      operator { "d", derivative = 1, order = 2 }
      define [[ rough(f) = a*d(f, x)^2 + d(d(f, x), y) ]]
      kernel { "k", [[ v = rough(p)*rough(q) ]] } ]==])
    local names = {}
    for i, entry in ipairs(block.code) do names[i] = entry.name end
    assert.equal("d_p_x rough_p d_q_x rough_q",
      table.concat(names, " "))
  end)

  it("name what is assigned and read again after it", function()
    assert.equal(table.concat({ "code u_new = (u + 1)",
      "store u = u_new", "store v = (u_new*w)" }, "\n"),
      text_of(GRID .. [==[ field { "u", "v", "w" }
        kernel { "k", [[ u = u + 1   v = u*w ]] } ]==]))
  end)

  it("are not computed again where a shift changes nothing", function()
    local block = block_of(GRID .. [==[ field { "p", on = { "y" } }
      field { "u", "v" }
      define [[ scaled = exp(p)*u ]]
      kernel { "k", [[ v = scaled[x+1]/scaled[x-1] ]] } ]==])
    local calls = 0
    lowering.each(block, function(e)
      if e.op == "call" then calls = calls + 1 end
    end)
    assert.equal(1, calls)
  end)

  it("are found under shifts: a flux is computed at each face once",
    function()
      local block = block_of(GRID .. [==[ field { "u", "b", "v" }
        define [[ flux = b*exp(u) ]]
        kernel { "k", [[ v = (flux[x+1] - flux)/(flux[x+1] + flux) ]] } ]==])
      local calls = 0
      lowering.each(block, function(e)
        if e.op == "call" then calls = calls + 1 end
      end)
      assert.equal(2, calls)
    end)
end)
