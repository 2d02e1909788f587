-- Whole numbers of any size, for exact weights and exact folding.
--
-- A whole number is a Lua integer while its magnitude is below LIMIT, else a
-- table { sign = 1 or -1, limb, limb, .. }: base BASE, least significant
-- first, no leading zero limb. Each value has one form only and is never
-- changed once made.

local BASE, DIGITS = 10000000, 7
local LIMIT = 10 ^ 18 // 1 | 0

local M = {}

-- Magnitudes: lists of limbs, trimmed, without a sign.

local function trim(a)
  local n = #a
  while n > 0 and a[n] == 0 do
    a[n] = nil
    n = n - 1
  end
  return a
end

local function limbs(x)
  if type(x) == "table" then return x end
  local a, rest = {}, x < 0 and -x or x
  while rest > 0 do
    a[#a + 1] = rest % BASE
    rest = rest // BASE
  end
  return a
end

local function mag_compare(a, b)
  if #a ~= #b then return #a < #b and -1 or 1 end
  for i = #a, 1, -1 do
    if a[i] ~= b[i] then return a[i] < b[i] and -1 or 1 end
  end
  return 0
end

local function mag_add(a, b)
  local sum, carry = {}, 0
  for i = 1, math.max(#a, #b) do
    local s = (a[i] or 0) + (b[i] or 0) + carry
    sum[i] = s % BASE
    carry = s // BASE
  end
  if carry > 0 then sum[#sum + 1] = carry end
  return sum
end

-- Needs a >= b.
local function mag_sub(a, b)
  local difference, borrow = {}, 0
  for i = 1, #a do
    local s = a[i] - (b[i] or 0) - borrow
    difference[i] = s % BASE
    borrow = s < 0 and 1 or 0
  end
  return trim(difference)
end

local function mag_mul(a, b)
  local product = {}
  for i = 1, #a + #b do product[i] = 0 end
  for i = 1, #a do
    local carry = 0
    for j = 1, #b do
      local s = product[i + j - 1] + a[i] * b[j] + carry
      product[i + j - 1] = s % BASE
      carry = s // BASE
    end
    product[i + #b] = carry
  end
  return trim(product)
end

local function mag_divide_small(a, b)
  local quotient, rest = {}, 0
  for i = #a, 1, -1 do
    local s = rest * BASE + a[i]
    quotient[i] = s // b
    rest = s % b
  end
  return trim(quotient), rest > 0 and { rest } or {}
end

-- Takes digit times b, moved up by `at` limbs, away from rest in place;
-- returns the borrow that is left over.
local function take_away(rest, b, digit, at)
  local borrow = 0
  for i = 1, #b do
    local s = rest[at + i] - digit * b[i] - borrow
    rest[at + i] = s % BASE
    borrow = -(s // BASE)
  end
  local s = rest[at + #b + 1] - borrow
  rest[at + #b + 1] = s % BASE
  return -(s // BASE)
end

local function add_back(rest, b, at)
  local carry = 0
  for i = 1, #b do
    local s = rest[at + i] + b[i] + carry
    rest[at + i] = s % BASE
    carry = s // BASE
  end
  rest[at + #b + 1] = (rest[at + #b + 1] + carry) % BASE
end

-- Knuth's algorithm D: the divisor is scaled until its first limb is at least
-- BASE / 2, so that a guessed digit is at most 2 too large.
local function mag_divide(a, b)
  if #b == 1 then return mag_divide_small(a, b[1]) end
  if mag_compare(a, b) < 0 then return {}, a end
  local scale = BASE // (b[#b] + 1)
  local divisor = mag_mul(b, { scale })
  local rest = mag_mul(a, { scale })
  for i = #rest + 1, #a + 1 do rest[i] = 0 end
  local quotient, top = {}, divisor[#divisor]
  for at = #rest - #divisor - 1, 0, -1 do
    local high = rest[at + #divisor + 1] * BASE + rest[at + #divisor]
    local digit = math.min(high // top, BASE - 1)
    local borrow = take_away(rest, divisor, digit, at)
    while borrow > 0 do
      digit = digit - 1
      local before = rest[at + #divisor + 1]
      add_back(rest, divisor, at)
      if rest[at + #divisor + 1] < before then borrow = borrow - 1 end
    end
    quotient[at + 1] = digit
  end
  return trim(quotient), (mag_divide_small(trim(rest), scale))
end

-- The one form of sign * magnitude.
local function whole(sign, a)
  if #a < 3 or #a == 3 and a[3] < LIMIT // BASE ^ 2 then
    local x = 0
    for i = #a, 1, -1 do x = x * BASE + a[i] end
    return sign * x
  end
  local big = table.move(a, 1, #a, 1, { sign = sign })
  return big
end

function M.sign(x)
  if type(x) == "table" then return x.sign end
  return x > 0 and 1 or x < 0 and -1 or 0
end

-- From any Lua integer.
function M.from_integer(i)
  if i > -LIMIT and i < LIMIT then return i end
  return M.from_text(("%d"):format(i))
end

-- From decimal digits with an optional sign; nil when text is none.
function M.from_text(text)
  local sign, digits = text:match("^([+-]?)0*(%d+)$")
  if not sign then return nil end
  local a = {}
  for last = #digits, 1, -DIGITS do
    local part = digits:sub(math.max(1, last - DIGITS + 1), last)
    a[#a + 1] = math.tointeger(tonumber(part))
  end
  return whole(sign == "-" and -1 or 1, trim(a))
end

function M.to_text(x)
  if math.type(x) then return ("%d"):format(x) end
  local parts = { x.sign < 0 and "-" or "", ("%d"):format(x[#x]) }
  for i = #x - 1, 1, -1 do parts[#parts + 1] = ("%07d"):format(x[i]) end
  return table.concat(parts)
end

function M.neg(x)
  if math.type(x) then return -x end
  return whole(-x.sign, x)
end

function M.abs(x)
  return M.sign(x) < 0 and M.neg(x) or x
end

function M.add(a, b)
  if math.type(a) and math.type(b) then
    return M.from_integer(a + b)
  end
  local x, y, sign = limbs(a), limbs(b), M.sign(a)
  if sign == M.sign(b) then return whole(sign, mag_add(x, y)) end
  if mag_compare(x, y) >= 0 then return whole(sign, mag_sub(x, y)) end
  return whole(M.sign(b), mag_sub(y, x))
end

function M.sub(a, b)
  return M.add(a, M.neg(b))
end

function M.mul(a, b)
  if a == 0 or b == 0 then return 0 end
  if math.type(a) and math.type(b) and math.abs(a) < LIMIT // math.abs(b) then
    return a * b
  end
  return whole(M.sign(a) * M.sign(b), mag_mul(limbs(a), limbs(b)))
end

-- Quotient and remainder, rounded towards zero; b is not 0.
function M.divide(a, b)
  assert(b ~= 0, "division by zero")
  if math.type(a) and math.type(b) then
    local q, r = math.abs(a) // math.abs(b), math.abs(a) % math.abs(b)
    return M.sign(a) * M.sign(b) * q, M.sign(a) * r
  end
  local q, r = mag_divide(limbs(a), limbs(b))
  return whole(M.sign(a) * M.sign(b), q), whole(M.sign(a), r)
end

-- -1, 0 or 1.
function M.compare(a, b)
  return M.sign(M.sub(a, b))
end

-- The greatest common divisor, >= 0.
function M.gcd(a, b)
  while b ~= 0 do
    local _, rest = M.divide(a, b)
    a, b = b, rest
  end
  return M.abs(a)
end

-- x to the power e, a Lua integer >= 0.
function M.pow(x, e)
  local result = 1
  while e > 0 do
    if e % 2 == 1 then result = M.mul(result, x) end
    e = e // 2
    if e > 0 then x = M.mul(x, x) end
  end
  return result
end

-- About log2 of |x|, x not 0; right to well under one.
function M.log2(x)
  local a = limbs(x)
  local top = a[#a] + (a[#a - 1] or 0) / BASE
  return math.log(top, 2) + (#a - 1) * math.log(BASE, 2)
end

return M
