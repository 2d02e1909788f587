-- The rows of the C kernels are vectorised by gcc: those of the inner domain
-- and those of the absorbing layer.

local driver = require "gen.driver"
local quern = require "tests.quern"

local COMPILER = os.getenv "CC" or "gcc"
-- A processor with multiply-adds, whatever runs the tests: nothing is run here.
local FLAGS = "$(uname -m | sed -n 's/x86_64/-march=haswell/p') -std=c11 -O3 -fopenmp -fno-math-errno "
  .. "-ffp-contract=off -fopt-info-vec -c -o /dev/null"

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

local function is_vectorised(path)
  local _, out, err = quern.shell(("%s %s '%s'"):format(COMPILER, FLAGS, path))
  local wanted = loop_lines(quern.read(path))
  for line, what in (out .. err):gmatch("%.c:(%d+):%d+: optimized: ([^\n]*)") do
    if wanted[tonumber(line)] and what:find("loop vectorized", 1, true) then return true end
  end
  return false, out .. err
end

describe("rows of C kernels", function()
  for _, dims in ipairs { "2", "3" } do
    it("are vectorised in " .. dims .. " dimensions", function()
      if not is_gcc() then return pending("needs gcc") end
      local folder = quern.folder()
      local state = assert(driver.run { root = quern.root, spec = "specs/acoustic_iso.lua",
        set = { dims = dims }, shapes = {}, backend = "c", fp = "strict", arch = "sm_90",
        out = folder })
      local tried = 0
      for _, file in ipairs(state.files) do
        if file.path:find("_blocked_[^/]*%.c$") then
          tried = tried + 1
          assert.truthy(is_vectorised(folder .. "/" .. file.path))
        end
      end
      quern.remove(folder)
      assert.equal(2, tried)
    end)
  end
end)
