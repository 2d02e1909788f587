-- Lua numbers and trees of numbers as exact rationals.

local rational = require "gen.rational"

local M = {}

-- The shortest decimal that is the Lua number.
function M.text(value)
  if math.type(value) == "integer" then return ("%d"):format(value) end
  if math.tointeger(value) then
    return ("%d"):format(math.tointeger(value))
  end
  for digits = 14, 17 do
    local text = ("%." .. digits .. "g"):format(value)
    if tonumber(text) == value then return text end
  end
end

-- "1 row", "2 rows".
function M.count(n, word)
  return ("%d %s%s"):format(n, word, n == 1 and "" or "s")
end

-- A Lua number as the decimal that was written.
function M.exact(value)
  return rational.parse(M.text(value))
end

return M
