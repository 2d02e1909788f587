-- Requests give what plain loops over them do, on the CPU and, as CUDA text, on simt
-- with its detectors; and mistakes in specifications and texts are seen.

local compile = require "gen.compile"
local driver = require "gen.driver"
local quern = require "tests.quern"

local folder = quern.folder()
local program = folder .. "/requests"
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

-- The path of a module, perhaps with a change in one of its texts.
local function module_of(spec, backend, mistake)
  local options = { root = quern.root, spec = spec, set = {}, shapes = {}, backend = backend,
    fp = "strict", arch = "", out = folder, detect = backend == "simt", stop_after = "emit" }
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

local function try(context, requests, nbody)
  return run(("%s %s out/runtime %s %s"):format(program, context, requests, nbody))
end

setup(function()
  local well, why = run(("gcc -std=c11 -O1 -Wall -Wextra -Wconversion -Iruntime "
    .. "tests/runtime/requests.c tests/runtime/lib_tap.c out/runtime/libquern.a -o %s "
    .. "-ldl -lm -lpthread -fopenmp"):format(program))
  assert(well, why)
end)

teardown(function() quern.remove(folder) end)

describe("requests, against plain loops,", function()
  for _, case in ipairs { { "c", "cpu" }, { "simt", "simt" } } do
    it("on " .. case[1], function()
      local well, text = try(case[2], module_of(SPEC, case[1]), module_of("specs/nbody.lua", case[1]))
      assert.equal("", faults(text))
      assert.is_true(well)
    end)
  end
end)

describe("their tables at random, against the reference,", function()
  for _, backend in ipairs { "c", "simt" } do
    (os.getenv "QUERN_LONG" == "1" and it or pending)("on " .. backend, function()
      local well, text = run(("gen/quern check specs/nbody.lua --backend %s -o %s"):format(backend, folder))
      assert.is_true(well, text)
    end)
  end
end)

describe("a mistake is seen:", function()
  for _, mistake in ipairs {
    { what = "a sum that forgets what was there", file = "pull_a_sum_", from = "f%[f_at%] %+ ", to = "" },
    { what = "the scalar of another request", file = "pull_a_b", from = "shift%[a_request_0%]",
      to = "shift[0]" },
    { what = "an item taken for its point", file = "pull_b_b", from = "const int64_t b_request_0 = .-;",
      to = "const int64_t b_request_0 = 0;" },
  } do
    it(mistake.what, function()
      local well, text = try("cpu", module_of(SPEC, "c", mistake), module_of("specs/nbody.lua", "c"))
      assert.is_false(well)
      assert.matches("not ok", text)
    end)
  end

  it("'=' where '+=' is meant", function()
    local text = quern.read(quern.root .. "/" .. SPEC):gsub("f %+=", "f =")
    quern.write(folder .. "/requests.lua", text)
    local well, said = try("cpu", module_of(folder .. "/requests.lua", "c"), module_of("specs/nbody.lua", "c"))
    assert.is_false(well)
    assert.matches("not ok", said)
  end)
end)
