-- What kernels on meshes are given, however wrong, empty, thin or large, is
-- refused in a sentence or gives the right result, and nothing is touched that
-- is not theirs (simt, with its detectors): mesh_input.c.

local compile = require "gen.compile"
local driver = require "gen.driver"
local quern = require "tests.quern"

local folder = quern.folder()
local program = folder .. "/mesh_input"

-- A module of the kernels of tests/runtime/specs/mesh_input.lua.
local function module_of(backend, shapes, detect, kernels)
  local options = { root = quern.root, spec = "tests/runtime/specs/mesh_input.lua", set = {}, shapes = shapes,
    kernels = kernels, backend = backend, fp = "strict", arch = "", out = folder, detect = detect, stop_after = "emit" }
  local files = assert(driver.run(options)).files
  os.execute(("mkdir -p '%s/%s'"):format(folder, backend))
  for _, file in ipairs(files) do quern.write(folder .. "/" .. file.path, file.text) end
  return assert(compile.module(files, options))
end

local function try(context, module, what)
  local code, text, complaint = quern.shell(("%s out/runtime %s %s %s"):format(program, context, module,
    what or ""), quern.root)
  assert.equal(0, code, text .. complaint)
  assert.truthy(text:find "1%.%.[1-9]", text)
end

setup(function()
  local code, _, why = quern.shell(("gcc -std=gnu11 -O1 -Wall -Wextra -Wconversion -Iruntime "
    .. "tests/runtime/mesh_input.c tests/runtime/lib_tap.c out/runtime/libquern.a -o %s "
    .. "-ldl -lm -lpthread -fopenmp"):format(program), quern.root)
  assert.equal(0, code, why)
end)

teardown(function() quern.remove(folder) end)

local KLOOP = { { name = "kloop", params = { block = "1x1", levels = "2" } } }

describe("what a kernel on a mesh is given", function()
  it("is looked at, c", function()
    local module = module_of "c"
    try("cpu", module)
    try("cpu", module, "far")
  end)
  it("is looked at, simt", function() try("simt", module_of("simt", KLOOP, true)) end)
  it("may be wider than 32 bits count, simt", function() try("simt", module_of("simt", KLOOP), "far") end)
  it("may be another table later, of which tiles are made anew, simt", function()
    try("simt", module_of("simt", { { name = "staged", params = { block = "32" } } }, false, { "gather" }), "again")
  end)
  it("may be another table later, of which another is composed, c", function()
    try("cpu", module_of("c", { { name = "inlined_compressed", params = { block = "2x3" } } }, false, { "chain" }),
      "composed")
  end)
  it("may lead ahead by strides, from 0 or from 1, simt", function()
    try("simt", module_of("simt", { { name = "gmem", params = { strides = "2" } } }, true), "strides")
  end)
end)
