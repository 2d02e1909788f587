-- `quern tune` on a mesh: all at once, and in three parts with a mesh in a
-- file, which the folder carries along; whose records `gen` then takes.

local json = require "gen.json"
local quern = require "tests.quern"
local record = require "gen.tune.record"

local SPEC = quern.root .. "/specs/icon.lua"
local PLAIN = "block=64x4,levels=1,turned=0"
local COMMON = ("'%s' --kernel verts2cells --size 1,1,1,1,5 --repeats 1"):format(SPEC)

describe("tune on a mesh", function()
  local folder
  local function run(arguments)
    return quern.shell(("export OMP_NUM_THREADS=1 QUERN_QUICK=1; '%s' %s"):format(quern.quern, arguments), folder)
  end
  -- What gen says of records, for a mesh.
  local function said(mesh)
    local code, _, err = run(("gen '%s' --kernel verts2cells --backend c -o made --tuned out/tuned %s"):format(SPEC,
      mesh and "--mesh " .. mesh or ""))
    assert.equal(0, code, err)
    return err
  end
  setup(function() folder = quern.folder() end)
  teardown(function() quern.remove(folder) end)

  it("writes a record of the mesh's class and pattern, which gen takes for such meshes", function()
    local code, out, err = run(("tune %s --mesh torus:12x14 --shape blocked:%s"):format(COMMON, PLAIN))
    assert.equal(0, code, out .. err)
    local path = out:match "record  (%S+)"
    local found = assert(record.read(folder .. "/" .. path))
    assert.equal("128x512x256x2048x4", found.size_class)
    assert.equal("torus", found.mesh)
    assert.same({ 168, 504, 336, 2016, 5 }, found.size)
    for _, mesh in ipairs { false, "torus:99x98" } do
      assert.truthy(said(mesh):find(("verts2cells: blocked:%s, as %s"):format(PLAIN, path), 1, true), said(mesh))
    end
    assert.truthy(said "plane:4x4":find("is of the mesh torus\n", 1, true))
    assert.not_equal(record.name(found), record.name(setmetatable({ mesh = "plane" }, { __index = found })))
  end)

  it("has its mesh with it where it runs elsewhere", function()
    quern.shell([[mkdir tri elsewhere &&
      printf '4\n1 0 0 0\n2 9 0 0\n3 0 9 0\n4 5 5 0\n' > tri/nod2d.out &&
      printf '4\n1 2 3\n1 3 4\n1 4 2\n2 4 3\n' > tri/elem2d.out]], folder)
    local code, out, err = run(("tune %s --mesh tri --shape blocked:block=64x4 --prepare p"):format(COMMON))
    assert.equal(0, code, out .. err)
    code, out, err = quern.shell("mv p elsewhere/ && rm -r tri && cd / && OMP_NUM_THREADS=1 " .. folder
      .. "/elsewhere/p/run", folder)
    assert.equal(0, code, out .. err)
    code, out, err = run(("tune %s --record elsewhere/p"):format(COMMON))
    assert.equal(0, code, out .. err)
    local found = assert(record.read(folder .. "/" .. out:match "record  (%S+)"))
    assert.same({ "tri", { 4, 6, 4, 24, 5 } }, { found.mesh, found.size })
    assert.equal("mesh", json.decode(quern.read(folder .. "/elsewhere/p/tune.json")).mesh)
  end)

  it("says what is no mesh, and what is not tried", function()
    local code, _, err = run(("tune %s --mesh torus:0x2"):format(COMMON))
    assert.equal(2, code)
    assert.truthy(err:find("^quern: "), err)
    code, _, err = run(("gen '%s' --shape kloop:levels=2,unroll=4 --kernel verts2cells"):format(SPEC))
    assert.equal(2, code)
    assert.equal("quern: kloop: unroll=4, but a thread has levels=2\n", err)
  end)
end)
