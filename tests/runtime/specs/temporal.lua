-- A step that may be made twice at once. Heat has two levels, and plain heat no
-- source: the middle step is kept nowhere. The wave has a level more than it
-- reads, for one step more.
local E = param { "equation", default = "heat", short = "", values = { "heat", "plain", "wave" } }
local R = param { "radius", default = 1, min = 1, max = 16, short = "r" }
local T = param { "type", default = "float", short = "", values = { "float", "double" } }

precision { T }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
scalar { "kappa", range = { 0, 0.1 } }

field { "u", time = E == "wave" and { -2, -1, 0, 1 } or { 0, 1 } }
if E == "heat" then field { "source", range = { 0, 12 } } end
if E == "wave" then field { "vp2dt2", range = { 0, 12 } } end

operator { "dd", derivative = 2, order = 2 * R }
define [[ lap(f) = sum(a in axes, dd(f, a)) ]]

kernel { "step", ({ heat = [[ u.next = u + kappa*(lap(u) + source) ]],
  plain = [[ u.next = u + kappa*lap(u) ]],
  wave = [[ u.next = 2*u - u.prev + kappa*vp2dt2*lap(u) ]] })[E] }
