-- Lowering: one tree of operations that every shape renders. Its numbers are
-- those of the model as written; its text, names and counts are as documented
-- in gen/README.md.

local lowering = require "tests.lowering"

local GRID = [[
precision { "float" }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
]]
local CUBE = [[
precision { "float" }
grid { "x", "y", "z", spacing = { "h", "h", "h" } }
]]
local LINE = [[
precision { "float" }
grid { "x", spacing = { "h" } }
]]

local function block_of(text, options)
  return lowering.lower(text, options).kernels[1].blocks[1]
end

local function text_of(text, options)
  return lowering.text(block_of(text, options))
end

local function laplace(order, grid)
  return (grid or GRID) .. ([[
    field { "u", "v" }
    operator { "dd", derivative = 2, order = %d }
    define %s lap(f) = sum(a in axes, dd(f, a)) %s
    kernel { "k", %s v = lap(u) %s }
  ]]):format(order, "[[", "]]", "[[", "]]")
end

local function wave(order, grid)
  return (grid or GRID) .. ([[
    field { "u", time = { -1, 0, 1 }, buffers = 2 }
    field { "c2" }
    operator { "dd", derivative = 2, order = %d }
    define %s lap(f) = sum(a in axes, dd(f, a)) %s
    kernel { "step", %s u.next = 2*u - u.prev + c2*lap(u) %s }
  ]]):format(order, "[[", "]]", "[[", "]]")
end

local PML = GRID .. [==[
  scalar { "width", type = "int", range = { 0, 4 } }
  field { "u", time = { -1, 0, 1 }, buffers = 2 }
  field { "phi", time = { 0, 1 }, buffers = 1 }
  field { "c2" }
  field { "eta", range = { 0, 0.5 } }
  operator { "d",  derivative = 1, order = 2 }
  operator { "dd", derivative = 2, order = 8 }
  define [[ lap(f) = sum(a in axes, dd(f, a)) ]]
  region { "pml", shell = "width" }
  region { "inner", rest = true }
  kernel { "step",
    inner = [[ u.next = 2*u - u.prev + c2*lap(u) ]],
    pml   = [[ u.next = ((2 - eta^2 + 2*eta)*u - u.prev + c2*(lap(u) + phi))
                        / (1 + 2*eta)
               phi.next = (phi - sum(a in axes, d(eta, a)*d(u, a)))
                        / (1 + eta) ]] }
]==]

-- One spec per idea; each is checked for its numbers under every --fp.
local SPECS = {
  { "star, order 8", laplace(8) },
  { "star, equal spacings", laplace(4, CUBE) },
  { "star, numbers as spacings", laplace(4, [[
      precision { "double" }
      grid { "x", "y", "z", spacing = { 0.5, 0.5, 0.25 } }
    ]]) },
  { "wave in place of the oldest level", wave(4) },
  { "perfectly matched layer", PML },
  { "one axis", LINE .. [==[
      field { "u", "v" }
      operator { "d", derivative = 3, order = 4 }
      kernel { "k", [[ v = d(u, x) ]] }
    ]==] },
  { "radius per axis, none along z", GRID .. [==[
      field { "u", "v" }
      operator { "dd", derivative = 2, order = { x = 8, y = 2 } }
      kernel { "k", [[ v = sum(a in (x, y), dd(u, a)) ]] }
    ]==] },
  { "box with run-time weights", CUBE .. [==[
      scalar { "w0", "w1", "w2", "w3" }
      field { "u", "v" }
      local taps = {}
      for k = -1, 1 do for j = -1, 1 do for i = -1, 1 do
        taps[#taps + 1] = { i, j, k,
          "w" .. math.abs(i) + math.abs(j) + math.abs(k) }
      end end end
      operator { "box", taps = taps }
      kernel { "k", [[ v = box(u) ]] }
    ]==] },
  { "taps in no order, some alike", GRID .. [==[
      scalar { "w" }
      field { "u", "v" }
      operator { "odd", taps = { { 2, 0, -1, "w/3" }, { 0, 0, 3, "-w/3" },
        { -2, 0, 1, "-w/3" }, { 0, 1, 0, "1/7" }, { 0, 0, 0, "w^2 - 1" } } }
      kernel { "k", [[ v = odd(u) ]] }
    ]==] },
  { "one-sided", GRID .. [==[
      field { "u", "v" }
      operator { "right", derivative = 1, offsets = { 0, 1, 2 } }
      operator { "left",  derivative = 1, offsets = { -2, -1, 0 } }
      kernel { "k", [[ v = where(u > 0, left(u, x), right(u, x)) ]] }
    ]==] },
  { "a derivative of a derivative", GRID .. [==[
      field { "u", "v" }
      operator { "d", derivative = 1, order = 4 }
      kernel { "k", [[ v = d(d(u, x), y) + d(d(u, z), z) ]] }
    ]==] },
  { "a derivative of a Laplacian", GRID .. [==[
      field { "u", "v" }
      operator { "d", derivative = 1, order = 2 }
      operator { "dd", derivative = 2, order = 2 }
      kernel { "k", [[ v = d(3*sum(a in axes, dd(u, a)), x) ]] }
    ]==] },
  { "a derivative of a product and its shifts", GRID .. [==[
      field { "u", "b", "v" }
      operator { "d", derivative = 1, order = 4 }
      kernel { "k", [[ flux = b*d(u, x)
                       v = d(flux, x) + flux[x+1] - (b*u)[y-2] ]] }
    ]==] },
  { "flux form", GRID .. [==[
      scalar { "dt", range = { 0, 0.1 } }
      field { "c", time = { 0, 1 } }
      field { "k", range = { 0.5, 2 } }
      define [[ upper(a, h) = (k + k[a+1])/2 * (c[a+1] - c)/h
                net(a, h) = (upper(a, h) - upper(a, h)[a-1])/h ]]
      kernel { "k1", [[ c.next = c + dt*(net(x, hx) + net(y, hy)) ]] }
    ]==] },
  { "scaled applies of one field", GRID .. [==[
      scalar { "ax", "ay" }
      field { "u", "v" }
      operator { "dd", derivative = 2, order = 4 }
      kernel { "k", [[ v = ax*dd(u, x) - 3*ay*dd(u, y)/1 + u/ax ]] }
    ]==] },
  { "operators that other terms use too", GRID .. [==[
      field { "p", "ax", "ay", "v", "w" }
      operator { "d", derivative = 1, order = 4 }
      operator { "dd", derivative = 2, order = 4 }
      define [[ along(f) = ax^2*dd(f, x) + ay^2*dd(f, y) + 2*ax*ay*d(d(f, x), y)
                across(f) = sum(a in axes, dd(f, a)) - along(f) ]]
      kernel { "k", [[ v = across(p)   w = along(p) + across(p - v) ]] }
    ]==] },
  { "profiles", GRID .. [==[
      field { "px", on = { "x" } }
      field { "pyz", on = { "y", "z" } }
      field { "u", "v" }
      operator { "d", derivative = 1, order = 2 }
      kernel { "k", [[ v = d(px*u, x) + px[x+1]*d(pyz, y) + pyz^3*px^-2 ]] }
    ]==] },
  { "choices and conditions", GRID .. [==[
      scalar { "s" }
      field { "u", "w", "v" }
      kernel { "k", [[
        a = max(u, w, s)   b = min(abs(u), sqrt(abs(w)))
        v = where(a > b and not (u < 0 or w >= s), a*b, a/(2 + b))
          + where(s > 1/2, u, w)*where(s < 1, s, 2*s) ]] }
    ]==] },
  { "calls and powers", GRID .. [==[
      scalar { "s" }
      field { "u", range = { 0.5, 2 } }
      field { "v" }
      kernel { "k", [[ v = exp(-u^2) + sin(s)*u^7 - pow(u, s)/u^3 + s^-2 ]] }
    ]==] },
  { "several results, one used by the next", GRID .. [==[
      field { "u", "v", "w" }
      kernel { "k", [[ u = u + v*w   v = u^2 - v   w = (u + v)*w ]] }
    ]==] },
  { "whole scalars", GRID .. [==[
      scalar { "m", type = "int", range = { 1, 4 } }
      field { "u", "v" }
      kernel { "k", [[ v = m*u - u/m + 2*m ]] }
    ]==] },
  { "radius 16", laplace(32) },
}

local POINTS = { { x = 0, y = 0, z = 0 }, { x = 3, y = -7, z = 11 },
  { x = 101, y = 57, z = 5 } }

local function nodes_of(model, k, b)
  return model.kernels[k].blocks[b].assign
end

-- Every store of every block against the model as written, at some points.
local function compare(text, options, agree)
  local lowered = lowering.lower(text, options)
  for k, kernel in ipairs(lowered.kernels) do
    for b, block in ipairs(kernel.blocks) do
      local assign = nodes_of(lowered.model, k, b)
      for _, point in ipairs(POINTS) do
        local got = lowering.stored(lowered.model, block, point)
        for i, a in ipairs(assign) do
          agree(lowering.written(lowered.model, a.value, point), got[i])
        end
      end
    end
  end
end

local function to_rounding(wanted, got)
  assert.is_true(math.abs(wanted - got) <= 1e-10 * (1 + math.abs(wanted)),
    ("wanted %.17g, got %.17g"):format(wanted, got))
end

local function bit_for_bit(wanted, got)
  assert.equal(("%a"):format(wanted), ("%a"):format(got))
end

describe("the numbers of lowered code", function()
  for _, spec in ipairs(SPECS) do
    for _, fp in ipairs { "strict", "unfused", "fast" } do
      it(("are the model's: %s, --fp %s"):format(spec[1], fp), function()
        compare(spec[2], { fp = fp }, to_rounding)
      end)
    end
  end
end)

describe("--fp unfused", function()
  local AS_WRITTEN = GRID .. [==[
    scalar { "s", "t" }
    field { "u", range = { 0.5, 2 } }
    field { "v", "w" }
    kernel { "k", [[
      a = u*s*v - (w + u)*t + s*t*u
      v = u[x+1]*w*3 - 2*u*v/7 + a/3 - a*a
      w = -u + v*s - (u - w[y-1])^3 ]] }
  ]==]

  it("gives the bits of the formula as written", function()
    compare(AS_WRITTEN, { fp = "unfused" }, bit_for_bit)
  end)

  it("has no fma, nor has fast", function()
    for _, fp in ipairs { "unfused", "fast" } do
      for _, spec in ipairs(SPECS) do
        for _, kernel in ipairs(lowering.lower(spec[2], { fp = fp }).kernels) do
          for _, block in ipairs(kernel.blocks) do
            lowering.each(block, function(e)
              assert.not_equal("fma", e.op)
            end)
          end
        end
      end
    end
  end)

  it("keeps the applies of a sum apart", function()
    assert.equal(table.concat({
      "host dd_x0 = (-2/hx^2)", "host dd_x1 = (1/hx^2)",
      "host dd_y0 = (-2/hy^2)", "host dd_y1 = (1/hy^2)",
      "host dd_z0 = (-2/hz^2)", "host dd_z1 = (1/hz^2)",
      "code dd_u_x = ((dd_x0*u) + (dd_x1*(u_xm1 + u_xp1)))",
      "code dd_u_y = ((dd_y0*u) + (dd_y1*(u_ym1 + u_yp1)))",
      "code dd_u_z = ((dd_z0*u) + (dd_z1*(u_zm1 + u_zp1)))",
      "code lap = ((dd_u_x + dd_u_y) + dd_u_z)",
      "store v = lap" }, "\n"), text_of(laplace(2), { fp = "unfused" }))
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
      text_of(wave(8)))
  end)

  it("shares one weight per ring where spacings are one name", function()
    assert.equal(table.concat({ "host dd_0 = (-15/2/h^2)",
      "host dd_1 = (4/3/h^2)", "host dd_2 = (-1/12/h^2)",
      "code lap = fma(dd_2, (((u_xm2 + u_xp2) + (u_ym2 + u_yp2))"
        .. " + (u_zm2 + u_zp2)), fma(dd_1, (((u_xm1 + u_xp1)"
        .. " + (u_ym1 + u_yp1)) + (u_zm1 + u_zp1)), (dd_0*u)))",
      "store v = lap" }, "\n"), text_of(laplace(4, CUBE)))
  end)

  it("shares literals where spacings are equal numbers", function()
    local grid = [[precision { "float" }
      grid { "x", "y", "z", spacing = { 0.5, 0.5, 0.25 } } ]]
    assert.equal(table.concat({
      "code lap = fma(16, (u_zm1 + u_zp1), fma(4, ((u_xm1 + u_xp1)"
        .. " + (u_ym1 + u_yp1)), (-48*u)))",
      "store v = lap" }, "\n"), text_of(laplace(2, grid)))
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
    local block = block_of(SPECS[8][2])
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
      "code u_squared = (u*u)", "code sum_2 = (u - v)",
      "store r = ((sum*sum_2)/u_squared)", "store w = ((sum*u_squared)/sum_2)" },
      "\n"), text_of(GRID .. [==[ field { "u", "v", "w", "r" }
        kernel { "k", [[ r = (u + v)*(u - v)/u^2
                         w = (u + v)*u^2/(u - v) ]] } ]==]))
  end)

  it("name what is assigned and read again after it", function()
    assert.equal(table.concat({ "code u_new = (u + 1)",
      "store u = u_new", "store v = (u_new*w)" }, "\n"),
      text_of(GRID .. [==[ field { "u", "v", "w" }
        kernel { "k", [[ u = u + 1   v = u*w ]] } ]==]))
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

  it("leave nothing unused", function()
    for _, spec in ipairs(SPECS) do
      for _, kernel in ipairs(lowering.lower(spec[2]).kernels) do
        for _, block in ipairs(kernel.blocks) do
          local used = {}
          lowering.each(block, function(e)
            if e.op == "load" then used["load " .. e.id] = true end
            if e.name then used[e.name] = true end
          end)
          for _, l in ipairs(block.loads) do
            assert.is_true(used["load " .. l.id], spec[1] .. ": " .. l.name)
          end
          for _, list in ipairs { block.host, block.code } do
            for _, entry in ipairs(list) do
              assert.is_true(used[entry.name], spec[1] .. ": " .. entry.name)
            end
          end
        end
      end
    end
  end)
end)

describe("stencils", function()
  local function stencil(formula)
    return block_of(GRID .. [[ field { "u", "b", "v" }
      operator { "d", derivative = 1, order = 4 }
      operator { "dd", derivative = 2, order = 4 }
      kernel { "k", "]] .. formula .. [[" } ]])
  end

  it("merge where their applies are terms of one sum", function()
    local block = stencil "v = dd(u, x) + b + dd(u, y) b = d(u, z)"
    assert.equal("list", (block.stencils[1] or {}).kind == "star" and "list")
    assert.equal("dd_u", block.stencils[1].value)
    assert.equal(9, block.stencils[1].taps)
  end)

  it("stay apart where another term needs one of them", function()
    local block = stencil "v = dd(u, x) + dd(u, y) b = b*dd(u, x) + d(u, z)"
    local taps = {}
    for i, s in ipairs(block.stencils) do taps[i] = s.taps end
    assert.same({ 5, 5, 4 }, taps)
  end)

  it("convolve where one is applied to another", function()
    local block = stencil "v = d(d(u, x), y) b = dd(d(u, z), z)"
    assert.equal("list", block.stencils[1].kind)
    assert.equal(16, block.stencils[1].taps)
    assert.equal(3, #block.stencils[1].groups)
    assert.equal("line", block.stencils[2].kind)
    assert.same({ 4, 4 }, block.stencils[2].reach.z)
  end)

  it("evaluate any other argument at each tap, and reach that far", function()
    local lowered = lowering.lower(GRID .. [==[ field { "u", "b", "v" }
      operator { "d", derivative = 1, order = 4 }
      kernel { "k", [[ v = d(b*d(u, x), x) ]] } ]==])
    assert.same({ x = { 4, 4 }, y = { 0, 0 }, z = { 0, 0 } },
      lowered.fields[1].reach)
    assert.same({ 2, 2 }, lowered.fields[2].reach.x)
    assert.same({ 0, 0 }, lowered.fields[3].reach.x)
  end)

  it("know their reach per axis, and are named by operator and field",
    function()
      local block = block_of(SPECS[7][2])
      assert.same({ x = { 4, 4 }, y = { 1, 1 }, z = { 0, 0 } },
        block.stencils[1].reach)
      assert.equal("dd_u", block.stencils[1].value)
      assert.equal("dd(u), 11 taps", block.code[1].comment)
    end)
end)

describe("counts", function()
  local function counts(text, options) return block_of(text, options).counts end

  -- 12 pairs of an add and an fma, the centre's multiply, then two fma.
  it("of the 25-point wave equation are those counted by hand", function()
    assert.same({ flops = 12*3 + 1 + 4, reads = 3, writes = 1, loads = 27,
      stores = 1, bytes = 16 }, counts(wave(8)))
  end)

  -- 4 rings of 5 adds and an fma, the centre's multiply, then two fma.
  it("of the same with equal spacings are fewer flops", function()
    assert.equal(4*7 + 1 + 4, counts(wave(8, CUBE)).flops)
  end)

  -- Faces 5 adds, edges 11, corners 7; three fma and a multiply.
  it("of a box of four classes are those counted by hand", function()
    assert.same({ flops = 5 + 11 + 7 + 3*2 + 1, reads = 1, writes = 1,
      loads = 27, stores = 1, bytes = 8 }, counts(SPECS[8][2]))
  end)

  -- lap 37; eta: fma, fma 4; lap + phi 1; two fma 4; 1 + 2 eta 2; divide 1.
  -- phi: six derivatives of 2, product and two fma 5, subtract, add, divide.
  it("of the PML are those counted by hand", function()
    local block = lowering.lower(PML).kernels[1].blocks[2]
    assert.equal("pml", block.region == "pml" and "pml"
      or lowering.lower(PML).kernels[1].blocks[1].region)
    if block.region ~= "pml" then
      block = lowering.lower(PML).kernels[1].blocks[1]
    end
    assert.same({ flops = 37 + 4 + 1 + 4 + 2 + 1 + 12 + 5 + 3, reads = 5,
      writes = 2, loads = 25 + 1 + 1 + 7 + 1, stores = 2, bytes = 28 },
      block.counts)
  end)

  it("take no bytes for profiles, eight for doubles", function()
    local c = counts [==[
      precision { "double" }
      grid { "x", "y" }
      field { "p", on = { "x" } }
      field { "f", type = "float" }
      field { "u", "v" }
      kernel { "k", [[ v = p*u + p[x-1]*f ]] } ]==]
    assert.same({ flops = 3, reads = 2, writes = 1, loads = 4, stores = 1,
      bytes = 8 + 4 + 8 }, c)
  end)

  it("count an array that two levels share as one place each way", function()
    local c = counts(LINE .. [==[
      field { "u", time = { 0, 1 }, buffers = 1 }
      field { "f" }
      kernel { "k", [[ u.next = u + f*f*h ]] } ]==])
    assert.equal(2, c.reads)
    assert.equal(1, c.writes)
  end)
end)

describe("time levels", function()
  it("have an array each, or the next takes the oldest one's", function()
    local two = lowering.lower(wave(2)).fields[1]
    assert.same({ { level = -1, name = "u_prev" }, { level = 0, name = "u" } },
      two.stored)
    local three = lowering.lower((wave(2):gsub(", buffers = 2", ""))).fields[1]
    assert.same({ { level = -1, name = "u_prev" }, { level = 0, name = "u" },
      { level = 1, name = "u_next" } }, three.stored)
  end)

  it("are stored where they belong", function()
    assert.equal("u_prev", block_of(wave(2)).stores[1].buffer)
    assert.equal("u_next",
      block_of((wave(2):gsub(", buffers = 2", ""))).stores[1].buffer)
  end)

  it("are read back by a later kernel from the place they took", function()
    local lowered = lowering.lower(LINE .. [==[
      field { "u", time = { 0, 1 }, buffers = 1 }
      field { "v" }
      kernel { "a", [[ u.next = u + h ]] }
      kernel { "b", [[ v = u.next[x+1] - u.next ]] }
      step { "a", "b" } ]==])
    local loads = lowered.kernels[2].blocks[1].loads
    assert.same({ "u_next u", "u_next_xp1 u" }, {
      loads[1].name .. " " .. loads[1].buffer,
      loads[2].name .. " " .. loads[2].buffer })
    assert.same({ 0, 1 }, lowered.fields[1].reach.x)
  end)
end)

describe("names", function()
  it("never take one that the spec gave to something else", function()
    local block = block_of(LINE .. [==[
      field { "u", "u_xm1", "d_u_x", "r" }
      scalar { "d_x1" }
      operator { "d", derivative = 1, order = 2 }
      kernel { "k", [[ r = d_x1*u_xm1 + d_u_x*d(u, x) ]] } ]==])
    local names = {}
    for _, list in ipairs { block.loads, block.host, block.code } do
      for _, entry in ipairs(list) do
        assert.is_nil(names[entry.name], entry.name)
        names[entry.name] = true
      end
    end
    assert.is_true(names.u_xm1 and names.u_xm1_2 and names.d_u_x
      and names.d_u_x_2 and names.d_x1 and names.d_x1_2)
  end)

  it("of a define used twice say of what", function()
    local block = block_of(GRID .. [==[ field { "p", "q", "v" }
      operator { "dd", derivative = 2, order = 2 }
      define [[ lap(f) = sum(a in axes, dd(f, a)) ]]
      kernel { "k", [[ v = lap(p)*lap(q) ]] } ]==])
    assert.equal("lap_p", block.code[1].name)
    assert.equal("lap_q", block.code[2].name)
  end)

  it("are the same in every run", function()
    local dump = require "gen.dump"
    for _, spec in ipairs(SPECS) do
      local kernels = lowering.lower(spec[2]).kernels
      for i, kernel in ipairs(lowering.lower(spec[2]).kernels) do
        for b, block in ipairs(kernel.blocks) do
          assert.equal(lowering.text(kernels[i].blocks[b]),
            lowering.text(block))
          assert.equal(dump.text(kernels[i].blocks[b].stencils),
            dump.text(block.stencils))
        end
      end
    end
  end)
end)

describe("loads", function()
  it("are each read once, sorted by field, level and place", function()
    local names = {}
    for i, l in ipairs(block_of(wave(2)).loads) do
      names[i] = l.name
      assert.equal(i, l.id)
    end
    assert.equal("u_prev u_zm1 u_ym1 u_xm1 u u_xp1 u_yp1 u_zp1 c2",
      table.concat(names, " "))
  end)

  it("of a profile have offsets along its own axes only", function()
    for _, l in ipairs(block_of(SPECS[17][2]).loads) do
      if l.field == "px" then assert.is_nil(l.offset.y or l.offset.z) end
      if l.field == "pyz" then assert.is_nil(l.offset.x) end
    end
  end)
end)

describe("what shapes ask", function()
  it("is linear in what is read around the point, or why not", function()
    local lowered = lowering.lower(PML)
    local blocks = {}
    for _, b in ipairs(lowered.kernels[1].blocks) do blocks[b.region] = b end
    assert.same({ { inputs = { { field = "u", level = 0 } } } },
      blocks.inner.linear)
    assert.same({ { field = "u", level = 0 } }, blocks.pml.linear[1].inputs)
    assert.equal("it multiplies two values that are read around the point",
      blocks.pml.linear[2].reason)
  end)

  it("is what is constant on the host, in a setup and along rows", function()
    local block = block_of(GRID .. [==[
      scalar { "s" }
      field { "c", constant = true }
      field { "p", on = { "x" } }
      field { "u", "v" }
      kernel { "k", [[ v = u*exp(c*s) + sqrt(abs(p))*u*(s + 1) ]] } ]==])
    assert.same({ "s", "constant" }, block.invariant.host)
    assert.equal(1, #block.invariant.setup)
    assert.same({ "x" }, block.invariant.row[1].axes)
  end)
end)

describe("extremes", function()
  it("lower radius 0: only the point itself", function()
    local lowered = lowering.lower(GRID .. [==[ field { "u", "v" }
      operator { "mean", derivative = 0, order = 2 }
      kernel { "k", [[ v = mean(u, x) + 1 ]] } ]==])
    assert.equal("store v = (u + 1)",
      lowering.text(lowered.kernels[1].blocks[1]))
    assert.same({ x = { 0, 0 }, y = { 0, 0 }, z = { 0, 0 } },
      lowered.fields[1].reach)
  end)

  it("lower radius 16 to 97 taps in well under 30 ms", function()
    local lowered = lowering.lower(laplace(32))
    local block = lowered.kernels[1].blocks[1]
    assert.equal(97, block.stencils[1].taps)
    assert.equal(48*3 + 1, block.counts.flops)
    local lower = require "gen.lower"
    local started = os.clock()
    for _ = 1, 5 do lower.apply(lowered.model, {}) end
    assert.is_true((os.clock() - started) / 5 < 0.05)
  end)

  it("lower a chain of a thousand terms", function()
    local terms = {}
    for i = 1, 1000 do terms[i] = ("u[x%+d]*w"):format(i % 60 - 30) end
    local text = [[ precision { "float" } grid { "x" } field { "u", "w", "v" }
      kernel { "k", "v = ]] .. table.concat(terms, " + ") .. [[" } ]]
    assert.equal(1 + 999*2, block_of(text).counts.flops)
  end)

  it("lower weights that are all zero to nothing read", function()
    local block = block_of(GRID .. [==[ field { "u", "v" }
      operator { "z", taps = { { 0, 0, 1, 0 }, { 0, 0, -1, 0 } } }
      kernel { "k", [[ v = v + z(u) ]] } ]==])
    assert.equal("store v = v", lowering.text(block))
    assert.equal(1, #block.loads)
  end)
end)
