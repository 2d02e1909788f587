-- Setup kernels: kernels like any other, in no step, which alone may assign
-- constant fields.

local driver = require "gen.driver"
local lowering = require "tests.lowering"
local quern = require "tests.quern"

local TEXT = [==[
precision { "double" }
grid { "x" }
field { "a", "b", constant = true }
field { "angle", constant = true, range = { 0, 3 } }
field { "u", time = { 0, 1 } }
kernel { "axis", setup = true, [[ a = sin(angle)  b = a*cos(angle) ]] }
kernel { "advance", [[ u.next = a*u + b*u[x+1] ]] }
]==]

local function emitted(backend)
  local folder = quern.folder()
  quern.write(folder .. "/tilted.lua", TEXT)
  local state = assert(driver.run { root = quern.root, spec = folder .. "/tilted.lua",
    set = {}, shapes = {}, backend = backend, fp = "strict", arch = "sm_90", out = folder,
    stop_after = "emit" })
  quern.remove(folder)
  local texts = {}
  for _, file in ipairs(state.files) do texts[file.path:match "[^/]+$"] = file.text end
  return texts
end

describe("a setup kernel", function()
  it("is said to be one, and the step is the other's", function()
    local lowered = lowering.lower(TEXT)
    assert.is_true(lowered.kernels[1].setup)
    assert.is_falsy(lowered.kernels[2].setup)
    assert.same({ "advance" }, lowered.step)
  end)

  for _, backend in ipairs { "c", "cuda", "reference" } do
    it("can be launched, and is in no step, on " .. backend, function()
      local module = emitted(backend)["tilted_module.c"]
      local axis = module:match "%.kernel = \"axis\".-}"
      assert.truthy(axis:find(".step = -1", 1, true), axis)
      local step = module:match "int tilted_step%b()%s*(%b{})"
      if backend ~= "reference" then
        assert.truthy(step:find("tilted_advance", 1, true))
        assert.is_nil(step:find("tilted_axis", 1, true))
      end
    end)
  end

  it("is shown by list", function()
    local folder = quern.folder()
    quern.write(folder .. "/tilted.lua", TEXT)
    local code, out = quern.run("list " .. folder .. "/tilted.lua")
    quern.remove(folder)
    assert.equal(0, code)
    assert.truthy(out:find("axis     setup", 1, true), out)
  end)
end)
