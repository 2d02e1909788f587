-- What is chosen, compared and evaluated once: the results are exact, also of
-- what is no number. `one` is 1.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }
precision { T }
grid { "x" }
-- Neither is always the larger: draws for two scalars differ by the same with any seed.
scalar { "s", range = { 1, 2 } }
scalar { "t", range = { 1.25, 1.75 } }
field { "a", "b", "one" }
field { "least", "most", "least_of_3", "chosen", "kept", "compared", "logic", "signs" }
field { "difference", "root", "raised", "larger" }

kernel { "rules", [[
  least = min(a, b)
  most = max(a, b)
  least_of_3 = min(one, a, b)
  chosen = where(a < b, a, b)
  kept = where(not (a == a), b, a)
  compared = where(a < b, 1, 0) + where(a <= b, 2, 0) + where(a > b, 4, 0)
           + where(a >= b, 8, 0) + where(a == b, 16, 0) + where(a != b, 32, 0)
  logic = where(not (a < b), 1, 0) + where(a < b or b < a, 2, 0)
        + where(a <= b and b <= a, 4, 0) + where(not (a < b or a > b), 8, 0)
  signs = sign(a)
  difference = (s - t)*one
  root = sqrt(exp(s) + t)*one
  raised = (s*t)^5*one
  larger = max(s, t)*one ]] }
