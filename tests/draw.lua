-- What specifications at random are drawn with: numbers that are the same in
-- every run, names that C, CUDA and mathematics use themselves, constants, forms
-- of formulas.

local M = {}

-- Words of C, CUDA and mathematics, and those of generated files.
local WORDS = { "double", "y0", "blockIdx", "out", "at", "b", "plane",
  "current", "front1", "behind1", "inside", "u_at", "lap", "x_begin", "count",
  "first", "last", "tile", "fma", "fabs", "main", "int64_t", "restrict",
  "value", "bound", "workspace", "struct_size", "why", "size", "step_size",
  "left", "right", "u_xm1", "v_xp1", "index_x", "box_lower", "NULL", "M_PI", "sqrtf",
  "min2", "h", "run", "update", "launch", "check", "boxes", "points",
  "block", "error", "dim3", "grid_x", "u_x",
  "cell", "number", "memcpy", "INT64_C", "LARGEST", "AXIS", "TILE", "c", "d1",
  "w1", "e", "f", "g", "q", "s", "t", "u", "v", "w", "new", "class", "this",
  "template", "signed", "inline", "EOF", "errno", "stdin", "I", "j0", "gamma",
  "jn", "round", "rest_box", "x_end", "module", "descriptor", "prepare" }

-- A generator of our own: every run of every Lua draws the same.
local function generator(seed)
  local state = (seed * 2654435761 + 12345) % 2147483648
  local function next_number(n)
    state = (state * 1103515245 + 12345) % 2147483648
    return state // 65536 % n + 1
  end
  for _ = 1, 4 do next_number(2) end
  return next_number
end

-- `draw.one(list)`, `draw.chance(n)`: one in n, `draw.number(n)`: from 1 to n.
function M.new(seed)
  local draw = { number = generator(seed), used = {}, order = {}, names = {} }
  function draw.one(list) return list[draw.number(#list)] end
  function draw.chance(n) return draw.number(n) == 1 end
  return draw
end

-- A name that nothing has, also but for case.
function M.name(draw, words)
  for _ = 1, 40 do
    local word = draw.one(words or WORDS)
    if not draw.names[word:lower()] then
      draw.names[word:lower()] = true
      return word
    end
  end
  draw.extra = (draw.extra or 0) + 1
  return "name" .. draw.extra
end

function M.use(thing)
  thing.used = true
  return thing.name
end

local NUMBERS = { "2", "0.1", "1/3", "1.25", "3", "7/16", "1e-2", "12", "0.5" }

function M.constant(draw)
  if draw.scalars[1] and draw.chance(3) then
    return M.use(draw.one(draw.scalars))
  end
  return draw.one(NUMBERS)
end

-- Templates: $1.. are expressions. Divisors stay away from 0.
M.FORMS = { "($1 + $2)", "($1 - $2)", "$1*$2", "-($1)", "($1)^2", "($1)^3",
  "($1 + $2 - $3)", "$1*$2*$3", "($1 - $2*$3)", "($1)/3", "$1/(3 + ($2)^2)",
  "(2 + ($1)^2)^-1", "where($1 < $2, $3, $1)", "max($1, $2)", "min($1, $2, $3)", "abs($1)",
  "where($1 > 0 and not $2 <= $3 or $2 == $1, $2, $3)", "sqrt(1 + ($1)^2)",
  "exp(sin($1))", "tanh($1)", "atan2($1, 2 + cos($2))", "log(2 + ($1)^2)",
  "sign($1)*$2", "pow(1 + abs($1), 0.5)", "erf($1)", "(($1)*$2 + ($3)*$1 - $2)",
  "sin($1)", "acos(tanh($1))", "cosh(sin($1))", "(($1 + $2)*($1 - $2))" }

-- A form with its expressions made, each once.
function M.fill(form, make)
  local made = {}
  return (form:gsub("%$(%d)", function(digit)
    made[digit] = made[digit] or make()
    return made[digit]
  end))
end

return M
