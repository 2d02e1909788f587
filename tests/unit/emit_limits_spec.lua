-- A launch that cannot work is refused before it, in a sentence with the number
-- and its limit, by every CUDA shape; one without points is none: emit_limits.cpp.

local emit = require "gen.emit"
local emitted = require "tests.golden.emitted"
local fixture = require "tests.golden.lowered"
local quern = require "tests.quern"
local schedule = require "gen.schedule"

local SHAPES = { { "gmem" }, { "smem_u", "1024x1x1", true }, { "st_smem", nil, true },
                 { "st_reg_shft", nil, false, "4" },
                 { "st_tma", nil, true } }

-- What gmem says; other shapes where they differ.
local WANTED = {
  ["no points along x"] = "ok", ["no points along z"] = "ok", ["no points"] = "ok", ["odd, no points"] = "ok",
  ["long y"] = "%d+ blocks along y, the device's limit is 65535",
  ["long z"] = "%d+ blocks along z, the device's limit is 65535",
  ["long y and z"] = "%d+ blocks along y, the device's limit is 65535",
  ["long x"] = "%d+ blocks along x, the device's limit is 2147483647",
  null = "u_prev: the pointer is null", odd = "u: the pointer is not aligned to 4 bytes",
}
local SHARED = "a block needs %d+ bytes of shared memory, this device's limit is 8192"
local NOT_SIXTEEN = "u_prev and vp2dt2: their points 0 differ modulo 16 bytes"
local ROWS = "u_prev: the stride along y is 30, wanted a multiple of 4"
local OTHERS = {
  smem_u = { ["shared memory"] = SHARED, ["long x"] = SHARED },
  st_smem = { ["shared memory"] = SHARED },
  st_tma = { ["shared memory"] = SHARED, ["long y"] = SHARED, ["long z"] = SHARED,
    ["long y and z"] = "%d+ blocks, the device's limit is 2147483647",
    ["long x"] = "u_prev: the stride along y is 1099511627792, the tensor unit's limit is 274877906943",
    ["not on 16 bytes"] = NOT_SIXTEEN, ["rows of 30"] = ROWS },
  st_reg_shft = { ["not on 16 bytes"] = NOT_SIXTEEN .. "; vec=1 takes any", ["rows of 30"] = ROWS
    .. "; vec=1 takes any" },
}

local FLAGS = "g++ -x c++ -std=c++17 -O0 -Wall -Wextra -Wno-unknown-pragmas -DSIMT_MOST_SHARED=8192 -I. -I'"
  .. quern.root .. "/runtime' "

describe("a launch that cannot work", function()
  local said = {}
  setup(function()
    local options, rows = emitted.options "simt", {}
    for _, shape in ipairs(SHAPES) do
      table.insert(options.shapes, { name = shape[1], params = { block = shape[2], vec = shape[4] } })
    end
    local lowered = fixture.wave(2)
    local plans = assert(schedule.choose(lowered, options))
    for i, plan in ipairs(plans) do
      rows[i] = ('{ "%s", %s_check, %s_launch, %s },\n'):format(plan.shape, plan.name, plan.name,
        tostring(SHAPES[i][3] or false))
    end
    local list = { assert(emit.render(plans, lowered, options)),
                   { { path = "kernels.h", text = table.concat(rows) } } }
    local code, out, complaint = emitted.compiled(list, FLAGS .. "'" .. quern.root
      .. "/tests/unit/emit_limits.cpp' *.cu -o t && ./t")
    assert.equal("", complaint, out)
    assert.equal(0, code, out)
    for shape, fault, sentence in out:gmatch("([^\n]-), ([^\n]-): ([^\n]*)\n") do
      said[shape] = said[shape] or {}
      said[shape][fault] = sentence
    end
  end)

  for _, shape in ipairs(SHAPES) do
    local wanted = setmetatable({}, { __index = WANTED })
    for fault, sentence in pairs(OTHERS[shape[1]] or {}) do wanted[fault] = sentence end -- any order
    it("is refused by " .. shape[1], function()
      local found = assert(said[shape[1]])
      for _, list in ipairs { WANTED, OTHERS[shape[1]] or {} } do
        for fault in pairs(list) do -- any order
          local sentence = assert(found[fault], fault)
          assert.truthy(sentence:find("^" .. wanted[fault] .. "$"), fault .. ": " .. sentence)
        end
      end
    end)
  end
end)
