-- Requests as kernels on meshes: the same texts as a specification with those tables
-- and kernels written out gives.

local driver = require "gen.driver"
local quern = require "tests.quern"
local specs = require "tests.specs"

local HEAD = [==[
precision { "float" }
]==]

local REQUESTS = HEAD .. [==[
domain { "particle" }
scalar { "c" }
scalar { "push", per = "request" }
field { "x", "m", on = { "particle" } }
field { "f", "g", on = { "particle" } }
list { "some", "near", of = "particle" }
request { "pull", some = [[
  f += c*sum(j in near, m[j]*(x[j] + push - x))
  g += sum(j in near, m[j]*m) ]] }
request { "put", some = [[ g = push*x ]] }
]==]

local TABLES = HEAD .. [==[
domain { "particle", "request", "some_item" }
neighbours { "some_point", from = "some_item", to = "particle", count = 1 }
neighbours { "some_request", from = "some_item", to = "request", count = 1 }
neighbours { "some_items", from = "particle", to = "some_item", ragged = true }
neighbours { "near", from = "request", to = "particle", ragged = true }
scalar { "c" }
field { "x", "m", on = { "particle" } }
field { "f", "g", on = { "particle" } }
field { "push", on = { "request" }, range = { 0.5, 1.5 } }
field { "f_some", "g_some", on = { "some_item" } }
kernel { "pull_some", [[
  f_some = c*sum(j in near(some_request(0)),
    m[j]*(x[j] + push[some_request(0)] - x[some_point(0)]))
  g_some = sum(j in near(some_request(0)), m[j]*m[some_point(0)]) ]] }
kernel { "pull_some_sum", [[
  f = f + sum(i in some_items, f_some[i])
  g = g + sum(i in some_items, g_some[i]) ]] }
kernel { "put_some", [[ g_some = push[some_request(0)]*x[some_point(0)] ]] }
kernel { "put_some_sum", [[
  g = where(sum(i in some_items, 1) > 0, sum(i in some_items, g_some[i]), g) ]] }
]==]

-- One block for all: items have smaller ones by default than other points.
local SHAPES = { cuda = { { name = "gmem", params = { block = "64" } } } }

-- Paths and texts, or diagnostics as printed.
local function files_of(text, backend)
  return specs.with_files({ ["s.lua"] = text }, function(folder)
    local state, problems = driver.run { root = quern.root, spec = folder .. "/s.lua", set = {},
      shapes = SHAPES[backend] or {}, backend = backend, fp = "strict", arch = "sm_90", out = folder,
      stop_after = "emit" }
    return state and state.files or specs.printed(problems)
  end)
end

-- The reference's names have the numbers of nodes.
local function unnumbered(text)
  return (text:gsub("(%a)_%d+", "%1"))
end

describe("requests become kernels on meshes", function()
  for _, backend in ipairs { "cuda", "c", "reference" } do
    it("with the texts of those written out: " .. backend, function()
      local got, wanted = files_of(REQUESTS, backend), files_of(TABLES, backend)
      assert.is_table(got, got)
      assert.is_table(wanted, wanted)
      local kernels = 0
      for i, file in ipairs(wanted) do
        assert.equal(file.path, got[i].path)
        if file.path:find "pull" or file.path:find "put" then
          kernels = kernels + 1
          assert.equal(unnumbered(file.text), unnumbered(got[i].text))
        end
      end
      assert.equal(4, kernels)
    end)
  end

  it("under names that the specification must not have", function()
    local said = files_of(REQUESTS:gsub('"x", "m"', '"x", "m", "f_some"')
      :gsub("m%[j%]%*m%)", "m[j]*m*f_some)"), "c")
    assert.matches("s.lua:9:3: requests make f_some of their own: the spec has one", said, 1, true)
  end)

  it("whose items add to their points under --fp fast, or say why not", function()
    -- Of every kernel of a request's items, how what it adds gets to the points.
    local function ways(text, backend, fp)
      return specs.with_files({ ["s.lua"] = text }, function(folder)
        local state = assert(driver.run { root = quern.root, spec = folder .. "/s.lua", set = {}, shapes = {},
          backend = backend, fp = fp, arch = "sm_90", out = folder, stop_after = "emit" })
        local list, adds = {}, 0
        for _, kernel in ipairs(state.lowered.kernels) do
          list[#list + 1] = kernel.way and kernel.name .. ": " .. kernel.way or nil
        end
        for _, file in ipairs(state.files) do
          adds = adds + select(2, file.text:gsub("atomicAdd%(&[fg]%[some_point_0%], ", ""))
        end
        return list, adds
      end)
    end
    local PULL, PUT = "pull_some: each item's part for pull_some_sum to add in order of submission: ",
      "put_some: each item's part for put_some_sum to add in order of submission: "
    local list, adds = ways(REQUESTS, "cuda", "fast")
    assert.same({ PULL .. "for those who ask for that order",
      "pull_some_add: atomics, in any order: --fp fast allows it", PUT .. "g is set, not added to" }, list)
    assert.equal(2, adds)
    for _, fp in ipairs { "strict", "unfused" } do
      assert.same({ PULL .. "--fp " .. fp .. " keeps the order", PUT .. "--fp " .. fp .. " keeps the order" },
        (ways(REQUESTS, "cuda", fp)))
    end
    assert.same({ PULL .. "atomics in C are loops that try again", PUT .. "atomics in C are loops that try again" },
      (ways(REQUESTS, "c", "fast")))
    local half = REQUESTS:gsub('"f", "g", on', '"f", "g", type = "half", on')
    assert.same({ PULL .. "f is stored as half and computed in float", PUT .. "g is set, not added to" },
      (ways(half, "cuda", "fast")))
  end)

  it("and no shape that cannot add to points takes those that do", function()
    local said = specs.with_files({ ["s.lua"] = REQUESTS }, function(folder)
      local _, problems = driver.run { root = quern.root, spec = folder .. "/s.lua", set = {}, backend = "cuda",
        shapes = { { name = "kloop", params = {} } }, fp = "fast", arch = "sm_90", out = folder, stop_after = "emit" }
      return specs.printed(problems)
    end)
    assert.matches("kloop: kernel pull_some_add adds to points that others add to, gmem and tiled can do that", said, 1,
      true)
  end)

  it("which compare points by their numbers", function()
    local files = files_of(REQUESTS:gsub("m%[j%]%*m%)", "where(same(j), 0, m[j]))"), "c")
    local found = 0
    for _, file in ipairs(files) do
      if file.text:find("== some_point_0 ? 0.0f : ", 1, true) then found = found + 1 end
    end
    assert.equal(1, found)
  end)

  it("whose registers do for 1536 threads in float, in double for what there are: tiled", function()
    local function bounds(type, params, arch)
      local text = REQUESTS:gsub('precision { "float" }', ('precision { "%s" }'):format(type))
        :gsub('request { "put".-\n', "")
      return specs.with_files({ ["s.lua"] = text }, function(folder)
        local state = assert(driver.run { root = quern.root, spec = folder .. "/s.lua", set = {}, backend = "cuda",
          shapes = { { name = "tiled", params = params } }, kernels = { "pull_some" }, fp = "strict",
          arch = arch or "sm_90", out = folder, stop_after = "emit" })
        for _, file in ipairs(state.files) do
          local found = file.text:match "__launch_bounds__(%b())\ns_pull_some_tiled"
          if found then return found end
        end
      end)
    end
    assert.same({ "(128, 12)", "(128)", "(256, 6)", "(128, 8)", "(128)", "(32, 32)", "(128, 8)", "(128, 12)" },
      { bounds("float", {}), bounds("double", {}), bounds("float", { block = "16x16" }),
        bounds("double", { threads = "1024" }), bounds("float", { threads = "0" }),
        bounds("float", { block = "8x4" }), bounds("float", {}, "sm_75"), bounds("float", {}, "sm_86") })
  end)
end)
