-- The launch of a sweep's kernel: blocks take turns in the order of the sweep.

local quern = require "tests.quern"

local SPEC = [==[
precision { "float" }
grid { "x" }
levels { "k" }
scalar { "cut", type = "int", range = { 1, 9 } }
field { "p", on = { "x", "k" } }
field { "u", "d", on = { "x", "k" }, at = { k = -1/2 }, extra = { k = 1 } }
boundary { "p", k = { low = { "constant", value = 0 }, high = { "constant", value = 0 } } }
region { "first", k = { 0, 1 } }
region { "band", k = { "cut", "cut + 3" } }
region { "last", k = { "n", "n + 1" } }
region { "others", rest = true }
kernel { "rise", sweep = "k up",
  first = [[ u = p[k+1/2] ]],
  band = [[ u = 2*u[k-1] + 1 ]],
  others = [[ u = p[k+1/2] - u[k-1] ]] }
kernel { "fall", sweep = "k down",
  last = [[ d = p[k-1/2] ]],
  band = [[ d = 3 - d[k+1] ]],
  others = [[ d = p[k+1/2] - 2*d[k+1] ]] }
]==]

-- What the program says of the kernels, after `change` of the module's text.
local function tried(folder, change)
  local module = folder .. "/out/c/pieces_module.c"
  local text = quern.read(module)
  if change then
    local changed, times = text:gsub(change[1], change[2])
    assert(times > 0)
    quern.write(module, changed)
  end
  local code, said, complaint = quern.shell(("gcc -std=c11 -O0 -Wall -Wextra -Wconversion "
    .. "-ffp-contract=off -Iout/c '%s/tests/runtime/sweep_pieces.c' out/c/*.c -o pieces -lm && ./pieces")
    :format(quern.root), folder)
  quern.write(module, text)
  assert.equal(0, code, complaint)
  return said .. complaint
end

describe("the launch of a sweep", function()
  local folder

  setup(function()
    folder = quern.folder()
    quern.write(folder .. "/pieces.lua", SPEC)
    assert.equal(0, (quern.run("gen pieces.lua --backend c", folder)))
  end)
  teardown(function() quern.remove(folder) end)

  it("goes piece by piece, also over a part", function()
    assert.equal("tried\n", tried(folder))
  end)

  it("is seen to go the wrong way", function()
    assert.truthy(tried(folder, { "&place%[piece%]", "&place[pieces - 1 - piece]" })
      :find("up: 0 to 23: other numbers than by hand", 1, true))
  end)

  it("is seen to leave out the point more", function()
    assert.truthy(tried(folder, { "quern_end%((a%->upper%[1%]), a%->n%[1%], 1%)", "%1" })
      :find("down: 0 to 23: other numbers than by hand", 1, true))
  end)
end)
