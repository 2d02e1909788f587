-- The mathematics of neighbour tables: what the slots of two tables, one after
-- the other, lead to, numbered as they are first met; and how many rows do so
-- alike.
--
-- A table: { count = slots of a row, entries = from 0, all slots of a row side
-- by side, -1: none }.

local M = {}

-- The neighbours of the neighbours of a row as a pattern, pattern[i][j] from 0,
-- and how many there are; nil where one is missing.
local function pattern_of(first, second, row)
  local number, count, pattern = {}, 0, {}
  for i = 1, first.count do
    local near = first.entries[row * first.count + i]
    if near < 0 then return nil end
    pattern[i] = {}
    for j = 1, second.count do
      local at = second.entries[near * second.count + j]
      if at < 0 then return nil end
      if not number[at] then number[at], count = count, count + 1 end
      pattern[i][j] = number[at]
    end
  end
  return pattern, count
end

local function key_of(pattern)
  local words = {}
  for i, row in ipairs(pattern) do words[i] = table.concat(row, ",") end
  return table.concat(words, ";")
end

-- The pattern that most rows follow, the first met of as many: { pattern, count
-- = distinct targets, rows = how many follow it, of = all rows, other = the
-- first row that does not, or nil }; nil if no row has all neighbours.
function M.compose(first, second)
  local rows = #first.entries // first.count
  local found, list = {}, {}
  for row = 0, rows - 1 do
    local pattern, count = pattern_of(first, second, row)
    local key = pattern and key_of(pattern)
    if key and not found[key] then
      found[key] = { pattern = pattern, count = count, rows = 0, of = rows,
                     key = key }
      list[#list + 1] = found[key]
    end
    if key then found[key].rows = found[key].rows + 1 end
  end
  local most = list[1]
  for _, entry in ipairs(list) do
    if entry.rows > most.rows then most = entry end
  end
  for row = 0, most and rows - 1 or -1 do
    local pattern = pattern_of(first, second, row)
    if not pattern or key_of(pattern) ~= most.key then
      most.other = most.other or row
    end
  end
  return most
end

return M
