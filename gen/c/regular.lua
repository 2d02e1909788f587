-- Tiles of a mesh in C whose rows are regular: none misses a neighbour, and the
-- rows of affine tables are side by side. Loops are compiled for them alone,
-- without a test in between and without gathering what lies side by side.

local lists = require "gen.list"
local rows = require "gen.c.rows"
local text = require "gen.c.text"
local words = require "gen.c.words"

local M = {}

-- The position of a table's rows among the axes of a kernel, from 0.
local function position(of, context)
  for i, axis in ipairs(context.axes) do
    if axis.name == of.from then return i - 1 end
  end
end

-- Is some neighbour of a block perhaps missing?
function M.passes_over(code)
  for _, entry in ipairs(code) do
    if entry.loop and (entry.loop.guard or M.passes_over(entry.code)) then
      return true
    end
  end
  return false
end

-- Does some loop over the point's own row of a table pass over neighbours?
local function is_guarded(code, name)
  for _, entry in ipairs(code) do
    local loop = entry.loop
    if loop and (loop.guard and not loop.row and loop.table == name
       or is_guarded(entry.code, name)) then
      return true
    end
  end
  return false
end

local ALL = "quern_has_all(a->%s, %s, %d, %d, tile->lower[%d], "
  .. "tile->upper[%d])"

-- "quern_has_all(a->v2e, 1, a->v2e_stride, 6, 0, tile->lower[0], ..)"
local function has_all(of, context)
  local stride = ("a->%s_stride"):format(of.name)
  local at = position(of, context)
  return ALL:format(words.name(of.name), of.contiguous == "slot"
    and stride .. ", 1" or "1, " .. stride, of.count, of.first, at, at)
end

-- Of a composed table: rows that do not follow the pattern have no first entry.
local function follows(of, context)
  local one = lists.copy(of)
  one.count = 1
  return has_all(one, context)
end

-- The conditions of a regular tile, lines of one expression; nil where all are
-- alike. From then on names.rows.regular is true.
function M.add(context)
  local tests = {}
  for _, of in ipairs(rows.tables(context.lowered, context.block)) do
    if of.affine and rows.reads(context.block, of.name) then
      tests[#tests + 1] = ("a->%s_stride[0] == 1"):format(of.name)
    elseif lists.contains(context.block.regular or {}, of.name) then
      tests[#tests + 1] = follows(of, context)
    elseif not of.affine and not of.ragged
           and is_guarded(context.block.code, of.name) then
      tests[#tests + 1] = has_all(of, context)
    end
  end
  if #tests == 0 then return nil end
  context.names.rows.regular = true
  for i, test in ipairs(tests) do
    tests[i] = (i > 1 and "&& " or "") .. test .. (i == #tests and ";" or "")
  end
  return tests
end

-- Lines for regular tiles and lines for others, of which a compiler keeps one.
function M.either(lines, others)
  local list = { "if (regular) {" }
  for _, part in ipairs { { lines, "} else {" }, { others, "}" } } do
    lists.append(list, text.indented(part[1]))
    list[#list + 1] = part[2]
  end
  return list
end

return M
