-- What shapes say of meshes and of chains: one sentence each.

local driver = require "gen.driver"
local specs = require "tests.specs"

local HEAD = [[
precision { "double" }
domain { "v", "e" }
levels { "k" }
neighbours { "v2e", from = "v", to = "e", count = 6, skip = -1 }
neighbours { "e2v", from = "e", to = "v", count = 2 }
field { "p", "p1", on = { "v", "k" } }
field { "q", "q1", on = { "e", "k" } }
]]

-- The sentence about a spec for which a shape, or a kernel, is asked.
local function refusal(text, shape, kernel, backend)
  return specs.with_files({ ["s.lua"] = HEAD .. text }, function(folder)
    local state, problems = driver.run { spec = folder .. "/s.lua", set = {}, backend = backend or "c",
      shapes = shape and { { name = shape, params = {} } } or {}, kernels = kernel and { kernel },
      stop_after = "schedule", fp = "strict", arch = "sm_90" }
    assert.is_nil(state)
    return problems[1].message
  end)
end

local TWO = [=[
kernel { "edges", [[ q1 = p[e2v(0)] - p[e2v(1)] + q ]] }
kernel { "vertices", [[ p1 = sum(n in v2e, q1[n]) ]] }
fuse { "both", "edges", "vertices", drop = { "q1" } }
]=]

describe("meshes", function()
  it("are not for the shapes of grids", function()
    assert.equal("smem_u: kernel edges runs over a mesh, this shape over a grid",
      refusal(TWO, "smem_u", nil, "cuda"))
  end)

  it("have chains that are several kernels unless a shape makes one of them", function()
    assert.equal("both is a chain, several kernels: --shape inlined makes one of it", refusal(TWO, nil, "both"))
    assert.equal("inlined: kernel edges is no chain", refusal(TWO, "inlined", "edges"))
    assert.equal("blocked: both is a chain", refusal(TWO, "blocked", "both"))
  end)

  it("have levels behind their points where blocks go through levels", function()
    assert.equal("staged: needs contiguous points and levels behind them, turned runs over k, e",
      refusal([=[
field { "r", "r1", on = { "k", "e" } }
kernel { "turned", [[ r1 = r + p[e2v(0)] ]] }
kernel { "edges", [[ q1 = q ]] }
kernel { "vertices", [[ p1 = sum(n in v2e, q[n]) ]] }]=], "staged", "turned", "cuda"))
    assert.equal("kloop: keeps the neighbours of a row, and v2v has any number", refusal(TWO .. [=[
neighbours { "v2v", from = "v", to = "v", ragged = true }
field { "s", on = { "v", "k" } }
kernel { "around", [[ s = sum(n in v2v, p[n]) ]] }]=], "kloop", "around", "cuda"))
  end)

  it("are read through composed tables where a spec has them", function()
    assert.equal("inlined_compressed: both reads nothing twice that a composed table of the spec leads to",
      refusal(TWO, "inlined_compressed", "both", "cuda"))
  end)

  local REST = 'kernel { "vertices", [[ p1 = sum(n in v2e, q1[n] + q[n] + a[n]*still[n] + p[e2v(n, 0)]) ]] }'

  it("fold where what changes with the level stands in sums, and all else is constant", function()
    for formula, sentence in pairs {
      ["q*p[e2v(0)]"] = "multiplies two values that change with k",
      ["q + a"] = "adds what is the same at all levels",
      ["a/q"] = "divides by what changes with k",
      ["q^2"] = "takes a power of what changes with k",
      ["exp(q)"] = "takes exp of what changes with k",
      ["a*where(q < 0, q, a)"] = "takes compare of what changes with k",
      ["q*still"] = "reads still, which is not declared constant",
      ["a*a"] = "computes what is the same at all k",
    } do
      local found = refusal('field { "a", on = { "e" }, constant = true }\nfield { "still", on = { "e" } }\n'
        .. ("kernel { 'edges', [[ q1 = %s ]] }"):format(formula) .. REST, "folded", "edges", "cuda")
      assert.equal("edges " .. sentence, found:match "^folded: .-s%.lua:10:%d+: (.*)$", found)
    end
    assert.equal("both reads q1, which is the same at all k", refusal('field { "a", on = { "e" }, constant = true }\n'
      .. 'kernel { "edges", [[ q1 = a*sum(n in e2v, 1) ]] }\n'
      .. 'kernel { "vertices", [[ p1 = p + sum(n in v2e, q1[n] + q[n]) ]] }\n'
      .. 'fuse { "both", "edges", "vertices", drop = { "q1" } }', "folded", "both", "cuda"):match "%d: (.*)$")
    local function vertices(slots, formula)
      return refusal(('kernel { "edges", [[ q1 = q + p[e2v(0)] ]] }\nneighbours { "f", from = "v", to = "v", %s }\n'
        .. 'field { "p2", on = { "v", "k" } } kernel { "vertices", [[ p1 = sum(n in v2e, q[n]) p2 = %s ]] }'):format(
        slots, formula), "folded", "vertices", "cuda")
    end
    assert.equal("vertices takes the max of what changes with k", vertices("count = 2", "max(n in f, p[n])")
      :match "%d: (.*)$")
    assert.equal("folded: vertices has rows with any number of neighbours", vertices("ragged = true",
      "sum(n in f, p[n])"))
    assert.equal("folded: vertices would have 132 coefficients for a point, the limit is 128", vertices("count = 60",
      "sum(n in f, p[n])"))
  end)

  local function stays(text) return refusal(text, "inlined", "both") end

  it("have chains that stay several, for a reason", function()
    assert.equal("inlined: both stays several kernels: stage edges stores q1, which is not dropped",
      stays((TWO:gsub(', drop = { "q1" }', ""))))
    assert.equal("inlined: both stays several kernels: stage edges reads p, which stage vertices overwrites",
      stays((TWO:gsub("p1 = sum", "p = sum"):gsub("%+ q ", "+ p1[e2v(0)]*q "))))
    assert.equal("inlined: both stays several kernels: stage edges has regions",
      stays((TWO:gsub('kernel { "edges", ', 'kernel { "edges", top = ')) .. 'region { "top", rest = true }\n'))
    assert.equal("inlined: both stays several kernels: stage edges computes in another type than vertices",
      stays((TWO:gsub('kernel { "edges",', 'kernel { "edges", compute = "float",'))))
  end)
end)

describe("tiled says of what it does not read by tiles:", function()
  local HEAD_OF_LISTS = 'precision { "double" } domain { "v", "w" } field { "p", "r", "s", on = { "v" } }\n'
    .. 'field { "q", on = { "w" } } neighbours { "t", from = "v", to = "w", count = 3 } list { "a", of = "v" }\n'

  local function said(request, params)
    local text = HEAD_OF_LISTS .. (request:find "in b" and 'list { "b", of = "v" }\n' or "")
      .. (request:find "in c" and 'list { "c", of = "w" }\n' or "") .. request
      .. 'kernel { "other", "s = p + sum(n in t, q[n])" }'
    return specs.with_files({ ["s.lua"] = text }, function(folder)
      local state, problems = driver.run { spec = folder .. "/s.lua", set = {}, backend = "cuda",
        shapes = { { name = "tiled", params = params or {} } }, stop_after = "schedule", fp = "strict",
        arch = "sm_90" }
      return state and "" or problems[1].message
    end)
  end

  for _, case in ipairs {
    { "no sum", 'request { "k", a = "r += p" }', "tiled: kernel k_a has no sum over a list" },
    { "a table", 'request { "k", a = "r += sum(n in t, q[n])" }',
      "tiled: sums over lists of requests, t is a table" },
    { "a sum within", 'request { "k", a = "r += sum(i in b, p[i]*sum(n in t(i), q[n]))" }',
      "tiled: a sum over t stands in one over b" },
    { "a sum that waits", 'request { "k", a = "r += sum(i in b, (p[i] - max(j in c, q[j]))^2)" }',
      "tiled: a sum over b reads another sum" },
    { "threads", 'request { "k", a = "r += sum(i in b, p[i])" }',
      "tiled: block=64x32 is 2048 threads, the limit is 1024",
      { block = "64x32" } },
    { "memory", 'request { "k", a = "r += sum(i in b, where(same(i), 1, p[i])) + sum(i in b, p[i]^2)'
      .. ' + sum(j in c, q[j]) + max(i in b, p[i]) + min(i in b, p[i])" }',
      "tiled: needs 65540 bytes of shared memory, the limit is 49152",
      { block = "64x16" } },
    { "threads of a multiprocessor", 'request { "k", a = "r += sum(i in b, p[i])" }',
      "tiled: threads=2049: wanted 0 to 2048", { threads = "2049" } },
    { "fits", 'request { "k", a = "r += sum(i in b, p[i])" }', "" },
  } do
    it(case[1], function()
      local sentence = said(case[2], case[4]):gsub(" %(kernel k_a%)$", "")
      assert.equal(case[3], sentence)
    end)
  end
end)
