-- Expressions elsewhere: under a shift, under an operator, over the slots of a
-- row. A shift along an axis that its argument does not vary along is none.

local arithmetic = require "gen.model.arithmetic"
local pool_of = require "gen.model.pool"
local rational = require "gen.rational"

local M = {}

-- arg evaluated `by` away: { axis = half points }.
function M.shift(pool, pos, by, arg)
  local node = pool.nodes[arg]
  by = pool_of.restricted(pool, by, node.free)
  if next(by) == nil then return arg end
  if node.kind == "shift" then
    by = pool_of.sum_of_shifts(pool, by, node.by)
    arg, node = node.arg, pool.nodes[node.arg]
    if next(by) == nil then return arg end
  elseif node.kind == "read" then
    return pool_of.read(pool, pos, { field = node.field, level = node.level,
      shift = pool_of.sum_of_shifts(pool, by, node.shift), place = node.place,
      free = node.free, spaces = node.free })
  end
  local key = ("shift %s %d"):format(pool_of.shift_key(pool, by), arg)
  return pool_of.intern(pool, key, pos, { kind = "shift", by = by,
    arg = arg, type = node.type, free = node.free, slots = node.slots })
end

-- Taps that fall together, because the argument does not vary along an axis,
-- are one; those of weight 0 are none. taps: { shift, c = rational or nil,
-- w = id of a weight without c, or of the scale of one with it }.
local function joined(pool, pos, taps, free)
  local list, at = {}, {}
  for _, tap in ipairs(taps) do
    local shift = pool_of.restricted(pool, tap.shift, free)
    local key = pool_of.shift_key(pool, shift)
    local known = list[at[key]]
    if not known then
      at[key] = #list + 1
      list[#list + 1] = { shift = shift, c = tap.c, w = tap.w }
    elseif known.c then
      known.c = rational.add(known.c, tap.c)
    else
      known.w = arithmetic.add(pool, pos, { known.w, tap.w })
    end
  end
  return list
end

local function weighted(pool, pos, taps)
  local list = {}
  for _, tap in ipairs(taps) do
    local w = tap.w
    if tap.c then
      w = arithmetic.mul(pool, pos, { pool_of.num(pool, pos, tap.c), w })
    end
    if not arithmetic.is_zero(pool, w) then
      list[#list + 1] = { shift = tap.shift, w = w }
    end
  end
  return list
end

local function taps_key(pool, taps)
  local words = {}
  for i, tap in ipairs(taps) do
    words[i] = pool_of.shift_key(pool, tap.shift) .. ":" .. tap.w
  end
  return table.concat(words, ";")
end

-- operator: { name, taps }; axis: nil for taps along several axes.
function M.apply(pool, pos, operator, axis, taps, arg)
  local node = pool.nodes[arg]
  taps = weighted(pool, pos, joined(pool, pos, taps, node.free))
  if #taps == 0 then return pool_of.num(pool, pos, rational.ZERO) end
  if #taps == 1 and next(taps[1].shift) == nil then
    return arithmetic.mul(pool, pos, { taps[1].w, arg })
  end
  local key = ("apply %s %s %s %d"):format(operator, axis or "",
    taps_key(pool, taps), arg)
  return pool_of.intern(pool, key, pos, { kind = "apply", name = operator,
    axis = axis, taps = taps, arg = arg, type = "real", free = node.free,
    slots = node.slots })
end

local function without(pool, set, id)
  local rest = {}
  for _, member in ipairs(set or {}) do
    if member ~= id then rest[#rest + 1] = member end
  end
  return #rest > 0 and pool_of.set(pool, rest) or nil
end

-- fn of body over the slots (`slot`, a slot node) of a row.
function M.reduce(pool, pos, fn, slot, body)
  if body == pool_of.BAD or slot == pool_of.BAD then return pool_of.BAD end
  local over = pool.nodes[slot].over
  local free, slots = pool_of.dependence(pool, { over, body })
  return pool_of.intern(pool, ("reduce %s %d %d"):format(fn, slot, body), pos,
    { kind = "reduce", fn = fn, over = over, slot = slot, body = body,
      type = "real", free = free, slots = without(pool, slots, slot) })
end

return M
