-- Diagnostics: what is wrong, where it stands, and what was perhaps meant.
-- Every pass reports through this module, so that all messages look alike:
-- `file:line:column: message`, the source line, a caret.

local M = {}

local MOST = 20                 -- diagnostics shown
local WIDTH = 100               -- columns of a source line shown
local LONGEST = 400             -- bytes of a message shown

-- Offsets of the line starts of each source, computed once.
local line_starts = setmetatable({}, { __mode = "k" })

local function starts_of(source)
  local starts = line_starts[source]
  if not starts then
    starts = { 1 }
    for after in string.gmatch(source.text, "\n()") do
      starts[#starts + 1] = after
    end
    line_starts[source] = starts
  end
  return starts
end

-- The line and column (in bytes, from 1) of a position, and its line's text.
function M.place(pos)
  local starts, offset = starts_of(pos.source), pos.offset or 1
  local low, high = 1, #starts
  while low < high do
    local middle = (low + high + 1) // 2
    if starts[middle] <= offset then low = middle else high = middle - 1 end
  end
  local first = starts[low]
  local text = string.match(pos.source.text, "^[^\n]*", first)
  return low, offset - first + 1, text
end

-- The position of the first character of a line that is not blank.
function M.line_position(source, line)
  local start = starts_of(source)[line] or #source.text + 1
  return { source = source,
           offset = string.match(source.text, "^[ \t]*()", start) }
end

-- `file:line:column`; a formula built by Lua has the place of its call, then
-- its own line and column.
function M.where(pos)
  if not pos.offset then return pos.source.name end
  local line, column = M.place(pos)
  local from = pos.source.from
  if not from then
    return string.format("%s:%d:%d", pos.source.name, line, column)
  end
  return string.format("%s (formula %d:%d)", M.where(from), line, column)
end

local function formatted(text, ...)
  if select("#", ...) == 0 then return text end
  return string.format(text, ...)
end

function M.new(pos, text, ...)
  return { pos = pos, message = formatted(text, ...) }
end

-- Adds a second anchor: "the first declaration is here".
function M.note(diagnostic, pos, text, ...)
  diagnostic.note = { pos = pos, message = formatted(text, ...) }
  return diagnostic
end

-- The number of letters to insert, delete, replace or exchange with their
-- neighbour that make `b` of `a`.
local function distance(a, b)
  local before, row = {}, {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local last = row
    row = { [0] = i }
    for j = 1, #b do
      local same = string.byte(a, i) == string.byte(b, j)
      row[j] = math.min(last[j] + 1, row[j - 1] + 1,
                        last[j - 1] + (same and 0 or 1))
      if i > 1 and j > 1 and string.byte(a, i) == string.byte(b, j - 1)
         and string.byte(a, i - 1) == string.byte(b, j) then
        row[j] = math.min(row[j], before[j - 2] + 1)
      end
    end
    before = last
  end
  return row[#b]
end

-- The candidate (of a list) nearest to a word, the first of equals; nil if
-- none is near: a third of the letters may be wrong, but never all.
function M.nearest(word, candidates)
  if #word > 80 then return nil end
  local best
  local least = math.max(1, #word // 3) + 1
  for _, candidate in ipairs(candidates) do
    if math.abs(#candidate - #word) < least and candidate ~= word then
      local d = distance(string.lower(word), string.lower(candidate))
      if d < least and d < #candidate then best, least = candidate, d end
    end
  end
  return best
end

function M.hint(word, candidates)
  local near = M.nearest(word, candidates)
  return near and string.format("; did you mean '%s'?", near) or ""
end

-- ---------------------------------------------------------------------------
-- Printing

local function printable(text)
  return (string.gsub(text, "[\0-\8\10-\31\127]", "?"))
end

-- The part of a long line around a column, and the column within it.
local function window(text, column)
  if #text <= WIDTH then return text, column end
  local first = math.max(1, math.min(column - WIDTH // 2, #text - WIDTH + 1))
  local last = first + WIDTH - 1
  while first > 1 and string.find(text, "^[\128-\191]", first) do
    first = first - 1
  end
  while last < #text and string.find(text, "^[\128-\191]", last + 1) do
    last = last + 1
  end
  return string.sub(text, first, last), column - first + 1
end

-- Blanks up to a column: tabs stay tabs, a letter of several bytes is one.
local function margin(text, column)
  local before = string.sub(text, 1, column - 1)
  before = before .. string.rep(" ", column - 1 - #before)
  before = string.gsub(before, "[\128-\191]", "")
  return (string.gsub(before, "[^\t]", " "))
end

local function excerpt(pos)
  local _, column, text = M.place(pos)
  text, column = window(text, column)
  return string.format("    %s\n    %s^\n", printable(text),
                       margin(text, column))
end

-- Without a position: the command line or the output place is at fault.
local function anchored(pos, message)
  if not pos then return string.format("quern: %s\n", printable(message)) end
  if not pos.offset then
    return string.format("%s: %s\n", pos.source.name, printable(message))
  end
  local from = pos.source.from
  local line, column = M.place(pos)
  if not from then
    return string.format("%s:%d:%d: %s\n%s", pos.source.name, line, column,
                         printable(message), excerpt(pos))
  end
  return string.format(
    "%s  in the text built here, line %d, column %d:\n%s",
    anchored(from, message), line, column, excerpt(pos))
end

local function one(diagnostic)
  local message = diagnostic.message
  if #message > LONGEST then
    message = string.sub(message, 1, LONGEST) .. ".."
  end
  local text = anchored(diagnostic.pos, message)
  local note = diagnostic.note
  if note then text = text .. anchored(note.pos, "note: " .. note.message) end
  return text
end

-- What decides the order: file, place in the file, place in a built formula.
local function rank(diagnostic)
  local pos = diagnostic.pos
  if not pos then return "", 0, 0, diagnostic.message end
  local from = pos.source.from or pos
  return from.source.name, from.offset or 0, pos.offset or 0,
         diagnostic.message
end

local function before(a, b)
  local a1, a2, a3, a4 = rank(a)
  local b1, b2, b3, b4 = rank(b)
  if a1 ~= b1 then return a1 < b1 end
  if a2 ~= b2 then return a2 < b2 end
  if a3 ~= b3 then return a3 < b3 end
  return a4 < b4
end

-- A new list in the order of position, each said once.
function M.sorted(list)
  local copy = table.move(list, 1, #list, 1, {})
  table.sort(copy, before)
  local out = {}
  for _, d in ipairs(copy) do
    local last = out[#out]
    if not last or before(last, d) then out[#out + 1] = d end
  end
  return out
end

function M.format(list)
  local all, out = M.sorted(list), {}
  for i = 1, math.min(#all, MOST) do out[i] = one(all[i]) end
  if #all > MOST then
    out[#out + 1] = string.format("%d more not shown\n", #all - MOST)
  end
  return table.concat(out)
end

return M
