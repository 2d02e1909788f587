-- What lower refuses until a later issue brings it: one sentence each, where
-- it is declared.

local diag = require "gen.diag"
local lowering = require "tests.lowering"

local YET = ": not supported yet"
local HEAD = [[
precision { "float" }
grid { "x", "y", spacing = { "hx", "hy" } }
]]

-- { what, lines after HEAD (the first is line 3), message, line }.
local REFUSED = {
  { "a field on a mesh and on a grid", [==[
domain { "cell" }
field { "u", on = { "cell", "x" } }
kernel { "k", [[ u = u + 1 ]] }]==],
    "u lies on cell and on x, an axis of the grid", 4 },
  { "a boundary above a mesh", [==[
domain { "cell" }
levels { "z" }
field { "u", on = { "cell", "z" } }
boundary { "u", z = "periodic" }
kernel { "k", [[ u = u + 1 ]] }]==],
    "u lies on cell and has a boundary along z", 5 },
  { "packed fields of a mesh", [==[
domain { "cell" }
field { "u", "v", on = { "cell" }, packed = true }
kernel { "k", [[ u = v ]] }]==],
    "u lies on cell and is packed", 4 },
  { "a sweep over a mesh", [==[
domain { "cell" }
levels { "z" }
field { "u", "v", on = { "cell", "z" } }
kernel { "k", sweep = "z up", [[ u = v ]] }]==],
    "kernel k sweeps over a mesh", 6 },
  { "reads of a composed table", [==[
domain { "cell" }
neighbours { "a", "b", from = "cell", to = "cell", count = 1 }
neighbours { "c", through = { "a", "b" }, count = 1, pattern = { { 0 } } }
field { "u", "v", on = { "cell" } }
kernel { "k", [[ u = sum(n in a, v[n]) + v[b(0)] + sum(n in c, v[n]) ]] }]==],
    "kernel k reads the composed table c", 7 },
}

local function messages(problems)
  local list = {}
  for i, problem in ipairs(problems) do list[i] = problem.message end
  return list
end

local function contains(list, message)
  for i, other in ipairs(list) do
    if other == message then return i end
  end
end

describe("lower refuses", function()
  for _, case in ipairs(REFUSED) do
    it(case[1], function()
      local state, problems = lowering.run(HEAD .. case[2])
      assert.is_nil(state)
      local at = contains(messages(problems), case[3] .. YET)
      assert.truthy(at, table.concat(messages(problems), "\n"))
      assert.equal(case[4], (diag.place(problems[at].pos)))
    end)
  end

  it("each thing once, all of them together", function()
    local state, problems = lowering.run(HEAD .. [==[
domain { "cell" }
field { "a", "b", on = { "cell", "x" } }
field { "z" }
kernel { "k", [[ b = a ]] }
kernel { "l", [[ z = 1 ]] }]==])
    assert.is_nil(state)
    assert.same({ "a lies on cell and on x, an axis of the grid" .. YET,
      "b lies on cell and on x, an axis of the grid" .. YET },
      messages(problems))
  end)

  -- { lines after HEAD, message, line }: what kernels hand on.
  local HANDED = {
    { [==[
field { "t", temporary = true }
field { "v" }
kernel { "a", [[ v = t ]] }
kernel { "b", [[ t = v ]] }
step { "a", "b" }]==],
      "kernel a reads the temporary t before a kernel of the same step has assigned it", 5 },
    { [==[
field { "t", temporary = true }
field { "v", "w" }
kernel { "a", [[ t = v ]] }
kernel { "b", [[ v = t ]] }
kernel { "c", [[ w = t ]] }
fuse { "ab", "a", "b" }]==],
      "kernel c reads the temporary t before a kernel of the same step or chain has assigned it", 7 },
    { [==[
field { "t", temporary = true }
field { "v" }
kernel { "a", [[ t = v ]] }
kernel { "b", [[ v = t[x-1] ]] }
step { "a", "b" }]==],
      "kernel b reads t outside of the domain along x, where a temporary has nothing: give it a "
        .. "boundary, or keep the reads inside with a region", 6 },
    { [==[
field { "t", extra = { y = 1 } }
field { "v" }
kernel { "a", [[ t = v[y-1] ]] }
kernel { "b", [[ v = t[y+1] - t ]] }
kernel { "c", [[ v = t[y+2] - t ]] }
fuse { "ab", "a", "b" }
fuse { "ac", "a", "c" }]==],
      "kernel c reads t outside of the domain along y, where no stage of the chain writes: give it a "
        .. "boundary, or keep the reads inside with a region", 7 },
  }

  -- What chains drop.
  local STAGES = [==[
kernel { "a", [[ t = v ]] }
kernel { "b", [[ v = t + 1 ]] }
fuse { "ab", "a", "b", drop = { "t" } }
]==]
  for _, case in ipairs {
    { [==[
field { "t", "v" }
kernel { "c", [[ v = t ]] }
]==] .. STAGES, "chain ab cannot drop t, which kernel c reads, no stage of it", 7 },
    { [==[
field { "t", "v" }
kernel { "a", [[ v = t ]] }
kernel { "b", [[ t = v ]] }
fuse { "ab", "a", "b", drop = { "t" } }]==],
      "chain ab cannot drop t, which a reads before a stage has assigned it", 6 },
    { [==[
field { "t", "w", packed = true }
field { "v" }
kernel { "c", [[ w = v ]] }
]==] .. STAGES, "chain ab cannot drop t, which is packed with w, which stays", 8 },
    { [==[
field { "t", time = { 0, 1 } }
field { "v" }
kernel { "a", [[ t.next = v ]] }
kernel { "b", [[ v = t.next ]] }
fuse { "ab", "a", "b", drop = { "t" } }
step { "ab" }]==],
      "chain ab cannot drop t, which has time levels: what is assigned is needed after the step", 7 },
  } do HANDED[#HANDED + 1] = case end

  -- Halos that nobody keeps.
  for _, case in ipairs {
    { 'field { "v", "w", halo = { x = 2 } }\nboundary { "v", x = "periodic", y = "periodic" }\n'
        .. 'kernel { "k", [[ v = w ]] }',
      "v cannot have a halo of 2 along x: its boundary answers at both faces of x" },
    { 'levels { "k" }\nfield { "v", on = { "x", "k" }, halo = { k = 1 } }\nkernel { "p", [[ v = 1 ]] }',
      "v cannot have a halo of 1 along k: k is an axis of levels" },
    { 'region { "r", shell = { x = { 1, 1 } } }\nfield { "v", only = "r", halo = { x = 1, y = 1 } }\n'
        .. 'kernel { "k", r = [[ v = 1 ]] }',
      "v cannot have a halo of 1 along x: it is stored in a shell along x" },
    { 'field { "t", halo = { y = 3 } }\nfield { "v" }\n' .. STAGES,
      "t cannot have a halo of 3 along y: what is handed on has none" },
  } do
    case[3] = select(2, HEAD:gsub("\n", "")) + select(2, case[1]:match("^.-\"[vt]\""):gsub("\n", "")) + 1
    HANDED[#HANDED + 1] = case
  end

  for _, case in ipairs(HANDED) do
    it(case[2], function()
      local state, problems = lowering.run(HEAD .. case[1])
      assert.is_nil(state)
      assert.same({ case[2] }, messages(problems))
      assert.equal(case[3], (diag.place(problems[1].pos)))
    end)
  end

  it("more axes and levels than a launch has extents", function()
    local state, problems = lowering.run [==[
precision { "float" }
grid { "x", "y", "z" }
levels { "k", "m", "unused" }
field { "a", on = { "x", "y", "z", "k" } }
field { "b", on = { "m", "x" } }
kernel { "p", [[ a = a + 1 ]] }
kernel { "q", [[ b = b + 1 ]] }]==]
    assert.is_nil(state)
    assert.same({ "b lies on m, and with it the spec has 5 axes and levels, at most 4 are possible" },
      messages(problems))
    assert.equal(5, (diag.place(problems[1].pos)))
  end)

  it("a slope along an axis without spacing", function()
    local state, problems = lowering.run [==[
precision { "float" }
grid { "x", "y" }
scalar { "s" }
field { "u" }
field { "v" }
boundary { "u", x = { "even", about = "face", slope = 0 },
                y = { "even", about = "face", slope = "2*s" } }
kernel { "k", [[ v = u[x+1] ]] }]==]
    assert.is_nil(state)
    assert.same({ "the boundary of u along y has a slope, and y has no spacing" },
      messages(problems))
    assert.equal(4, (diag.place(problems[1].pos)))
  end)

  it("nothing of a boundary that is a stored halo", function()
    assert.is_table(lowering.lower(HEAD .. [==[
field { "u", "v" }
boundary { "u", x = "halo", y = { low = "halo", high = "halo" } }
kernel { "k", [[ v = u[x+1] + u[y-1] ]] }]==]))
  end)
end)

describe("lower takes every spec that it can", function()
  local root = (os.getenv "QUERN_SHARED" or "../shared") .. "/spec-examples/"
  local driver = require "gen.driver"

  for _, name in ipairs { "acoustic_iso", "acoustic_density", "column",
      "elastic", "gauss_seidel", "heat", "lbm_d3q19", "maxwell",
      "mixed_precision", "shallow_water", "tti", "weights", "icon",
      "fesom_pi" } do
    local file = io.open(root .. name .. ".lua")
    if file then file:close() end
    local test = file and it or pending
    test("the design's " .. name, function()
      local state, problems = driver.run { spec = root .. name .. ".lua",
        set = {}, stop_after = "lower", fp = "strict" }
      assert.truthy(state, problems and diag.format(problems))
    end)
  end

  for _, name in ipairs { "acoustic_iso", "laplace", "heat", "box27", "wave2d",
      "advection_upwind", "diffusion_variable", "acoustic_density", "elastic",
      "acoustic_passive", "heat_faces", "lbm_d3q19", "shallow_water", "maxwell", "tti", "weights",
      "gauss_seidel", "column", "mixed_precision", "icon",
      "ocean_mesh", "nbody", "md2d" } do
    it("the shipped " .. name, function()
      local state, problems = driver.run { spec = "specs/" .. name .. ".lua",
        set = {}, stop_after = "lower", fp = "strict" }
      assert.truthy(state, problems and diag.format(problems))
    end)
  end
end)
