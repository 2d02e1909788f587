-- `quern pattern`: how two tables of a mesh compose, as a declaration.

local neighbour = require "gen.neighbour"
local runner = require "gen.runner"
local sizes = require "gen.command.sizes"

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

local function whole(list)
  for i, n in ipairs(list) do list[i] = math.tointeger(n) end
  return list
end

function M.run(options)
  local first, second = options.first, options.second
  local answers, problem = runner.run({ { ["do"] = "mesh",
    mesh = sizes.mesh(options), tables = { first, second } } },
    { root = options.root, out = options.root })
  if not answers then return 3, problem end
  local tables = answers[1].tables
  if answers[1].status ~= "ok" then
    return 1, "quern: " .. answers[1].problem
  elseif tables[first].to ~= tables[second].from then
    return 1, ("quern: '%s' leads to %s, but '%s' starts at %s"):format(first,
      tables[first].to, second, tables[second].from)
  end
  for _, of in ipairs { tables[first], tables[second] } do
    of.count, of.entries = math.tointeger(of.count), whole(of.entries)
  end
  local made = neighbour.compose(tables[first], tables[second])
  if not made then
    return 1, ("quern: no row of '%s' has all neighbours of neighbours")
      :format(first)
  end
  print_pattern(first, second, made)
  return 0
end

return M
