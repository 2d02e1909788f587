-- The pool of expressions: equal expression, equal id.
--
-- Every constructor takes the pool and the position of the writing and
-- returns an id. BAD stands for an expression whose fault is reported: what
-- is made of it is BAD too. A node's children have smaller ids.

local rational = require "gen.rational"

local M = {}

M.BAD = 0
M.LIMIT = 200000                -- nodes of one spec
M.LONGEST = 4096                -- digits of a folded number

local NONE = {}                 -- the empty set of free names

-- axes: all names that a shift can have, in order. report(pos, text, ..).
function M.new(axes, report)
  return {
    nodes = { [M.BAD] = { kind = "bad", free = NONE } }, count = 0, ids = {},
    values = {},                -- id -> rational, of `num` nodes
    written = {},               -- id -> position, for the current statement
    unions = {}, sets = {}, axes = axes, report = report }
end

local function full(pool, pos)
  if not pool.is_full then
    pool.is_full = true
    pool.report(pos, "the formulas have more than %d different expressions, "
      .. "the most that a spec can have", M.LIMIT)
  end
  return M.BAD
end

function M.intern(pool, key, pos, node)
  local id = pool.ids[key]
  if not id then
    if pool.count >= M.LIMIT then return full(pool, pos) end
    id = pool.count + 1
    node.pos = pos
    pool.nodes[id], pool.ids[key], pool.count = node, id, id
  end
  pool.written[id] = pool.written[id] or pos
  return id
end

-- ---------------------------------------------------------------------------
-- Sets of names or ids: sorted lists, one table for equal sets.

function M.set(pool, list)
  table.sort(list)
  local key = table.concat(list, " ")
  if key == "" then return NONE end
  pool.sets[key] = pool.sets[key] or list
  return pool.sets[key]
end

local function merged(pool, a, b)
  local list, seen = {}, {}
  for _, part in ipairs { a, b } do
    for _, name in ipairs(part) do
      if not seen[name] then list[#list + 1] = name end
      seen[name] = true
    end
  end
  return M.set(pool, list)
end

function M.union(pool, a, b)
  if a == b or b == NONE then return a end
  if a == NONE then return b end
  local row = pool.unions[a]
  if not row then
    row = {}
    pool.unions[a] = row
  end
  row[b] = row[b] or merged(pool, a, b)
  return row[b]
end

function M.contains(set, name)
  for _, member in ipairs(set) do
    if member == name then return true end
  end
  return false
end

-- What the ids' nodes depend on: spaces, and the slots bound outside them.
function M.dependence(pool, ids)
  local free, slots = NONE, NONE
  for _, id in ipairs(ids) do
    local node = pool.nodes[id]
    free = M.union(pool, free, node.free)
    slots = M.union(pool, slots, node.slots or NONE)
  end
  return free, slots ~= NONE and slots or nil
end

function M.any_bad(ids)
  for _, id in ipairs(ids) do
    if id == M.BAD then return true end
  end
  return false
end

-- ---------------------------------------------------------------------------
-- Leaves

function M.digits(value)
  local n, d = rational.to_text(value)
  return math.max(#n, #d)
end

function M.num(pool, pos, value)
  if M.digits(value) > M.LONGEST then
    pool.report(pos, "found a number of %d digits, wanted at most %d",
      M.digits(value), M.LONGEST)
    return M.BAD
  end
  local n, d = rational.to_text(value)
  local id = M.intern(pool, "num " .. n .. "/" .. d, pos,
    { kind = "num", n = n, d = d, type = "real", free = NONE })
  pool.values[id] = value
  return id
end

function M.scalar(pool, pos, name)
  return M.intern(pool, "scalar " .. name, pos,
    { kind = "scalar", name = name, type = "real", free = NONE })
end

-- One text for equal shifts.
function M.shift_key(pool, shift)
  local words = {}
  for _, axis in ipairs(pool.axes) do
    if shift[axis] then words[#words + 1] = axis .. "=" .. shift[axis] end
  end
  return table.concat(words, ",")
end

-- The part of a shift along the axes of `free`, without zeros.
function M.restricted(pool, shift, free)
  local part = {}
  for _, axis in ipairs(pool.axes) do
    local n = shift[axis] or 0
    if n ~= 0 and M.contains(free, axis) then part[axis] = n end
  end
  return part
end

function M.sum_of_shifts(pool, a, b)
  local sum = {}
  for _, axis in ipairs(pool.axes) do
    local n = (a[axis] or 0) + (b[axis] or 0)
    if n ~= 0 then sum[axis] = n end
  end
  return sum
end

-- spaces: names that the field varies along besides its domain and slots;
-- free: those and the domain of a read without place. place: an id, or nil.
function M.read(pool, pos, read)
  local free, slots = read.free, nil
  if read.place then
    local at = pool.nodes[read.place]
    free, slots = M.union(pool, read.spaces, at.free), at.slots
  end
  local key = ("read %s %d %s %d"):format(read.field, read.level,
    M.shift_key(pool, read.shift), read.place or 0)
  return M.intern(pool, key, pos, { kind = "read", field = read.field,
    level = read.level, shift = read.shift, place = read.place,
    type = "real", free = free, slots = slots })
end

-- The slots of one row: what a reduction binds. `depth` tells it from the
-- reductions over the same row that it stands in.
function M.slot(pool, pos, over, depth)
  local row = pool.nodes[over]
  if over == M.BAD then return M.BAD end
  local id = M.intern(pool, ("slot %d %d"):format(over, depth), pos,
    { kind = "slot", over = over, depth = depth, free = row.free })
  pool.nodes[id].slots = pool.nodes[id].slots
    or M.union(pool, row.slots or NONE, M.set(pool, { id }))
  return id
end

-- place: { table or list, from (a table's), row = id, slot = whole or
-- bound = id of a slot node }; neither: the row itself.
function M.place(pool, pos, place)
  local free, slots = NONE, nil
  if place.row then
    free, slots = pool.nodes[place.row].free, pool.nodes[place.row].slots
  elseif place.table then
    free = M.set(pool, { place.from })
  end
  if place.bound then
    local bound = pool.nodes[place.bound]
    free = M.union(pool, free, bound.free)
    slots = M.union(pool, slots or NONE, bound.slots)
  end
  local key = ("place %s %s %d %d %d"):format(place.table or "",
    place.list or "", place.row or 0, place.slot or -1, place.bound or 0)
  return M.intern(pool, key, pos, { kind = "place", table = place.table,
    list = place.list, row = place.row, slot = place.slot,
    bound = place.bound, free = free, slots = slots })
end

-- kind with operands; word: what it is further known by (fn, op, exponent).
function M.operation(pool, pos, kind, type, word, ids)
  if M.any_bad(ids) then return M.BAD end
  local free, slots = M.dependence(pool, ids)
  local node = { kind = kind, args = ids, type = type, free = free,
                 slots = slots }
  if kind == "call" then node.fn = word end
  if kind == "compare" then node.op = word end
  if kind == "pow" then node.exponent = word end
  local key = kind .. " " .. (word or "") .. " " .. table.concat(ids, " ")
  return M.intern(pool, key, pos, node)
end

return M
