-- Turned tiles in C give the bits of gathers and agree with the reference,
-- mistakes planted in their text are seen, and where they cannot be there is a
-- sentence: turned.c.

local compile = require "gen.compile"
local driver = require "gen.driver"
local quern = require "tests.quern"
require "tests.widths"

local LONG = os.getenv "QUERN_LONG" == "1"
local SPEC = "tests/runtime/specs/turned.lua"
local folder = quern.folder()
local program = folder .. "/turned"

local function run(command)
  local code, text, complaint = quern.shell(command, quern.root)
  return code == 0, text .. complaint
end

local function shape(params) return { name = "blocked", params = params } end

local SHAPES = { shape { turned = "0" }, shape { turned = "1", block = "61x17" },
                 LONG and shape { turned = "1", block = "16384x32" } or nil }

-- A module of some kernels, with one change in the texts of those that turn.
local function module_of(kernels, mistake)
  local options = { root = quern.root, spec = SPEC, set = {}, kernels = kernels, shapes = SHAPES, backend = "c",
    fp = "strict", arch = "", out = folder, stop_after = "emit" }
  local files, times = assert(driver.run(options)).files, 0
  os.execute(("mkdir -p '%s/c'"):format(folder))
  for _, file in ipairs(files) do
    local changed = 0
    if mistake then file.text, changed = file.text:gsub(mistake.from, mistake.to) end
    times = times + changed
    quern.write(folder .. "/" .. file.path, file.text)
  end
  assert(times > 0 or not mistake, mistake and mistake.what)
  return assert(compile.module(files, options))
end

setup(function()
  local well, why = run(("gcc -std=c11 -O1 -Wall -Wextra -Wconversion -Iruntime tests/runtime/turned.c "
    .. "tests/runtime/lib_tap.c out/runtime/libquern.a -o %s -ldl -lm -lpthread -fopenmp"):format(program))
  assert.truthy(well, why)
end)

teardown(function() quern.remove(folder) end)

describe("turned tiles", function()
  it("give the bits of those that are not", function()
    local module = module_of { "skipped", "ragged", "domains", "slots", "narrow" }
    for _, threads in ipairs { "OMP_NUM_THREADS=1 ", "" } do
      local well, text = run(threads .. program .. " " .. module)
      assert.truthy(well, text)
    end
  end)

  for _, mistake in ipairs {
    { what = "the place of another slot", kernel = "domains",
      from = "near%.v2c%[([%w_]+) ", to = "near.v2c[(%1 ^ 1) " },
    { what = "levels that are left over", kernel = "ragged", from = "tile = { { lower, k }",
      to = "tile = { { lower, k + 1 }", long = true },
    { what = "a point's own place in a line", kernel = "ragged", from = "lower %% 8", to = "0", long = true },
    { what = "another point's levels", kernel = "narrow", from = "here = %(cell %- first%) %* 8",
      to = "here = (cell - first) * 8 %% 64", long = true },
    { what = "lines for which there is no room", kernel = "ragged",
      from = "upper = lower %+ %(upper %- lower%) %* 3 / 32 %* 8",
      to = "break", long = true, crashes = true },
    { what = "a square that is not turned", kernel = "narrow", from = "0, 8, 2, 10, 4, 12, 6, 14",
      to = "0, 8, 2, 10, 4, 12, 6, 15", long = true },
  } do
    local test = (LONG or not mistake.long) and it or pending
    test("are others with " .. mistake.what, function()
      local well, text = run("OMP_NUM_THREADS=1 " .. program .. " " .. module_of({ mistake.kernel }, mistake))
      assert.falsy(well)
      assert.truthy(mistake.crashes or text:find "not ok", text)
    end)
  end

  local test = LONG and it or pending
  test("agree with the reference, on tables of all kinds", function()
    local well, text = run(("gen/quern check %s --shape blocked:turned=1 --backend c -o %s"):format(SPEC, folder))
    assert.truthy(well, text)
  end)
end)
