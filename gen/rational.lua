-- Exact rational numbers: weights and constants stay exact until a literal is
-- written.
--
-- A rational is { n, d }: whole numbers (gen/rational/whole.lua) in lowest
-- terms, d > 0. Values are immutable; every function returns a new one.

local whole = require "gen.rational.whole"

local M = {}

local function reduced(n, d)
  if d == 1 then return { n = n, d = 1 } end
  if whole.sign(d) < 0 then n, d = whole.neg(n), whole.neg(d) end
  local common = whole.gcd(n, d)
  if common ~= 1 then
    n, d = whole.divide(n, common), whole.divide(d, common)
  end
  return { n = n, d = d }
end

local function as_whole(x)
  if type(x) == "string" then
    return assert(whole.from_text(x), "not a whole number")
  end
  return whole.from_integer(x)
end

-- From whole numbers, each a Lua integer or decimal text; d defaults to 1 and
-- is not 0.
function M.new(n, d)
  d = as_whole(d or 1)
  assert(d ~= 0, "denominator is zero")
  return reduced(as_whole(n), d)
end

M.ZERO, M.ONE = M.new(0), M.new(1)

local function power_of_ten(e)
  return whole.pow(10, e)
end

-- The value of "12", "-0.5", ".5", "1e-3", "3/4"; nil for any other text.
-- Exponents beyond 4 digits are refused too: their digits would fill memory.
function M.parse(text)
  local n, d = text:match("^%s*([+-]?%d+)%s*/%s*(%d+)%s*$")
  if n then return d:find("[1-9]") and M.new(n, d) or nil end
  local sign, int, frac, e = text:match(
    "^%s*([+-]?)(%d*)%.?(%d*)[eE]?([+-]?%d*)%s*$")
  if not sign or int .. frac == "" then return nil end
  if not text:find("[eE]") and e ~= "" then return nil end
  if text:find("[eE]") and not e:find("%d") then return nil end
  if #e:match("%d*$") > 4 then return nil end
  local value = whole.from_text(sign .. int .. frac)
  local exponent = (tonumber(e) or 0) - #frac
  if exponent >= 0 then
    return reduced(whole.mul(value, power_of_ten(exponent)), 1)
  end
  return reduced(value, power_of_ten(-exponent))
end

function M.add(a, b)
  if a.d == b.d then return reduced(whole.add(a.n, b.n), a.d) end
  return reduced(
    whole.add(whole.mul(a.n, b.d), whole.mul(b.n, a.d)),
    whole.mul(a.d, b.d))
end

function M.neg(a)
  return { n = whole.neg(a.n), d = a.d }
end

function M.sub(a, b)
  return M.add(a, M.neg(b))
end

function M.mul(a, b)
  return reduced(whole.mul(a.n, b.n), whole.mul(a.d, b.d))
end

-- a / b; b is not 0.
function M.div(a, b)
  assert(b.n ~= 0, "division by zero")
  return reduced(whole.mul(a.n, b.d), whole.mul(a.d, b.n))
end

-- a to the power e, a Lua integer; a is not 0 when e < 0. 0^0 is 1.
function M.pow(a, e)
  if e < 0 then return M.pow(M.div(M.ONE, a), -e) end
  return { n = whole.pow(a.n, e), d = whole.pow(a.d, e) }
end

-- -1, 0 or 1.
function M.compare(a, b)
  if a.d == b.d then return whole.compare(a.n, b.n) end
  return whole.compare(whole.mul(a.n, b.d), whole.mul(b.n, a.d))
end

function M.equal(a, b)
  return M.compare(a, b) == 0
end

function M.is_zero(a)
  return a.n == 0
end

-- -1, 0 or 1.
function M.sign(a)
  return whole.sign(a.n)
end

function M.abs(a)
  return { n = whole.abs(a.n), d = a.d }
end

-- The largest whole number that is not above a.
function M.floor(a)
  local q, rest = whole.divide(a.n, a.d)
  if whole.sign(rest) < 0 then q = whole.sub(q, 1) end
  return { n = q, d = 1 }
end

-- True if a is a whole number.
function M.is_whole(a)
  return a.d == 1
end

-- The Lua integer that a is; nil if it is none, or too large for one.
function M.to_integer(a)
  return a.d == 1 and math.type(a.n) and a.n or nil
end

-- Numerator and denominator as decimal text.
function M.to_text(a)
  return whole.to_text(a.n), whole.to_text(a.d)
end

-- As a reader would write it: "3", "-1/12".
function M.show(a)
  local n, d = M.to_text(a)
  return d == "1" and n or n .. "/" .. d
end

-- x * 2^e without an intermediate overflow or loss.
local function scaled(x, e)
  local half = e // 2
  return x * 2.0 ^ half * 2.0 ^ (e - half)
end

-- The whole part of |n / d| * 2^k, its last bit set if anything was cut off.
local function sticky_quotient(n, d, k)
  if k >= 0 then n = whole.mul(n, whole.pow(2, k))
  else d = whole.mul(d, whole.pow(2, -k)) end
  local q, rest = whole.divide(n, d)
  q = math.tointeger(tonumber(whole.to_text(q)))
  return rest ~= 0 and q | 1 or q
end

-- The nearest double, ties to even: exact to the last bit, also among the
-- subnormal numbers; beyond the largest double it is infinite.
function M.to_double(a)
  if a.n == 0 then return 0.0 end
  local sign, n = whole.sign(a.n), whole.abs(a.n)
  local size = whole.log2(n) - whole.log2(a.d)
  if size > 1030 then return sign * math.huge end
  if size < -1080 then return sign * 0.0 end
  local k = 60 - math.floor(size)
  if k < 60 + 1022 then                   -- a normal double: 53 bits stay
    return sign * scaled(sticky_quotient(n, a.d, k) + 0.0, -k)
  end
  local q = sticky_quotient(n, a.d, 1076) -- two bits below the last of all
  local low = q & 3
  q = q >> 2
  if low == 3 or low == 2 and q & 1 == 1 then q = q + 1 end
  return sign * scaled(q + 0.0, -1074)
end

return M
