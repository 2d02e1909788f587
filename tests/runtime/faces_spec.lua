-- Faces without a halo: every planted mistake is found by the comparison with
-- the reference, all shapes give the same bits, and too small an image is named.

local check = require "gen.command.check"
local compile = require "gen.compile"
local driver = require "gen.driver"
local lower = require "gen.lower"
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local runner = require "gen.runner"
local sizes_of = require "gen.command.sizes"

local LONG = os.getenv "QUERN_LONG" == "1"
local SPEC = [==[
precision { "float" }
grid { "x", "y", spacing = { "hx", "hy" } }
scalar { "wall", "inflow" }
field { "u", "w", "a" }
boundary { "u",
  x = { low = { "even", about = "face", slope = "inflow" },
        high = { "odd", about = "point", value = "wall" } },
  y = { low = { "constant", value = "wall" },
        high = { "even", about = "point" } } }
boundary { "w", x = "periodic" }
kernel { "k", [[
  a = u[x-1] + 2*u[x+1] - 3*u[y-1] + 4*u[y+1] + u[x-1, y-1] - u[x+1, y+1]/2
    + u[x-1, y+1] - 2*u[x+1, y-1] + w[x-1] - 3*w[x+1] ]] }
]==]

local folder

setup(function() folder = quern.folder() end)
teardown(function() quern.remove(folder) end)

local function options_for(spec, backend, shapes)
  return { root = quern.root, spec = spec, set = {}, shapes = shapes or {},
    backend = backend, fp = "strict", arch = "sm_90", out = folder .. "/out",
    device = 0, seed = 1 }
end

-- The answers of `check` on the CPU at some sizes, where `mutate` has changed
-- the lowered block of the kernel that is checked.
local function checked(mutate, sizes)
  local spec = folder .. "/faces.lua"
  quern.write(spec, SPEC)
  local apply = lower.apply
  finally(function() lower.apply = apply end)
  lower.apply = function(model, options)
    local lowered, problems = apply(model, options)
    if options.backend == "c" then mutate(lowered.kernels[1].blocks[1]) end
    return lowered, problems
  end
  local options = options_for(spec, "c")
  local made, _, problem = modules.make(options)
  assert(made, problem)
  local answers, fault = runner.run(check.requests(made, sizes, options), options)
  return assert(answers, fault)
end

local function none() end

-- Each changes what the faces of u, along x and y, or of w say.
local MUTANTS = {
  { "low and high of x are swapped", function(x)
      x.low, x.high = x.high, x.low end },
  { "the low image of x is about the point", function(x)
      x.low.about = "point" end },
  { "the high image of x is about the face", function(x)
      x.high.about = "face" end },
  { "the high image of y is about the face", function(_, y)
      y.high.about = "face" end },
  { "the slope has the other sign", function(x)
      x.low.slope = { op = "neg", x.low.slope } end },
  { "the value is lost", function(x) x.high.value = nil end },
  { "odd is even", function(x) x.high.kind = "even" end },
  { "the constant is another", function(_, y)
      y.low.value = { op = "neg", y.low.value } end },
  { "periodic is a mirror", function(_, _, w)
      w.low = { kind = "even", about = "face" } end },
  { "x is folded, then nothing", function(_, _, _, u) u.axes[2] = nil end },
  { "y is folded before x", function(_, _, _, u)
      u.axes[1], u.axes[2] = u.axes[2], u.axes[1] end },
  { "the edge is too narrow", function(_, _, _, _, block)
      block.edge.x[1] = 0 end },
}

describe("a mistake at the faces", function()
  it("is none as the kernel is generated", function()
    for _, answer in ipairs(checked(none, { { 7, 5 }, { 2, 2 } })) do
      assert.equal("ok", answer.status, answer.problem)
    end
  end)

  for i, mutant in ipairs(MUTANTS) do
    local test = (LONG or i % 3 == 1) and it or pending
    test("is found: " .. mutant[1], function()
      local answers = checked(function(block)
        local u, w = block.faces[1], block.faces[2]
        mutant[2](u.axes[1], u.axes[2], w.axes[1], u, block)
      end, { { 7, 5 } })
      assert.equal("wrong", answers[1].status, answers[1].problem)
    end)
  end
end)

describe("an image", function()
  it("that is too small is refused with axis, reach and extent", function()
    local answers = checked(none, { { 1, 5 }, { 5, 1 }, { 1, 1 } })
    assert.equal("u: along x this kernel reads 1 points beyond the high face, "
      .. "its odd image has 0 at extent 1", answers[1].problem:match(": (.*)"))
    assert.equal("u: along y this kernel reads 1 points beyond the high face, "
      .. "its even image has 0 at extent 1", answers[2].problem:match(": (.*)"))
    for _, answer in ipairs(answers) do
      assert.equal("refused", answer.status)
    end
  end)
end)

describe("the sizes of check", function()
  it("are as large as images have to be", function()
    local spec = folder .. "/faces.lua"
    quern.write(spec, SPEC)
    local options = options_for(spec, "c")
    options.stop_after, options.sizes = "lower", {}
    local list = sizes_of.choose(options, assert(driver.run(options)).lowered,
      "check")
    assert.same({ 2, 2 }, list[1])
    assert.same({ 7, 130 }, list[2])
  end)
end)

-- The bytes of t after some steps of specs/heat_faces.lua from the bytes of a
-- file; `change` may edit what is generated.
local function stepped(size, backend, shapes, change)
  local options = options_for(quern.root .. "/specs/heat_faces.lua", backend,
    shapes)
  local state = assert(driver.run(options))
  for _, file in ipairs(change and state.files or {}) do change(file) end
  local module, problem = compile.module(state.files, options)
  local written = folder .. "/after.raw"
  local answers = assert(runner.run({ { ["do"] = "run",
    context = check.context(options), module = assert(module, problem),
    size = size, steps = 3,
    scalars = { hx = 0.5, hy = 0.25, hz = 1, dt = 0.01, kappa = 0.7,
                power = 0.3, wall = 0.7, inflow = -0.9 },
    fill = { source = 0.3 },
    read = { { field = "t", level = 0, file = folder .. "/before.raw" } },
    write = { { field = "t", level = 0, file = written } } } }, options))
  assert.equal("ok", answers[1].status, answers[1].problem)
  return quern.read(written)
end

-- Offsets never fit into 32 bits.
local function wide(file)
  local count
  file.text, count = file.text:gsub("return quern_fits_32_bits%b();",
    "return false;")
  assert(count == (file.path:find("%.cu$") and 1 or 0), file.path)
end

describe("the shapes", function()
  it("give the same bits beside faces, with 64-bit offsets too", function()
    for _, size in ipairs { { 19, 11, 13 }, { 3, 1, 2 }, { 1, 1, 1 } } do
      local data, state = {}, 1
      for i = 1, size[1] * size[2] * size[3] do
        state = (state * 1103515245 + 12345) % 2147483648
        data[i] = string.pack("<f", state / 2147483648 - 0.5)
      end
      quern.write(folder .. "/before.raw", table.concat(data))
      local wanted = stepped(size, "c")
      assert.equal(4 * #data, #wanted)
      assert.not_equal(table.concat(data), wanted)
      for _, case in ipairs { { "c", "blocked", { block = "5x3x2" } },
          { "simt", "gmem", {} }, { "simt", "gmem", {}, wide },
          { "simt", "st_reg_shft", { block = "8x4", chunk = "5" } } } do
        assert.is_true(wanted == stepped(size, case[1],
          { { name = case[2], params = case[3] } }, case[4]), case[2])
      end
    end
  end)
end)
