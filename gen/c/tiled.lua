-- Lists in tiles in shared memory, in C: what an entry of one has, how a tile
-- is filled, what is summed over it, and how the parts of sums become one.

local block_lines = require "gen.c.block"
local lists = require "gen.list"
local rows = require "gen.c.rows"
local statement = require "gen.c.statement"
local text = require "gen.c.text"
local words = require "gen.c.words"

local M = {}

-- Names of the kernel's own: tile.struct, .array, .at (an entry of it), .first
-- and .all (of the list); of its members.
function M.claim(tiles, names)
  for _, tile in ipairs(tiles) do
    local of = tile.entry.loop.table
    tile.struct = names.claim(of .. "_entry")
    tile.array = names.claim(of .. "_tile")
    tile.at = names.claim(of .. "_at")
    tile.first = names.claim(of .. "_first")
    tile.all = names.claim(of .. "_count")
    for _, value in ipairs(tile.values) do
      value.member = words.name(value.member)
    end
  end
end

local function members(tile, type)
  local numbers, list = {}, {}
  for _, value in ipairs(tile.values) do
    table.insert(value.load and list or numbers, value.member)
  end
  return lists.joined(
    numbers[1] and text.declaration("int32_t", numbers) or {},
    list[1] and text.declaration(type, list) or {})
end

-- The lines by which a thread fills its place in a tile.
local function fill(tile, places, of_rows)
  local lines = rows.neighbours(tile.entry.neighbours, of_rows)
  local cells = {}
  for i, value in ipairs(tile.values) do
    cells[i] = { ("%s[thread].%s"):format(tile.array, value.member),
      (" = %s;"):format(value.load and places.element(value.load)
        or ("(int32_t)" .. of_rows.variable(value.near))) }
  end
  return lists.append(lines, statement.columns(cells))
end

-- The lines that add one entry to every sum.
local function body(tile, style)
  local lines = {}
  for _, value in ipairs(tile.values) do
    lines[#lines + 1] = value.near and ("const int32_t %s = %s.%s;"):format(
      style.near(value.near), tile.at, value.member) or nil
  end
  block_lines.add_code(lines, tile.entry.code, style)
  for _, reduced in ipairs(tile.entry.sums) do
    lists.append(lines, statement.assignment(style.value(reduced.name) .. " = ",
      reduced.value, style))
  end
  return lines
end

local function starts(tile, style)
  local lines = {}
  for i, reduced in ipairs(tile.entry.sums) do
    lines[i] = rows.start(reduced, style)
  end
  return lines
end

-- As their template has them.
function M.tiles(tiles, style, places)
  local list, of_rows = {}, style.rows
  for i, tile in ipairs(tiles) do
    local loop = tile.entry.loop
    local start = of_rows.name[loop.table .. "_start"]
    local row = of_rows.variable(loop.row)
    list[i] = { struct = tile.struct, array = tile.array, at = tile.at,
      align = tile.align, first = tile.first, all = tile.all,
      members = members(tile, style.type), starts = starts(tile, style),
      fill = fill(tile, places, of_rows),
      slot = of_rows.variable(loop.slot),
      start = ("%s[%s]"):format(start, row),
      finish = ("%s[%s + 1]"):format(start, row), body = body(tile, style) }
  end
  return list
end

-- sum + part, or the lesser or greater of both.
local function joined(reduced, part)
  local sum = { op = "value", name = reduced.name }
  local other = { op = "raw", text = part }
  if reduced.fn == "sum" then return { op = "add", sum, other } end
  return { op = "select", { op = "compare",
    cmp = reduced.fn == "min" and "<" or ">", other, sum }, other, sum }
end

-- The lines by which a thread hands on its part of each sum, and those by which
-- one takes that of another.
function M.totals(tiles, style)
  local handed, taken = {}, {}
  for _, tile in ipairs(tiles) do
    for _, reduced in ipairs(tile.entry.sums) do
      local name = style.value(reduced.name)
      local part = ("part[%d][%%s]"):format(#handed)
      handed[#handed + 1] = ("%s = %s;"):format(part:format "thread", name)
      lists.append(taken, statement.assignment(name .. " = ",
        joined(reduced, part:format "other"), style))
    end
  end
  return handed, taken
end

return M
