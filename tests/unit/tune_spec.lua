-- Tuning: what is tried and in which order, what is kept of it, and what `gen`
-- makes of that. The run itself: tests/runtime/tune.t.

local candidates = require "gen.tune.candidates"
local choices = require "gen.schedule.choices"
local driver = require "gen.driver"
local estimate = require "gen.tune.estimate"
local json = require "gen.json"
local lists = require "gen.list"
local quern = require "tests.quern"
local record = require "gen.tune.record"
local schedule = require "gen.schedule"

local function options(backend, spec, changes)
  local o = { root = quern.root, spec = "specs/" .. spec .. ".lua", set = {}, backend = backend, fp = "strict",
              arch = "sm_90", shapes = {}, sizes = {}, stop_after = "lower" }
  for key, value in pairs(changes or {}) do o[key] = value end
  return o
end

local function lowered(o) return assert(driver.run(o)).lowered end

describe("what is tried", function()
  local o = options("cuda", "acoustic_iso")
  local l = lowered(o)
  local task = candidates.list(l, o, { 512, 512, 512 })[1]

  it("begins with the default of each shape, then goes by the estimate", function()
    local list = task.list
    local seen, cost = {}, 0
    for i, candidate in ipairs(list) do
      assert.equal(not seen[candidate.shape], candidate.default, candidate.plan.name)
      seen[candidate.shape] = true
      if list[i - 1] and list[i - 1].default ~= candidate.default then cost = 0 end
      assert.is_true(candidate.cost >= cost)
      cost = candidate.cost
    end
  end)

  it("is never a plan that cannot be launched: the sentence says why", function()
    local dropped = task.dropped
    local whys = {}
    for _, candidate in ipairs(dropped) do whys[#whys + 1] = candidate.why end
    local all = table.concat(whys, "\n")
    assert.truthy(all:find("st_tma: needs %d+ bytes of shared memory, the limit is 232448"), all)
    assert.truthy(all:find("smem_eta_1: no field is of lower order", 1, true), all)
    assert.truthy(all:find("costs as much as 57 bytes a point, the least 18", 1, true), all)
  end)

  it("is what a request leaves open", function()
    local function names(params)
      o.shapes = { { region = "inner", name = "st_reg_shft", params = params } }
      local list = {}
      for i, candidate in ipairs(candidates.list(l, o, { 512, 512, 512 })[1].list) do
        list[i] = candidate.plan.name:match("st_reg_shft_(.*)")
      end
      table.sort(list)
      return table.concat(list, " ")
    end
    assert.equal("48x2_chunk7_stages0_vec1 48x2_chunk7_vec1",
      names { block = "48x2", chunk = "7", rows = "1", vec = "1" })
    assert.equal("48x2_chunk7 48x2_chunk7_vec1 48x2_chunk7_vec2",
      names { block = "48x2", chunk = "7", rows = "1", stages = "1" })
    assert.equal(#choices.PLANES[2],
      select(2, names { chunk = "7", stages = "1", rows = "1", vec = "1" }:gsub("chunk7", "")))
    assert.equal(0, #candidates.list(l, o, { 512, 512, 512 })[2].list)
    o.shapes = {}
  end)

  it("has the block of every shape among its choices, and values as long as the default", function()
    for _, spec in ipairs { "acoustic_iso", "heat", "wave2d", "column", "laplace" } do
      local low = lowered(options("cuda", spec))
      for _, backend in ipairs { "cuda", "c" } do
        local p = options(backend, spec)
        for _, kernel in ipairs(low.kernels) do
          for _, name in ipairs(schedule.shapes(backend)) do
            local module = require("gen.schedule." .. name)
            for _, setting in ipairs(module.settings(low, kernel, kernel.blocks[1], p)) do
              assert.truthy(setting.choices or setting.name ~= "block", ("%s: %s"):format(spec, name))
              for _, value in ipairs(setting.choices or {}) do
                assert.equal(#setting.default, #value)
              end
            end
          end
        end
      end
    end
  end)
end)

describe("the estimate", function()
  local function cost(backend, params, size, name)
    local o = options(backend, "heat")
    local l = lowered(o)
    local kernel = l.kernels[1]
    local list = schedule.candidates({ name = name, params = params }, l, kernel, kernel.blocks[1], o)
    return estimate.cost(list[1].plan, l, size)
  end

  it("counts the tile, its halo in whole sectors along x, and what is written", function()
    local tile, faces = 32 * 4 * 4, 2 * 8 * 4 * 4 + 2 * 32 * 4 + 2 * 32 * 4
    assert.equal(4 * (tile + faces) / tile + 4 + 4,
      cost("cuda", { block = "32x4x4" }, { 64, 64, 64 }, "gmem"))
  end)

  it("counts threads past the domain, and what is there of their tiles", function()
    local function moved(x, y, z)
      local row = (x + 7) // 8 * 8
      return 4 * (row * y * z + 2 * 8 * y * z + 2 * row * z + 2 * row * y) + 4 * row * y * z + 4 * x * y * z
    end
    assert.near((moved(32, 4, 4) + moved(1, 4, 4) + 16 * 31 * 4 * 4) / (33 * 4 * 4),
      cost("cuda", { block = "32x4x4" }, { 33, 64, 64 }, "gmem"), 1e-9)
  end)

  it("counts no planes past the end of a walk", function()
    local whole = cost("cuda", { block = "32x8", vec = "1" }, { 64, 64, 64 }, "st_reg_shft")
    local more = cost("cuda", { block = "32x8", vec = "1" }, { 64, 64, 65 }, "st_reg_shft")
    assert.is_true(more > whole and more < 1.02 * whole)
    assert.is_true(cost("cuda", { block = "32x8", vec = "1" }, { 65, 64, 64 }, "st_reg_shft") > 1.2 * whole)
  end)

  it("goes by the slabs of a shell, and by the walk that each of them has", function()
    local o = options("cuda", "acoustic_iso")
    local l = lowered(o)
    local block = lists.find(l.kernels[1].blocks, "region", "pml")
    local function shell(name, params, width)
      local made = schedule.candidates({ name = name, params = params }, l, l.kernels[1], block, o)[1].plan
      return estimate.cost(made, l, { 512, 512, 512 }, { width = width })
    end
    local narrow, wide = { block = "16x16", narrow = "8x16" }, { block = "16x16", narrow = "32x8" }
    assert.is_true(shell("st_tma", narrow, "27") < 0.8 * shell("st_tma", wide, "27"))
    assert.is_true(shell("gmem", { block = "32x4x4" }, "27") < 0.8 * shell("gmem", { block = "128x2x2" }, "27"))
    -- A shell as wide as half of the domain is all of it.
    assert.near(shell("gmem", { block = "64x4x4" }, "256"), shell("gmem", { block = "64x4x4" }, "900"), 1)
    assert.equal(shell("gmem", {}, "32"), shell("gmem", {}, nil))
  end)

  it("counts the lines of short rows, and waiting where few blocks share a multiprocessor", function()
    local function star(x, y, z)
      local tile = x * y * z
      return 4 * (tile + 2 * 8 * y * z + 2 * x * z + 2 * x * y) / tile + 4 + 4
    end
    assert.near(star(8, 8, 8) * 2, cost("cuda", { block = "8x8x8" }, { 64, 64, 64 }, "gmem"), 1e-9)
    assert.near(star(32, 8, 4) * 2, cost("cuda", { block = "32x8x4" }, { 64, 64, 64 }, "smem_u"), 1e-9)
    assert.near(star(32, 8, 2) * 1.5, cost("cuda", { block = "32x8x2" }, { 64, 64, 64 }, "smem_u"), 1e-9)
  end)

  it("counts planes again that no cache keeps, in C", function()
    local tile, faces = 512 * 200 * 8, 2 * 8 * 200 * 8 + 2 * 512 * 8 + 2 * 512 * 200
    assert.near(4 * 3 * (tile + faces) / tile + 4 + 4,
      cost("c", { block = "512x200x8" }, { 512, 200, 8 }, "blocked"), 1e-9)
    tile, faces = 512 * 100 * 8, 2 * 8 * 100 * 8 + 2 * 512 * 8 + 2 * 512 * 100
    assert.near(4 * (tile + faces) / tile + 4 + 4,
      cost("c", { block = "512x100x8" }, { 512, 100, 8 }, "blocked"), 1e-9)
  end)
end)

describe("a specification of any kind", function()
  local SIZE = { 64, 48, 40, 20, 30 }
  for _, spec in ipairs { "column", "gauss_seidel", "heat_faces", "icon", "mixed_precision", "wave2d" } do
    it("has something to try, each with a cost: " .. spec, function()
      local l = lowered(options("cuda", spec))
      for _, backend in ipairs { "cuda", "c" } do
        local o = options(backend, spec)
        for _, task in ipairs(candidates.list(l, o, SIZE)) do
          assert.is_true(#task.list > 0, task.kernel.name)
          for _, candidate in ipairs(task.list) do
            assert.is_true(candidate.cost > 0 and candidate.cost < math.huge, candidate.plan.name)
          end
        end
      end
    end)
  end
end)

describe("JSON that is kept", function()
  it("has its keys in order, and comes back as it was", function()
    local value = { b = { 1, 2.5, "x\"\n" }, a = { z = true, y = {} }, c = -3, ["d e"] = "8" }
    local text = json.encode(value)
    assert.equal([[{"a":{"y":{},"z":true},"b":[1,2.5,"x\"\n"],"c":-3,"d e":"8"}]], text)
    assert.same(value, json.decode(text))
    assert.equal("integer", math.type(json.decode("[512]")[1]))
    assert.is_nil(json.decode("{"))
    assert.has_error(function() json.encode { 1 / 0 } end)
  end)
end)

describe("a size", function()
  it("is of the class of its nearest powers of two", function()
    assert.equal("512x1024x1", record.size_class { 566, 1000, 1 })
    assert.equal("64x32", record.size_class { 46, 45 })
  end)
end)

local function sample(changes)
  local r = { format = record.FORMAT, instance = "heat_r1_float", spec = "5e", kernel = "step", backend = "c",
    fp = "strict", arch = "", compiler = "c0", device = "cpu, 2 threads", size_class = "64x64x64",
    size = { 64, 64, 64 },
    plan = "heat_r1_float_step_blocked_64x8x8", shape = "blocked", params = { block = "64x8x8" }, source = "50",
    median = 0.001, points_per_second = 2.6e8, ratio = 0.5, timed = 3, candidates = 27, scalars = {}, align = 0 }
  for key, value in pairs(changes or {}) do r[key] = value end
  return r
end

describe("a record", function()
  local folder
  before_each(function() folder = quern.folder() end)
  after_each(function() quern.remove(folder) end)

  it("comes back as it was written, the same bytes each time", function()
    local path = assert(record.write(folder .. "/a/b", sample()))
    assert.same(sample(), record.read(path))
    local text = quern.read(path)
    assert.equal(path, record.write(folder .. "/a/b", sample()))
    assert.equal(text, quern.read(path))
    local _, left = quern.shell("ls '" .. folder .. "/a/b' | wc -l")
    assert.equal("1\n", left)
  end)

  it("is a miss when it is cut short, at any byte", function()
    local text = record.text(sample())
    assert.truthy(record.parse(text))
    for size = 0, #text - 1 do assert.is_nil(record.parse(text:sub(1, size)), size) end
    local path = assert(record.write(folder, sample()))
    for size = 0, #text - 1 do
      quern.write(path, text:sub(1, size))
      assert.is_nil(record.read(path))
      local list, torn = record.list(folder, "heat_r1_float", "step", nil, "c")
      assert.same({ {}, { path } }, { list, torn })
    end
  end)

  it("is a miss when any byte is another", function()
    local text = record.text(sample())
    for i = 1, #text do
      local byte = text:sub(i, i) == "1" and "2" or "1"
      assert.is_nil(record.parse(text:sub(1, i - 1) .. byte .. text:sub(i + 1)), i)
    end
    assert.is_nil(record.parse(text .. "\n"))
  end)

  it("is a miss under the name of another, of another version, or without a field", function()
    local path = assert(record.write(folder, sample()))
    local other = folder .. "/" .. record.name(sample { device = "another" })
    assert(os.rename(path, other))
    assert.is_nil(record.read(other))
    assert.is_nil(record.parse(record.text(sample { format = record.FORMAT + 1 })))
    for name in pairs(sample()) do
      local less = sample()
      less[name] = nil
      local optional = name == "scalars" or name == "align"
      assert.equal(optional, record.parse(record.text(less)) ~= nil, name)
    end
  end)

  it("has another name when any part of its key is another", function()
    local seen = { [record.name(sample())] = true }
    for _, part in ipairs { "spec", "kernel", "region", "backend", "fp", "arch", "compiler", "device", "size_class" } do
      local name = record.name(sample { [part] = "other" })
      assert.is_nil(seen[name], part)
      seen[name] = true
    end
    assert.truthy(seen[record.name(sample { median = 2 })])
  end)

  it("is whole at any moment while many processes write it", function()
    local text = [[package.path = "./?.lua;" .. package.path
      local record, json = require "gen.tune.record", require "gen.json"
      local one = json.decode(%q)
      for i = 1, 40 do
        one.median = tonumber(arg[1]) + i
        assert(record.write(%q, one))
        local list, torn = record.list(%q, "heat_r1_float", "step", nil, "c")
        assert(#list == 1 and #torn == 0)
      end]]
    quern.write(folder .. "/write.lua", text:format(json.encode(sample()), folder .. "/r", folder .. "/r"))
    local code, _, err = quern.shell(([[
      for i in 100 200 300 400 500 600; do lua5.4 '%s/write.lua' $i & pids="$pids $!"; done
      for p in $pids; do wait $p || exit 1; done; ls '%s/r' | wc -l | grep -qx 1]]):format(folder, folder))
    assert.equal(0, code, err)
    local list = record.list(folder .. "/r", "heat_r1_float", "step", nil, "c")
    assert.equal(40, list[1].record.median % 100)
  end)
end)

describe("a folder that was prepared from another specification", function()
  local function record_from(instance, spec)
    local folder = quern.folder()
    quern.write(folder .. "/tune.json", json.encode { format = 1, id = "1", instance = instance, spec = spec,
      tasks = {} })
    local code, out, err = quern.run("tune specs/heat.lua --record '" .. folder .. "' --tuned '" .. folder .. "'")
    quern.remove(folder)
    assert.equal("", out)
    return code, (err:gsub((folder:gsub("%p", "%%%0")), "kit"))
  end

  it("is recorded under no other's name", function()
    assert.same({ 2, "quern: kit was prepared from aniso_r1, not from heat_r1_float (specs/heat.lua)\n" },
      { record_from("aniso_r1", "5e") })
  end)

  it("is not recorded for an edited text", function()
    local now = assert(driver.run(options("c", "heat"))).model.hash
    assert.same({ 2, "quern: kit was prepared from another text of specs/heat.lua (heat_r1_float), or by another "
      .. "Quern\n" }, { record_from("heat_r1_float", "5e") })
    assert.same({ 3, "quern: nothing was measured in kit: run kit/run\n" }, { record_from("heat_r1_float", now) })
  end)
end)

describe("gen with a record of a device that is elsewhere", function()
  local folder
  setup(function() folder = quern.folder() end)
  teardown(function() quern.remove(folder) end)

  -- Records a choice as if it had been timed with that compiler.
  local WRITE = [[
    package.path = "./?.lua;" .. package.path
    local compile, driver, hash, record = require "gen.compile", require "gen.driver", require "gen.spec.hash",
      require "gen.tune.record"
    local options = { root = ".", spec = "specs/heat.lua", set = {}, backend = "cuda", fp = "strict", arch = "sm_90",
      shapes = { { name = "gmem", params = { block = "64x4x2" } } }, stop_after = "emit" }
    local state = assert(driver.run(options))
    local plan = state.plans[1]
    for _, file in ipairs(state.files) do
      if file.path == "cuda/" .. plan.name .. ".cu" then
        assert(record.write(arg[1], { format = record.FORMAT, instance = state.lowered.instance,
          spec = state.model.hash, kernel = "step", backend = "cuda", fp = "strict", arch = "sm_90",
          compiler = record.compiler(compile.recipe(options)), device = "NVIDIA H200", size_class = "512x512x512",
          size = { 512, 512, 512 }, plan = plan.name, shape = "gmem", params = { block = "64x4x2" },
          source = hash.of { file.text }, median = 5e-4, points_per_second = 2.7e11, ratio = 0.8, timed = 12,
          candidates = 90 }))
      end
    end]]

  it("asks that the compiler and the architecture are the same", function()
    quern.write(folder .. "/write.lua", WRITE)
    local code, out, err = quern.shell(("NVCC='echo one' lua5.4 '%s/write.lua' '%s/tuned'"):format(folder, folder))
    assert.equal(0, code, out .. err)
    local function gen(compiler, more)
      local status, _, said = quern.shell(("NVCC='echo %s' gen/quern gen specs/heat.lua -o '%s' %s")
        :format(compiler, folder, more or ""))
      assert.equal(0, status, said)
      return quern.read(folder .. "/cuda/heat_r1_float.files"):match("gmem_(%w+)"), said
    end
    local block
    block, err = gen("one")
    assert.equal("64x4x2", block)
    assert.truthy(err:find("step: gmem:block=64x4x2, as .*%(NVIDIA H200, 512x512x512, 270 Gpoint/s%)\n$"), err)
    block, err = gen("two")
    assert.equal("32x4x4", block)
    assert.truthy(err:find("is for another compiler or other flags", 1, true), err)
    block, err = gen("one", "--arch sm_80")
    assert.equal("32x4x4", block)
    assert.truthy(err:find("is for --arch sm_90", 1, true), err)
  end)
end)
