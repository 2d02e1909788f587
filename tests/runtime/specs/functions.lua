-- Every function of formulas, of arguments as users have them: `of_sin` is
-- sin(angle), `to_3` is power^3.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }
precision { T }
grid { "x" }

local ARGUMENTS = {
  { "any", -100, 100, { "abs", "floor", "ceil", "sign" } },
  { "positive", 0.001, 1000, { "sqrt", "log" } },
  { "steep", -80, 80, { "exp", "sinh", "cosh" } },
  { "angle", -1000, 1000, { "sin", "cos", "tan", "atan" } },
  { "ratio", -1, 1, { "asin", "acos" } },
  { "near", -6, 9, { "tanh", "erf", "erfc" } },
}
local POWERS = { 2, 3, 7, -1, -2, -5 }

local lines = { "of_atan2 = atan2(up, along)", "of_pow = pow(base, exponent)" }
for _, argument in ipairs(ARGUMENTS) do
  local name, low, high, functions = table.unpack(argument)
  field { name, range = { low, high } }
  for _, fn in ipairs(functions) do
    field { "of_" .. fn }
    lines[#lines + 1] = fill("of_$fn = $fn($name)", { fn = fn, name = name })
  end
end
field { "up", "along", range = { -10, 10 } }
field { "base", range = { 0.01, 100 } }
field { "exponent", range = { -10, 10 } }
field { "power", range = { 0.1, 10 } }
field { "of_atan2", "of_pow" }
for _, n in ipairs(POWERS) do
  local name = n < 0 and "to_m" .. -n or "to_" .. n
  field { name }
  lines[#lines + 1] = fill("$name = power^($n)", { name = name, n = n })
end

kernel { "apply", table.concat(lines, "\n") }
