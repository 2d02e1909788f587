-- The rows of the C kernels are vectorised, as gcc reports of each file.

local compile = require "gen.compile"
local driver = require "gen.driver"
local quern = require "tests.quern"

local COMPILER = os.getenv "CC" or "gcc"
-- As kernels are compiled, but for a processor with multiply-adds, whatever
-- runs the tests: nothing is run here.
local function flags_for(processor)
  return table.concat(compile.flags { backend = "c", fp = "strict" }, " ")
    :gsub("-march=native", ("$(uname -m | sed -n 's/x86_64/-march=%s/p')"):format(processor), 1) .. " -c -o /dev/null "
end
local FLAGS = flags_for "haswell" .. "-fopt-info-vec"

local function is_gcc()
  local code, out = quern.shell(COMPILER .. " -dM -E -x c /dev/null")
  return code == 0 and out:find("__GNUC__", 1, true) and not out:find("__clang__", 1, true)
end

-- The lines from the simd pragma to the first of the loop's body.
local function loop_lines(text)
  local number, lines = 0, {}
  for line in text:gmatch("([^\n]*)\n") do
    number = number + 1
    if line:find("#pragma omp simd", 1, true) then
      for i = 1, 4 do lines[number + i] = true end
    end
  end
  return lines
end

-- Does gcc say so of the loop along a row?
local function is_vectorised(text, folder)
  local path = folder .. "/kernel.c"
  quern.write(path, text)
  local _, out, err = quern.shell(("%s %s '%s'"):format(COMPILER, FLAGS, path))
  local wanted = loop_lines(text)
  for line, what in (out .. err):gmatch("%.c:(%d+):%d+: optimized: ([^\n]*)") do
    if wanted[tonumber(line)] and what:find("loop vectorized", 1, true) then return true end
  end
  return false, out .. err
end

-- The texts of a spec's kernels; the headers that they need are in the folder.
local function kernels_of(spec, folder, more)
  local state = assert(driver.run { root = quern.root, spec = "specs/" .. spec .. ".lua",
    set = more.set or {}, shapes = more.shapes or {}, kernels = more.kernels, backend = "c",
    fp = "strict", arch = "sm_90", out = folder, stop_after = "emit" })
  local texts = {}
  for _, file in ipairs(state.files) do
    local name = file.path:match("[^/]+$")
    if name:find("_blocked_[^/]*%.c$") or name:find("_inlined_[^/]*%.c$") then texts[#texts + 1] = file.text end
    if name:find("%.h$") then quern.write(folder .. "/" .. name, file.text) end
  end
  return texts
end

-- The rows of another radius are written alike, and those of more tables; they take longer to compile.
local LONG = os.getenv "QUERN_LONG" == "1"
local NEAR = { set = { radius = not LONG and "1" or nil } }
local FEW = { kernels = not LONG and { "interpolate", "verts2cells" } or nil }

local CASES = {
  { "wave2d", "wave2d", 1 },
  { "acoustic_iso, inside and in the layer", "acoustic_iso", 2, NEAR },
  { "elastic, velocities and stresses", "elastic", 2, NEAR },
  { "heat", "heat", 1 },
  { "icon, points side by side, without missing neighbours", "icon", LONG and 4 or 2, FEW },
  { "icon, levels side by side, a chain as one kernel", "icon", 1, { set = { contiguous = "k" },
    shapes = { { name = "inlined", params = {} } }, kernels = { "nabla4_interpolate" } } },
}

describe("rows of C kernels are vectorised:", function()
  local folder
  setup(function() folder = quern.folder() end)
  teardown(function() quern.remove(folder) end)

  for _, case in ipairs(CASES) do
    local label, spec, count, more = table.unpack(case)
    it(label, function()
      if not is_gcc() then return pending("needs gcc") end
      local texts = kernels_of(spec, folder, more or {})
      assert.equal(count, #texts)
      for _, text in ipairs(texts) do assert.truthy(is_vectorised(text, folder)) end
    end)
  end

  -- The longer the vectors the more gcc unrolls, and then looks at.
  it("no compiler warns of them", function()
    if not is_gcc() then return pending("needs gcc") end
    for _, text in ipairs(kernels_of("acoustic_iso", folder, { set = { radius = "1" } })) do
      quern.write(folder .. "/kernel.c", text)
      local _, out, err = quern.shell(("%s %s -Wall -Wextra '%s/kernel.c'"):format(COMPILER, flags_for "x86-64-v4",
        folder))
      assert.equal("", out .. err)
    end
  end)

  it("heat is not, where a row has to be stored in order", function()
    if not is_gcc() then return pending("needs gcc") end
    local text = kernels_of("heat", folder, {})[1]
    local planted, count = text:gsub("\n( +)t_next%[t_at%] =", "\n%1*(volatile float *)&t_next[t_at] =")
    assert.equal(1, count)
    assert.is_false((is_vectorised(planted, folder)))
  end)
end)
