-- The applications are right, and say so themselves; mistakes in their specifications
-- and in their own text are seen.

local compile = require "gen.compile"
local driver = require "gen.driver"
local quern = require "tests.quern"
require "tests.widths"

local LONG = os.getenv "QUERN_LONG" == "1"
local in_long = LONG and it or pending
local folder = quern.folder()

-- For each its files, and how it is tried: what says that the forces are right.
local MD = { name = "md2d", files = { "box.c", "md2d.c" },
  size = "--size 15 --steps 160",
  short = "--size 15 --steps 20", simt = "--size 10 --steps 20", least = "--size 6 --steps 20", forces = "all pairs" }
local NBODY = { name = "nbody", files = { "bodies.c", "direct.c", "galaxy.c", "nbody.c", "tree.c" },
  size = LONG and "--size 700 --steps 60" or "--size 300 --steps 40",
  short = "--size 300 --steps 0", simt = "--size 200 --steps 2", least = "--size 50 --steps 0", forces = "angle" }
local EWALD = { name = "ewald", files = { "charges.c", "ewald.c" },
  size = LONG and "--size 130 --steps 5" or "--size 60 --steps 5",
  short = "--size 20 --steps 0", simt = "--size 20 --steps 1", least = "--size 5 --steps 0", forces = "rock salt" }

local function run(command)
  local code, text, complaint = quern.shell(command, quern.root)
  return code == 0, text .. complaint
end

-- The text with a change that must be one.
local function changed(text, mistake)
  local times
  text, times = text:gsub(mistake[2], mistake[3])
  assert(times > 0, mistake[1])
  return text
end

local function module_of(example, backend, mistake)
  local spec = ("specs/%s.lua"):format(example.name)
  if mistake then
    local text = changed(quern.read(quern.root .. "/" .. spec), mistake)
    spec = ("%s/%s.lua"):format(folder, example.name)
    quern.write(spec, text)
  end
  local options = { root = quern.root, spec = spec, set = {}, shapes = {}, backend = backend,
    fp = "strict", arch = "", out = folder, detect = backend == "simt", bits = 32 }
  return assert(compile.module(assert(driver.run(options)).files, options))
end

local compiled = {}             -- paths of objects, by those of files as they are

-- The object of a file, perhaps with a change in its text.
local function object_of(example, name, mistake)
  local path = ("%s/examples/%s/%s"):format(quern.root, example.name, name)
  if not mistake and compiled[path] then return compiled[path] end
  local object = ("%s/%s%s.o"):format(folder, mistake and "mistaken_" or "", path:gsub("%W", "_"))
  local source = path
  if mistake then
    source = ("%s/%s"):format(folder, name)
    quern.write(source, changed(quern.read(path), mistake))
  end
  local well, why = run(("sanitized=$(tests/runtime/sanitized) && gcc ${sanitized%% *} -Wno-error -Iruntime "
    .. "-Iexamples -Iexamples/" .. example.name .. " -c -o %s %s"):format(object, source))
  assert(well, why)
  compiled[path] = not mistake and object or compiled[path]
  return object
end

-- The program, with sanitizers, perhaps with a change in one of its files.
local function build(example, mistake)
  local objects = {}
  for i, name in ipairs(example.files) do
    objects[i] = object_of(example, name, mistake and mistake.file == name and mistake or nil)
  end
  local well, why = run(("sanitized=$(tests/runtime/sanitized) && gcc ${sanitized%% *} -o %s/%s %s ${sanitized##* } "
    .. "-ldl -lm -lpthread"):format(folder, example.name, table.concat(objects, " ")))
  assert(well, why)
end

local function try(example, context, module, options)
  -- What the detectors know of arrays is theirs to the end: no leak of ours.
  return run(("ulimit -S -v unlimited; ASAN_OPTIONS=detect_leaks=%d QUERN_RUNTIME=out/runtime %s/%s %s %s %s")
    :format(context == "cpu" and 1 or 0, folder, example.name, context, module, options))
end

local function expect_right(example, context, module, options)
  local well, text = try(example, context, module, options)
  assert.is_true(well, text)
  assert.is_nil(text:find "WRONG")
  return text
end

local function expect_wrong(example, module, options, line)
  local well, text = try(example, "cpu", module, options)
  assert.is_false(well)
  assert.matches(line .. "[^\n]+WRONG", text)
end

-- A result that nobody gets is none: the disk is full.
local function expect_told(example)
  local well, text = try(example, "cpu", module_of(example, "c"), example.least .. " >/dev/full")
  assert.is_false(well)
  assert.equal("what was found cannot be written\n", text)
end

-- Mistakes in the specification, which the forces show, and in files of the program; the first of each,
-- and the others in the long run.
local function see_mistakes(example, in_spec, in_files)
  for i, mistake in ipairs(in_spec) do
    (i > 1 and in_long or it)("a mistake is seen: " .. mistake[1], function()
      expect_wrong(example, module_of(example, "c", mistake), example.short, example.forces)
    end)
  end
  for i, mistake in ipairs(in_files) do
    (i > 1 and in_long or it)("a mistake is seen: " .. mistake[1], function()
      build(example, mistake)
      expect_wrong(example, module_of(example, "c"), example.size, mistake.sees)
    end)
  end
end

teardown(function() quern.remove(folder) end)

describe("molecular dynamics by requests:", function()
  setup(function() build(MD) end)

  it("forces are those of all pairs, momentum and energy stay, particles move on", function()
    local text = expect_right(MD, "cpu", module_of(MD, "c"), MD.size .. " --report")
    assert.is_true(tonumber(text:match "(%d+) times a particle") > 16)
    assert.matches("batches served +161", text)
  end)

  it("what cannot be written is no result", function() expect_told(MD) end)

  it("more particles than requests are counted for are refused", function()
    local well, text = try(MD, "cpu", "none", "--size 20001")
    assert.is_false(well)
    assert.matches("^md2d CONTEXT MODULE", text)
  end)

  in_long("on simt", function() expect_right(MD, "simt", module_of(MD, "simt"), MD.simt) end)

  see_mistakes(MD, { { "'=' where '+=' is meant", "fx %+=", "fx =" },
    { "a patch that is not moved to its image", "px%[j%] %- shift_x", "px[j]" },
    { "a cutoff that is too short", "r2 < cut2", "r2 < 0.9*cut2", like = true } },
    { { "half a kick", "kick%(box, 0%.5 %* dt%);\n    }", "}", file = "box.c", sees = "energy's drift" },
      { "a neighbour twice, another never", "{ %-1, 1 }", "{ 1, 1 }", file = "box.c", sees = "all pairs" },
      { "a force that is no number", "box_all_pairs%(box, wanted%);", "%0 box->force[1][3] = NAN;", file = "md2d.c",
        sees = "all pairs" } })
end)

describe("gravity by requests, after Barnes and Hut:", function()
  local DATA = (os.getenv "QUERN_DATA" or "../shared/data") .. "/particles/galaxy_20K.bin"

  setup(function() build(NBODY) end)

  it("forces come nearer to those of all pairs with the angle, energy and momentum stay", function()
    local text = expect_right(NBODY, "cpu", module_of(NBODY, "c"), NBODY.size .. " --report")
    local last = 0
    for error in text:gmatch "angle [^\n]-error +(%S+)" do
      assert.is_true(tonumber(error) > last, text)
      last = tonumber(error)
    end
    assert.matches("requests submitted +%d%d%d", text)
  end)

  it("the same with values that stay with the host, in blocks", function()
    local text = expect_right(NBODY, "cpu", module_of(NBODY, "c"),
      "--size 700 --steps 5 --reuse always --order none --report")
    assert.matches("blocks found +%d", text)
  end)

  it("particles at one place, more than a bucket has room for", function()
    build(NBODY, { "a sphere without size", "turn%(r %* scale", "turn(0 * r", file = "bodies.c" })
    expect_right(NBODY, "cpu", module_of(NBODY, "c"), "--size 100 --steps 0 --soften 1")
    build(NBODY)
  end)

  -- Energies by numpy over all pairs: the README beside the file.
  local has_data = io.open(quern.root .. "/" .. DATA) ~= nil
  local data_test = has_data and in_long or pending
  data_test("a galaxy has the energies that others find", function()
    local text = expect_right(NBODY, "cpu", module_of(NBODY, "c"), ("--input %s --soften 0 --steps 0"):format(DATA))
    assert.matches("kinetic 97%.63", text)
    assert.matches("potential %-195%.607\n", text)
  end)

  it("what cannot be written is no result", function() expect_told(NBODY) end)

  it("a step that neither softening nor speeds say is asked for", function()
    local well, text = try(NBODY, "cpu", module_of(NBODY, "c"), "--size 50 --soften 0")
    assert.is_false(well)
    assert.matches("nbody: a step of 0, by softening and speeds: %-%-dt says another", text)
  end)

  it("a system that moves as a whole keeps its momentum", function()
    build(NBODY, { "a sphere that moves", "centre%(bodies, SPEED%);", "bodies->value[0][SPEED] += 9;",
      file = "bodies.c" })
    expect_right(NBODY, "cpu", module_of(NBODY, "c"), "--size 100 --steps 5 --dt 1e-6")
    build(NBODY)
  end)

  it("energies that are no numbers are none that stayed", function()
    expect_wrong(NBODY, module_of(NBODY, "c"), "--size 50 --steps 5 --dt 1e300", "energy's largest")
  end)

  it("what is not a number as a whole is refused", function()
    for _, words in ipairs { "--size 10x", "--size -2", "--steps 1e3", "--angle nan", "--soften inf", "--dt 0" } do
      local well, text = try(NBODY, "cpu", "none", words)
      assert.is_false(well)
      assert.matches("^nbody CONTEXT MODULE", text)
    end
  end)

  it("a file that is none of particles is refused", function()
    local _, text = try(NBODY, "cpu", module_of(NBODY, "c"), "--input README.md")
    assert.matches("nbody: README.md: its head is not that of dark matter and stars", text)
  end)

  in_long("on simt", function() expect_right(NBODY, "simt", module_of(NBODY, "simt"), NBODY.simt) end)

  see_mistakes(NBODY, { { "a mass that counts twice", "qm%[c%]%*", "2*qm[c]*" },
    { "far cells that push", "%(qx%[c%] %+ shift_x %- px%)", "(px - qx[c])", like = true } },
    { { "half a kick", "kick%(galaxy, 0%.5 %* dt%);\n    }", "}", file = "galaxy.c", sees = "energy's" },
      { "a cell that is far, and opened too", "append%(far, c%);\n +continue;", "append(far, c);", file = "tree.c",
        sees = "angle 0.7" },
      { "an angle twice as wide", "angle %* angle %* squares", "4 * angle * angle * squares", file = "tree.c",
        sees = "angle 1.0", like = true } })
end)

describe("a box that repeats, after Ewald:", function()
  setup(function() build(EWALD) end)

  it("crystals have Madelung's constants, nothing depends on how the sum is split, steps lead back", function()
    local text = expect_right(EWALD, "cpu", module_of(EWALD, "c"), EWALD.size .. " --report")
    assert.matches("rock salt: 1%.747564594633,", text)
    assert.matches("requests submitted +%d%d", text)
  end)

  it("what cannot be written is no result", function() expect_told(EWALD) end)

  in_long("on simt", function() expect_right(EWALD, "simt", module_of(EWALD, "simt"), EWALD.simt) end)

  see_mistakes(EWALD, { { "a charge that feels its own cloud", "0, screened%(s%), %-slope", "0, screened(s), 0" },
    { "an image moved too little", "px%[j%] %+ shift_x", "px[j] + 0.9*shift_x", like = true } },
    { { "masses without a background", ": %-pi / %(volume", ": 0 * pi / (volume", file = "charges.c", sees = "masses",
        like = true },
      { "masses that push each other", "%+= dt %* box%->slope", "-= dt * box->slope", file = "ewald.c",
        sees = "energy's largest" },
      { "who leaves the box comes in elsewhere", "at %- box%->side %*", "at - 0.9 * box->side *", file = "ewald.c",
        sees = "energy's largest", like = true },
      { "waves that count once", "8 %* pi / volume", "4 * pi / volume", file = "charges.c",
        sees = "beside those before" },
      { "charges left out too soon", "reach = depth /", "reach = 0.4 * depth /", file = "charges.c", sees = "caesium",
        like = true } })
end)
