#!/usr/bin/env lua5.4
-- Acoustic waves, at constant and variable density, by their physics.
package.path = "./?.lua;" .. package.path
local physics = require "tests.physics"
local LONG, proof, prove = physics.LONG, physics.proof, physics.prove
local order = physics.order

physics.start()

-- Variable density.

for _, radius in ipairs(LONG and { 1, 2, 3, 4, 5, 6, 7, 8 } or { 1, 4, 8 }) do
  local small = radius < 3 and 16 or 8
  proof(("plane waves at order %d"):format(2 * radius), "acoustic_density",
    { faces = "periodic", dims = "2", radius = tostring(radius) }, function(module)
      local found = order("acoustic order", module, small, small * 3 // 2)
      return math.abs(found - 2 * radius) < 0.6, found
    end, radius == 4 and { { "order = 2 * R", "order = 2 * R - 2", "the order is less" } } or {})
end
proof("its own adjoint", "acoustic_density", { faces = "periodic", radius = "2" },
  function(module)
    local off = prove("acoustic adjoint", module)
    return off < 1e-12, off
  end, { { "mean(b, a)*d(p, a)", "mean(b, a)*d(p, a) + mean(p, a)*d(b, a)/8",
         "the flux is another" } })

physics.finish()
