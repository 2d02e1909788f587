-- Lowered code is what the model says: its numbers for every spec and every
-- --fp, with nothing unused and the same text in every run.

local lowering = require "tests.lowering"
local values = require "tests.lowering_values"
local cases = require "tests.lowering_cases"

local GRID = cases.GRID

local POINTS = { { x = 0, y = 0, z = 0 }, { x = 3, y = -7, z = 11 },
  { x = 101, y = 57, z = 5 } }

local function nodes_of(model, k, b)
  return model.kernels[k].blocks[b].assign
end

-- Every store of every block against the model as written, at some points.
local function compare(text, options, agree)
  local lowered = lowering.lower(text, options)
  for k, kernel in ipairs(lowered.kernels) do
    for b, block in ipairs(kernel.blocks) do
      local assign = nodes_of(lowered.model, k, b)
      for _, point in ipairs(POINTS) do
        local got = values.stored(lowered.model, block, point)
        for i, a in ipairs(assign) do
          agree(values.written(lowered.model, a, point), got[i])
        end
      end
    end
  end
end

local function to_rounding(wanted, got)
  assert.is_true(math.abs(wanted - got) <= 1e-10 * (1 + math.abs(wanted)),
    ("wanted %.17g, got %.17g"):format(wanted, got))
end

local function bit_for_bit(wanted, got)
  assert.equal(("%a"):format(wanted), ("%a"):format(got))
end

describe("the numbers of lowered code", function()
  for _, spec in ipairs(cases.ALL) do
    for _, fp in ipairs { "strict", "unfused", "fast" } do
      it(("are the model's: %s, --fp %s"):format(spec[1], fp), function()
        compare(spec[2], { fp = fp }, to_rounding)
      end)
    end
  end
end)

describe("the design's example", function()
  local root = (os.getenv "QUERN_SHARED" or "../shared") .. "/spec-examples/"
  for _, name in ipairs { "acoustic_density", "acoustic_iso", "elastic",
      "lbm_d3q19", "shallow_water", "weights" } do
    local file = io.open(root .. name .. ".lua")
    local test = file and it or pending
    local text = file and file:read "a"
    if file then file:close() end
    test(name .. " has the model's numbers", function()
      compare(text, {}, to_rounding)
    end)
  end
end)

describe("--fp unfused", function()
  local AS_WRITTEN = GRID .. [==[
    scalar { "s", "t" }
    field { "u", range = { 0.5, 2 } }
    field { "v", "w" }
    kernel { "k", [[
      a = u*s*v - (w + u)*t + s*t*u
      v = u[x+1]*w*3 - 2*u*v/7 + a/3 - a*a
      w = -u + v*s - (u - u[y-1])^3 ]] }
  ]==]

  it("gives the bits of the formula as written", function()
    compare(AS_WRITTEN, { fp = "unfused" }, bit_for_bit)
  end)

  it("has no fma, nor has fast", function()
    for _, fp in ipairs { "unfused", "fast" } do
      for _, spec in ipairs(cases.ALL) do
        for _, kernel in ipairs(lowering.lower(spec[2], { fp = fp }).kernels) do
          for _, block in ipairs(kernel.blocks) do
            lowering.each(block, function(e)
              assert.not_equal("fma", e.op)
            end)
          end
        end
      end
    end
  end)
end)

describe("every block", function()
  it("has stencils that are what it computes", function()
    local described = 0
    for _, spec in ipairs(cases.ALL) do
      local lowered = lowering.lower(spec[2])
      for _, kernel in ipairs(lowered.kernels) do
        for _, block in ipairs(kernel.blocks) do
          local _, names = values.stored(lowered.model, block, POINTS[2])
          for _, stencil in ipairs(block.stencils) do
            local value = names[stencil.value or ""]
            if value and stencil.field then
              described = described + 1
              to_rounding(value, values.described(lowered.model, stencil,
                names, POINTS[2]))
            end
          end
        end
      end
    end
    assert.is_true(described > 20)
  end)

  it("is linear as it says in what is read around the point", function()
    local linear = 0
    for _, spec in ipairs(cases.ALL) do
      local lowered = lowering.lower(spec[2])
      local model = lowered.model
      for _, kernel in ipairs(lowered.kernels) do
        for _, block in ipairs(kernel.blocks) do
          local all, names, loads = values.stored(model, block, POINTS[2])
          local rest, still, zero = values.stored(model, block, POINTS[2],
            { still = true })
          for i, facts in ipairs(block.linear) do
            local sum = rest[i]
            for _, term in ipairs(facts.terms or {}) do
              local c = term.coefficient
              sum = sum + (c and values.evaluate(c, model, names, loads) or 1)
                * (values.evaluate(term.value, model, names, loads)
                  - values.evaluate(term.value, model, still, zero))
            end
            if facts.terms then
              linear = linear + #facts.terms
              to_rounding(all[i], sum)
            end
          end
        end
      end
    end
    assert.is_true(linear > 30)
  end)

  it("uses all that it loads and computes", function()
    for _, spec in ipairs(cases.ALL) do
      for _, kernel in ipairs(lowering.lower(spec[2]).kernels) do
        for _, block in ipairs(kernel.blocks) do
          local used = {}
          lowering.each(block, function(e)
            if e.op == "load" then used["load " .. e.id] = true end
            if e.name then used[e.name] = true end
          end)
          for _, l in ipairs(block.loads) do
            assert.is_true(used["load " .. l.id], spec[1] .. ": " .. l.name)
          end
          for _, list in ipairs { block.host, block.code } do
            for _, entry in ipairs(list) do
              assert.is_true(used[entry.name], spec[1] .. ": " .. entry.name)
            end
          end
        end
      end
    end
  end)

  it("is the same in every run", function()
    local dump = require "gen.dump"
    for _, spec in ipairs(cases.ALL) do
      local kernels = lowering.lower(spec[2]).kernels
      for i, kernel in ipairs(lowering.lower(spec[2]).kernels) do
        for b, block in ipairs(kernel.blocks) do
          assert.equal(lowering.text(kernels[i].blocks[b]),
            lowering.text(block))
          assert.equal(dump.text(kernels[i].blocks[b].stencils),
            dump.text(block.stencils))
        end
      end
    end
  end)
end)
