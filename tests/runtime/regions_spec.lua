-- Faults in where a kernel runs, put into emitted C one at a time: check finds
-- each of them, whatever the kernel itself says of its region.

local compile = require "gen.compile"
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local runner = require "gen.runner"

local SPEC = [=[
precision { "float" }
grid { "x", "y" }
scalar { "width", type = "int", range = { 0, 40 } }
field { "u", "v" }
region { "rim", shell = "width" }
region { "core", rest = true }
kernel { "k", rim = [[ v = u ]], core = [[ v = 2*u ]] }
]=]

local CUT, KEEP = "return quern_cut(%b())", "return quern_keep(%b())"

-- Which of the two kernels, what is replaced, by what.
local FAULTS = {
  { "rim", "takes the whole domain for its region", CUT, "return (void)quern_cut%1, 1" },
  { "rim", "finds no point in its region", CUT, "return (void)quern_cut%1, 0" },
  { "rim", "is one point too narrow", "{ a%->width,", "{ a->width - 1," },
  { "core", "takes the whole domain for its region", KEEP, "return (void)quern_keep%1, quern_whole(domain, list)" },
  { "core", "finds no point in its region", KEEP, "return (void)quern_keep%1, 0" },
  { "core", "is one point too wide", "a%->n%[1%] %- a%->width", "a->n[1] - a->width + 1" },
}

describe("a kernel that", function()
  local folder, options, made
  setup(function()
    folder = quern.folder()
    quern.write(folder .. "/regions.lua", SPEC)
    options = { root = quern.root, spec = folder .. "/regions.lua", set = {}, shapes = {}, backend = "c",
                fp = "strict", arch = "sm_90", out = folder .. "/out" }
    made = assert(modules.make(options))
  end)
  teardown(function() quern.remove(folder) end)

  local function with_fault(region, pattern, to)
    local files, hits = {}, 0
    for i, file in ipairs(made.state.files) do
      local text, found = file.text, 0
      if file.path:find("_" .. region .. "_", 1, true) then text, found = text:gsub(pattern, to) end
      files[i], hits = { path = file.path, text = text }, hits + found
    end
    assert(hits > 0, pattern)
    return files
  end

  local function verdicts(module, region)
    local requests = {}
    for _, size in ipairs { { 7, 130 }, { 33, 65 }, { 63, 17 } } do
      requests[#requests + 1] = { ["do"] = "check", context = "cpu", module = module, reference = made.reference,
        kernel = ("regions_k_%s_blocked_512x4"):format(region), size = size, seed = 1 }
    end
    return assert(runner.run(requests, options))
  end

  it("is as it was emitted passes", function()
    for _, region in ipairs { "rim", "core" } do
      for _, answer in ipairs(verdicts(made.module, region)) do assert.equal("ok", answer.status, answer.problem) end
    end
  end)

  for _, fault in ipairs(FAULTS) do
    local region, what, pattern, to = table.unpack(fault)
    it(what .. " is caught at every size: " .. region, function()
      local module = assert(compile.module(with_fault(region, pattern, to), options))
      for _, answer in ipairs(verdicts(module, region)) do assert.equal("wrong", answer.status) end
    end)
  end
end)

-- The same of one launch for both regions, on simt: what is replaced, by what.
local TOGETHER = {
  { "runs the code of the other region", "switch %(box%.region%)", "switch (1 - box.region)" },
  { "leaves out a box of its shell", "for %(int b = 0; b < count; b%+%+%)", "for (int b = count > 1; b < count; b++)" },
  { "has as many blocks along x as along y", "divide_by%(%(unsigned%)x%)", "divide_by((unsigned)y)" },
  { "has the first block of a box work on the one before", "block >= of%.box", "block > of.box" },
}

describe("one launch for all regions that", function()
  local folder, options, made
  setup(function()
    folder = quern.folder()
    quern.write(folder .. "/regions.lua", SPEC)
    options = { root = quern.root, spec = folder .. "/regions.lua", set = {}, backend = "simt", fp = "strict",
                arch = "sm_90", out = folder .. "/out", bits = 32, detect = true,
                shapes = { { name = "gmem", params = { together = "1", block = "8x4" } } } }
    made = assert(modules.make(options))
  end)
  teardown(function() quern.remove(folder) end)

  local function verdicts(files)
    local module, requests = assert(compile.module(files, options)), {}
    for i, size in ipairs { { 7, 33 }, { 33, 17 } } do
      requests[i] = { ["do"] = "check", context = "simt", module = module, reference = made.reference,
        kernel = "regions_k_gmem_8x4_together1", size = size, seed = 1, scalars = { width = 2 } }
    end
    return assert(runner.run(requests, options))
  end

  it("is as it was emitted passes", function()
    for _, answer in ipairs(verdicts(made.state.files)) do assert.equal("ok", answer.status, answer.problem) end
  end)

  for _, fault in ipairs(TOGETHER) do
    local what, pattern, to = table.unpack(fault)
    it(what .. " is caught at every size", function()
      local files, hits = {}, 0
      for i, file in ipairs(made.state.files) do
        local text, found = file.text:gsub(pattern, to)
        files[i], hits = { path = file.path, text = text }, hits + found
      end
      assert(hits > 0, pattern)
      for _, answer in ipairs(verdicts(files)) do assert.equal("wrong", answer.status) end
    end)
  end
end)
