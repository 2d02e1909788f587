-- Kernels on meshes: those of specs/icon.lua give the bits of loops written by
-- hand and of another implementation, mistakes planted in their texts are seen,
-- and random tables of all kinds agree with the reference. Meshes that are made
-- or read hang together.

local compile = require "gen.compile"
local driver = require "gen.driver"
local lists = require "gen.list"
local quern = require "tests.quern"
local runner = require "gen.runner"
require "tests.widths"

local LONG = os.getenv "QUERN_LONG" == "1"
local folder = quern.folder()
local program = folder .. "/mesh"

local function run(command)
  local code, text, complaint = quern.shell(command, quern.root)
  return code == 0, text .. complaint
end

-- The text of a test program's faults.
local function faults(text)
  local list = {}
  for line in text:gmatch "[^\n]+" do
    if not line:find "^ok " and not line:find "^1%.%." then list[#list + 1] = line end
  end
  return table.concat(list, "\n")
end

-- A module of icon, with one change in the kernel whose file has this name.
local function module_of(backend, contiguous, mistake, spec)
  local options = { root = quern.root, spec = spec or "specs/icon.lua", set = { contiguous = contiguous },
    shapes = { { name = "inlined", params = {} } }, backend = backend, fp = "unfused", arch = "", out = folder,
    detect = backend == "simt", bits = 32, stop_after = "emit" }
  local files = assert(driver.run(options)).files
  for _, file in ipairs(mistake and files or {}) do
    if file.path:find(mistake.file) then
      local times
      file.text, times = file.text:gsub(mistake.from, mistake.to)
      assert(times > 0, mistake.what)
    end
  end
  os.execute(("mkdir -p '%s/%s'"):format(folder, backend))
  for _, file in ipairs(files) do quern.write(folder .. "/" .. file.path, file.text) end
  return assert(compile.module(files, options))
end

local function try(backend, contiguous, mistake)
  return run(("%s out/runtime %s %s %s"):format(program, backend == "c" and "cpu" or backend,
    module_of(backend, contiguous, mistake), contiguous))
end

-- The program of that name; its path.
local function host(name)
  local well, why = run(("gcc -std=c11 -O1 -ffp-contract=off -Wall -Wextra -Wconversion -Iruntime "
    .. "tests/runtime/%s.c tests/runtime/lib_tap.c out/runtime/libquern.a -o %s/%s "
    .. "-ldl -lm -lpthread -fopenmp"):format(name, folder, name))
  assert(well, why)
  return folder .. "/" .. name
end

setup(function() host "mesh" end)

teardown(function() quern.remove(folder) end)

describe("icon by hand", function()
  for _, case in ipairs { { "c", "horizontal" }, { "c", "k" }, { "simt", "horizontal", long = true },
      { "simt", "k", long = true } } do
    local test = (LONG or not case.long) and it or pending
    test(table.concat(case, ", "), function()
      local well, text = try(case[1], case[2])
      assert.truthy(well, faults(text))
    end)
  end

  for _, mistake in ipairs {
    { what = "a missing neighbour is not passed over", file = "double_interpolate", from = "near_edge < 0",
      to = "near_edge < -1" },
    { what = "a row that misses a neighbour in a tile that is said to miss none", file = "double_interpolate",
      from = "quern_has_all%(", to = "1 || quern_has_all(", long = true },
    { what = "coefficients of the slot beside", file = "double_interpolate", long = true, from = "c1%[vertex %+ slot",
      to = "c1[vertex + (slot ^ 1)" },
    { what = "another slot of an affine table", file = "nabla4_b", long = true, from = "%+ 3 %* e2ecv_slot",
      to = "+ 2 * e2ecv_slot" },
    { what = "the edge of another slot in a chain", long = true, file = "nabla4_interpolate_inlined",
      from = "z_nabla2_e%[near_edge", to = "z_nabla2_e[v2e[vertex + v2e_slot]" },
    { what = "the point's own value for the neighbour's", file = "double_verts2cells", long = true,
      from = "p_v%[near_vertex",
      to = "p_v[cell" },
    { what = "a level beside", file = "nabla4_b", long = true,
      from = "v_vert%[e2c2v_1 %+ k ", to = "v_vert[e2c2v_1 + (k ^ 1) " },
  } do
    local test = (LONG or not mistake.long) and it or pending
    test("sees " .. mistake.what, function()
      local well, text = try("c", "horizontal", mistake)
      assert.falsy(well)
      assert.truthy(text:find("as by hand, [1-9]%d* other bits"), text)
    end)
  end
end)

describe("meshes", function()
  local data = os.getenv "QUERN_DATA" or (os.getenv "QUERN_SHARED" or "../shared") .. "/data"
  local there = io.open(data .. "/grids/README.md") or io.open(data .. "/meshes/README.md")
  if there then there:close() end

  for _, backend in ipairs { "c", "simt" } do
    local test = (LONG or backend == "c") and it or pending
    test("are what they should be" .. (there and ", and icon gives what another implementation gave, " or ", ")
        .. backend, function()
      local well, text = run(("%s out/runtime %s %s '%s'"):format(host "grids", backend == "c" and "cpu" or backend,
        module_of(backend, "horizontal"), there and data or ""))
      assert.truthy(well, faults(text))
    end)
  end

  it("may have other numbers", function()
    local well, text = run(("%s %s '%s'"):format(host "order", module_of("c", "horizontal"), there and data or ""))
    assert.truthy(well, faults(text))
  end)

  it("in files are read, and what is damaged is said", function()
    local well, text = run(("sanitized=$(tests/runtime/sanitized) && gcc ${sanitized%% *} "
      .. "tests/runtime/mesh_files.c tests/runtime/lib_tap.c ${sanitized##* } -o %s/mesh_files "
      .. "-ldl -lm -lpthread && %s/mesh_files %s"):format(folder, folder, folder))
    assert.truthy(well, faults(text))
    assert.truthy(text:find "1%.%.[1-9]", text)
  end)

  -- A rim, from which edges lead across to nothing: what a kernel does not read is not refused.
  for _, case in ipairs {
    { "specs/icon.lua --kernel interpolate", "grids/icon_grid_0001_R19B08_lon_0.152-0.154_lat_0.8745-0.8755.nc",
      "0,0,0,0,3" },
    { "specs/icon.lua --kernel nabla4", "grids/icon_grid_0001_R19B08_lon_0.152-0.154_lat_0.8745-0.8755.nc",
      "0,0,0,0,3", refused = "e2c2v: row 3, slot 2 is -1, a missing neighbour: the table declares no skip" },
    { "specs/ocean_mesh.lua", "meshes/fesom_pi", "0,0,3,0" },
    { "specs/ocean_mesh.lua --backend simt --shape gmem --shape kloop --shape staged", "meshes/fesom_pi", "0,0,3,0",
      long = true },
    { "specs/icon.lua --backend simt --kernel interpolate --shape staged --shape gmem:strides=2",
      "grids/icon_grid_0001_R19B08_lon_0.152-0.154_lat_0.8745-0.8755.nc", "0,0,0,0,3", long = true },
  } do
    local test = there and (LONG or not case.long) and it or pending
    test("of the data serve " .. case[1], function()
      local well, text = run(("gen/quern check %s --mesh '%s/%s' --size %s -o %s"):format(case[1], data, case[2],
        case[3], folder))
      assert.equal(not case.refused, well, text)
      assert.truthy(text:find(case.refused or " 0 failed, 0 without a point", 1, true), text)
    end)
  end

  if not there then pending("the reference fields and grids of " .. data .. ", which are absent") end
end)

describe("an ocean", function()
  local path = "specs/ocean_mesh.lua"

  it("has the gradients and Laplacians of planes and bowls", function()
    local well, text = run(host "ocean" .. " " .. module_of("c", nil, nil, path))
    assert.truthy(well, faults(text))
  end)

  for _, mistake in ipairs {
    { what = "corners in another order", file = "elem_gradient_b", from = "gx%[elem %+ slot",
      to = "gx[elem + (slot ^ 1)" },
    { what = "a node that has not itself taken off", file = "laplacian", from = " %- tracer%[tracer_at%]", to = "" },
  } do
    local test = LONG and it or pending
    test("is another with " .. mistake.what, function()
      local well, text = run(host "ocean" .. " " .. module_of("c", nil, mistake, path))
      assert.falsy(well)
      assert.truthy(text:find "not ok", text)
    end)
  end
end)

-- The answer of quern-run to nabla4_interpolate in a shape on a mesh, with one change in its kernel: mistake = { from,
-- to, mesh }.
local function answer_to(shape, mistake)
  local options = { root = quern.root, spec = "specs/icon.lua", set = {}, fp = "strict", arch = "", out = folder,
    kernels = { "nabla4_interpolate" }, stop_after = "emit", detect = true, bits = 64 }
  local files = {}
  for _, backend in ipairs { "simt", "reference" } do
    local made = lists.copy(options)
    made.backend, made.shapes = backend, backend == "simt" and { shape } or {}
    local list = assert(driver.run(made)).files
    for _, file in ipairs(list) do
      local times = 1
      if file.path:find(shape.name .. "_%d+.*%.cu$") then file.text, times = file.text:gsub(mistake[1], mistake[2]) end
      assert(times > 0, mistake[1])
      os.execute(("mkdir -p '%s/%s'"):format(folder, backend))
      quern.write(folder .. "/" .. file.path, file.text)
    end
    files[backend] = assert(compile.module(list, made))
  end
  return assert(runner.run({ { ["do"] = "check", context = "simt", module = files.simt, reference = files.reference,
    kernel = "nabla4_interpolate", size = { 1, 1, 1, 1, mistake[4] or 3 }, mesh = mistake[3] } }, options))[1]
end

describe("what is known of waves and spheres", function()
  local ICON, OCEAN = "specs/icon.lua", "specs/ocean_mesh.lua"
  local function prove(name, spec, mistake)
    return run(host(name) .. " " .. module_of("c", spec == ICON and "horizontal" or nil, mistake, spec))
  end

  for _, case in ipairs { { "mesh_waves", ICON }, { "mesh_sphere", OCEAN } } do
    it(case[1] .. ", as " .. case[2] .. " has it", function()
      local well, text = prove(case[1], case[2])
      assert.truthy(well, faults(text))
    end)
  end

  for _, mistake in ipairs {
    { what = "second differences across by the length along", file = "nabla4_b", spec = ICON,
      from = "inv_vert_vert_length%[", to = "inv_primal_edge_length[" },
    { what = "the ends of an edge for what is across", file = "nabla4_b", spec = ICON,
      from = "e2c2v%[edge_ %+ 2 %* e2c2v_slot", to = "e2c2v[edge_ + 1 * e2c2v_slot" },
    { what = "the other slope", file = "node_gradient_b", spec = OCEAN,
      from = "ty%[near_elem", to = "tx[near_elem" },
    { what = "a neighbour's value alone", file = "laplacian", spec = OCEAN, from = " %- tracer%[tracer_at%]", to = "" },
  } do
    local test = LONG and it or pending
    test("is not with " .. mistake.what, function()
      local well, text = prove(mistake.spec == ICON and "mesh_waves" or "mesh_sphere", mistake.spec, mistake)
      assert.falsy(well)
      assert.truthy(text:find "not ok", text)
    end)
  end
end)

describe("a composed table", function()
  local shape = { name = "inlined_compressed", params = {} }

  for _, mistake in ipairs {
    { "", "", "torus:5x6", right = true },
    { "{ 3, 1, 0, 6 }", "{ 3, 1, 6, 0 }", "torus:5x6" },
    { "v2e2c2v%[vertex%] >= 0", "v2e2c2v[vertex] >= -1", "plane:6x7" },
  } do
    local test = LONG and it or pending
    test((mistake.right and "is right" or "with " .. mistake[2] .. " is wrong") .. " on " .. mistake[3], function()
      assert.equal(mistake.right or false, answer_to(shape, mistake).status == "ok")
    end)
  end
end)

describe("tiles", function()
  it("have every point once, and places that are its neighbours'", function()
    local well, text = run(host "tiles")
    assert.truthy(well, faults(text))
  end)

  local chain = "specs/icon.lua --backend simt --shape staged --kernel "
  local others = "tests/runtime/specs/tiles.lua --backend simt --size 7,33,132,3 --size 257,65,260,2 "
  for _, case in ipairs {
    { chain .. "nabla4_interpolate --mesh icosahedron:R2B1 --size 1,1,1,1,19 --size 1,1,1,1,1" },
    { chain .. "nabla4_interpolate --mesh plane:9x5 --size 1,1,1,1,5", long = true },
    { chain .. "nabla4_interpolate --shape staged:block=32 --mesh torus:44x40 --size 1,1,1,1,17", long = true },
    { chain .. "nabla4_interpolate --shape staged:fans=0,block=64 --mesh plane:9x5 --size 1,1,1,1,5", long = true },
    { chain:gsub("staged", "inlined_cached:fused=3") .. "nabla4_interpolate_verts2cells --mesh plane:9x5 "
        .. "--size 1,1,1,1,5" },
    { chain .. "nabla4 --set type=float --mesh torus:13x26 --size 1,1,1,1,3" },    -- rows of whole pages
    { chain:gsub("staged", "staged:fused=3") .. "nabla4_interpolate_verts2cells --set coefficients=float "
        .. "--mesh plane:6x7 --size 1,1,1,1,7", long = true },
    { chain .. "nabla4_vertical_interpolate --mesh icosahedron:R2B1 --size 1,1,1,1,4", long = true },
    { chain .. "interpolate --shape staged:block=32,stages=1 --mesh torus:12x14 --size 1,1,1,1,9", long = true },
    { "tests/runtime/specs/mesh.lua --backend simt --shape staged --kernel shifted --size 65,33,3,190,190 "
        .. "--size 1,7,66,1,1" },
    { others .. "--shape staged --kernel ways --kernel slots --kernel affine --kernel chain --kernel skip "
        .. "--kernel parts" },
    { others .. "--shape inlined_cached --kernel chain", long = true },
  } do
    local test = (LONG or not case.long) and it or pending
    test("serve " .. case[1], function()
      local well, text = run(("gen/quern check %s -o %s"):format(case[1], folder))
      assert.truthy(well, text)
    end)
  end

  it("are refused with a sentence", function()
    local head = 'domain { "a", "b" } levels { "k" } neighbours { "t", from = "a", to = "b", count = 80 }\n'
      .. 'field { "p", on = { "a", "k" } } field { "r", on = { "b", "k" } }\n'
    for text, sentence in pairs {
      ['precision { "half" }\n' .. head .. 'kernel { "x", [[ p = sum(n in t, r[n]) ]] }'] =
        "staged: copies 4 or 8 bytes at a time, and elements of r have 2",
      ['precision { "double" }\n' .. head .. 'field { "s", on = { "a", "t", "k" } }\n'
        .. 'kernel { "x", [[ p = sum(n in t, r[n]*s[n]) ]] }'] =
        "staged: needs 335880 bytes of shared memory, the limit is 232448",
      ['precision { "double" }\n' .. head .. 'field { "q", on = { "a", "k" }, extra = { k = 1 } }\n'
        .. 'kernel { "first", [[ q = 2 ]] }\nkernel { "second", [[ p = sum(n in t, r[n]) + q + q[k+1] ]] }\n'
        .. 'fuse { "x", "first", "second", drop = { "q" } }'] =
        "staged: second reads q at another level, where the stage before it has not been",
    } do
      quern.write(folder .. "/tiles.lua", text)
      local code, _, complaint = quern.shell(("gen/quern gen %s/tiles.lua --kernel x --shape staged -o %s"):format(
        folder, folder), quern.root)
      assert.same({ 2, "quern: " .. sentence .. "\n" }, { code, complaint })
    end
  end)

  it("refuse two values of one name by the name of their shape", function()
    quern.write(folder .. "/named.lua", 'precision { "double" } domain { "a", "b" } levels { "k" } scalar { "s" }\n'
      .. 'neighbours { "t", from = "a", to = "b", count = 3 } neighbours { "u", from = "b", to = "a", count = 3 }\n'
      .. 'field { "p", "o", on = { "a", "k" } } field { "q", on = { "b", "k" } }\n'
      .. 'kernel { "first", "c = s + 1\\n q = sum(n in u, c*o[n])" }\n'
      .. 'kernel { "second", "c = s + 2\\n p = sum(n in t, c*q[n])" }\n'
      .. 'fuse { "x", "first", "second", drop = { "q" } }')
    for _, shape in ipairs { "staged", "inlined_cached" } do
      local code, _, complaint = quern.shell(("gen/quern gen %s/named.lua --kernel x --shape %s -o %s"):format(folder,
        shape, folder), quern.root)
      assert.same({ 2, ("quern: %s: stages of x have two values called c\n"):format(shape) }, { code, complaint })
    end
  end)

  it("of folded kernels have no list of what affine tables lead to", function()
    local code, _, complaint = quern.shell("gen/quern gen tests/runtime/specs/tiles.lua --kernel led "
      .. "--shape folded_staged -o " .. folder, quern.root)
    assert.same({ 2, "quern: folded_staged: led reads r by an affine table, whose points no list of a tile has\n" },
      { code, complaint })
  end)

  for _, mistake in ipairs {
    { "levels that have not come", "quern_fetch_wait<1>", "quern_fetch_wait<2>" },
    { "a place that is taken while it is read", "quern_back<4>%(slot, 3%)", "quern_back<4>(slot, 0)", long = true },
    { "no wait for what others have done", "quern_barrier_wait%(&shared%->step, parity%);", "" },
    { "a result in the place of one that is read", "%(k %+ 3%) %% 3", "k %% 2", block = "128",
      mesh = "torus:10x11", long = true },
    { "the level before of what is handed on", "%(k %+ 3%) %% 3%]%[quern_near", "(k + 2) %% 3][quern_near",
      long = true },
    { "a missing neighbour", "if %(quern_missing", "if (!quern_missing", mesh = "plane:6x7", long = true },
    { "another neighbour of a fan", "{ 1, 4, 2, 5 }", "{ 1, 4, 5, 2 }", long = true },
    { "levels of the tiles behind whole waves", "%(row %- wave%) %* part", "row * part", mesh = "torus:44x40",
      levels = 17, long = true },
  } do
    local test = (LONG or not mistake.long) and it or pending
    test("see " .. mistake[1], function()
      local shape = { name = "staged", params = { block = mistake.block or "32" } }
      local answer = answer_to(shape, { mistake[2], mistake[3], mistake.mesh or "torus:5x6", mistake.levels })
      assert.not_equal("ok", answer.status)
    end)
  end
end)

describe("a benchmark on a mesh", function()
  it("counts each array and each table once", function()
    local module = module_of("c", "horizontal")
    local answer = assert(runner.run({ { ["do"] = "bench", context = "cpu", module = module, kernel = "verts2cells",
      size = { 1, 1, 1, 1, 3 }, mesh = "torus:6x8", repeats = 1 } }, { root = quern.root, out = folder }))[1]
    local vertices, cells, levels = 48, 96, 3
    local bytes = 8*levels*(2*vertices + cells) + 2*8*3*cells + 4*3*cells
    assert.equal(bytes, math.floor(answer.bytes_per_second*answer.median + 0.5))
  end)
end)

describe("quern pattern", function()
  it("finds the pattern of specs/icon.lua on a torus, and on an icosahedron but at its edges", function()
    local function rows(of) return of:match "{%s*({ 0, 1, 2, 3 }.-{ 2, 1, 5, 0 })":gsub("%s+", " ") end
    for mesh, count in pairs { ["torus:5x6"] = "30 of 30", ["icosahedron:R2B3"] = "2175 of 2562" } do -- any order
      local code, text = quern.shell(("gen/quern pattern %s v2e e2c2v"):format(mesh), quern.root)
      assert.equal(0, code)
      assert.equal(rows(quern.read "specs/icon.lua"), rows(text))
      assert.truthy(text:find(("-- %s rows are so"):format(count), 1, true), text)
    end
  end)

  it("says what is wrong", function()
    for arguments, wanted in pairs { ["torus:5x6 v2x e2c2v"] = { 2,
          "quern: the mesh has no table 'v2x', but e2c2v, v2e, c2v, e2ecv, v2c\n" },
        ["torus:5x6 c2v e2c2v"] = { 2, "quern: 'c2v' leads to vertex, but 'e2c2v' starts at edge\n" },
        ["plane:2x2 v2e e2c2v"] = { 1, "quern: no row of 'v2e' has all neighbours of neighbours\n" } } do -- any order
      local code, _, complaint = quern.shell("gen/quern pattern " .. arguments, quern.root)
      assert.same(wanted, { code, complaint })
    end
  end)
end)

describe("quern mesh", function()
  local function of(arguments) return quern.shell("gen/quern mesh " .. arguments, quern.root) end

  it("says what is odd, with row and slot", function()
    local _, text = of "torus:2x2"
    assert.truthy(text:find("e2c2v: 4 neighbours stand in their row before, the first in row 0, slot 3, as in slot 2\n",
      1, true), text)
    _, text = of "plane:3x3"
    assert.truthy(text:find("v2e: %d+ missing neighbours, the first in row 0, slot 0: a spec declares them by skip"),
      text)
  end)

  it("says how far apart neighbours are, and what another order makes of it", function()
    local function sectors(arguments)
      local _, text = of(arguments)
      return tonumber(text:match "e2c2v, edge to vertex%s+%d+%s+4%s+%S+%s+%d+%s+([%d.]+)")
    end
    assert.truthy(sectors "torus:20x32 --reorder random" > 2 * sectors "torus:20x32 --reorder random,rcm")
    assert.truthy(sectors "torus:20x32 --reorder random" > 2 * sectors "torus:20x32 --reorder random,curve:edge")
  end)

  it("refuses what is no order", function()
    for text, sentence in pairs { ["rcm;curve"] = "no order 'rcm;curve': near, rcm, curve, random, rcm:edge or several",
        far = "no order 'far': near, rcm, curve, random, ", ["rcm:ecv"] = "no order 'rcm:ecv'",
        ["near,rcm:"] = "no order 'rcm:'" } do
      local code, _, complaint = of("torus:4x4 --reorder '" .. text .. "'")
      assert.equal(2, code)
      assert.truthy(complaint:find(sentence, 1, true), complaint)
    end
  end)

  it("has its orders in check too", function()
    local well, text = run(("gen/quern check specs/icon.lua --backend c --kernel interpolate --mesh plane:6x7 "
      .. "--reorder random,curve --size 1,1,1,1,3 -o %s"):format(folder))
    assert.truthy(well, text)
  end)
end)

describe("rows that are alike", function()
  local check = "gen/quern check specs/icon.lua --kernel nabla4_interpolate --shape inlined_compressed:block=2x3 "

  it("are counted where a mesh has some", function()
    local well, text = run(check .. "--mesh plane:6x7 --size 1,1,1,1,3 --fail-on untaken -o " .. folder)
    assert.truthy(well, text)
    assert.truthy(text:find(": 20 of 42 rows of v2e2c2v follow its pattern\n", 1, true), text)
  end)

  it("are there without a mesh, too, where tables go by the names of a mesh's", function()
    local well, text = run((check:gsub("_interpolate ", "_interpolate --shape folded:block=2x3 ")) .. "--fail-on "
      .. "untaken -o " .. folder)
    assert.truthy(well, text)
    assert.truthy(text:find("ok +icon_horizontal_double_double_nabla4_interpolate_folded_2x3 +63x130x96x520x17 "),
      text)
    assert.truthy(text:find(": 35 of %d+ rows of v2e2c2v follow its pattern\n"), text)
    assert.truthy(text:find("_interpolate_folded_2x3: %d+ of %d+ rows of vertex have a folded form\n"), text)
    assert.truthy(text:find("\n14 checked, 0 failed, 0 without a point", 1, true), text)
  end)

  it("are missed where there is none, which random tables are", function()
    local code, text, complaint = quern.shell(check .. "--size 33,65,1,260,3 --fail-on untaken -o " .. folder,
      quern.root)
    assert.equal(3, code)
    assert.truthy(text:find(": none of 33 rows of v2e2c2v follow its pattern, so nothing is compressed; "
      .. "`quern pattern MESH v2e e2c2v` prints that of a mesh\n", 1, true), text)
    assert.equal("what 1 of the kernels do in rows that are alike is not checked\n", complaint)
  end)
end)

describe("random tables", function()
  for _, case in ipairs { { "c" },
      { "simt", kernel = "shifted --shape kloop --size 65,33,3,190,190 --size 1,7,66,1,1" },
      { "simt", spec = "specs/icon.lua", kernel = "verts2cells --set contiguous=k --shape gmem "
        .. "--shape kloop:block=8x3,levels=4 --size 33,1,70,1,66" },
      { "simt", spec = "specs/icon.lua", kernel = "nabla4_interpolate --shape inlined_compressed --mesh plane:6x7 "
        .. "--size 1,1,1,1,3" },
      { "simt", spec = "specs/icon.lua", long = true, kernel = "nabla4_interpolate_verts2cells "
        .. "--shape inlined_compressed --mesh plane:6x7 --size 1,1,1,1,3" },
      { "c", spec = "specs/icon.lua", kernel = "nabla4_interpolate --shape inlined_compressed:block=2x3 "
        .. "--mesh plane:6x7 --size 1,1,1,1,3" },
      { "simt", long = true }, { "simt", long = true, kernel = "shifted --shape kloop" } } do
    local test = (LONG or not case.long) and it or pending
    test(case[1] .. (case.kernel and ", " .. case.kernel or ""), function()
      local well, text = run(("gen/quern check %s --backend %s %s -o %s"):format(
        case.spec or "tests/runtime/specs/mesh.lua", case[1],
        case.kernel and "--kernel " .. case.kernel or "", folder))
      assert.truthy(well, text)
    end)
  end
end)
