#!/usr/bin/env lua5.4
-- The published case: its numbers come out of a program written by hand (and
-- so are understood), and out of the generated kernels, which agree with it.
dofile "tests/helper.lua"
local compile = require "gen.compile"
local diag = require "gen.diag"
local driver = require "gen.driver"
local quern = require "tests.quern"

local LONG = os.getenv "QUERN_LONG" == "1"
local N = 100
local CC = os.getenv "CC" or "gcc"
local PUBLISHED = {
  [300] = { min = -267.5157, max = 123.2804, l2 = 34119.753, within = 1e-5 },
  [1000] = { min = -0.178076, max = 0.114176, l2 = 24.98555, within = 2e-3 },
}
local STEPS = LONG and { 300, 1000 } or { 300 }
-- simt is slow; after 6 steps the first numbers are in the layers.
local SIMT_STEPS = LONG and 300 or 5

local folder = quern.folder()
local tests = 0

local function ok(well, name, why)
  tests = tests + 1
  print(("%s %d - %s"):format(well and "ok" or "not ok", tests, name))
  if not well and why then print("# " .. why:gsub("\n", "\n# ")) end
  return well
end

-- What the command printed, or nil and its complaint.
local function run(format, ...)
  local code, text, complaint = quern.shell(format:format(...), quern.root)
  return code == 0 and text or nil, complaint
end

-- ---------------------------------------------------------------------------
-- Results: N^3 values in a file

local function values_of(path, format)
  local text, list = quern.read(path), {}
  local size = string.packsize(format)
  local row = format:rep(N)
  for at = 1, #text, N * size do
    table.move({ string.unpack(row, text, at) }, 1, N, #list + 1, list)
  end
  return list
end

local function measure(values)
  local least, most, squares = values[1], values[1], 0.0
  for _, v in ipairs(values) do
    least, most = math.min(least, v), math.max(most, v)
    squares = squares + v * v
  end
  return { min = least, max = most, l2 = math.sqrt(squares) }
end

-- The L2 norm of the difference over that of the second.
local function distance(left, right)
  local difference, size = 0.0, 0.0
  for i, r in ipairs(right) do
    difference = difference + (left[i] - r)^2
    size = size + r^2
  end
  return math.sqrt(difference / size)
end

local function check_numbers(name, steps, values)
  local wanted, found = PUBLISHED[steps], measure(values)
  for _, key in ipairs { "min", "max", "l2" } do
    local close = math.abs(found[key] - wanted[key])
      <= wanted.within * math.abs(wanted[key])
    ok(close, ("%s, %d steps: %s is %s"):format(name, steps, key, wanted[key]),
      ("found %.9g"):format(found[key]))
  end
end

-- ---------------------------------------------------------------------------
-- By hand

local hand = {}         -- by type and steps: values

local function by_hand(type, format)
  local program = folder .. "/by_hand_" .. type
  local built, why = run("%s -std=c11 -O3 -march=native -DREAL=%s "
    .. "tests/runtime/published_case.c -o %s -lm", CC, type, program)
  if not ok(built, "the program by hand compiles, " .. type, why) then return end
  for _, steps in ipairs(STEPS) do
    local path = ("%s_%d"):format(program, steps)
    run("%s %d %s", program, steps, path)
    hand[type .. steps] = values_of(path, format)
    check_numbers("by hand, " .. type, steps, hand[type .. steps])
  end
end

-- ---------------------------------------------------------------------------
-- By Quern

local program = folder .. "/by_quern"

local function build_program()
  local built, why = run("flock Makefile make -s all && %s -std=c11 -O2 "
    .. "tests/runtime/published_quern.c -o %s out/runtime/libquern.a "
    .. "-fopenmp -ldl -lm", CC, program)
  return ok(built, "the program on the runtime links", why)
end

local function module_of(backend, shape, type)
  local options = { root = quern.root, spec = "specs/acoustic_iso.lua",
    set = { type = type }, backend = backend, fp = "strict", arch = "sm_90",
    shapes = { { name = shape, params = {} } }, out = folder,
    shipped = backend == "c" }          -- it runs long
  local state, problems = driver.run(options)
  if not state then return nil, diag.format(problems) end
  return compile.module(state.files, options)
end

local CONTEXT = { c = "cpu", simt = "simt" }

-- The path of the values after that many steps, or nil and why not.
local function by_quern(module, backend, steps)
  local path = ("%s/%s_%d"):format(folder, backend, steps)
  local well, why = run("%s %s out/runtime %s %d %s", program,
    CONTEXT[backend], module, steps, path)
  return well and path, why
end

local function check_c(type, format, steps, module)
  local name = "c, " .. type
  local path, why = by_quern(module, "c", steps)
  if not ok(path, ("%s: %d steps"):format(name, steps), why) then return end
  local values = values_of(path, format)
  check_numbers(name, steps, values)
  if steps ~= 300 then return end
  local far = distance(values, hand[type .. steps])
  ok(far <= 1e-5, name .. ": within 1e-5 of the program by hand",
    ("found %.3g"):format(far))
end

local function check_simt(shape, path_of_c)
  local name = "simt, " .. shape
  local module, why = module_of("simt", shape, "float")
  if not ok(module, name .. ": made", why) then return end
  local path
  path, why = by_quern(module, "simt", SIMT_STEPS)
  if not ok(path, ("%s: %d steps"):format(name, SIMT_STEPS), why) then return end
  ok(quern.read(path) == quern.read(path_of_c), name .. ": the bits of c")
  if SIMT_STEPS == 300 then
    check_numbers(name, 300, values_of(path, "<f"))
  end
end

local function all_by_quern()
  local module, why = module_of("c", "blocked", "float")
  if not ok(module, "c: made", why) then return end
  for _, steps in ipairs(STEPS) do check_c("float", "<f", steps, module) end
  if LONG then
    local double
    double, why = module_of("c", "blocked", "double")
    if ok(double, "c, double: made", why) then
      check_c("double", "<d", 300, double)
    end
  end
  local path_of_c = by_quern(module, "c", SIMT_STEPS)
  for _, shape in ipairs { "st_reg_shft", LONG and "gmem" or nil } do
    check_simt(shape, path_of_c)
  end
end

by_hand("float", "<f")
if LONG then by_hand("double", "<d") end
if build_program() then all_by_quern() end

print("1.." .. tests)
quern.remove(folder)
