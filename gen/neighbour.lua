-- The mathematics of neighbour tables: what the slots of two tables, one after
-- the other, lead to, numbered as they are first met, and how many rows do so
-- alike; and which rows of a table are of one kind: lead as far ahead as each
-- other.
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

-- The table of what rows lead to that follow a pattern of M.compose, -1 in the
-- others.
function M.composed(first, second, made)
  local entries = {}
  for row = 0, #first.entries // first.count - 1 do
    local pattern = pattern_of(first, second, row)
    local follows = pattern and key_of(pattern) == made.key
    for slot = 1, made.count do entries[row * made.count + slot] = -1 end
    for i, numbers in ipairs(follows and pattern or {}) do
      local near = first.entries[row * first.count + i]
      for j, number in ipairs(numbers) do
        entries[row * made.count + number + 1] =
          second.entries[near * second.count + j]
      end
    end
  end
  return { count = made.count, entries = entries }
end

-- ---------------------------------------------------------------------------
-- Kinds of rows, found as quern_find_kinds of quern_mesh.h does

local PACES, STEPS = 6, 16

-- How much further all slots lead of the row `every` rows on; nil: not alike.
local function step_to(of, row, every)
  local e, n, step = of.entries, of.count, nil
  for slot = 1, n do
    local near, next = e[row * n + slot], e[(row + every) * n + slot]
    step = step or next - near
    if near < 0 or next < 0 or next - near ~= step then return nil end
  end
  return step
end

-- Most rows lead `step` points further than the rows `every` before them.
local function pace_of(of, rows)
  local most, pace = 0, { every = 1, step = 1 }
  for every = 1, PACES do
    local found = {}
    for row = 0, rows - every - 1 do
      local step = step_to(of, row, every)
      if step then found[step] = (found[step] or 0) + 1 end
    end
    for step = 0, STEPS - 1 do
      if (found[step] or 0) > most then
        most, pace = found[step], { every = every, step = step }
      end
    end
  end
  return pace
end

-- How far ahead the slots of a row lead; nil where a neighbour is missing.
local function ahead_of(of, row, pace)
  local list = {}
  for slot = 1, of.count do
    local near = of.entries[row * of.count + slot]
    if near < 0 then return nil end
    list[slot] = near - row // pace.every * pace.step
  end
  return list
end

-- The kinds that most rows are of, at most `most` of them, two rows at least:
-- slot s of a row of kind q leads to row // every * step + q.ahead[s]. Gives {
-- every, step, rows = how many are of some kind, of = all, kinds = { { ahead,
-- rows, first = the first row }.. } }.
function M.kinds(of, most)
  local rows = #of.entries // of.count
  local pace, found, list = pace_of(of, rows), {}, {}
  for row = 0, rows - 1 do
    local ahead = ahead_of(of, row, pace)
    local key = ahead and table.concat(ahead, ",")
    if key and not found[key] then
      found[key] = { ahead = ahead, rows = 0, first = row }
      list[#list + 1] = found[key]
    end
    if key then found[key].rows = found[key].rows + 1 end
  end
  table.sort(list, function(a, b)
    if a.rows ~= b.rows then return a.rows > b.rows end
    return a.first < b.first
  end)
  pace.kinds, pace.rows, pace.of = {}, 0, rows
  for i = 1, math.min(most, #list) do
    if list[i].rows > 1 then
      pace.kinds[i], pace.rows = list[i], pace.rows + list[i].rows
    end
  end
  return pace
end

return M
