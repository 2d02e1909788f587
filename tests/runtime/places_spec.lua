-- The reference on fields at different places and beyond faces: the numbers of
-- the formulas as the language defines them, and bounds that pass the lowered
-- code in float and tell a kernel that gets a face wrong.

local boundaries = require "tests.boundaries"
local compile = require "gen.compile"
local diag = require "gen.diag"
local driver = require "gen.driver"
local places = require "tests.places_cases"
local quern = require "tests.quern"
local values = require "tests.lowering_values"

local FACES = places.faces()
local LONG = os.getenv "QUERN_LONG" == "1"
local STRIDE = LONG and 1 or 9          -- meets every kind on every side
local SIZES = { { 1, 1 }, { 1, 2 }, { 2, 3 }, { 3, 7 }, { 7, 1 }, { 7, 7 } }
local CUBES = { { 1, 1, 1 }, { 5, 3, 4 } }

local folder = quern.folder()

local function must(command)
  local code, text, complaint = quern.shell(command, quern.root)
  assert(code == 0, command .. "\n" .. complaint)
  return text
end

local function trace()
  local path = folder .. "/trace"
  if not io.open(path) then
    must((os.getenv "CC" or "gcc") .. " -std=c11 -O1 tests/runtime/trace.c -o "
      .. path .. " -ldl -lm")
  end
  return path
end

-- The reference module of a spec's text, and its passes.
local function built(text, name)
  local path = ("%s/%s.lua"):format(folder, name)
  quern.write(path, text)
  local options = { root = quern.root, spec = path, set = {}, shapes = {},
    backend = "reference", fp = "strict", arch = "", out = folder }
  local state, problems = driver.run(options)
  assert(state, problems and diag.format(problems))
  return assert(compile.module(state.files, options)), state.lowered
end

local function key(...) return table.concat({ ... }, " ") end

-- { scalars, data, results = { field = { index = { value, bound } } } or
-- refused = sentence } of one launch.
local function launched(module, kernel, seed, size)
  local told = { scalars = {}, data = {}, results = {} }
  local text = must(("%s %s %d %d %s"):format(trace(), module, kernel, seed,
    table.concat(size, " ")))
  for line in text:gmatch("[^\n]+") do
    local words = {}
    for word in line:gmatch("%S+") do words[#words + 1] = word end
    if words[1] == "scalar" then
      told.scalars[words[2]] = tonumber(words[3])
    elseif words[1] == "in" then
      told.data[key(words[2], words[3], table.unpack(words, 5))] =
        tonumber(words[4])
    elseif words[1] == "out" then
      told.results[key(words[2], table.unpack(words, 5))] =
        { value = tonumber(words[3]), bound = tonumber(words[4]) }
    else
      told.refused = line:match("^refused (.*)$")
    end
  end
  return told
end

local function to_float(a)
  return (string.unpack("f", string.pack("f", a)))
end

-- The world of a launch, for tests/lowering_values.lua.
local function world_of(told, n, round)
  return { n = n, round = round,
    scalar = function(_, name) return told.scalars[name] end,
    datum = function(model, name, level, index)
      local words = { name, level }
      for _, axis in ipairs(model.fields[name].on) do
        words[#words + 1] = index[axis]
      end
      return assert(told.data[key(table.unpack(words))],
        "read where nothing is stored: " .. key(table.unpack(words)))
    end }
end

local function each_index(axes, n, visit)
  local function along(i, index)
    if i == 0 then return visit(index) end
    for at = 0, n[axes[i]] - 1 do
      index[axes[i]] = at
      along(i - 1, index)
    end
  end
  along(#axes, {})
end

-- One launch of a kernel; gives how many points were compared and the largest
-- error of the lowered code in float over its bound.
local function compare(what, module, lowered, k, size)
  local model, n = lowered.model, {}
  for i, axis in ipairs(model.axes) do n[axis] = size[i] end
  local block = lowered.kernels[k].blocks[1]
  local told = launched(module, k - 1, 7 * k, size)
  assert.equal(boundaries.has_images(block, n), not told.refused,
    what .. ": " .. tostring(told.refused))
  if told.refused then return 0, 0 end
  local points, worst = 0, 0
  local exact, float = world_of(told, n), world_of(told, n, to_float)
  each_index(model.axes, n, function(index)
    local stored = values.stored(model, block, index, float)
    for i, a in ipairs(model.kernels[k].blocks[1].assign) do
      local words = { a.field }
      for _, axis in ipairs(model.axes) do words[#words + 1] = index[axis] end
      local got = assert(told.results[key(table.unpack(words))])
      local wanted = values.written(model, a, index, exact)
      local where = what .. " at " .. key(table.unpack(words))
      assert.is_true(math.abs(got.value - wanted)
        <= 1e-12 * (1 + math.abs(wanted)), where)
      local share = math.abs(got.value - to_float(stored[i])) / got.bound
      assert.is_true(share <= 1, ("%s: %g of its bound"):format(where, share))
      points, worst = points + 1, math.max(worst, share)
    end
  end)
  return points, worst
end

teardown(function() quern.remove(folder) end)

describe("the reference", function()
  it("is right beyond faces of every kind, and so are its bounds", function()
    local points, worst = 0, 0
    for i = 1, #FACES, STRIDE do
      local module, lowered = built(FACES[i][2], "faces" .. i)
      for _, size in ipairs(SIZES) do
        local more, share = compare(FACES[i][1], module, lowered, 1, size)
        points, worst = points + more, math.max(worst, share)
      end
    end
    assert.is_true(points > 1000)
    assert.is_true(worst > 0.1, "the bounds are loose: " .. worst)
  end)

  it("finds the points of staggered fields", function()
    local most = 0
    for i, case in ipairs(places.STAGGERED) do
      local module, lowered = built(case[2], "staggered" .. i)
      for k in ipairs(lowered.kernels) do
        for _, size in ipairs(CUBES) do
          local points, worst = compare(case[1], module, lowered, k, size)
          assert.is_true(points > 0, case[1])
          most = math.max(most, worst)
        end
      end
    end
    assert.is_true(most > 0.1, "the bounds are loose: " .. most)
  end)

  it("refuses a reach beyond an image, with axis, reach and extent", function()
    local module = built([==[
      precision { "float" }
      grid { "x", "y" }
      field { "u", "v" }
      boundary { "u", y = { low  = { "even", about = "face" },
                            high = { "odd", about = "point" } } }
      kernel { "k", [[ v = u[y-3] + u[y+3] ]] }]==], "images")
    assert.equal("u: along y this kernel reads 3 points beyond the low face, "
      .. "its even image has 2 at extent 2",
      launched(module, 0, 1, { 5, 2 }).refused)
    assert.equal("u: along y this kernel reads 3 points beyond the high face, "
      .. "its odd image has 2 at extent 3",
      launched(module, 0, 1, { 5, 3 }).refused)
    assert.is_nil(launched(module, 0, 1, { 5, 4 }).refused)
  end)
end)

-- What a kernel might get wrong at a face, and each must leave its bound.
local MUTANTS = {
  { "the axes in the other order", function(block)
    local axes = block.faces[1].axes
    axes[1], axes[2] = axes[2], axes[1]
  end },
  { "a corner and a side that are periodic", function(block)
    block.faces[1].axes[2].low = { kind = "periodic" }
  end },
  { "a mirror about the wrong point", function(block)
    block.faces[1].axes[1].low.about = "point"
  end },
  { "no slope", function(block)
    block.faces[1].axes[1].high.slope = nil
  end },
  { "a value that is not doubled", function(block)
    local low = block.faces[1].axes[1].low
    low.value = { op = "mul", { op = "literal", n = "1", d = "2" }, low.value }
  end },
  { "even for odd", function(block)
    block.faces[1].axes[1].low.kind = "even"
  end },
}

describe("a kernel is told from a right one that has", function()
  local SPEC = [==[
    precision { "float" }
    grid { "x", "y", spacing = { "hx", "hy" } }
    scalar { "wall", "inflow" }
    field { "u", "v" }
    boundary { "u",
      x = { low  = { "odd", about = "face", value = "wall" },
            high = { "even", about = "face", slope = "inflow" } },
      y = { "constant", value = 0.3 } }
    kernel { "k", [[ v = u[x-1, y-1] - 2*u[x+1, y+1] ]] }]==]

  for _, mutant in ipairs(MUTANTS) do
    it(mutant[1], function()
      local module, lowered = built(SPEC, "mutants")
      mutant[2](lowered.kernels[1].blocks[1])
      assert.error_matches(function()
        compare(mutant[1], module, lowered, 1, { 5, 4 })
      end, "of its bound")
    end)
  end

  it("nothing of the kind", function()
    local module, lowered = built(SPEC, "right")
    assert.equal(20, (compare("right", module, lowered, 1, { 5, 4 })))
  end)
end)
