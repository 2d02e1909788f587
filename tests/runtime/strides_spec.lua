-- Neighbours found by strides: the same bits as from the entries, mistakes
-- planted in the texts are seen, and rows of meshes are told apart alike in Lua
-- and in C: strides.c.

local compile = require "gen.compile"
local driver = require "gen.driver"
local neighbour = require "gen.neighbour"
local quern = require "tests.quern"
local runner = require "gen.runner"
require "tests.widths"

local LONG = os.getenv "QUERN_LONG" == "1"
local folder = quern.folder()
local program = folder .. "/strides"

local data = (os.getenv "QUERN_DATA" or (os.getenv "QUERN_SHARED" or "../shared") .. "/data")
  .. "/grids/icon_grid_0001_R19B08_lon_0.152-0.154_lat_0.8745-0.8755.nc"
local file = io.open(data)
if file then file:close() end

-- A module of kernels of icon, with one change in the files of a name.
local function module_of(kernels, shapes, mistake)
  local options = { root = quern.root, spec = "specs/icon.lua", set = {}, shapes = shapes, kernels = kernels,
    backend = "simt", fp = "strict", arch = "", out = folder, detect = true, bits = 32, stop_after = "emit" }
  local files = assert(driver.run(options)).files
  os.execute(("mkdir -p '%s/simt'"):format(folder))
  for _, made in ipairs(files) do
    if mistake and made.path:find(mistake.file) then
      local times
      made.text, times = made.text:gsub(mistake.from, mistake.to)
      assert(times > 0, mistake.what)
    end
    quern.write(folder .. "/" .. made.path, made.text)
  end
  return assert(compile.module(files, options))
end

local function try(module, grid)
  local code, text, complaint = quern.shell(("%s out/runtime simt %s '%s'"):format(program, module, grid or ""),
    quern.root)
  return code == 0, text .. complaint
end

-- That of v2e2c2v in specs/icon.lua.
local PATTERN = "0,1,2,3;1,4,5,6;3,1,0,6;1,5,2,4;1,6,4,3;2,1,5,0"

-- The rows of a table that are of some kind, found by Lua from its parts.
local function rows_of_kinds(parts, tables, most)
  local of = tables[parts[1]]
  if parts[2] then
    local second = tables[parts[2]]
    local made = neighbour.compose(of, second)
    of = made.key == PATTERN and neighbour.composed(of, second, made)
  end
  return of and neighbour.kinds(of, most).rows or 0
end

-- What the program says of kinds is what Lua finds; how many rows that were.
local function compare_kinds(text)
  local all, said, requests = 0, {}, {}
  for mesh, name, most, rows in text:gmatch "kinds (%S+) (%S+) (%d+) (%d+)" do
    local parts = name == "v2e2c2v" and { "v2e", "e2c2v" } or { name }
    said[#said + 1] = { mesh .. " " .. name, parts, tonumber(most), tonumber(rows) }
    requests[#requests + 1] = { ["do"] = "mesh", mesh = mesh, tables = parts }
  end
  local answers = assert(runner.run(requests, { root = quern.root, out = quern.root }))
  for i, case in ipairs(said) do
    assert.equal(rows_of_kinds(case[2], answers[i].tables, case[3]), case[4], case[1])
    all = all + case[4]
  end
  return all
end

local function shape(name, params) return { name = name, params = params or {} } end

local EDGES, CHAIN = { "nabla4" }, { "nabla4_interpolate" }
local BY_EDGES = { shape "gmem", shape("gmem", { strides = "6" }) }
local BY_CHAIN = { shape("inlined", { block = "8x4" }),
                   shape("inlined_compressed", { block = "8x2", levels = "2", strides = "5" }) }

setup(function()
  local code, _, why = quern.shell(("gcc -std=c11 -O1 -Wall -Wextra -Wconversion -Iruntime tests/runtime/strides.c "
    .. "tests/runtime/lib_tap.c out/runtime/libquern.a -o %s -ldl -lm -lpthread -fopenmp"):format(program), quern.root)
  assert.equal(0, code, why)
end)

teardown(function() quern.remove(folder) end)

describe("neighbours by strides", function()
  for _, case in ipairs { { EDGES, BY_EDGES }, { CHAIN, BY_CHAIN },
      { EDGES, { shape "kloop", shape("kloop", { strides = "1" }), shape("kloop", { strides = "64" }) }, long = true },
      { CHAIN, { shape "kloop", shape("kloop", { strides = "3" }), shape("inlined", { strides = "9" }),
                 shape("inlined_compressed", { strides = "1" }) }, long = true } } do
    local test = (LONG or not case.long) and it or pending
    test("give the same bits, " .. case[1][1] .. (case.long and ", more shapes" or ""), function()
      local well, text = try(module_of(case[1], case[2]))
      assert.truthy(well, text)
      assert.truthy(compare_kinds(text) > 0)
    end)
  end

  (file and LONG and it or pending)("give the same bits, on a limited area of ICON", function()
    local well, text = try(module_of({ "interpolate" }, { shape "gmem", shape("kloop", { levels = "2",
      strides = "4" }) }), data)
    if text:find "libnetcdf" then return end
    assert.truthy(well, text)
    assert.equal(0, compare_kinds(text))
  end)

  for _, mistake in ipairs {
    { what = "all rows taken to be of one kind", file = "strides6%.cu", from = "= %(unsigned%)e2c2v_kind%[edge_%]",
      to = "= 0u & (unsigned)e2c2v_kind[edge_]", sentence = "outside" },
    { what = "the distance of another slot", file = "strides6%.cu", from = "%[e2c2v_own%]%[slot%]",
      to = "[e2c2v_own][slot ^ 1]", long = true, sentence = "not ok" },
    { what = "rows that are not in step", file = "strides6%.cu", from = "edge_ / e2c2v_every %* e2c2v_step",
      to = "edge_ * e2c2v_step / e2c2v_every + (edge_ == 7)", long = true, sentence = "not ok" },
    { what = "distances of another kind", file = "strides6%.cu", from = "e2c2v_ahead%.of%[e2c2v_own%]",
      to = "e2c2v_ahead.of[e2c2v_own ^ 1]", long = true, sentence = "outside" },
  } do
    local test = (LONG or not mistake.long) and it or pending
    test("are others with " .. mistake.what, function()
      local well, text = try(module_of(EDGES, BY_EDGES, mistake))
      assert.falsy(well)
      assert.truthy(text:find(mistake.sentence), text)
    end)
  end
end)

describe("kinds of rows", function()
  local function told(header)
    assert.equal(0, (quern.shell(("mkdir -p '%s/a/b' '%s/templates' && cp templates/*.h '%s/templates' "
      .. "&& cp tests/runtime/kinds.c '%s/a/b'"):format(folder, folder, folder, folder), quern.root)))
    if header then quern.write(folder .. "/templates/quern_mesh.h", header) end
    local code, text, complaint = quern.shell("gcc -std=c11 -O1 -Wall -Wextra -Wconversion "
      .. "-fsanitize=address,undefined -fno-sanitize-recover=undefined a/b/kinds.c -o kinds && ./kinds", folder)
    return code, text .. complaint
  end

  it("are told apart in random tables", function()
    local code, text = told()
    assert.equal(0, code, text)
  end)

  it("are not, where one is not looked at slot by slot", function()
    local header, times = quern.read "templates/quern_mesh.h":gsub("if %(quern_ahead%b() != ahead%[slot%]%)", "if (0)")
    assert.equal(1, times)
    local code, text = told(header)
    assert.equal(1, code)
    assert.truthy(text:find "^[1-9]%d* faults", text)
  end)
end)

describe("strides", function()
  local function said(arguments)
    local code, text, complaint = quern.run(arguments, quern.root)
    return code, text .. complaint
  end

  it("are possible where explain says so", function()
    local _, text = said "explain specs/icon.lua --kernel nabla4"
    assert.truthy(text:find("neighbours  e2c2v (by entries, or strides), e2ecv (by arithmetic)", 1, true), text)
  end)

  it("and rows of any length are not in the costs of explain, which says so", function()
    local _, text = said "explain specs/icon.lua --kernel nabla4"
    assert.truthy(text:find("bytes count no tables, and all domains as if of equal size", 1, true), text)
    assert.falsy(text:find("one entry in each row", 1, true), text)
    _, text = said "explain specs/md2d.lua --kernel interact_a"
    assert.truthy(text:find("accesses and flops count one entry in each row of b\n", 1, true), text)
    _, text = said "explain specs/heat.lua"
    assert.falsy(text:find("all domains as if", 1, true), text)
  end)

  it("are of kinds that pattern prints", function()
    local _, text = said "pattern torus:9x8 e2c2v"
    assert.truthy(text:find("by strides, e2c2v of row r leads to r // 3 * 1 + ..; 185 of 216 rows", 1, true), text)
    assert.truthy(text:find("56 rows, from 26 on: +0 -7 +1 -8", 1, true), text)
    _, text = said "pattern torus:9x8 v2e e2c2v"
    assert.truthy(text:find("42 rows, from 9 on: -1 +0 +7 -8 +1 +8 -7", 1, true), text)
  end)

  it("are refused where there are too many kinds, or no table of the point's own", function()
    local _, text = said "gen specs/icon.lua --kernel nabla4 --shape gmem:strides=65"
    assert.truthy(text:find("gmem: strides=65: wanted 0 to 64", 1, true), text)
    _, text = said "gen specs/laplace.lua --shape gmem:strides=4"
    assert.truthy(text:find("gmem: no param 'strides'", 1, true), text)
  end)
end)
