-- Operators: their declarations checked, and their taps along each axis.
--
-- A tap: { shift = { axis = half points }, c = rational, w = id of the scale },
-- or without c where the weight is a node of its own.

local arithmetic = require "gen.model.arithmetic"
local expression                -- requires this module in turn
local number = require "gen.model.number"
local pool_of = require "gen.model.pool"
local rational = require "gen.rational"
local weights = require "gen.weights"

local M = {}

M.MOST_TAPS = 4096

-- ---------------------------------------------------------------------------
-- Declarations

local function key_pos(item, key)
  return item.key_pos[key] or item.pos
end

local function half_offsets(keys)
  local list = {}
  for i, offset in ipairs(keys.offsets) do
    list[i] = math.tointeger(2 * offset)
  end
  return list
end

-- Weights along an axis of the given order: weights.lua's taps.
local function by_order(b, item, order)
  local make = item.keys.staggered and weights.staggered or weights.central
  local taps, sentence = make(item.keys.derivative, order)
  if not taps then
    return b.report(key_pos(item, "order"), "found %s", sentence)
  end
  return taps
end

-- The weights' rationals if all are numbers.
local function all_numbers(b, ids)
  local list = {}
  for i, id in ipairs(ids) do
    list[i] = b.pool.values[id]
    if not list[i] then return nil end
  end
  return list
end

local function given(b, item)
  local keys = item.keys
  local offsets, ids, taps = half_offsets(keys), {}, {}
  for i, text in ipairs(keys.weights) do
    ids[i] = expression.constant(b, text)
    if not ids[i] then return nil end
    taps[i] = { offset = offsets[i], id = ids[i] }
  end
  local values = all_numbers(b, ids)
  if values then
    local good, sentence = weights.check(keys.derivative, offsets, values)
    if not good then
      return b.report(key_pos(item, "weights"), "%s", sentence)
    end
  end
  return taps
end

local function from_offsets(b, item)
  local taps, sentence = weights.from_offsets(item.keys.derivative,
    half_offsets(item.keys))
  if not taps then
    return b.report(key_pos(item, "offsets"), "%s", sentence)
  end
  return taps
end

local function n_dimensional(b, item)
  local axes, taps, seen = b.model.axes, {}, {}
  if #item.keys.taps > M.MOST_TAPS then
    return b.report(key_pos(item, "taps"), "found %d taps, at most %d are "
      .. "possible", #item.keys.taps, M.MOST_TAPS)
  end
  for i, tap in ipairs(item.keys.taps) do
    if #tap.offsets ~= #axes then
      return b.report(key_pos(item, "taps"), "tap %d has %s, wanted one for "
        .. "each of %d axes, then the weight", i,
        number.count(#tap.offsets, "offset"), #axes)
    end
    local shift = {}
    for k, axis in ipairs(axes) do
      shift[axis] = math.tointeger(2 * tap.offsets[k])
    end
    local key = table.concat(tap.offsets, " ")
    if seen[key] then
      return b.report(key_pos(item, "taps"), "taps %d and %d have the same "
        .. "offsets", seen[key], i)
    end
    seen[key] = i
    local w = expression.constant(b, tap.weight)
    if not w then return nil end
    taps[i] = { shift = shift, w = w }
  end
  return taps
end

-- An operator: { name, taps (n-dimensional) or line (weights.lua's taps, of
-- every axis) or by_axis = { axis = such taps }, derivative }.
local function operator(b, item)
  local keys, made = item.keys, { name = item.names[1].name }
  if keys.staggered and keys.offsets then
    b.report(key_pos(item, "staggered"), "'staggered' goes with 'order': "
      .. "'offsets' say themselves where the points are")
  end
  if keys.taps then
    made.taps = n_dimensional(b, item)
    return made.taps and made
  end
  made.derivative = keys.derivative
  if keys.weights then
    made.line = given(b, item)
  elseif keys.offsets then
    made.line = from_offsets(b, item)
  elseif type(keys.order) == "table" then
    made.by_axis = {}
    for _, axis in ipairs(b.axes) do
      if keys.order[axis] then
        made.by_axis[axis] = by_order(b, item, keys.order[axis])
      end
    end
  else
    made.line = by_order(b, item, keys.order)
  end
  return (made.line or made.by_axis) and made
end

function M.build(b)
  expression = require "gen.model.expression"
  b.operators = {}
  for _, item in ipairs(b.decls.items) do
    if item.kind == "operator" then
      b.operators[item.names[1].name] = operator(b, item) or nil
    end
  end
end

-- ---------------------------------------------------------------------------
-- Uses

-- The node of spacing^-n; nil after a report.
local function scale_of(b, axis, n, pos)
  local pool, spacing = b.pool, b.model.spaces[axis].spacing
  if n == 0 then return pool_of.num(pool, pos, rational.ONE) end
  if not spacing then
    return b.report(pos, "'%s' has no spacing, so there is no derivative "
      .. "along it", axis)
  end
  if type(spacing) == "string" then
    return arithmetic.pow(pool, pos, pool_of.scalar(pool, pos, spacing), -n)
  end
  return pool_of.num(pool, pos,
    rational.pow(rational.new(spacing.n, spacing.d), -n))
end

local function named_axes(b, made)
  local list = {}
  for _, axis in ipairs(b.axes) do
    if made.by_axis[axis] then list[#list + 1] = axis end
  end
  return table.concat(list, ", ")
end

local function line_of(b, made, axis, pos)
  if made.line then return made.line end
  if made.by_axis[axis] then return made.by_axis[axis] end
  return b.report(pos, "'%s' has no order along '%s', only along %s",
    made.name, axis, named_axes(b, made))
end

local function scaled_taps(b, line, axis, scale, pos)
  local taps = {}
  for i, tap in ipairs(line) do
    local shift = { [axis] = tap.offset }
    if tap.id and not b.pool.values[tap.id] then
      taps[i] = { shift = shift,
        w = arithmetic.mul(b.pool, pos, { tap.id, scale }) }
    else
      taps[i] = { shift = shift, w = scale,
        c = tap.weight or b.pool.values[tap.id] }
    end
  end
  return taps
end

-- The taps of an operator along an axis; nil after a report.
function M.taps(b, made, axis, pos)
  local line = line_of(b, made, axis, pos)
  local scale = line and scale_of(b, axis, made.derivative, pos)
  return scale and scaled_taps(b, line, axis, scale, pos)
end

return M
