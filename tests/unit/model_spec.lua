-- The model as a whole: what declarations become, defaults, roles, regions,
-- steps, the order of points; and that every example of the design builds.

local building = require "tests.building"
local dump = require "gen.dump"
local formula = require "gen.formula"
local model_of = require "gen.model"
local spec = require "gen.spec"
local walk = require "gen.model.walk"

local GRID = building.GRID
local SHARED = os.getenv "QUERN_SHARED" or "../shared"

local function build_file(path, set)
  local decls = assert(spec.load { spec = path, set = set })
  return assert(model_of.build(assert(formula.parse(decls))))
end

local function count(model, kind)
  local n = 0
  for _, node in ipairs(model.nodes) do
    if node.kind == kind then n = n + 1 end
  end
  return n
end

describe("declarations", function()
  it("fill every key of a field", function()
    local u = building.model(GRID .. 'field { "u" }\n'
      .. 'kernel { "k", [[ u = 1 ]] }').fields.u
    u.pos = nil
    local none = { low = { kind = "halo" }, high = { kind = "halo" } }
    assert.same({ name = "u", type = "float", on = { "x", "y" },
      axes = { "x", "y" }, at = { x = 0, y = 0 }, extra = { x = 0, y = 0 },
      halo = { x = 0, y = 0 }, levels = { 0 }, buffers = 1, timed = false,
      role = "out", constant = false, temporary = false, range = { -1, 1 },
      boundary = { x = none, y = none } }, u)
  end)

  it("are kept in order", function()
    local order = building.model(building.MESH .. [[
levels { "k" }
scalar { "b", "a" }
kernel { "k1", [=[ p = a + b + sum(n in v2e, q[n]) ]=] }
kernel { "k2", [=[ q = p[e2v(1)] ]=] }]]).order
    assert.same({ spaces = { "v", "e", "k" }, scalars = { "b", "a" },
      fields = { "p", "q" }, tables = { "v2e", "e2v" }, lists = {} }, order)
  end)

  it("make spacings scalars, or numbers that fold", function()
    local model = building.model [[
precision { "double" }
grid { "x", "y", spacing = { "h", 0.5 } }
field { "u", "v" }
operator { "d", derivative = 1, offsets = { 0, 1 } }
kernel { "k", [=[ u = d(v, x) + d(v, y) ]=] }]]
    assert.same({ "h" }, model.order.scalars)
    assert.is_true(model.scalars.h.spacing)
    assert.equal("h", model.spaces.x.spacing)
    assert.same({ n = "1", d = "2" }, model.spaces.y.spacing)
    assert.equal("(add d{:(mul -1 h^-1), x+1:h^-1}(v) d{:-2, y+1:2}(v))",
      building.value(model))
  end)

  it("pass over axes that dims leaves out", function()
    local model = building.model [[
precision { "float" }
grid { "x", "y", dims = 1, spacing = { "hx", "hy" } }
field { "u", "v", at = { y = 1/2 }, halo = { x = 2, y = 2 } }
boundary { "u", y = "periodic" }
operator { "d", derivative = 1, order = { x = 2, y = 4 } }
region { "edge", shell = { x = { 1, 1 }, y = { 1, 1 } } }
kernel { "k", edge = [=[ u = sum(a in axes, d(v, a)) ]=] }]]
    assert.same({ "x" }, model.axes)
    assert.same({ x = 0 }, model.fields.u.at)
    assert.same({ x = 2 }, model.fields.u.halo)
    assert.same({ "hx" }, model.order.scalars)
    assert.is_nil(model.regions[1].shell.y)
  end)

  it("name the instance by all params in order", function()
    local model = building.model(GRID .. [[
param { "r", default = 4 }
param { "dt", default = 0.25, short = "t" }
param { "low", default = -3 }
param { "type", default = "float", short = "" }
field { "u" }
kernel { "k", [=[ u = 1 ]=] }]])
    assert.equal("s_r4_t0p25_lowm3_float", model.instance)
  end)

  it("make boundary values nodes", function()
    local model = building.model(GRID .. [[
scalar { "wall" }
field { "u", "v" }
boundary { "v", x = { low = { "odd", about = "face", value = "2*wall" },
  high = { "even", about = "point" } }, y = "periodic" }
kernel { "k", [=[ u = v ]=] }]])
    local sides = model.fields.v.boundary
    assert.equal("(mul 2 wall)", building.show(model, sides.x.low.value))
    assert.equal("0", building.show(model, sides.x.high.slope))
    assert.equal("periodic", sides.y.high.kind)
  end)

  it("give regions bounds without params", function()
    local model = building.model(GRID .. [[
param { "w", default = 3 }
scalar { "s", type = "int" }
field { "u" }
region { "a", shell = "w" }
region { "b", x = { "2*w - 1", "n - s" } }
region { "c", rest = true }
kernel { "k", a = [=[ u = 1 ]=], b = [=[ u = 2 ]=], c = [=[ u = 3 ]=] }]])
    local three = { kind = "number", n = "3", d = "1" }
    assert.same({ x = { three, three }, y = { three, three } },
      model.regions[1].shell)
    assert.same({ x = { { kind = "number", n = "5", d = "1" },
      { kind = "sub", left = { kind = "n" },
        right = { kind = "scalar", name = "s" } } } }, model.regions[2].ranges)
    assert.is_true(model.regions[3].rest)
  end)
end)

describe("roles", function()
  local model = building.model(GRID .. [[
field { "a", "b", "c", "d" }
field { "t", temporary = true }
field { "u", time = { 0, 1 } }
field { "o", time = { 0, 1 } }
kernel { "k", [=[ b = a  c = 2*c  d = 1  t = d + b  u.next = u + t
                  o.next = 1 ]=] }]])
  it("follow from what is read from memory and what is assigned", function()
    local roles = {}
    for _, name in ipairs(model.order.fields) do
      roles[#roles + 1] = name .. " " .. model.fields[name].role
    end
    assert.equal("a in, b out, c inout, d out, t temporary, u inout, o out",
      table.concat(roles, ", "))
  end)
end)

describe("kernels", function()
  it("know their space, and the extent that reads of levels need", function()
    local kernel = building.model(building.COLUMN .. [[
field { "u", "v", on = { "k", "x" }, extra = { k = 1 } }
region { "top", k = { 0, 2 } }
region { "low", k = { "n-1", "n+1" } }
region { "mid", rest = true }
kernel { "s", sweep = "k down", top = [=[ u = v[k+3] + u[k+1] ]=],
  low = [=[ u = v[k-3] ]=], mid = [=[ u = v[k+1] + v[k-2] ]=] }]])
      .kernels[1]
    assert.same({ "k", "x" }, kernel.space)
    assert.equal("sweep", kernel.kind)
    assert.same({ axis = "k", direction = "down" }, kernel.sweep)
    assert.same({ k = 4 }, kernel.least)
  end)

  it("know how far each field is read, whatever way", function()
    local block = building.model(GRID .. [[
field { "u", "v" }
field { "h", at = { x = 1/2 } }
operator { "dd", derivative = 2, order = 4 }
operator { "D", derivative = 1, order = 4, staggered = true }
define [=[ far(f) = (2*f)[y-3] ]=]
kernel { "k", [=[ u = v + (v*v)[x+3] + dd(v, y) + far(dd(v, x)) + D(h, x)
  ]=] }]]).kernels[1].blocks[1]
    local far = {}
    for i, r in ipairs(block.reads) do
      far[i] = ("%s x %d %d y %d %d"):format(r.field, r.lo.x, r.hi.x, r.lo.y,
        r.hi.y)
    end
    assert.same({ "v x -2 3 y -3 2", "h x -2 1 y 0 0" }, far)
  end)

  it("are the step when there is one, setup apart", function()
    local model = building.model(GRID .. [[
field { "u", time = { 0, 1 } }
field { "c", constant = true }
kernel { "init", setup = true, [=[ c = 2 ]=] }
kernel { "k", [=[ u.next = c*u ]=] }]])
    assert.same({ "k" }, model.step)
  end)

  it("are launched by chains in a step", function()
    local model = building.model(GRID .. [[
field { "u", time = { 0, 1 } }
field { "f" }
kernel { "flux", [=[ f = u[x+1] - u ]=] }
kernel { "add", [=[ u.next = u + f - f[x-1] ]=] }
fuse { "both", "flux", "add", drop = { "f" } }
step { "both" }]])
    assert.same({ "both" }, model.step)
    model.chains[1].pos = nil
    assert.same({ { name = "both", stages = { "flux", "add" },
      drop = { "f" } } }, model.chains)
  end)
end)

describe("updates in place that are in order", function()
  local function accepts(what, text)
    it(what, function() building.model(GRID .. text) end)
  end

  accepts("at the point itself", [=[
field { "u", time = { -1, 0, 1 }, buffers = 2 }
field { "v" }
kernel { "k", [[ u.next = u[x+1] - u.prev  v = v + u.next ]] }]=])

  accepts("of a later kernel that reads elsewhere", [=[
field { "u", time = { 0, 1 } }
field { "v" }
kernel { "a", [[ u.next = u ]] }
kernel { "b", [[ v = u.next[x+1] ]] }
step { "a", "b" }]=])

  accepts("at a mirror image of another colour", [=[
field { "u" }
boundary { "u", x = { "even", about = "face" }, y = { "odd", about = "point" } }
kernel { "k", colours = { "(x + y) % 2" },
  [[ u = u[x+1] + u[x-1] + u[y-1] + u[y+1] ]] }]=])

  accepts("of four colours with nine points", [=[
field { "u", "f" }
operator { "o", taps = { {-1,-1,1}, {0,-1,1}, {1,-1,1}, {-1,0,1}, {1,0,1},
  {-1,1,1}, {0,1,1}, {1,1,1} } }
kernel { "k", colours = { "x % 2", "y % 2" }, [[ u = (o(u) - f)/8 ]] }]=])

  accepts("of red and black with five points", [=[
field { "u" }
kernel { "k", colours = { "(x + y) % 2" },
  [[ u = (u[x-1] + u[x+1] + u[y-1] + u[y+1])/4 ]] }]=])

  accepts("of a sweep behind", [=[
field { "u" }
kernel { "a", sweep = "x up", [[ u = u + u[x-1] + u[x-2] ]] }
kernel { "b", sweep = "x down", [[ u = u + u[x+1] ]] }]=])

  accepts("in one buffer, without a rest", [=[
field { "p", time = { 0, 1 }, buffers = 1 }
region { "edge", shell = 2 }
kernel { "k", edge = [[ p.next = 2*p ]] }]=])
end)

describe("staggered positions that meet", function()
  it("are accepted", function()
    local model = building.model(GRID .. [[
field { "p", at = { x = 1/2 } }
field { "q" }
operator { "D", derivative = 1, order = 2, staggered = true }
kernel { "k", [=[ p = D(q, x) + q[x+1/2] ]=] }]])
    assert.equal("(add D{x-1/2:(mul -1 hx^-1), x+1/2:hx^-1}(q) q[x+1/2])",
      building.value(model))
  end)
end)

describe("the pool", function()
  it("holds each expression once, over blocks and kernels", function()
    local model = building.model(GRID .. [[
field { "u", "v", "w" }
operator { "dd", derivative = 2, order = 8 }
define [=[ lap(f) = sum(a in axes, dd(f, a)) ]=]
region { "edge", shell = 2 }
region { "rest", rest = true }
kernel { "k", edge = [=[ u = lap(w) ]=], rest = [=[ u = 2*lap(w) ]=] }
kernel { "l", [=[ v = lap(w)/2 ]=] }]])
    assert.equal(2, count(model, "apply"))
    assert.equal(1, count(model, "read"))
  end)

  it("has children before their users, and nothing that nobody uses",
    function()
      local model = building.model(GRID .. [[
field { "u", "v" }
kernel { "a", [=[ u = v[x-1]*v[x+1] + (v + v[y+1])[x-3] ]=] }]])
      local roots = walk.roots(model.kernels[1].blocks[1])
      assert.equal(#model.nodes, #walk.reachable(model.nodes, roots))
      for id, node in ipairs(model.nodes) do
        for _, child in ipairs(walk.children(node)) do
          assert.is_true(child < id)
        end
      end
    end)

  it("says what each node depends on", function()
    local model = building.model(GRID .. [[
field { "u", "v" }
field { "p", on = { "y" } }
scalar { "s" }
kernel { "a", [=[ u = s^2*(p + s)*v ]=] }]])
    local free = {}
    for i, node in ipairs(model.nodes) do
      free[i] = building.show(model, i) .. ":" .. table.concat(node.free, " ")
    end
    assert.equal("s:, s^2:, p:y, (add p s):y, v:x y, "
      .. "(mul s^2 (add p s) v):x y", table.concat(free, ", "))
  end)
end)

describe("an example of the design", function()
  local EXAMPLES = { "acoustic_density", "acoustic_iso", "column", "elastic",
    "fesom_pi", "gauss_seidel", "gravity", "heat", "icon", "lbm_d3q19",
    "lennard_jones", "maxwell", "mixed_precision", "shallow_water", "tti",
    "weights" }
  for _, name in ipairs(EXAMPLES) do
    it("builds, twice to the same bytes: " .. name, function()
      local path = SHARED .. "/spec-examples/" .. name .. ".lua"
      local file = io.open(path)
      if not file then return pending("no " .. path) end
      file:close()
      local first = dump.text(build_file(path))
      assert.equal(first, dump.text(build_file(path)))
    end)
  end

  it("stays small where trees would not: 16,563 reads of D3Q19", function()
    local path = SHARED .. "/spec-examples/lbm_d3q19.lua"
    local file = io.open(path)
    if not file then return pending("no " .. path) end
    file:close()
    local model = build_file(path)
    -- 18 neighbours' solid and f, and the 19 f of the point itself
    assert.equal(18 + 18 + 19, count(model, "read"))
    assert.is_true(#model.nodes < 400)
  end)
end)
