-- Regions of one kernel that differ in all they can: ranges, a shell, the rest;
-- host values that have the same name, and an order of their own; fields that
-- some alone read or assign; reads across faces without a halo in one of them;
-- names that the texts have for themselves.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }
local D = param { "dims", default = 2, min = 2, max = 3, short = "d" }

precision { T }
grid { "x", "y", "z", dims = D, spacing = { "hx", "hy", "hz" } }
scalar { "c", "box" }
scalar { "low", type = "int", range = { 0, 20 } }
scalar { "width", type = "int", range = { 0, 4 } }
field { "u", time = { 0, 1 } }
field { "shared_planes", "block", "regions" }
boundary { "regions", x = "periodic" }

operator { "d1", derivative = 1, order = 2 }
operator { "d2", derivative = 2, order = 4 }
define [[ lap(f) = sum(a in axes, d2(f, a)) ]]

region { "band", y = { 2, "low" } }
region { "rim", shell = "width" }
region { "core", rest = true }
kernel { "step",
  core = [[ k = c*c
            u.next = u + k*lap(u) ]],
  band = [[ k = c*box
            u.next = k*u - d1(shared_planes, y)/box
            block = block/2 + k ]],
  rim  = [[ k = box/2
            u.next = u + k*lap(u) + regions[x+1] - regions[x-2]
            block = d1(u, x) - c*d1(shared_planes, y) ]] }
