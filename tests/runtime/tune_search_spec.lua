-- The search of `quern tune`, over tables of everything there was to try,
-- measured on a device (tests/device/RESULTS.md) and kept as it was then: no
-- device is needed to see what would have been tried, by today's estimate.

local candidates = require "gen.tune.candidates"
local driver = require "gen.driver"
local estimate = require "gen.tune.estimate"
local json = require "gen.json"
local lists = require "gen.list"
local quern = require "tests.quern"
local runner = require "gen.runner"
local schedule = require "gen.schedule"

local LONG = os.getenv "QUERN_LONG" == "1"
local ROW = "\n([%w_]+),([^,\n]*),(%a+),([%d.]+)"
local SIZE, WIDTH = { 512, 512, 512 }, { inner = 0, pml = 27 }

local OPTIONS = { root = quern.root, spec = "specs/acoustic_iso.lua", set = {}, shapes = {}, backend = "cuda",
                  fp = "strict", arch = "sm_90", out = "out", stop_after = "lower" }

-- What was given to all shapes of the shell's table, which is older, and has other defaults by now.
local PLAIN = { st_smem = { "stages", "vec", "rows" }, st_reg_shft = { "stages", "vec", "rows" },
                st_reg_fixed = { "stages", "vec", "rows" }, gmem = { "rows" }, st_tma = { "lockstep", "late" } }
local VALUE = { stages = "0", vec = "1", rows = "1", lockstep = "0", late = "0" }

-- The plan of a row. st_tma walked all of a shell in one way then.
local function plan_of(row, lowered, block)
  local params = {}
  for _, key in ipairs(PLAIN[row.shape] or {}) do params[key] = VALUE[key] end
  for key, value in pairs(row.params) do params[key] = value end -- any order
  local made = schedule.candidates({ name = row.shape, params = params }, lowered, lowered.kernels[1], block,
    OPTIONS)[1].plan
  if row.shape == "st_tma" and block.region == "pml" then
    local x, y = params.block:match("(%d+)x(%d+)")
    made.walks, made.chunk = nil, tonumber(params.chunk)
    made.tile = { 4 * x // 1 | 0, y * params.rows // 1 | 0, made.chunk }
  end
  return made
end

-- { name, shape, params, default, cost, ms }.. of a table.
local function rows_of(name)
  local rows, lowered = {}, assert(driver.run(OPTIONS)).lowered
  local block = lists.find(lowered.kernels[1].blocks, "region", name)
  local text = quern.read("tests/device/tune_acoustic_iso_r4_" .. name .. ".csv")
  for shape, params, default, ms in text:gmatch(ROW) do
    local row = { name = shape .. " " .. params, shape = shape, params = {}, default = default == "yes",
                  ms = tonumber(ms) }
    for key, value in params:gmatch("(%w+)=(%w+)") do row.params[key] = value end
    row.cost = estimate.cost(plan_of(row, lowered, block), lowered, SIZE, { width = WIDTH[name] })
    rows[#rows + 1] = row
  end
  return rows
end

local function least(rows, key)
  local value = math.huge
  for _, row in ipairs(rows) do value = math.min(value, row[key]) end
  return value
end

-- What is tried and what is left out, as gen/tune/candidates.lua has it.
local function split(rows)
  local kept, dropped = {}, {}
  for _, row in ipairs(rows) do
    local list = (row.default or row.cost <= candidates.HOPELESS * least(rows, "cost")) and kept or dropped
    list[#list + 1] = row
  end
  return kept, dropped
end

local function sorted(rows, defaults)
  local list = table.move(rows, 1, #rows, 1, {})
  table.sort(list, function(a, b)
    if defaults and a.default ~= b.default then return a.default end
    if a.cost ~= b.cost then return a.cost < b.cost end
    return a.name < b.name
  end)
  return list
end

describe("the search of tune", function()
  local folder, program
  local inner, dropped = split(rows_of "inner")
  local shell, dropped_there = split(rows_of "pml")

  setup(function()
    folder = quern.folder()
    program = assert(runner.program { root = quern.root })
  end)
  teardown(function() quern.remove(folder) end)

  -- A folder as if all of a list had been measured there.
  local function prepare(list)
    local known, lines = {}, {}
    for i, row in ipairs(list) do
      known[i] = { name = row.name, module = "none", shape = row.shape, params = row.params }
      lines[i] = json.encode { id = "table", device = "d", kernel = row.name, status = "ok",
                               median = row.ms / 1e3 } .. "\n"
    end
    quern.write(folder .. "/results.jsonl", table.concat(lines))
    quern.write(folder .. "/tune.json", json.encode { format = 1, id = "table", context = "cpu",
      tasks = { { kernel = "step", most = 1, candidates = known } } })
  end

  -- The names of what is tried, in order.
  local function tried(most)
    local code, out, err = quern.shell(("'%s' --tune '%s' --replay --most %s"):format(program, folder, most))
    assert.equal(0, code, out .. err)
    local names = {}
    for name in out:gmatch(" ms  ([^\n]+)\n") do names[#names + 1] = name end
    return names
  end

  -- What a tenth of the evaluations finds, over the best that there is.
  local function found(list)
    local most, best, times = (#list + 9) // 10, math.huge, {}
    for _, row in ipairs(list) do times[row.name] = row.ms end
    prepare(list)
    local names = tried(most)
    assert.equal(most, #names)
    for _, name in ipairs(names) do best = math.min(best, times[name]) end
    return best / least(list, "ms")
  end

  it("leaves out only what loses by far", function()
    assert.is_true(#inner + #dropped >= 100 and #dropped >= 10)
    assert.is_true(#shell + #dropped_there >= 100 and #dropped_there >= 10)
    for _, row in ipairs(dropped) do assert.is_true(row.ms > 1.7 * least(inner, "ms"), row.name) end
    for _, row in ipairs(dropped_there) do assert.is_true(row.ms > 1.5 * least(shell, "ms"), row.name) end
  end)

  it("comes within 3 % of the best in a tenth of the evaluations", function()
    assert.is_true(found(sorted(inner, true)) <= 1.03)
    assert.is_true(found(sorted(shell, true)) <= 1.03)
  end)

  it("does so where nobody knows a good default: the estimate's order alone", function()
    assert.is_true(found(sorted(inner)) <= 1.03)
    assert.is_true(found(sorted(shell)) <= 1.03)
  end)

  it("begins a shell with tiles as narrow as its slabs", function()
    for _, row in ipairs(sorted(shell)) do
      if row.shape == "st_tma" then
        assert.is_true(row.ms <= 1.06 * least(shell, "ms"), row.name)
        break
      end
    end
  end)

  it("does so for all sets of four shapes or more, as if there were no others", function()
    local bit, count, sets = {}, 0, 0
    for _, row in ipairs(inner) do
      if not bit[row.shape] then bit[row.shape], count = 1 << count, count + 1 end
    end
    for set = 0, (1 << count) - 1, LONG and 1 or 7 do
      local list, shapes = {}, 0
      for i = 0, count - 1 do shapes = shapes + (set >> i & 1) end
      for _, row in ipairs(shapes >= 4 and inner or {}) do
        if set & bit[row.shape] ~= 0 then list[#list + 1] = row end
      end
      if #list > 0 then
        sets = sets + 1
        local ratio = found(sorted(list, true))
        assert.is_true(ratio <= 1.03, ("%.3f times the best, set %d"):format(ratio, set))
      end
    end
    assert.equal(LONG and 64 or 6, sets)
  end)

  it("tries each candidate once, in the end, and goes on where it stopped", function()
    local seen = {}
    prepare(sorted(inner, true))
    local all, few = tried("all"), tried(9)
    assert.equal(#inner, #all)
    for i, name in ipairs(all) do
      assert.is_nil(seen[name], name)
      seen[name] = true
      assert.equal(few[i] or name, name)
    end
  end)
end)
