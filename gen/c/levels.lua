-- Several levels of a point at once, in C: what is computed stands in arrays of
-- an element for each, and what is done for a level in loops over j. Neighbours
-- are found once for all of them; loops over ragged rows, which gcc does not
-- vectorise, are gone through once.

local block_lines = require "gen.c.block"
local indented = require("gen.c.text").indented
local lists = require "gen.list"
local rows = require "gen.c.rows"
local statement = require "gen.c.statement"

local M = {}

-- Does a name stand in one of the lines?
local function stands(name, lines)
  for _, line in ipairs(lines) do
    if line:find("%f[%w_]" .. name .. "%f[^%w_]") then return true end
  end
  return false
end

-- The lines for one level as a loop over all, after where it and what is at the
-- point lie.
local function each(e, lines)
  if #lines == 0 then return {} end
  local body = {}
  for _, line in ipairs(e.offsets) do
    local name = line:match "([%w_]+)%s+="
    body[#body + 1] = stands(name, lines) and line:gsub("%s+=", " =") or nil
  end
  lists.append(body, lines)
  if stands(e.level, body) then
    table.insert(body, 1, ("const int64_t %s = %s + %s;"):format(e.level,
      e.first, e.j))
  end
  return lists.append({ ("#pragma GCC unroll %d"):format(e.count),
    ("for (int %s = 0; %s < %d; %s++) {"):format(e.j, e.j, e.count, e.j) },
    lists.append(indented(body), { "}" }))
end

-- A scope: what is declared in it, its lines, those that wait for a loop.
local function open() return { declared = {}, lines = {}, waiting = {} } end

local function flush(e, scope)
  lists.append(scope.lines, each(e, scope.waiting))
  scope.waiting = {}
end

-- "double lap_new[4];" for each, then the lines.
local function close(e, scope)
  flush(e, scope)
  local list = {}
  for i, name in ipairs(scope.declared) do
    list[i] = ("%s %s[%d];"):format(e.style.type, name, e.count)
  end
  return lists.append(list, scope.lines)
end

local function assign(e, scope, name, value)
  lists.append(scope.waiting, statement.assignment(e.style.value(name) .. " = ",
    value, e.style))
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
  for _, reduced in ipairs(entry.sums) do
    scope.declared[#scope.declared + 1] = e.names.value(reduced.name)
    lists.append(scope.waiting, { (rows.start(reduced, e.style)
      :gsub("^%S+ ", "")) })
  end
  flush(e, scope)
  local inner, nears = open(), lists.joined(entry.neighbours, {})
  local near = entry.loop.guard and table.remove(nears, 1)
  lists.append(inner.lines, rows.neighbours({ near or nil }, e.names.rows))
  if near then
    lists.append(inner.lines, rows.guard(entry.loop, e.names.rows))
  end
  lists.append(inner.lines, rows.neighbours(nears, e.names.rows))
  take(e, inner, entry)
  add_code(e, inner, entry.code)
  for _, reduced in ipairs(entry.sums) do
    assign(e, inner, reduced.name, reduced.value)
  end
  local count = e.names.rows.of[entry.loop.table].count
  lists.append(scope.lines, { count and ("#pragma GCC unroll %d"):format(count)
    or nil })
  lists.append(scope.lines, { rows.head(entry.loop, e.names.rows) })
  lists.append(scope.lines, indented(close(e, inner)))
  lists.append(scope.lines, { "}" })
end

function add_code(e, scope, code)
  for _, entry in ipairs(code) do
    if entry.loop then
      add_loop(e, scope, entry)
    else
      scope.declared[#scope.declared + 1] = e.names.value(entry.name)
      assign(e, scope, entry.name, entry.value)
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
-- what one is called, `offsets`: lines that say where what is at the point is.
function M.lines(lowered, context, places, how)
  local names, block = context.names, context.block
  local parts = block_lines.parts(lowered, context.kernel, block, names, places)
  local j = names.claim "j"
  local e = { names = names, style = style_of(parts, j), taken = parts.taken,
    j = j, count = how.count, first = how.first, level = how.level,
    offsets = how.offsets }
  local scope = open()
  lists.append(scope.lines, rows.neighbours(block.neighbours, names.rows))
  take(e, scope, nil)
  add_code(e, scope, block.code)
  for _, store in ipairs(block.stores) do
    lists.append(scope.waiting, statement.store(places.target(store),
      context.by_name[store.field].type, store.value, e.style))
  end
  return close(e, scope)
end

return M
