-- What an expression reads, and how far away: for every read below a node the
-- hull of the shifts it happens under.
--
-- An entry: { id = the read (or place) node, lo, hi = { half points per axis,
-- in the order of pool.axes, the read's own shift included }, odd = the axes
-- with odd shifts, as bits }. Entries of one read that differ in `odd` are
-- apart.

local walk = require "gen.model.walk"

local M = {}

-- A shift as a list over pool.axes.
local function as_list(pool, shift)
  local list = {}
  for i, axis in ipairs(pool.axes) do list[i] = shift[axis] or 0 end
  return list
end

-- Which axes have an odd shift, as bits.
local function parity(list)
  local bits = 0
  for i, n in ipairs(list) do bits = bits | (n & 1) << (i - 1) end
  return bits
end

local function widen(entry, lo, hi)
  for i = 1, #lo do
    if lo[i] < entry.lo[i] then entry.lo[i] = lo[i] end
    if hi[i] > entry.hi[i] then entry.hi[i] = hi[i] end
  end
end

local function copied(list)
  return table.move(list, 1, #list, 1, {})
end

-- Adds an entry to the one of the same read and parity, if there is one.
-- Entries are never changed: other nodes share them.
local function collect(list, at, entry)
  local key = entry.id << 16 | entry.odd
  local known = at[key]
  if not known then
    list[#list + 1], at[key] = entry, #list + 1
  elseif list[known] ~= entry then
    local wider = { id = entry.id, odd = entry.odd, lo = copied(list[known].lo),
                    hi = copied(list[known].hi) }
    widen(wider, entry.lo, entry.hi)
    list[known] = wider
  end
end

-- The hulls of an operator's taps, apart where they differ by half points.
local function hulls_of(pool, taps)
  local list, at = {}, {}
  for _, tap in ipairs(taps) do
    local shift = as_list(pool, tap.shift)
    collect(list, at, { id = 0, odd = parity(shift), lo = shift, hi = shift })
  end
  return list
end

local function plus(a, b)
  local sum = {}
  for i = 1, #a do sum[i] = a[i] + b[i] end
  return sum
end

local function under(entries, hulls)
  local list, at = {}, {}
  for _, entry in ipairs(entries) do
    for _, hull in ipairs(hulls) do
      collect(list, at, { id = entry.id, odd = entry.odd ~ hull.odd,
        lo = plus(entry.lo, hull.lo), hi = plus(entry.hi, hull.hi) })
    end
  end
  return list
end

local of

local function leaf(pool, id, shift)
  local list = as_list(pool, shift)
  return { { id = id, odd = parity(list), lo = list, hi = list } }
end

local function merged(b, ids)
  if #ids == 1 then return of(b, ids[1]) end
  local list, at = {}, {}
  for _, id in ipairs(ids) do
    for _, entry in ipairs(of(b, id)) do
      collect(list, at, entry)
    end
  end
  return list
end

local function find(b, id)
  local pool = b.pool
  local node = pool.nodes[id]
  if node.kind == "read" then return leaf(pool, id, node.shift) end
  if node.kind == "place" then return leaf(pool, id, {}) end
  if node.kind == "shift" then
    return under(of(b, node.arg), hulls_of(pool, { { shift = node.by } }))
  elseif node.kind == "apply" then
    return under(of(b, node.arg), hulls_of(pool, node.taps))
  end
  return merged(b, walk.children(node))
end

-- The entries of a node, found once.
function of(b, id)
  local known = b.entries[id]
  if not known then
    known = find(b, id)
    b.entries[id] = known
  end
  return known
end
M.of = of

-- ---------------------------------------------------------------------------
-- Every single offset, where hulls do not tell enough.

local function add_each(list, at, offsets, shift)
  for _, offset in ipairs(offsets) do
    local sum = plus(offset, shift)
    local key = table.concat(sum, " ")
    if not at[key] then
      at[key] = true
      list[#list + 1] = sum
    end
  end
end

-- The distinct shifts (lists over pool.axes) under which `id` is read by the
-- node `from`, those of its children known.
local function each(b, from, id, known)
  local pool, node, list, at = b.pool, b.pool.nodes[from], {}, {}
  if from == id then
    list = { as_list(pool, node.shift or {}) }
  elseif node.kind == "apply" or node.kind == "shift" then
    for _, tap in ipairs(node.taps or { { shift = node.by } }) do
      add_each(list, at, known[node.arg],
        as_list(pool, tap.shift))
    end
  elseif node.kind ~= "read" then
    local none = as_list(pool, {})
    for _, child in ipairs(walk.children(node)) do
      add_each(list, at, known[child], none)
    end
  end
  return list
end

-- The distinct shifts, lists over pool.axes, under which `id` is read by the
-- expression `root`.
function M.each(b, root, id)
  local known = {}
  for _, from in ipairs(walk.reachable(b.pool.nodes, { root })) do
    known[from] = each(b, from, id, known)
  end
  return known[root]
end

return M
