-- Formulas at random: lowered code gives the numbers of the formula as written,
-- to rounding under strict and to the last bit under unfused.

local lowering = require "tests.lowering"
local values = require "tests.lowering_values"

-- A generator of our own, so that every run makes the same formulas.
local function random(seed)
  local state = seed
  return function(n)
    state = (state * 1103515245 + 12345) % 2147483648
    return state // 65536 % n + 1
  end
end

local LEAVES = { "u", "v", "w", "s", "t", "u[x+1]", "v[y-2]", "w[x-1, y+1]",
  "2", "0.1", "7/3", "p", "1" }

-- Templates: $1.. are expressions. Divisors stay away from 0.
local FORMS = { "($1 + $2)", "($1 - $2)", "$1*$2", "-($1)", "($1)^2",
  "($1 + $2 - $3)", "$1*$2*$3", "($1 - $2*$3)", "($1)/3", "$1/(3 + ($2)^2)",
  "where($1 < $2, $3, $1)", "max($1, $2)", "abs($1)",
  "where($1 > 0 and not $2 <= $3, $2, $3)", "(($1)*$2 + ($3)*$1 - $2)" }

-- What is not computed in the order in which it is written.
local OTHERS = { "($1)[x-1]", "d($1, x)", "dd($1, y)", "(dd($1, x) + dd($1, y))",
  "(d($1, x) + d($1, y)*s)", "($1)^5", "D(mean($1, x), x)",
  "mean(($2)[y+1/2] - ($1)[y-1/2], y)", "(D($1, x)[x-1/2] + mean($2, x)[x+1/2])" }

local function formula(next_number, forms, depth)
  if depth == 0 or next_number(6) == 1 then
    return LEAVES[next_number(#LEAVES)]
  end
  local form = forms[next_number(#forms)]
  return (form:gsub("%$%d", function()
    return formula(next_number, forms, depth - 1)
  end))
end

local HEAD = [==[
  precision { "double" }
  grid { "x", "y", spacing = { "hx", "hy" } }
  scalar { "s", "t" }
  field { "u", "v", "w", "r", "q" }
  field { "p", on = { "y" } }
  operator { "d", derivative = 1, order = 2 }
  operator { "dd", derivative = 2, order = 2 }
  operator { "D", derivative = 1, order = 4, staggered = true }
  operator { "mean", derivative = 0, order = 2, staggered = true }
  kernel { "uses", [[ q = s*t*u*v*w*p + d(u, x)*hx + dd(u, y)*hy
                    + D(mean(u, x), x) ]] }
  kernel { "k", [[ %s ]] }
]==]

local POINTS = { { x = 0, y = 0 }, { x = 5, y = -3 }, { x = -40, y = 81 } }

local function compare(text, fp, agree)
  local lowered = lowering.lower(HEAD:format(text), { fp = fp })
  local block = lowered.kernels[2].blocks[1]
  local assign = lowered.model.kernels[2].blocks[1].assign
  for _, point in ipairs(POINTS) do
    local got = values.stored(lowered.model, block, point)
    for i, a in ipairs(assign) do
      agree(values.written(lowered.model, a, point), got[i], text)
    end
  end
end

local function program(next_number, forms)
  return ("a = %s  b = %s - a  r = a*b + %s"):format(
    formula(next_number, forms, 3), formula(next_number, forms, 3),
    formula(next_number, forms, 2))
end

local TIMES = os.getenv "QUERN_LONG" == "1" and 3 or 1

describe("a formula at random", function()
  it("has its bits under unfused", function()
    for seed = 1, 50*TIMES do
      compare(program(random(seed), FORMS), "unfused",
        function(wanted, got, text)
          assert.equal(("%a"):format(wanted), ("%a"):format(got), text)
        end)
    end
  end)

  for _, fp in ipairs { "strict", "unfused", "fast" } do
    it("with operators and shifts has its numbers under " .. fp, function()
      local forms = table.move(FORMS, 1, #FORMS, #OTHERS + 1,
        table.move(OTHERS, 1, #OTHERS, 1, {}))
      for seed = 1, 20*TIMES do
        compare(program(random(1000 + seed), forms), fp,
          function(wanted, got, text)
            assert.is_true(math.abs(wanted - got)
              <= 1e-9 * (1 + math.abs(wanted)),
              ("%s: wanted %.17g, got %.17g"):format(text, wanted, got))
          end)
      end
    end)
  end
end)
