-- What an expression of the model is a weighted sum of: applies convolve,
-- shifts move, sums on one argument merge, down to a base that is none of
-- these.
--
-- A form: { base = model node, or "field level" for a read wherever it is,
-- read = that read's node or nil, taps = { { offset, weight }.. } (in half
-- points, in no order that matters), and if an operator is in it: applied = its
-- name (of the first), node = its apply, along = the axes of nested ones, "xy",
-- for names }.

local offset_of = require "gen.lower.offset"
local pool_of = require "gen.lower.pool"
local weight_of = require "gen.lower.weight"

local M = {}

-- The sum of taps on equal offsets; weights that cancel vanish.
local function gather(axes, taps)
  local at, list = {}, {}
  for _, tap in ipairs(taps) do
    local key = offset_of.key(axes, tap.offset)
    local known = at[key]
    if known then
      known.weight = weight_of.add(known.weight, tap.weight)
    else
      at[key] = { offset = tap.offset, weight = tap.weight }
      list[#list + 1] = at[key]
    end
  end
  local kept = {}
  for _, tap in ipairs(list) do
    if #tap.weight > 0 then kept[#kept + 1] = tap end
  end
  return kept
end

-- The offsets in each differ, and no weight is 0.
local function convolve(axes, outer, inner)
  local only = #inner == 1 and inner[1]
  if only and only.weight == weight_of.ONE and offset_of.is_zero(only.offset)
  then
    return outer
  end
  local taps = {}
  for _, o in ipairs(outer) do
    for _, i in ipairs(inner) do
      taps[#taps + 1] = { offset = offset_of.add(axes, o.offset, i.offset),
        weight = weight_of.mul(o.weight, i.weight) }
    end
  end
  return gather(axes, taps)
end

local function itself(id)
  return { base = id, taps = { { offset = {}, weight = weight_of.ONE } } }
end

local function scalar_weight(ctx, id)
  return weight_of.from_node(ctx.pool, ctx.expand(id, {}))
end

local rules = {}

local function form(ctx, id)
  local known = ctx.forms[id]
  if known then return known end
  local rule = rules[ctx.model.nodes[id].kind]
  known = rule and rule(ctx, id, ctx.model.nodes[id]) or itself(id)
  ctx.forms[id] = known
  return known
end
M.form = form

-- "xy" for an operator along y of one along x; nil where one has no axis.
local function along(inner, node)
  if not inner.applied then return node.axis end
  return inner.along and node.axis and inner.along .. node.axis
end

function rules.apply(ctx, id, node)
  local taps = {}
  for _, tap in ipairs(node.taps) do
    local weight = scalar_weight(ctx, tap.w)
    if #weight > 0 then
      taps[#taps + 1] = { weight = weight,
        offset = offset_of.along(ctx.axes, tap.shift) }
    end
  end
  local read = ctx.model.nodes[node.arg].kind == "read"
  local inner = (read or not ctx.as_written) and form(ctx, node.arg)
    or itself(node.arg)
  return { base = inner.base, read = inner.read, applied = node.name,
    node = id, along = along(inner, node),
    taps = convolve(ctx.axes, taps, inner.taps) }
end

-- The form with other taps.
local function with_taps(f, taps)
  return { base = f.base, read = f.read, applied = f.applied, node = f.node,
    along = f.along, taps = taps }
end

function rules.shift(ctx, id, node)
  if ctx.as_written then return itself(id) end
  local inner = form(ctx, node.arg)
  local move = { { offset = node.by, weight = weight_of.ONE } }
  return with_taps(inner, convolve(ctx.axes, move, inner.taps))
end

-- So d(u[x+1], x) and d(u, x) have one base.
function rules.read(_, _, node)
  return { base = node.field .. " " .. (node.level or 0), read = node,
    taps = { { weight = weight_of.ONE, offset = node.shift or {} } } }
end

-- Scalars times one other factor.
function rules.mul(ctx, _, node)
  if ctx.as_written then return nil end
  local factors, other = {}, nil
  for _, arg in ipairs(node.args) do
    if ctx.is_scalar(arg) then
      factors[#factors + 1] = ctx.expand(arg, {})
    elseif other then return nil
    else other = arg end
  end
  if not other then return nil end
  local inner = form(ctx, other)
  if not inner.applied then return nil end
  local scale = weight_of.from_node(ctx.pool,
    pool_of.product(ctx.pool, factors))
  scale = { { offset = {}, weight = scale } }
  return with_taps(inner, convolve(ctx.axes, scale, inner.taps))
end

-- The forms of several terms on one base as one.
function M.merge(ctx, forms)
  local taps = {}
  for _, f in ipairs(forms) do
    table.move(f.taps, 1, #f.taps, #taps + 1, taps)
  end
  local merged = with_taps(forms[1], gather(ctx.axes, taps))
  merged.along = nil
  return merged
end

-- Applies on one base, all of them.
function rules.add(ctx, _, node)
  if ctx.as_written then return nil end
  local forms = {}
  for i, arg in ipairs(node.args) do
    local f = form(ctx, arg)
    if not f.applied or i > 1 and f.base ~= forms[1].base then return nil end
    forms[i] = f
  end
  return M.merge(ctx, forms)
end

return M
