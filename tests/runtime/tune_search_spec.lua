-- The search of `quern tune`, over a table of everything there was to try,
-- measured on a device (tests/device/RESULTS.md): no device is needed to see
-- what it would have tried.

local candidates = require "gen.tune.candidates"
local driver = require "gen.driver"
local json = require "gen.json"
local quern = require "tests.quern"
local runner = require "gen.runner"

local TABLE = "tests/device/tune_acoustic_iso_r4_inner.csv"

-- Milliseconds by plan, and the least of all.
local function measured()
  local times, least = {}, math.huge
  for plan, text in quern.read(TABLE):gmatch("\n(acoustic_iso[%w_]+),([%d.]+)") do
    times[plan] = tonumber(text)
    least = math.min(least, times[plan])
  end
  return times, least
end

local options = { root = quern.root, spec = "specs/acoustic_iso.lua", set = {}, backend = "cuda", fp = "strict",
                  arch = "sm_90", shapes = {}, sizes = {}, stop_after = "lower" }

describe("the search of tune", function()
  local folder, program, task
  local times, least = measured()

  -- A folder as if all that was measured of some candidates had been measured
  -- there. Gives how many.
  local function prepare(list)
    local known, lines = {}, {}
    for _, candidate in ipairs(list) do
      local name = candidate.plan.name
      if times[name] then
        known[#known + 1] = { name = name, module = "none", shape = candidate.shape, params = candidate.params }
        lines[#lines + 1] = json.encode { id = "table", device = "d", kernel = name, status = "ok",
                                          median = times[name] / 1e3 } .. "\n"
      end
    end
    quern.write(folder .. "/results.jsonl", table.concat(lines))
    quern.write(folder .. "/tune.json", json.encode { format = 1, id = "table", context = "cpu",
      tasks = { { kernel = "step", region = "inner", most = 1, candidates = known } } })
    return #known
  end

  -- The plans that are tried, in order.
  local function tried(most)
    local code, out, err = quern.shell(("'%s' --tune '%s' --replay --most %s"):format(program, folder, most))
    assert.equal(0, code, out .. err)
    local names = {}
    for name in out:gmatch(" ms  (acoustic_iso[%w_]+)\n") do names[#names + 1] = name end
    return names
  end

  -- What a tenth of the evaluations finds, over the best that there is.
  local function found(list)
    local most, best, fastest = (prepare(list) + 9) // 10, math.huge, math.huge
    local names = tried(most)
    assert.equal(most, #names)
    for _, name in ipairs(names) do best = math.min(best, times[name]) end
    for _, candidate in ipairs(list) do
      fastest = math.min(fastest, times[candidate.plan.name] or math.huge)
    end
    return best / fastest
  end

  setup(function()
    folder = quern.folder()
    program = assert(runner.program { root = quern.root })
    task = candidates.list(assert(driver.run(options)).lowered, options, { 512, 512, 512 })[1]
  end)
  teardown(function() quern.remove(folder) end)

  it("leaves out only what loses by far", function()
    local left = 0
    for _ in pairs(times) do left = left + 1 end
    assert.is_true(left >= 100)
    for _, candidate in ipairs(task.dropped) do
      local time = candidate.plan and times[candidate.plan.name]
      if time then
        left = left - 1
        assert.is_true(time > 2 * least, candidate.plan.name)
      end
    end
    assert.equal(left, prepare(task.list))
  end)

  it("comes within 3 % of the best in a tenth of the evaluations", function()
    assert.is_true(found(task.list) <= 1.03)
  end)

  it("does so where nobody knows a good default: the estimate's order alone", function()
    local list = table.move(task.list, 1, #task.list, 1, {})
    table.sort(list, function(a, b)
      if a.cost ~= b.cost then return a.cost < b.cost end
      return a.plan.name < b.plan.name
    end)
    assert.is_true(found(list) <= 1.03)
  end)

  it("does so for any four shapes or more, as if there were no others", function()
    local shapes, order = {}, {}
    for _, candidate in ipairs(task.list) do
      if not shapes[candidate.shape] then
        shapes[candidate.shape] = 1 << #order
        order[#order + 1] = candidate.shape
      end
    end
    local sets = 0
    for set = 0, (1 << #order) - 1 do
      local list, members = {}, 0
      for i = 1, #order do members = members + (set >> (i - 1) & 1) end
      for _, candidate in ipairs(task.list) do
        if set & shapes[candidate.shape] ~= 0 then list[#list + 1] = candidate end
      end
      if members >= 4 then
        sets = sets + 1
        local ratio = found(list)
        assert.is_true(ratio <= 1.03, ("%.3f times the best, set %d"):format(ratio, set))
      end
    end
    assert.equal(64, sets)
  end)

  it("tries each candidate once, in the end, and goes on where it stopped", function()
    local seen, count = {}, prepare(task.list)
    local all, few = tried("all"), tried(9)
    assert.equal(count, #all)
    for i, name in ipairs(all) do
      assert.is_nil(seen[name], name)
      seen[name] = true
      assert.equal(few[i] or name, name)
    end
  end)
end)
