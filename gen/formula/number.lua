-- Exact numbers of formulas: a decimal numeral as a fraction n/d in lowest
-- terms, both whole numbers of any size as decimal text.

local M = {}

M.MOST_DIGITS = 400             -- of a numeral; beyond any double's range
M.LARGEST_EXPONENT = 400

-- text / divisor (2 or 5), which it is a multiple of.
local function divide(text, divisor)
  local out, rest = {}, 0
  for i = 1, #text do
    local value = 10 * rest + (string.byte(text, i) - 48)
    out[i] = value // divisor
    rest = value % divisor
  end
  local quotient = string.gsub(table.concat(out), "^0+", "")
  return quotient
end

local DIVISIBLE = { [2] = "[02468]$", [5] = "[05]$" }

-- Takes common factors of `prime` out of both.
local function reduce(n, d, prime)
  local pattern = DIVISIBLE[prime]
  while string.find(n, pattern) and string.find(d, pattern) do
    n, d = divide(n, prime), divide(d, prime)
  end
  return n, d
end

local function small(digits, places)
  local n, d = math.tointeger(tonumber(digits)), 10 ^ places // 1 | 0
  local a, b = n, d
  while b ~= 0 do a, b = b, a % b end
  return tostring(n // a), tostring(d // a)
end

-- n, d of a numeral `12.5e-3`; nil and a sentence if it is too long.
function M.parse(numeral)
  local whole, fraction, exponent =
    string.match(numeral, "^(%d+)%.?(%d*)[eE]?([+-]?%d*)$")
  local e = exponent == "" and 0 or tonumber(exponent)
  local digits = string.gsub(whole .. fraction, "^0+", "")
  if #digits == 0 then return "0", "1" end
  if #digits > M.MOST_DIGITS then
    return nil, string.format("a number of %d digits; at most %d are allowed",
                              #digits, M.MOST_DIGITS)
  elseif math.abs(e) > M.LARGEST_EXPONENT then
    return nil, string.format(
      "the exponent %s is out of range; at most %d is allowed", exponent,
      M.LARGEST_EXPONENT)
  end
  local places = #fraction - e
  if places <= 0 then return digits .. string.rep("0", -places), "1" end
  if #digits <= 15 and places <= 15 then return small(digits, places) end
  local n, d = digits, "1" .. string.rep("0", places)
  n, d = reduce(n, d, 2)
  return reduce(n, d, 5)
end

return M
