-- temporal: which steps can be made twice at once, what its plans are, and what
-- modules say of them.

local emitted = require "tests.golden.emitted"
local lowering = require "tests.lowering"
local schedule = require "gen.schedule"

local HEAD = [==[
precision { "float" }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
]==]
local LAP = [==[
operator { "dd", derivative = 2, order = 2 }
define [[ lap(f) = sum(a in axes, dd(f, a)) ]]
]==]
local HEAT = [==[ field { "u", time = { 0, 1 } }
kernel { "step", [[ u.next = u + lap(u) ]] } ]==]
local WAVE = [==[ field { "u", time = { -2, -1, 0, 1 } }
kernel { "step", [[ u.next = 2*u - u.prev + lap(u) ]] } ]==]

local function options(params)
  return { backend = "cuda", arch = "sm_90", fp = "strict", shapes = { { name = "temporal", params = params or {} } } }
end

local function refusal(text, params, arch)
  text = text:find("lap") and LAP .. text or text
  local o = options(params)
  o.arch = arch or o.arch
  local plans, problems = schedule.choose(lowering.lower(HEAD .. text), o)
  return not plans and problems[1].message or nil
end

describe("two steps at once", function()
  it("stand beside a shape that makes one", function()
    local o = options()
    local function shapes()
      local list = {}
      for i, plan in ipairs(assert(schedule.choose(lowering.lower(HEAD .. LAP .. HEAT), o))) do list[i] = plan.shape end
      return table.concat(list, " ")
    end
    assert.equal("gmem temporal", shapes())
    o.shapes[2] = { name = "st_tma", params = {} }
    assert.equal("st_tma temporal", shapes())
  end)

  it("keep the middle step where a level is for it", function()
    local heat = schedule.choose(lowering.lower(HEAD .. LAP .. HEAT), options())[2]
    local wave = schedule.choose(lowering.lower(HEAD .. LAP .. WAVE), options())[2]
    assert.same({ { last = "u_next" }, 1 }, { heat.targets, heat.turns })
    assert.same({ { last = "u_prev2", middle = "u_next" }, 2 }, { wave.targets, wave.turns })
  end)

  it("are refused where they are not two steps", function()
    local field = 'field { "u", time = { 0, 1 } }\n'
    local function why(text, params, arch)
      local said = refusal(text, params, arch)
      return said and said:match("^temporal: (.*)$") or said
    end
    assert.is_nil(why(HEAT))
    assert.is_nil(why(WAVE))
    assert.equal("needs sm_90, this is for sm_80", why(HEAT, {}, "sm_80"))
    assert.equal("makes two steps at once, kernel step is not the whole step",
      why(HEAT .. 'field { "v" }\nkernel { "more", [[ v = u ]] }\nstep { "step", "more" }'))
    assert.equal("makes two steps at once, kernel step has other formulas in other regions",
      why(field .. 'region { "rim", shell = "2" }\nregion { "core", rest = true }\n'
        .. 'kernel { "step", rim = [[ u.next = u ]], core = [[ u.next = u + lap(u) ]] }'))
    assert.equal("hands one field on, kernel step assigns 2",
      why(field .. 'field { "v" }\nkernel { "step", [[ u.next = u + lap(u)\n v = u ]] }'))
    assert.equal("hands on a next level, kernel step assigns v at once",
      why('field { "u", "v" }\nkernel { "step", [[ v = u + lap(u) ]] }'))
    assert.equal("u has a face without a halo along y: what lies beyond it changes with the middle step",
      why(field .. 'boundary { "u", y = "periodic" }\nkernel { "step", [[ u.next = u + lap(u) ]] }'))
    assert.equal("v has levels too, this hands on u alone",
      why(field .. 'field { "v", time = { -1, 0 } }\nkernel { "step", [[ u.next = v + lap(u) ]] }'))
    assert.equal("reads v at other points: only u has planes here",
      why(field .. 'field { "v" }\nkernel { "step", [[ u.next = v[x+1] + lap(u) ]] }'))
    assert.equal("reads u_prev at other points",
      why('field { "u", time = { -2, -1, 0, 1 } }\nkernel { "step", [[ u.next = u.prev[y+1] + lap(u) ]] }'))
    assert.equal("reads u_prev2, two steps keep no level before the last",
      why('field { "u", time = { -3, -2, -1, 0, 1 } }\nkernel { "step", [[ u.next = u.prev2 + lap(u) ]] }'))
    assert.equal("reads u off its axes, at 1, 1, 0",
      why(field .. 'kernel { "step", [[ u.next = u[x+1, y+1] + lap(u) ]] }'))
    assert.equal("reads nothing along z", why(field .. 'kernel { "step", [[ u.next = u[x+1] ]] }'))
    local _, problems = schedule.choose(lowering.lower('precision { "float" }\ngrid { "x", "y" }\n' .. field
      .. 'kernel { "step", [[ u.next = u[y+1] ]] }'), options())
    assert.equal("temporal: streams along the last of 3 axes, this kernel has 2", problems[1].message)
    local o = options()
    _, problems = schedule.choose(lowering.lower(HEAD .. LAP .. HEAT, { fp = "fast" }), o)
    assert.equal("temporal: gives the bits of two steps, --fp fast none", problems[1].message)
  end)

  it("have arrays that they do not read", function()
    local leap = 'kernel { "step", [[ u.next = 2*u - u.prev + lap(u) ]] }'
    local said = ": the results of two steps take the place of nothing that they read: give u arrays of their own, "
    assert.equal("temporal" .. said .. "time = { -2, -1, 0, 1 }",
      refusal('field { "u", time = { -1, 0, 1 }, buffers = 2 }\n' .. leap))
    assert.equal("temporal" .. said .. "time = { -2, -1, 0, 1 }",
      refusal('field { "u", time = { -1, 0, 1 } }\n' .. leap))
  end)

  it("need rows and shared memory for the middle step", function()
    assert.equal("temporal: 2 rows are too few for a middle step that is 1 wider on both sides",
      refusal(HEAT, { block = "32x1" }))
    assert.truthy(refusal(HEAT, { stages = "40" }):find(
      "^temporal: needs %d+ bytes of shared memory, the limit is 232448$"))
    assert.equal("temporal: block=32x33 is 1056 threads, the limit is 1024", refusal(HEAT, { block = "32x31" }))
    assert.equal("temporal: halos=3: wanted 1 to 2", refusal(HEAT, { halos = "3" }))
    assert.equal("temporal: no param 'blck'; did you mean 'block'?", refusal(HEAT, { blck = "32x9" }))
    assert.equal("temporal: a plane of u is 268 points wide, the limit is 256", refusal(HEAT, { block = "64x9" }))
  end)

  it("are in the module what a launch makes of them", function()
    local lowered = lowering.lower(HEAD .. LAP .. HEAT)
    local function text_of(ending)
      for _, file in ipairs(emitted.render(lowered, "simt", "temporal")) do
        if file.path:find(ending) then return file.text end
      end
    end
    local module = text_of("_module%.c$")
    assert.truthy(module:find(".steps = 2, .single = 0,\n        .turns = 1, .alike = 0,", 1, true))
    assert.truthy(module:find('.shape = "temporal", .step = -1,', 1, true))
    assert.truthy(module:find(".step2 = step2,", 1, true))
    assert.truthy(text_of("%.h$"))
  end)

  -- A vector that is outside in part is read where its own copies are on their way: values that nobody uses, but
  -- racecheck sees it.
  it("read no plane of which a part is on its way", function()
    local far = (LAP .. HEAT):gsub("order = 2", "order = 4")
    local function waits(params)
      local files = emitted.render(lowering.lower(HEAD .. far), "cuda", "temporal", params)
      local second = emitted.text_of(files, "_temporal_.*%.cu$"):match("The second, as far behind again.*")
      return second:match("\n( +if %(outside != 0%) {\n[^}]*})"), second:match("quern_fetch_wait<%d>%(%);\n +__sync")
    end
    local own, last = waits()
    assert.truthy(own:find("quern_fetch_wait<1>();", 1, true))
    assert.equal("quern_fetch_wait<2>();", last:match("^[^\n]*"))
    own = waits { held = "1", block = "32x9" }
    assert.is_nil(own)
    own = waits { block = "32x28", rows = "2", stages = "1" }
    assert.truthy(own:find("quern_fetch_close();\n", 1, true) and own:find("quern_fetch_wait<0>();", 1, true))
  end)
end)
