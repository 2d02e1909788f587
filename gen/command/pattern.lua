-- `quern pattern`: how two tables of a mesh compose, as a declaration, and the
-- kinds of rows of what they make, or of one table.

local meshed = require "gen.command.meshed"
local neighbour = require "gen.neighbour"

local M = {}

local function print_pattern(first, second, made)
  print(("neighbours { \"%s_%s\", through = { \"%s\", \"%s\" }, count = %d, "
    .. "pattern = {"):format(first, second, first, second, made.count))
  for i, row in ipairs(made.pattern) do
    print(("  { %s }%s"):format(table.concat(row, ", "),
      i < #made.pattern and "," or " } }"))
  end
  print(("-- %d of %d rows are so%s"):format(made.rows, made.of,
    made.other and ("; row %d is not"):format(made.other) or ""))
end

local MOST = 8                  -- kinds that are printed

local function signed(list)
  local words = {}
  for i, n in ipairs(list) do words[i] = ("%+d"):format(n) end
  return table.concat(words, " ")
end

-- As comments: what kernels do that find neighbours by strides.
local function print_kinds(name, of)
  local made = neighbour.kinds(of, MOST)
  print(("-- by strides, %s of row r leads to r // %d * %d + ..; %d of %d rows "
    .. "are of these kinds"):format(name, made.every, made.step, made.rows,
    made.of))
  for _, kind in ipairs(made.kinds) do
    print(("--   %d rows, from %d on: %s"):format(kind.rows, kind.first,
      signed(kind.ahead)))
  end
end

local function whole(list)
  for i, n in ipairs(list) do list[i] = math.tointeger(n) end
  return list
end

-- The tables of a mesh, by name; nil, an exit code and a sentence.
local function read(options, names)
  local answer, code, problem = meshed.ask(options, names)
  if not answer then return nil, code, problem end
  local tables = answer.tables
  for _, name in ipairs(names) do
    local of = tables[name]
    of.count, of.entries = math.tointeger(of.count), whole(of.entries)
  end
  return tables
end

function M.run(options)
  local first, second = options.first, options.second
  local tables, code, problem = read(options, { first, second })
  if not tables then return code, problem end
  if not second then
    print_kinds(first, tables[first])
    return 0
  elseif tables[first].to ~= tables[second].from then
    return 2, ("quern: '%s' leads to %s, but '%s' starts at %s"):format(first,
      tables[first].to, second, tables[second].from)
  end
  local made = neighbour.compose(tables[first], tables[second])
  if not made then
    return 1, ("quern: no row of '%s' has all neighbours of neighbours")
      :format(first)
  end
  print_pattern(first, second, made)
  print_kinds(first .. "_" .. second, neighbour.composed(tables[first],
    tables[second], made))
  return 0
end

return M
