-- What the library of a spec shares: errors, and values as text.

local M = {}

M.LONGEST = 1 << 20             -- bytes of a string that the library returns
M.MOST = 10000                  -- values returned at once

-- Without a place: that of the running line of the spec is put before it.
function M.fail(message)
  error(message, 0)
end

-- Refuses a result of more than `most` bytes.
function M.check_length(length, most, what)
  if length > most then
    M.fail(what .. ": the result would be longer than " .. most .. " bytes")
  end
end

-- Refuses more than MOST values at once.
function M.check_number(number, what)
  if number > M.MOST then
    M.fail(what .. ": more than " .. M.MOST .. " values")
  end
end

-- Lua's own `error`; the level counts functions of the spec only.
function M.raise(message, level)
  local from = math.type(level) == "integer" and level or 1
  local info = from > 0 and debug.getinfo(from + 1, "S")
  local known = info and string.find(info.source, "^=%d+$")
  error(message, known and from + 1 or 0)
end

-- "nil", "a table", ..
function M.article(kind)
  return kind == "nil" and kind or "a " .. kind
end

-- A value as text; tables and functions would show addresses.
function M.show(value)
  local kind = type(value)
  if kind == "string" or kind == "number" or kind == "boolean"
     or kind == "nil" then
    return tostring(value)
  end
  return M.fail(M.article(kind) .. " has no text")
end

-- The value as a string, or an error of `what`.
function M.check_string(value, what)
  if type(value) == "number" then return tostring(value) end
  if type(value) ~= "string" then
    M.fail(what .. ": wanted a string, found " .. M.article(type(value)))
  end
  return value
end

function M.check_table(value, what)
  if type(value) ~= "table" then
    M.fail(what .. ": wanted a table, found " .. M.article(type(value)))
  end
  return value
end

return M
