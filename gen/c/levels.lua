-- Several levels of a point at once, in C: what is computed stands in arrays of
-- an element for each, and what is done for a level in loops over j. Neighbours
-- are found once for all of them; loops over ragged rows, which gcc does not
-- vectorise, are gone through once.

local block_lines = require "gen.c.block"
local lists = require "gen.list"
local rows = require "gen.c.rows"
local scopes = require "gen.c.scope"
local statement = require "gen.c.statement"
local text = require "gen.c.text"

local M = {}

-- The lines for one level as a loop over all, after where it and what is at the
-- point lie.
local function each(e, lines)
  local body = {}
  for _, line in ipairs(e.offsets) do
    local name = line:match "([%w_]+)%s+="
    if text.stands(name, lines) then
      body[#body + 1] = line:gsub("%s+=", " =")
    end
  end
  lists.append(body, lines)
  if text.stands(e.level, body) then
    table.insert(body, 1, ("const int64_t %s = %s + %s;"):format(e.level,
      e.first, e.j))
  end
  return lists.append({ ("#pragma GCC unroll %d"):format(e.count),
    ("for (int %s = 0; %s < %d; %s++) {"):format(e.j, e.j, e.count, e.j) },
    lists.append(text.indented(body), { "}" }))
end

-- Named loads: "const double p_here = p[p_at];" becomes an assignment.
local function take(e, scope, entry)
  for _, early in ipairs { true, false } do
    for _, line in ipairs(e.taken(entry, early)) do
      local name, rest = line:match "^const %S+ ([%w_]+)%s*(=.*)$"
      scope.declared[#scope.declared + 1] = name
      lists.append(scope.waiting, { ("%s[%s] %s"):format(name, e.j, rest) })
    end
  end
end

local add_code

-- A loop over slots: it is one for all levels.
local function add_loop(e, scope, entry)
  scopes.start(e, scope, entry)
  local inner, nears = scopes.open(), lists.joined(entry.neighbours, {})
  local near = entry.loop.guard and table.remove(nears, 1)
  lists.append(inner.lines, rows.neighbours({ near or nil }, e.names.rows))
  if near then
    lists.append(inner.lines, rows.guard(entry.loop, e.names.rows))
  end
  lists.append(inner.lines, rows.neighbours(nears, e.names.rows))
  take(e, inner, entry)
  add_code(e, inner, entry.code)
  scopes.add(e, inner, entry)
  local count = e.names.rows.of[entry.loop.table].count
  lists.append(scope.lines, { count and ("#pragma GCC unroll %d"):format(count)
    or nil })
  lists.append(scope.lines, { rows.head(entry.loop, e.names.rows) })
  lists.append(scope.lines, text.indented(scopes.close(e, inner)))
  lists.append(scope.lines, { "}" })
end

function add_code(e, scope, code)
  for _, entry in ipairs(code) do
    if entry.loop then
      add_loop(e, scope, entry)
    else
      scopes.declare(e, scope, entry.name)
      scopes.assign(e, scope, entry.name, entry.value)
    end
  end
end

-- The style of statements in a loop over j.
local function style_of(parts, j)
  local style, one = lists.copy(parts.style), parts.style
  style.value = function(name) return one.value(name) .. "[" .. j .. "]" end
  style.load = function(id)
    return parts.ids[id] and one.load(id) .. "[" .. j .. "]" or one.load(id)
  end
  return style
end

-- The lines of `count` levels of a point, the first of them `first`; `level`:
-- what one is called, `j`: the loop over them, `offsets`: lines that say where
-- what is at the point is.
function M.lines(lowered, context, places, how)
  local names, block = context.names, context.block
  local parts = block_lines.parts(lowered, context.kernel, block, names, places)
  local e = { names = names, style = style_of(parts, how.j),
    taken = parts.taken, j = how.j, count = how.count, first = how.first,
    level = how.level, offsets = how.offsets }
  e.each = function(lines) return each(e, lines) end
  local scope = scopes.open()
  lists.append(scope.lines, rows.neighbours(block.neighbours, names.rows))
  take(e, scope, nil)
  add_code(e, scope, block.code)
  for _, store in ipairs(block.stores) do
    lists.append(scope.waiting, statement.store(places.target(store),
      context.by_name[store.field].type, store.value, e.style))
  end
  return scopes.close(e, scope)
end

return M
