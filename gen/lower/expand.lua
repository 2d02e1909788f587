-- From the model's expressions to the pool's: shifts move down to the reads,
-- applies become sums in the one order, sums of applies merge. Memoised by
-- node and place (in half points from index 0 of the point, in which all
-- offsets are here), so shared expressions stay shared.

local linear = require "gen.lower.linear"
local offset_of = require "gen.lower.offset"
local pool_of = require "gen.lower.pool"
local rational = require "gen.rational"
local rows = require "gen.lower.rows"
local stencil = require "gen.lower.stencil"

local M = {}

local rules = {}

function rules.num(ctx, node)
  return pool_of.number(ctx.pool, rational.new(node.n, node.d))
end

function rules.scalar(ctx, node)
  return pool_of.scalar(ctx.pool, node.name)
end

-- What a stage of a chain assigns is computed where it is read, and rounded as
-- if it were stored.
local function inlined(ctx, made, place, near)
  local outer = ctx.here
  ctx.here = near
  local id = ctx.expand(made.value, place)
  ctx.here = outer
  return made.type == ctx.compute and id
    or pool_of.stored(ctx.pool, made.type, id)
end

function rules.read(ctx, node, offset)
  local place = offset_of.add(ctx.axes, node.shift or {}, offset)
  local made = ctx.inline[node.field]
  local near = rows.neighbour(ctx, node.place)
    or ctx.model.fields[node.field].domain and ctx.here or nil
  if made then return inlined(ctx, made, place, near) end
  return ctx.load(node, place, near)
end

function rules.reduce(ctx, node, offset)
  return pool_of.reduce(ctx.pool, node.fn, rows.loop(ctx, node.slot),
    ctx.expand(node.body, offset))
end

function rules.shift(ctx, node, offset)
  return ctx.expand(node.arg, offset_of.add(ctx.axes, node.by, offset))
end

function rules.apply(ctx, _, offset, id)
  return stencil.of(ctx, id, offset)
end

-- True if nobody but this sum computes the applies in a term.
local function private(ctx, id)
  local node = ctx.model.nodes[id]
  if ctx.uses[id] > 1 then return false end
  if node.kind == "apply" then return true end
  for _, arg in ipairs(node.args or { node.arg }) do
    if not ctx.is_scalar(arg) and not private(ctx, arg) then return false end
  end
  return true
end

-- For each term of a sum the forms to merge at its place, {} for a term that
-- went into an earlier one, nil for one that stands as it is.
local function merge_plan(ctx, node)
  local plan, place = {}, {}
  if ctx.as_written then return plan end
  for i, arg in ipairs(node.args) do
    local form = linear.form(ctx, arg)
    if form.applied and private(ctx, arg) then
      local first = place[form.base]
      if first then
        plan[first] = plan[first] or { linear.form(ctx, node.args[first]) }
        table.insert(plan[first], form)
        plan[i] = {}
      else
        place[form.base] = i
      end
    end
  end
  for i = 1, #node.args do
    local forms = plan[i]
    if forms and #forms > 0 then plan[i] = linear.merge(ctx, forms) end
  end
  return plan
end

function rules.add(ctx, node, offset, id)
  local plan = ctx.plans[id] or merge_plan(ctx, node)
  ctx.plans[id] = plan
  local terms = {}
  for i, arg in ipairs(node.args) do
    local merged = plan[i]
    if not merged then
      terms[#terms + 1] = { id = ctx.expand(arg, offset), sign = 1 }
    elseif merged.taps then
      terms[#terms + 1] = { id = stencil.node(ctx, merged, offset), sign = 1 }
    end
  end
  return pool_of.sum(ctx.pool, terms)
end

local function expand_all(ctx, ids, offset)
  local expanded = {}
  for i, id in ipairs(ids) do expanded[i] = ctx.expand(id, offset) end
  return expanded
end

function rules.mul(ctx, node, offset)
  return pool_of.product(ctx.pool, expand_all(ctx, node.args, offset))
end

function rules.div(ctx, node, offset)
  local args = expand_all(ctx, node.args, offset)
  return pool_of.quotient(ctx.pool, args[1], args[2])
end

function rules.pow(ctx, node, offset)
  local base = ctx.expand(node.args[1], offset)
  return pool_of.power(ctx.pool, base, node.exponent)
end

local function other(ctx, node, offset)
  return pool_of.other(ctx.pool, node.kind, node.fn or node.op,
    expand_all(ctx, node.args, offset))
end
for _, kind in ipairs { "call", "select", "compare", "and", "or", "not" } do
  rules[kind] = other
end

-- Two places, which are no values.
function rules.same(ctx, node)
  return pool_of.same(ctx.pool, rows.neighbour(ctx, node.args[1]),
    rows.neighbour(ctx, node.args[2]))
end

-- Keeps the name that the spec gave, on what is worth a name.
local function keep_hint(ctx, node, id, offset)
  local made = ctx.pool.nodes[id]
  if not node.hint or made.hint then return end
  if made.kind == "load" or made.kind == "num" or made.kind == "scalar" then
    return
  end
  made.hint = node.hint .. ctx.suffix(node, offset)
end

-- Moves along axes that an expression does not depend on change nothing.
local function relevant(ctx, node, offset)
  return node.free and offset_of.along(node.free, offset)
    or offset_of.along(ctx.axes, offset)
end

-- Does an expression change with the point of a mesh?
local function on_mesh(ctx, node)
  if node.slots then return true end
  for _, space in ipairs(node.free or {}) do
    if ctx.model.spaces[space].kind == "domain" then return true end
  end
  return false
end

local function expand(ctx, id, offset)
  local node = ctx.model.nodes[id]
  offset = relevant(ctx, node, offset)
  local key = id .. " " .. offset_of.key(ctx.axes, offset)
  if ctx.here and on_mesh(ctx, node) then key = key .. " @" .. ctx.here end
  local known = ctx.memo[key]
  if known then return known end
  local rule = rules[node.kind]
  if not rule then error("no lowering of node kind " .. node.kind) end
  local made = rule(ctx, node, offset, id)
  ctx.memo[key] = made
  keep_hint(ctx, node, made, offset)
  return made
end

-- True if no read is below a node.
local function is_scalar(ctx, id)
  local known = ctx.scalars[id]
  if known ~= nil then return known end
  local node = ctx.model.nodes[id]
  known = node.kind ~= "read" and node.kind ~= "reduce"
    and node.kind ~= "place"
  for _, child in ipairs(node.args or { node.arg }) do
    known = known and is_scalar(ctx, child)
  end
  ctx.scalars[id] = known
  return known
end

-- near: the neighbour that is read, nil for the point itself.
local function load(ctx, read, place, near)
  local field = ctx.model.fields[read.field]
  for _, axis in ipairs(field.axes) do
    assert(((place[axis] or 0) - field.at[axis]) % 2 == 0, "no point there")
  end
  local offset = offset_of.points(field.axes, place, field.at)
  local function at(neighbour)
    return pool_of.load(ctx.pool, read.field, read.level or 0, offset,
      offset_of.key(ctx.axes, offset), neighbour)
  end
  return not field.table and rows.pick(ctx, near, at) or at(near)
end

local function children(node)
  local ids = {}
  for _, id in ipairs(node.args or {}) do ids[#ids + 1] = id end
  ids[#ids + 1] = node.arg
  ids[#ids + 1] = node.body
  return ids
end

-- How many places of the block's model an expression stands at.
local function count_uses(nodes, roots)
  local uses, list = {}, {}
  for i, root in ipairs(roots) do list[i] = root.value end
  while #list > 0 do
    local id = table.remove(list)
    uses[id] = (uses[id] or 0) + 1
    if uses[id] == 1 then
      local below = children(nodes[id])
      table.move(below, 1, #below, #list + 1, list)
    end
  end
  return uses
end

-- How far a node's place is from where it would be at the target, as text.
local function suffix(ctx, node, place)
  local home = relevant(ctx, node, ctx.home)
  return offset_of.half_suffix(ctx.axes, offset_of.less(ctx.axes, place, home))
end

-- A context: the pool, and what `roots`, { value = model node, place }, become
-- in it, in order; axes: all that shifts can name; kernel: that of the model.
-- ctx.here: the neighbour that takes the place of the point, nil for itself.
-- compose: { ["t1 t2"] = the composed table to read through, if any }.
function M.block(model, axes, roots, as_written, kernel, compose)
  local ctx = { model = model, axes = axes, as_written = as_written,
    compose = compose or {}, composed = {}, inline = kernel.inline or {},
    compute = kernel.compute or model.compute,
    pool = pool_of.new(as_written), memo = {}, forms = {}, plans = {},
    scalars = {}, values = {} }
  ctx.uses = count_uses(model.nodes, roots)
  ctx.expand = function(id, offset) return expand(ctx, id, offset) end
  ctx.is_scalar = function(id) return is_scalar(ctx, id) end
  ctx.load = function(read, place, near)
    return load(ctx, read, place, near)
  end
  ctx.suffix = function(node, place) return suffix(ctx, node, place) end
  for i, root in ipairs(roots) do
    ctx.home = root.place
    ctx.values[i] = ctx.expand(root.value, root.place)
  end
  return ctx
end

return M
