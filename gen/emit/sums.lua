-- Long sums of the points of a thread, side by side in an array, in parts: rows
-- of points are read just before the lines that need them, so that few values
-- are held at a time. Each point's operations and their order stay the same.

local lists = require "gen.list"
local statement = require "gen.c.statement"

local M = {}

-- The parts of a walk: `known`, the rows that have been read.
function M.new() return { known = {} } end

-- Appends the cells of a line that needs some rows { line = what reads it }.
function M.add(parts, rows, cells)
  local part, reads = parts[#parts], {}
  for _, row in ipairs(rows) do
    if not parts.known[row] then
      parts.known[row], reads[#reads + 1] = true, row.line
    end
  end
  if not part or reads[1] and part.reads[1] then
    part = { reads = {}, cells = {} }
    parts[#parts + 1] = part
  end
  lists.append(part.reads, reads)
  part.cells[#part.cells + 1] = cells
end

-- The parts as their template has them: { reads, lines }.
function M.view(parts)
  local list = {}
  for i, part in ipairs(parts) do
    list[i] = { reads = part.reads, lines = statement.columns(part.cells) }
  end
  return list
end

-- Calls load(id) for every load of an expression; false where a value of the
-- code is read that is not among the `made`.
local function survey(e, made, load)
  if e.op == "value" then return made[e.name] ~= nil end
  if e.op == "load" then load(e.id) end
  for _, child in ipairs(e) do
    if not survey(child, made, load) then return false end
  end
  return true
end

-- The steps of an entry of a block's code as { rows, cells }, nil if it is no
-- long sum of what can be read; row_of(id): the row that a load is in.
local function steps_of(entry, name, made, row_of, style)
  local steps = not entry.loop and statement.steps(name, entry.value, style)
  if not steps then return nil end
  local list = {}
  for i, step in ipairs(steps) do
    local rows = {}
    for _, e in ipairs(step.from) do
      if not survey(e, made, function(id)
        rows[#rows + 1] = row_of(id)
      end) then return nil end
    end
    list[i] = { rows = rows, cells = step.cells }
  end
  return list
end

-- The long sums of a block that can be made so, appended to parts: { comment,
-- name }.. of each, and the rest of the code. style.value(name) is to know an
-- array's element as soon as its name is among the `made`.
function M.split(parts, block, names, row_of, style, made)
  local list, rest = {}, {}
  for _, entry in ipairs(block.code) do
    local name = entry.name and names.value(entry.name)
    local steps = name and steps_of(entry, name .. "[e]", made, row_of, style)
    if steps then
      made[entry.name] = true
      list[#list + 1] = { name = name, comment = entry.comment }
      for _, step in ipairs(steps) do M.add(parts, step.rows, step.cells) end
    else
      rest[#rest + 1] = entry
    end
  end
  return list, rest
end

return M
