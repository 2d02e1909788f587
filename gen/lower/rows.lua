-- Neighbours of the point, and loops over the slots of a row, from the model's
-- places and slots to the pool's.

local lists = require "gen.list"
local pool_of = require "gen.lower.pool"

local M = {}

-- The row that a place node is in; nil: the point's own.
local function row_of(ctx, node)
  return M.neighbour(ctx, node.row) or ctx.here
end

-- The loop that a slot node of the model is bound by.
function M.loop(ctx, id)
  local node = ctx.model.nodes[id]
  local over = ctx.model.nodes[node.over]
  return pool_of.loop(ctx.pool, over.table, row_of(ctx, over), node.depth)
end

-- The pool's neighbour for a place node (or for a slot node: the neighbour
-- there); nil for nil.
function M.neighbour(ctx, id)
  local node = id and ctx.model.nodes[id]
  if not node then return nil end
  if node.kind == "slot" then
    local over = ctx.model.nodes[node.over]
    return pool_of.neighbour(ctx.pool, over.table, row_of(ctx, over), nil,
      M.loop(ctx, id))
  end
  return pool_of.neighbour(ctx.pool, node.table, row_of(ctx, node), node.slot,
    node.bound and M.loop(ctx, node.bound))
end

-- Is a row the point's own, or that of a neighbour in its own row?
local function is_near(ctx, row)
  return not row or not ctx.pool.nodes[row].row
end

-- What `at`, a load of a neighbour, is at the neighbour of a neighbour of the
-- point or of one of its neighbours, if a composed table leads there; else nil.
function M.pick(ctx, near, at)
  local second = near and ctx.pool.nodes[near]
  local first = second and second.row and ctx.pool.nodes[second.row]
  local of = first and is_near(ctx, first.row)
    and ctx.compose[first.table .. " " .. second.table]
  if not of then return nil end
  local loop = pool_of.loop(ctx.pool, of, first.row, 0)
  local each = pool_of.neighbour(ctx.pool, of, first.row, nil, loop)
  ctx.composed[("%s %d"):format(first.table, first.row or 0)] = true
  return pool_of.pick(ctx.pool, at(each), of,
    { slot = first.slot, loop = first.loop },
    { slot = second.slot, loop = second.loop })
end

-- The composed tables of a model that have a pattern, by their parts: { ["t1
-- t2"] = name }.
function M.composed(model)
  local map = {}
  for _, name in ipairs(model.order.tables or {}) do
    local of = model.tables[name]
    if of.pattern then map[table.concat(of.through, " ")] = name end
  end
  return map
end

-- The tables of a model, in order of declaration: { name, from, to, count (nil:
-- ragged), skip, first = the number of the first row, affine, contiguous,
-- nonempty, through and pattern of composed ones }. Composed ones without a
-- pattern have no entries: they say how many neighbours a row has, no more.
function M.list(model)
  local list = {}
  for _, name in ipairs(model.order.tables or {}) do
    local of = model.tables[name]
    list[#list + 1] = (of.pattern or not of.through) and { name = name,
      from = of.from, to = of.to, count = of.count,
      ragged = of.ragged or nil, skip = of.through and -1 or of.skip,
      first = of.skip == 0 and 1 or 0, affine = of.affine or nil,
      contiguous = of.contiguous, nonempty = of.nonempty,
      through = of.through, pattern = of.pattern } or nil
  end
  return list
end

-- The points more than the module's extents along the axes of a field; slots
-- have no extent, so all of theirs.
function M.extra(model, field)
  local of = field.table and model.tables[field.table]
  if not of or of.ragged then return field.extra end
  local extra = lists.copy(field.extra)
  extra[field.table] = of.count
  return extra
end

local function collect(entries, neighbours, found)
  for _, near in ipairs(neighbours) do found[near.table] = true end
  for _, entry in ipairs(entries) do
    if entry.loop then
      found[entry.loop.table] = true
      collect(entry.code, entry.neighbours, found)
    end
  end
end

-- The names of the tables that a block reads, in order.
function M.tables(model, block)
  local found, list = {}, {}
  collect(block.code, block.neighbours, found)
  for _, store in ipairs(block.stores) do
    if store.adds then found[store.adds] = true end
  end
  for _, name in ipairs(model.order.tables or {}) do
    list[#list + 1] = found[name] and name or nil
  end
  return list
end

-- The composed tables that a block picks from in the point's own row, and those
-- in rows of neighbours, { table, near = the neighbour: of a slot, or of all
-- slots of a loop }.
function M.regular(block)
  local own, others = {}, {}
  local function search(code, nears)
    for _, entry in ipairs(code) do
      local loop = entry.loop
      if entry.arrays and not loop.row then
        own[#own + 1] = loop.table
      elseif entry.arrays then
        local near = lists.find(nears, "name", loop.row)
        others[#others + 1] = { table = loop.table, near = near }
      end
      if loop then
        search(entry.code, lists.joined(nears, entry.neighbours))
      end
    end
  end
  search(block.code, block.neighbours)
  return own, others
end

-- The names of two lists of tables, in order of declaration.
function M.united(model, a, b)
  local list = {}
  for _, name in ipairs(model.order.tables or {}) do
    local wanted = lists.contains(a, name) or lists.contains(b, name)
    list[#list + 1] = wanted and name or nil
  end
  return list
end

-- One reason for each result.
function M.linear(values)
  local list = {}
  for i in ipairs(values) do list[i] = { reason = "it is on a mesh" } end
  return list
end

return M
