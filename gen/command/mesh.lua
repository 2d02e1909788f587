-- `quern mesh`: what is odd about the tables of a mesh, and how far apart in
-- memory the neighbours of a row are.

local meshed = require "gen.command.meshed"
local text_table = require "gen.command.table"

local M = {}

local HEADINGS = { "table", "rows", "slots", "width", "widest", "sectors" }

local NOTE = "width: from the least to the largest neighbour of a row, on "
  .. "average; sectors: of 4 doubles, that 32 rows read through a slot, 8 if "
  .. "side by side, 32 if all apart"

local MISSING = "%s: %d missing neighbours, the first in row %d, slot %d: a "
  .. "spec declares them by skip, or the table is refused"
local TWICE = "%s: %d neighbours stand in their row before, the first in row "
  .. "%d, slot %d, as in slot %d"

-- What is said of one table, a line each.
local function oddities(look)
  local lines = {}
  if look.missing > 0 then
    lines[#lines + 1] = MISSING:format(look.name, look.missing,
      table.unpack(look.missing_at))
  end
  if look.twice > 0 then
    lines[#lines + 1] = TWICE:format(look.name, look.twice,
      table.unpack(look.twice_at))
  end
  return lines
end

local function row(look)
  return { ("%s, %s to %s"):format(look.name, look.from, look.to),
    ("%d"):format(look.rows), ("%d"):format(look.count),
    ("%.1f"):format(look.width), ("%d"):format(look.widest),
    look.sectors > 0 and ("%.1f"):format(look.sectors) or "-" }
end

function M.run(options)
  local answer, code, problem = meshed.ask(options)
  if not answer then return code, problem end
  local rows, lines = { HEADINGS }, {}
  for _, look in ipairs(answer.looks) do
    rows[#rows + 1] = row(look)
    for _, line in ipairs(oddities(look)) do lines[#lines + 1] = line end
  end
  text_table.print(rows, "", 1)
  print(NOTE)
  for _, line in ipairs(lines) do print(line) end
  return 0
end

return M
