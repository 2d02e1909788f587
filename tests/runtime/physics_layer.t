#!/usr/bin/env lua5.4
-- Light that leaves: what the convolutional layers of maxwell give back of it,
-- and that a layer of no width is a wall of metal.
package.path = "./?.lua;" .. package.path
local physics = require "tests.physics"
local LONG, proof, prove = physics.LONG, physics.proof, physics.prove

local SET = { layer = "cpml" }

physics.optimised = LONG and "-O1" or "-O0"      -- large texts that run shortly
physics.start()

-- -40 dB is what is asked of them; less than -65 is what they do. `axes`: how
-- many have layers, the others being one point wide; `off`: how far a profile
-- is from where it should be.
local function swallows(size, width, axes, off)
  return function(module)
    local back, passed = prove("layer reflection", module, size, width, axes, off or 0)
    return back < -65 and passed == 1, ("%.1f dB"):format(back)
  end
end

local MOVED = "quern_skipped(hollow_of(a), box->lower[0])"

local MISTAKES = {
  { [[past("e" .. b, "-"]], [[past("e" .. b, "+"]], "a correction has another sign" },
  { MOVED, "box->lower[0]", "the high layer has the memory of the low one", generated = true },
  LONG and { [[{ "width", "width" }]], [[{ "width - 1", "width + 1" }]],
    "the layers are a point off" } or nil,
  LONG and { MOVED, MOVED .. " + (box->lower[0] > 0)",
    "the memory of the high layer is a point off", generated = true } or nil }

-- On the reference it takes seconds.
proof("layers swallow a pulse", "maxwell", SET, swallows(12, 8, 2), MISTAKES,
  { "c", LONG and "reference" or nil })
for _, off in ipairs { -0.5, 0.5, 1 } do
  proof(("profiles are where the fields are, not %g beside"):format(off), "maxwell", SET,
    function(module)
      local well, why = swallows(12, 8, 2, off)(module)
      return not well, why
    end, {}, { "c" })
end
if LONG then
  proof("layers around a box", "maxwell", SET, swallows(12, 8, 3), {}, { "c" })
end

proof("a box of metal", "maxwell", SET, function(module)
  local found = physics.order("maxwell order", module, 4, 8)
  return physics.near(found, 2), found
end, {}, { "c" })
proof("B has no sources", "maxwell", SET, function(module)
  local off, rings = prove("maxwell divergence", module)
  return off < 1e-12 and rings == 1, off
end, {}, { "c" })

physics.finish()
