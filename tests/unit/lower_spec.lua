-- What lower says of a block besides its code: stencils, counts, time levels,
-- names, loads, facts; and the extremes.

local lowering = require "tests.lowering"
local cases = require "tests.lowering_cases"

local GRID, CUBE, LINE = cases.GRID, cases.CUBE, cases.LINE

local function block_of(text, options)
  return lowering.lower(text, options).kernels[1].blocks[1]
end

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

  it("have a halo as wide as is written, even where taps cancel", function()
    local lowered = lowering.lower(cases.named
      "weights that cancel at some taps")
    assert.same({ 0, 1 }, lowered.fields[1].reach.x)
    assert.same({ 0, 0 }, lowered.kernels[1].blocks[1].reach.u.x)
    assert.same({ 1, 2 }, lowered.kernels[1].blocks[1].reach.u.y)
  end)

  it("know their reach per axis, and are named by operator and field",
    function()
      local block = block_of(cases.named "radius per axis, none along z")
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
      stores = 1, bytes = 16 }, counts(cases.wave(8)))
  end)

  -- 4 rings of 5 adds and an fma, the centre's multiply, then two fma.
  it("of the same with equal spacings are fewer flops", function()
    assert.equal(4*7 + 1 + 4, counts(cases.wave(8, CUBE)).flops)
  end)

  -- Faces 5 adds, edges 11, corners 7; three fma and a multiply.
  it("of a box of four classes are those counted by hand", function()
    assert.same({ flops = 5 + 11 + 7 + 3*2 + 1, reads = 1, writes = 1,
      loads = 27, stores = 1, bytes = 8 }, counts(cases.named "box with run-time weights"))
  end)

  -- lap 37; eta: fma, fma 4; lap + phi 1; two fma 4; 1 + 2 eta 2; divide 1.
  -- phi: six derivatives of 2, product and two fma 5, subtract, add, divide.
  it("of the PML are those counted by hand", function()
    local block
    for _, b in ipairs(lowering.lower(cases.PML).kernels[1].blocks) do
      if b.region == "pml" then block = b end
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
    local two = lowering.lower(cases.wave(2)).fields[1]
    assert.same({ { level = -1, name = "u_prev" }, { level = 0, name = "u" } },
      two.stored)
    local three = lowering.lower((cases.wave(2):gsub(", buffers = 2", ""))).fields[1]
    assert.same({ { level = -1, name = "u_prev" }, { level = 0, name = "u" },
      { level = 1, name = "u_next" } }, three.stored)
  end)

  it("are stored where they belong", function()
    assert.equal("u_prev", block_of(cases.wave(2)).stores[1].buffer)
    assert.equal("u_next",
      block_of((cases.wave(2):gsub(", buffers = 2", ""))).stores[1].buffer)
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
end)

describe("loads", function()
  it("are each read once, sorted by field, level and place", function()
    local names = {}
    for i, l in ipairs(block_of(cases.wave(2)).loads) do
      names[i] = l.name
      assert.equal(i, l.id)
    end
    assert.equal("u_prev u_zm1 u_ym1 u_xm1 u u_xp1 u_yp1 u_zp1 c2",
      table.concat(names, " "))
  end)

  it("of a profile have offsets along its own axes only", function()
    for _, l in ipairs(block_of(cases.named "profiles").loads) do
      if l.field == "px" then assert.is_nil(l.offset.y or l.offset.z) end
      if l.field == "pyz" then assert.is_nil(l.offset.x) end
    end
  end)
end)

describe("what shapes ask", function()
  it("is linear in what is read around the point, or why not", function()
    local lowered = lowering.lower(cases.PML)
    local blocks = {}
    for _, b in ipairs(lowered.kernels[1].blocks) do blocks[b.region] = b end
    assert.same({ { field = "u", level = 0 } }, blocks.inner.linear[1].inputs)
    assert.same({ { value = { op = "value", name = "lap" },
      coefficient = { op = "load", id = #blocks.inner.loads } } },
      blocks.inner.linear[1].terms)
    assert.same({ { field = "u", level = 0 } }, blocks.pml.linear[1].inputs)
    local term = blocks.pml.linear[1].terms[1]
    assert.equal("lap", term.value.name)
    assert.equal("((1/fma(2, eta, 1))*c2)",
      lowering.show(term.coefficient, blocks.pml.loads))
    assert.equal("it multiplies two values that are read around the point",
      blocks.pml.linear[2].reason)
  end)

  it("has the loads of what is no statement, with their signs", function()
    local block = block_of(LINE .. [==[ field { "u", "b", "v" }
      operator { "d", derivative = 1, order = 2 }
      kernel { "k", [[ v = b - d(u, x) ]] } ]==])
    local terms = {}
    for i, term in ipairs(block.linear[1].terms) do
      terms[i] = lowering.show(term.coefficient, block.loads) .. " "
        .. lowering.show(term.value, block.loads)
    end
    assert.same({ "-d_x1 u_xp1", "d_x1 u_xm1" }, terms)
    assert.equal(0, #block.code)
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
    local lowered = lowering.lower(cases.laplace(32))
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
      operator { "zero", taps = { { 0, 0, 1, 0 }, { 0, 0, -1, 0 } } }
      kernel { "k", [[ v = v + zero(u) ]] } ]==])
    assert.equal("store v = v", lowering.text(block))
    assert.equal(1, #block.loads)
  end)
end)
