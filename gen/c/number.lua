-- Exact rationals to literals: the shortest decimal that reads back as the
-- value of the compute type nearest to n/d.

local M = {}

local DIGITS = 60       -- more than any tie between neighbours needs here

-- Decimal text to a list of base-10^7 limbs, most significant first.
local function limbs(text)
  local list, first = {}, (#text - 1) % 7 + 1
  list[1] = tonumber(text:sub(1, first), 10)
  for at = first + 1, #text, 7 do
    list[#list + 1] = tonumber(text:sub(at, at + 6), 10)
  end
  return list
end

local function trim(text)
  return (text:gsub("^0+(.)", "%1"))
end

local function less(a, b)
  if #a ~= #b then return #a < #b end
  return a < b
end

-- a - b of decimal texts, a >= b.
local function subtract(a, b)
  local x, y, borrow = limbs(a), limbs(b), 0
  for i = 0, #x - 1 do
    local digit = x[#x - i] - (y[#y - i] or 0) - borrow
    borrow = digit < 0 and 1 or 0
    x[#x - i] = digit + borrow * 10000000
  end
  for i, limb in ipairs(x) do x[i] = ("%07d"):format(limb) end
  return trim(table.concat(x))
end

-- One digit of the quotient of decimal texts below 10, and the remainder.
local function divide(rest, d)
  local digit = 0
  while not less(rest, d) do
    rest, digit = subtract(rest, d), digit + 1
  end
  return digit, rest
end

-- n/d > 0 as text 0.DDDD and its exponent of ten; a last 1 stands for a rest.
local function decimal(n, d)
  local digits, rest = {}, "0"
  local function step(next_digit)
    local digit
    digit, rest = divide(trim(rest .. next_digit), d)
    if digit > 0 or #digits > 0 then digits[#digits + 1] = digit end
  end
  for i = 1, #n do step(n:sub(i, i)) end
  local exponent = #digits
  while #digits < DIGITS and rest ~= "0" do
    step("0")
    if #digits == 0 then exponent = exponent - 1 end
  end
  if rest ~= "0" then digits[#digits + 1] = 1 end
  return table.concat(digits), exponent
end

local function to_float(x)
  return (string.unpack("f", string.pack("f", x)))
end

-- Is 0.digits * 10^exponent above the double x > 0?
local function above(digits, exponent, x)
  local mantissa, power = ("%.80e"):format(x):match("^(.-)e(.*)$")
  local other = mantissa:gsub("%.", "")
  if exponent ~= math.tointeger(tonumber(power)) + 1 then
    return exponent > math.tointeger(tonumber(power)) + 1
  end
  local width = math.max(#digits, #other)
  return digits .. ("0"):rep(width - #digits)
       > other .. ("0"):rep(width - #other)
end

-- The float nearest to the rational; a double that lies on the middle of two
-- floats is not asked twice, the digits decide.
local function nearest_float(digits, exponent, x)
  local float = to_float(x)
  local bits = string.unpack("I4", string.pack("f", float))
  for _, other in ipairs { bits - 1, bits + 1 } do
    local neighbour = other >= 0
      and string.unpack("f", string.pack("I4", other))
    if neighbour and (float + neighbour) / 2 == x and float ~= neighbour then
      local low, high = math.min(float, neighbour), math.max(float, neighbour)
      if above(digits, exponent, x) then return high end
      local tie = ("%.80e"):format(x):gsub("[.]", ""):match("^(%d-)0*e")
      if tie ~= digits:gsub("0+$", "") then return low end
    end
  end
  return float
end

-- The shortest %g that reads back as `value`.
local function shortest(value, is_float)
  for precision = 1, 17 do
    local text = ("%%.%dg"):format(precision):format(value)
    local back = tonumber(text)
    if (is_float and to_float(back) or back + 0.0) == value then
      return text
    end
  end
end

local function render(n, d, type)
  local sign, size = n:match("^(-?)(%d+)$")
  local text = "0"
  if size ~= "0" then
    local digits, exponent = decimal(size, d)
    local value = tonumber("0." .. digits .. "e" .. exponent) + 0.0
    if type == "float" then
      value = nearest_float(digits, exponent, value)
    end
    if value == math.huge then return nil end
    text = shortest(value, type == "float")
  end
  if not text:find("[.e]") then text = text .. ".0" end
  return sign .. text .. (type == "float" and "f" or "")
end

local known = {}

-- n/d (decimal texts, d > 0) as a literal of `type`, or nil if it is too big.
function M.literal(n, d, type)
  local key = n .. "/" .. d .. type
  if known[key] == nil then known[key] = render(n, d, type) or false end
  return known[key] or nil
end

return M
