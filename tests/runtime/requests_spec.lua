-- Requests give what plain loops over them do, on the CPU and, as CUDA text, on simt
-- with its detectors; and mistakes in specifications and texts are seen.

local compile = require "gen.compile"
local driver = require "gen.driver"
local quern = require "tests.quern"
require "tests.widths"

local in_long = os.getenv "QUERN_LONG" == "1" and it or pending
local folder = quern.folder()
local SPEC = "tests/runtime/specs/requests.lua"

local function run(command)
  local code, text, complaint = quern.shell(command, quern.root)
  return code == 0, text .. complaint
end

local function faults(text)
  local list = {}
  for line in text:gmatch "[^\n]+" do
    if not line:find "^ok " and not line:find "^1%.%." then list[#list + 1] = line end
  end
  return table.concat(list, "\n")
end

-- Blocks of nine threads: most lists are longer, a request has up to eight blocks, an item up to nine parts.
local TILED = { { name = "tiled", params = { block = "3x3" } } }

-- The path of a module, perhaps with a change in one of its texts, perhaps of other shapes or arithmetic.
local function module_of(spec, backend, mistake, shapes, fp)
  local options = { root = quern.root, spec = spec, set = {}, shapes = shapes or {}, backend = backend,
    fp = fp or "strict", arch = "", out = folder, detect = backend == "simt", bits = 32, stop_after = "emit" }
  local files = assert(driver.run(options)).files
  os.execute(("mkdir -p '%s/%s'"):format(folder, backend))
  for _, file in ipairs(files) do
    if mistake and file.path:find(mistake.file) then
      local times
      file.text, times = file.text:gsub(mistake.from, mistake.to)
      assert(times > 0, mistake.what)
    end
    quern.write(folder .. "/" .. file.path, file.text)
  end
  return assert(compile.module(files, options))
end

local function try(program, context, ...)
  -- What the detectors know of arrays is theirs to the end: no leak of ours.
  return run(("ulimit -S -v unlimited; ASAN_OPTIONS=detect_leaks=%d %s/%s %s out/runtime %s"):format(
    context == "cpu" and 1 or 0, folder, program, context, table.concat({ ... }, " ")))
end

-- A program of this name, with sanitizers.
local function build(name)
  local well, why = run(("sanitized=$(tests/runtime/sanitized) && gcc ${sanitized%% *} -Wno-error "
    .. "tests/runtime/%s.c tests/runtime/lib_tap.c ${sanitized##* } -o %s/%s -ldl -lm -lpthread"):format(name, folder,
    name))
  assert(well, why)
end

-- A driver whose device is the host, and the runtime's own kernels for it.
local function build_fake()
  local well, why = run(("mkdir -p %s/fake && gcc -std=c11 -O1 -Iruntime -fPIC -shared -o %s/fake/libcuda.so.1 "
    .. "tests/runtime/cuda_fake.c && gcc -std=c11 -O1 -Iruntime -fPIC -shared -DQUERN_BACKEND='\"cuda\"' "
    .. "-DQUERN_ARCH='\"sm_90\"' -o %s/fake/quern_device_cuda.so runtime/device_module.c runtime/host.c -lm")
    :format(folder, folder, folder))
  assert(well, why)
end

-- C that says it is for a device: what is on its streams is done when asked twice.
local AS_CUDA = { what = "a module for a device", file = "_module%.c", from = '%.backend = "c", %.arch = ""',
  to = '.backend = "cuda", .arch = "sm_90"' }

setup(function()
  build_fake()
  build "requests"
  build "home"
end)

teardown(function() quern.remove(folder) end)

describe("requests, against plain loops,", function()
  for _, case in ipairs { { "c", "cpu" }, { "simt", "simt" } } do
    it("on " .. case[1], function()
      local well, text = try("requests", case[2], module_of(SPEC, case[1]), module_of("specs/nbody.lua", case[1]))
      assert.equal("", faults(text))
      assert.is_true(well)
    end)
  end

  it("read into shared memory a tile at a time, on simt", function()
    local well, text = try("requests", "simt", module_of(SPEC, "simt", nil, TILED),
      module_of("specs/nbody.lua", "simt", nil, os.getenv "QUERN_LONG" == "1" and TILED or nil))
    assert.equal("", faults(text))
    assert.is_true(well)
  end)

  for _, mistake in ipairs {
    { what = "a tile that is overwritten while it is read", from = "(sum[%w_]* = [^\n]*\n        }\n)"
      .. "        __syncthreads%(%);\n", to = "%1", sees = "depends on the order of the threads" },
    { what = "parts of sums that are read before they are there", from = "        __syncthreads%(%);\n"
      .. "(        if %(y %+ half)", to = "%1", sees = "device error", like = true },
    { what = "a part in the middle that is left out", from = "%(left %+ 1%) / 2", to = "left / 2",
      sees = "device error", like = true },
    { what = "a part of nobody's that is taken", from = "%(y %+ half < left%)", to = "(y + half <= left)",
      sees = "device error", like = true },
    { what = "items of another request", from = "= own.request;", to = "= 0;", like = true },
    { what = "an end of a list that is left out", from = "at < end;", to = "at + 1 < end;", like = true },
    { what = "a request that is taken before it is found", file = "quern_requests.h", like = true,
      from = "        __syncthreads%(%);\n(        low)", to = "%1", sees = "device error" },
    { what = "another request than is found", file = "quern_requests.h", like = true,
      from = "block < firsts%[next%]", to = "block <= firsts[next]", sees = "device error" },
    { what = "a request beyond those that are looked at", file = "quern_requests.h",
      from = "|| firsts%[high%].x <= block", to = "", sees = "device error", like = true },
    { what = "a request before those that are looked at", file = "quern_requests.h",
      from = "block < firsts%[low%].x ||", to = "", sees = "device error", like = true },
    { what = "a share of items that begins too late", file = "quern_requests.h",
      from = "%(block %- own.x%) %* each", to = "(block - own.x) * (each + 1)", like = true },
  } do
    (mistake.like and in_long or it)("a mistake is seen: " .. mistake.what, function()
      mistake.file = mistake.file or "pull_a_tiled"
      local well, said = try("requests", "simt", module_of(SPEC, "simt", mistake, TILED),
        module_of("specs/nbody.lua", "c"))
      assert.is_false(well)
      assert.matches(mistake.sees or "not ok", said)
    end)
  end
end)

describe("items that add to their points, on simt,", function()
  in_long("give the same, or parts of sums for those who ask for an order", function()
    for _, shapes in ipairs { {}, TILED } do
      local well, text = try("requests", "simt", module_of(SPEC, "simt", nil, shapes, "fast"),
        module_of("specs/nbody.lua", "simt"))
      assert.equal("", faults(text))
      assert.is_true(well)
    end
  end)

  in_long("are seen to add what others have not read before", function()
    local mistake = { what = "a sum that others may change meanwhile", file = "pull_a_add",
      from = "atomicAdd%(&(f%b[]), (.-)%);", to = "%1 = %1 + (%2);" }
    local well, said = try("requests", "simt", module_of(SPEC, "simt", mistake, nil, "fast"),
      module_of("specs/nbody.lua", "c"))
    assert.is_false(well)
    -- The batch fails, and its requests say so.
    assert.matches("not ok 8 %- simt: through a queue", said)
  end)
end)

describe("batches in flight on streams of a device, by a driver that is a fake:", function()
  local function try_fake(program, ...)
    local well, text = run(("ulimit -S -v unlimited; ASAN_OPTIONS=detect_leaks=0 LD_LIBRARY_PATH=%s/fake "
      .. "%s/%s cuda %s/fake %s"):format(folder, folder, program, folder, table.concat({ ... }, " ")))
    assert.equal("", faults(text))
    assert.is_true(well)
  end

  it("the same", function()
    try_fake("requests", module_of(SPEC, "c", AS_CUDA), module_of("specs/nbody.lua", "c", AS_CUDA))
  end)

  it("values that are at home on the host, and the CPU beside the device", function()
    try_fake("home", module_of(SPEC, "c", AS_CUDA), module_of(SPEC, "c"))
  end)
end)

describe("values that are at home on the host, of which a device has room for some:", function()
  it("the same as plain loops", function()
    local well, text = try("home", "cpu", module_of(SPEC, "c"))
    assert.equal("", faults(text))
    assert.is_true(well)
  end)

  in_long("without races, by the thread sanitizer", function()
    local well, why = run(("gcc -std=c11 -O1 -g1 -fsanitize=thread -Iruntime -DQUERN_DEVICE_SYMBOL=qn__host_module "
      .. "tests/runtime/home.c tests/runtime/lib_tap.c tests/runtime/no_openmp.c "
      .. "$(ls runtime/*.c | grep -v '/run') -o %s/home_thread -ldl -lm -lpthread"):format(folder))
    assert.is_true(well, why)
    module_of(SPEC, "c")
    well, why = run(("gcc -std=c11 -O1 -g1 -fsanitize=thread -shared -fPIC -I%s/c %s/c/requests_*.c "
      .. "-o %s/thread.so -lm"):format(folder, folder, folder))
    assert.is_true(well, why)
    local fine, text = run(("%s/home_thread cpu out/runtime %s/thread.so"):format(folder, folder))
    assert.equal("", faults(text))
    assert.is_true(fine)
  end)

  it("on simt, the CPU beside it", function()
    local well, text = try("home", "simt", module_of(SPEC, "simt"), module_of(SPEC, "c"))
    assert.equal("", faults(text))
    assert.is_true(well)
  end)
end)

describe("their tables at random, against the reference,", function()
  for _, backend in ipairs { "c", "simt" } do
    for _, spec in ipairs { "nbody", "ewald" } do
      in_long(spec .. " on " .. backend, function()
        local well, text = run(("gen/quern check specs/%s.lua --backend %s -o %s"):format(spec, backend, folder))
        assert.is_true(well, text)
      end)
    end
  end
end)

describe("the least and the largest of a list", function()
  it("are of lists that are not empty: check draws no others", function()
    quern.write(folder .. "/ends.lua", [[
precision { "double" }
domain { "p" }
field { "m", on = { "p" }, range = { 1, 2 } }
field { "f", "g", on = { "p" } }
list { "a", "b", of = "p" }
request { "ends", a = "f += max(j in b, m[j])  g += min(j in b, m[j])" }
]])
    local well, text = run(("gen/quern check %s/ends.lua --backend c -o %s"):format(folder, folder))
    assert.is_true(well, text)
  end)
end)

describe("a mistake is seen:", function()
  for _, mistake in ipairs {
    { what = "a sum that forgets what was there", file = "pull_a_sum_", from = "f%[f_at%] %+ ", to = "" },
    { what = "the scalar of another request", file = "pull_a_b", from = "shift%[a_request_0%]",
      to = "shift[0]", like = true },
    { what = "an item taken for its point", file = "pull_b_b", from = "const int64_t b_request_0 = .-;",
      to = "const int64_t b_request_0 = 0;", like = true },
  } do
    (mistake.like and in_long or it)(mistake.what, function()
      local well, text = try("requests", "cpu", module_of(SPEC, "c", mistake), module_of("specs/nbody.lua", "c"))
      assert.is_false(well)
      assert.matches("not ok", text)
    end)
  end

  it("'=' where '+=' is meant", function()
    local text = quern.read(quern.root .. "/" .. SPEC):gsub("f %+=", "f =")
    quern.write(folder .. "/requests.lua", text)
    local well, said = try("requests", "cpu", module_of(folder .. "/requests.lua", "c"),
      module_of("specs/nbody.lua", "c"))
    assert.is_false(well)
    assert.matches("not ok", said)
  end)
end)
