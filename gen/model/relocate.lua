-- Expressions at a place: what an expression of the point itself is when it
-- is evaluated at a neighbour. `(u*v)[e]` is u[e]*v[e], and what `u` reads
-- through tables it reads through the rows of that neighbour.

local moved = require "gen.model.moved"
local pool_of = require "gen.model.pool"
local walk = require "gen.model.walk"

local M = {}

local relocate

-- The domain that a place leads to.
function M.target(b, place)
  if place.list then return b.model.lists[place.list].of end
  return b.model.tables[place.table].to
end

-- "v2e(0)", "the bound neighbour of v2e": a place in a message.
function M.describe(pool, place)
  local name = place.table or place.list
  if place.slot then return ("%s(%d)"):format(name, place.slot) end
  return "a point of " .. name
        .. (place.row and " of " .. M.describe(pool, pool.nodes[place.row])
            or "")
end

local function fits(t, field)
  local b, place = t.b, t.pool.nodes[t.place]
  if field.table then
    if place.table == field.table then return true end
    return b.report(t.pos, "%s has a value for each slot of %s; here it is "
      .. "read at %s", field.name, field.table, M.describe(t.pool, place))
  end
  local to = M.target(b, place)
  if to == field.domain then return true end
  return b.report(t.pos, "%s lives on %s; here it is read at %s, on %s",
    field.name, field.domain, M.describe(t.pool, place), to)
end

local OF = {}

function OF.num(_, id) return id end
OF.scalar = OF.num

function OF.read(t, id, node)
  local field = t.b.model.fields[node.field]
  if not field.domain then return id end
  local place = node.place and relocate(t, node.place) or t.place
  if place == pool_of.BAD then return place end
  if not node.place and not fits(t, field) then return pool_of.BAD end
  return pool_of.read(t.pool, t.pos, { field = node.field,
    level = node.level, shift = node.shift, place = place,
    spaces = pool_of.set(t.pool, table.move(field.axes, 1, #field.axes, 1, {}))
  })
end

function OF.slot(t, _, node)
  return pool_of.slot(t.pool, t.pos, relocate(t, node.over), node.depth)
end

-- A slot that is bound outside the expression belongs to another row.
local function outer_slot(t, node)
  t.b.report(t.pos, "%s is bound outside these brackets: it is of the row of "
    .. "the point itself", M.describe(t.pool, node))
  return pool_of.BAD
end

function OF.place(t, id, node)
  if node.list then return id end
  if node.bound and not t.inner[node.bound] then return outer_slot(t, node) end
  local row = node.row and relocate(t, node.row) or t.place
  local from = t.b.model.tables[node.table].from
  if row == pool_of.BAD then return row end
  if not node.row and M.target(t.b, t.pool.nodes[row]) ~= from then
    t.b.report(t.pos, "%s starts at %s; here it is used at a point of %s",
      node.table, from, M.target(t.b, t.pool.nodes[row]))
    return pool_of.BAD
  end
  return pool_of.place(t.pool, t.pos, { table = node.table, from = from,
    row = row, slot = node.slot,
    bound = node.bound and relocate(t, node.bound) })
end

function OF.shift(t, _, node)
  return moved.shift(t.pool, t.pos, node.by, relocate(t, node.arg))
end

function OF.apply(t, _, node)
  return moved.apply(t.pool, t.pos, node.name, node.axis, node.taps,
    relocate(t, node.arg))
end

function OF.reduce(t, _, node)
  return moved.reduce(t.pool, t.pos, node.fn, relocate(t, node.slot),
    relocate(t, node.body))
end

-- add, mul, div, pow, call, select, compare, and, or, not
local function other(t, _, node)
  local ids = {}
  for i, arg in ipairs(node.args) do
    ids[i] = relocate(t, arg)
    if ids[i] == pool_of.BAD then return pool_of.BAD end
  end
  return pool_of.operation(t.pool, t.pos, node.kind, node.type,
    node.fn or node.op or node.exponent, ids)
end

function relocate(t, id)
  if id == pool_of.BAD then return id end
  local done = t.done[id]
  if not done then
    local node = t.pool.nodes[id]
    done = (OF[node.kind] or other)(t, id, node)
    t.done[id] = done
  end
  return done
end

-- The expression `id` at `place` (ids).
function M.apply(b, pos, id, place)
  if place == pool_of.BAD then return place end
  local t = { b = b, pool = b.pool, pos = pos, place = place, done = {},
              inner = {} }
  local ids = walk.reachable(b.pool.nodes, { id })
  for _, below in ipairs(ids) do
    local node = b.pool.nodes[below]
    if node.kind == "reduce" then t.inner[node.slot] = true end
  end
  for _, below in ipairs(ids) do          -- children first: no deep recursion
    local kind = b.pool.nodes[below].kind
    if kind ~= "place" and kind ~= "slot" then relocate(t, below) end
  end
  return t.done[id]
end

return M
