-- Scopes of code that is done for several levels of a point at once: what is
-- declared in one stands in arrays of an element for each level, and lines for
-- one level wait until a loop over all is needed.
--
-- e = { count = levels, style = how values are written in such a loop, names,
-- each(lines, first) = the loop of lines for one level; `first`: nothing stands
-- before it; vector = the type of such an array, if it has a name }.

local lists = require "gen.list"
local rows = require "gen.c.rows"
local statement = require "gen.c.statement"

local M = {}

-- `lines`: the scope's own, those that wait for a loop are in `waiting`.
function M.open() return { declared = {}, lines = {}, waiting = {} } end

function M.flush(e, scope)
  if #scope.waiting > 0 then
    lists.append(scope.lines, e.each(scope.waiting, #scope.lines == 0))
  end
  scope.waiting = {}
end

-- "double lap_new[4];" or "quern_levels_double lap_new;" for each value, then
-- the lines.
function M.close(e, scope)
  M.flush(e, scope)
  local list = {}
  for i, name in ipairs(scope.declared) do
    list[i] = e.vector and ("%s %s;"):format(e.vector, name)
      or ("%s %s[%d];"):format(e.style.type, name, e.count)
  end
  return lists.append(list, scope.lines)
end

function M.declare(e, scope, name)
  scope.declared[#scope.declared + 1] = e.names.value(name)
end

function M.assign(e, scope, name, value)
  lists.append(scope.waiting, statement.assignment(e.style.value(name) .. " = ",
    value, e.style))
end

-- What the sums of a loop over slots begin with.
function M.start(e, scope, entry)
  for _, reduced in ipairs(entry.sums) do
    M.declare(e, scope, reduced.name)
    lists.append(scope.waiting, { (rows.start(reduced, e.style)
      :gsub("^%S+ ", "")) })
  end
  M.flush(e, scope)
end

-- What a slot adds to them.
function M.add(e, scope, entry)
  for _, reduced in ipairs(entry.sums) do
    M.assign(e, scope, reduced.name, reduced.value)
  end
end

return M
