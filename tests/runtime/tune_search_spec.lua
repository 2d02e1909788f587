-- The search of `quern tune`, over tables of everything there was to try,
-- measured on a device (tests/device/RESULTS.md) and kept as it was then, each
-- row with what gen/tune/estimate.lua said of it: no device is needed to see
-- what would have been tried.

local candidates = require "gen.tune.candidates"
local json = require "gen.json"
local quern = require "tests.quern"
local runner = require "gen.runner"

local ROW = "\n([%w_]+),([^,\n]*),(%a+),([%d.]+),([%d.]+)"

-- { name, shape, params, default, cost, ms }.. of a table.
local function rows_of(name)
  local rows = {}
  local text = quern.read("tests/device/tune_acoustic_iso_r4_" .. name .. ".csv")
  for shape, params, default, cost, ms in text:gmatch(ROW) do
    local row = { name = shape .. " " .. params, shape = shape, params = {}, default = default == "yes",
                  cost = tonumber(cost), ms = tonumber(ms) }
    for key, value in params:gmatch("(%w+)=(%w+)") do row.params[key] = value end
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
    assert.is_true(#inner + #dropped >= 100 and #dropped >= 20)
    for _, row in ipairs(dropped) do assert.is_true(row.ms > 2 * least(inner, "ms"), row.name) end
  end)

  it("comes within 3 % of the best in a tenth of the evaluations", function()
    assert.is_true(found(sorted(inner, true)) <= 1.03)
    assert.is_true(found(sorted((split(rows_of "pml")), true)) <= 1.03)
  end)

  it("does so where nobody knows a good default: the estimate's order alone", function()
    assert.is_true(found(sorted(inner)) <= 1.03)
  end)

  it("does so for any four shapes or more, as if there were no others", function()
    local bit, count, sets = {}, 0, 0
    for _, row in ipairs(inner) do
      if not bit[row.shape] then bit[row.shape], count = 1 << count, count + 1 end
    end
    for set = 0, (1 << count) - 1 do
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
    assert.equal(64, sets)
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
