-- Weighted sums of taps in the one order: centre first, then rings outward;
-- taps of equal weight share a multiply, symmetric pairs are added and
-- antisymmetric ones subtracted first. Offsets are in half points, except in
-- what is described to others.

local linear = require "gen.lower.linear"
local offset_of = require "gen.lower.offset"
local pool_of = require "gen.lower.pool"
local weight_of = require "gen.lower.weight"

local M = {}

-- Sorted, each with the key of its weight up to sign, and found by offset.
local function index(axes, taps)
  local list, at = {}, {}
  for i, tap in ipairs(taps) do
    local key, sign = weight_of.key(tap.weight)
    list[i] = { offset = tap.offset, weight = tap.weight, key = key,
      sign = sign, where = offset_of.key(axes, tap.offset) }
    at[list[i].where] = list[i]
  end
  offset_of.sort(axes, list)
  return list, at
end

-- The other tap of a pair of equal or opposite weights.
local function partner(axes, at, tap)
  local mirror = at[offset_of.key(axes, offset_of.mirror(axes, tap.offset))]
  if mirror and mirror ~= tap and mirror.key == tap.key then return mirror end
end

-- Members of a group: { low, high } pairs, where high = low mirrored, and
-- single taps { only }.
local function member(axes, at, tap)
  local other = partner(axes, at, tap)
  if not other then return { only = tap } end
  tap.taken, other.taken = true, true
  return { low = tap, high = other }
end

-- The weight of the group is that of its first member (of the high tap).
local function lead(first)
  return first.only or first.high
end

-- Groups { weight, sign, members } of a form's taps, in order: pairs before
-- single taps in each.
function M.groups(axes, taps)
  local list, at = index(axes, taps)
  local groups, by_key = {}, {}
  for _, tap in ipairs(list) do
    if not tap.taken then
      local group = by_key[tap.key]
      if not group then
        group = { pairs = {}, singles = {} }
        by_key[tap.key] = group
        groups[#groups + 1] = group
      end
      local m = member(axes, at, tap)
      table.insert(m.only and group.singles or group.pairs, m)
    end
  end
  for _, group in ipairs(groups) do
    group.members = table.move(group.singles, 1, #group.singles,
      #group.pairs + 1, group.pairs)
    local first = lead(group.members[1])
    group.weight, group.sign = first.weight, first.sign
    group.pairs, group.singles = nil, nil
  end
  return groups
end

-- The value of a tap of the form, for the stencil whose centre is at `centre`.
local function tap_node(ctx, form, tap, centre)
  local offset = offset_of.add(ctx.axes, tap.offset, centre)
  if form.read then return ctx.load(form.read, offset) end
  return ctx.expand(form.base, offset)
end

-- A member as a term of its group: { id, sign }, and its taps with signs.
local function member_term(ctx, form, m, group, centre, taps)
  local high = m.only or m.high
  local sign = high.sign == group.sign and 1 or -1
  local id = tap_node(ctx, form, high, centre)
  taps[#taps + 1] = { offset = high.offset, sign = sign }
  if m.only then return { id = id, sign = sign } end
  local low = tap_node(ctx, form, m.low, centre)
  local same = m.low.sign == high.sign
  taps[#taps + 1] = { offset = m.low.offset, sign = same and sign or -sign }
  local first, second = { id = low, sign = 1 }, { id = id, sign = 1 }
  if not same then
    first, second = { id = id, sign = 1 }, { id = low, sign = -1 }
  end
  return { id = pool_of.sum(ctx.pool, { first, second }), sign = sign }
end

-- The ring of an offset along one axis: 1 for a point and for half a point.
local function ring(half) return (math.abs(half) + 1) // 2 end

-- "x1" at (1, 0, 0) or (-1, 0, 0) of a pair, "xm1" of a single tap, "x1y2",
-- "0" at the centre ("x0" of an operator along x alone), "1" for a group over
-- all of ring 1.
local function group_label(axes, group, along)
  local first = group.members[1]
  local offset = lead(first).offset
  if offset_of.is_zero(offset) then return (along or "") .. "0" end
  for _, m in ipairs(group.members) do
    if offset_of.rank(axes, offset_of.add(axes, lead(m).offset,
        offset_of.mirror(axes, offset))) > 1 then
      return tostring(ring(offset_of.ring(axes, offset)))
    end
  end
  local words = {}
  for _, axis in ipairs(axes) do
    local n = offset[axis]
    if n then
      words[#words + 1] = axis .. (n < 0 and "m" or "") .. ring(n)
    end
  end
  return table.concat(words)
end

local function weight_node(ctx, form, group)
  local id = weight_of.to_node(ctx.pool, group.weight)
  local node = ctx.pool.nodes[id]
  if not node.hint and node.kind ~= "scalar" then
    local label = group_label(ctx.axes, group, form.along)
    node.hint = form.applied .. "_" .. label
  end
  return id
end

local function classify(axes, taps)
  local off_axes, used, size = 0, 0, 1
  local reach = offset_of.no_reach(axes)
  for _, tap in ipairs(taps) do
    offset_of.widen(axes, reach, tap.offset)
    if offset_of.rank(axes, tap.offset) > 1 then off_axes = off_axes + 1 end
  end
  for _, axis in ipairs(axes) do
    local width = reach[axis][1] + reach[axis][2]
    if width > 0 then used = used + 1 end
    size = size * (width // 2 + 1)
  end
  if off_axes == 0 then return used > 1 and "star" or "line" end
  return #taps == size and "box" or "list"
end

-- Turns the taps of groups into whole points, and says how far they reach.
local function to_points(ctx, s, groups, place, at)
  for _, group in ipairs(groups) do
    for _, tap in ipairs(group.taps) do
      local there = offset_of.add(ctx.axes, place, tap.offset)
      tap.offset = offset_of.less(ctx.axes,
        offset_of.points(ctx.axes, there, at), s.centre)
      offset_of.widen(ctx.axes, s.reach, tap.offset)
    end
  end
end

-- What the schedule is told of a stencil; groups have their weight nodes.
local function describe(ctx, form, groups, place)
  local field = form.read and ctx.model.fields[form.read.field]
  local at = field and field.at or {}
  local s = { node = form.node, operator = form.applied, along = form.along,
    field = field and field.name, level = form.read and form.read.level or 0,
    taps = #form.taps, groups = groups, kind = classify(ctx.axes, form.taps),
    reach = offset_of.no_reach(ctx.axes),
    centre = offset_of.points(ctx.axes, place, at),
    suffix = ctx.suffix(ctx.model.nodes[form.node], place) }
  to_points(ctx, s, groups, place, at)
  return s
end

-- The node of a form's sum with its centre at an offset.
function M.node(ctx, form, centre)
  local terms, described = {}, {}
  form.groups = form.groups or M.groups(ctx.axes, form.taps)
  for i, group in ipairs(form.groups) do
    local members, taps = {}, {}
    for k, m in ipairs(group.members) do
      members[k] = member_term(ctx, form, m, group, centre, taps)
    end
    local weight = weight_node(ctx, form, group)
    terms[i] = { sign = 1, id = pool_of.product(ctx.pool,
      { weight, pool_of.sum(ctx.pool, members) }) }
    described[i] = { weight = weight, taps = taps }
  end
  local id = pool_of.sum(ctx.pool, terms)
  local node = ctx.pool.nodes[id]
  local plain = node.kind == "load" or node.scalar
  if #form.taps > 1 and not plain and not node.stencil then
    node.stencil = describe(ctx, form, described, centre)
  end
  return id
end

-- The form of an apply, to be summed on its own.
function M.of(ctx, id, centre)
  return M.node(ctx, linear.form(ctx, id), centre)
end

return M
