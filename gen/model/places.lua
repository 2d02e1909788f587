-- What stands in brackets and behind `in`: shifts, places, and the rows that
-- reductions run over.

local pool_of = require "gen.model.pool"
local rational = require "gen.rational"
local number = require "gen.model.number"
local relocate = require "gen.model.relocate"
local scope_of = require "gen.model.scope"
local tables = require "gen.model.tables"

local M = {}

local PLACES = { "table", "list" }

-- `e2c2v(e, 0)`, parsed as a call where it is an argument, as a place; nil if
-- the tree cannot be one.
function M.from_call(tree)
  if tree.kind == "name" and not tree.level then
    return { kind = "place", name = tree.name, pos = tree.pos }
  elseif tree.kind == "number" and tree.d == "1" then
    return { kind = "whole", n = math.tointeger(tree.n), pos = tree.pos }
  elseif tree.kind ~= "call" then
    return nil
  end
  local place = { kind = "place", name = tree.name, pos = tree.pos, args = {} }
  for i, arg in ipairs(tree.args) do
    place.args[i] = M.from_call(arg)
    if not place.args[i] then return nil end
  end
  return place
end

-- A number known at generation that an entity stands for, or nil.
local function value_of(x, entity)
  if entity.kind == "param" and type(entity.value) == "number" then
    return number.exact(entity.value)
  end
  return entity.kind == "argument" and entity.id
    and x.pool.values[entity.id] or nil
end

-- ---------------------------------------------------------------------------
-- Shifts

local function distance(x, scope, shift)
  if shift.n then return shift.sign * shift.n * 2 // shift.d end
  local entity = scope_of.known(x, scope, shift.param, shift.pos,
    "a whole number or a param", { "param" })
  if not entity then return nil end
  local value = value_of(x, entity)
  local half = value and rational.to_integer(rational.mul(value,
    rational.new(2)))
  if not half then
    return x.b.report(shift.pos, "'%s' is %s, wanted a number of points that "
      .. "is known at generation", shift.param, scope_of.word(entity))
  end
  return shift.sign * half
end

local function add_shift(x, scope, shift, by)
  local axis = scope_of.axis(x, scope, shift.name, shift.pos)
  local n = distance(x, scope, shift)
  if not axis or not n then return false end
  if by[axis] then
    x.b.report(shift.pos, "'%s' stands twice in one pair of brackets", axis)
    return false
  end
  by[axis] = n
  return true
end

-- ---------------------------------------------------------------------------
-- Places

local element

local function check_number(x, name, n, pos)
  local of = x.b.model.tables[name]
  if not of then return false end
  if tables.can_skip(of) then
    x.b.report(pos, "slot %d of '%s' can be missing: only a reduction passes "
      .. "over missing neighbours", n, name)
  elseif n >= of.count then
    x.b.report(pos, "'%s' has the slots 0 to %d, not %d", name, of.count - 1, n)
  else
    return true
  end
  return false
end

-- The slot that a bound name is at serves a table with the same rows.
local function check_bound(x, name, bound, pos)
  local over = x.pool.nodes[bound.over]
  local of, its = x.b.model.tables[name], x.b.model.tables[over.table]
  if of and its and of.from == its.from and of.count and its.count
     and its.count <= of.count and not tables.can_skip(of) then
    return true
  end
  if of and its and its.to == of.from then
    x.b.report(pos, "the row is known, but not its slot: wanted '%s(.., 0)' or "
      .. "a reduction over it", name)
  else
    x.b.report(pos, "a slot of '%s' is none of '%s'",
      over.table or over.list, name)
  end
  return false
end

-- { slot = n } or { bound = id } of a tree in the place of a slot.
local function slot_of(x, scope, name, tree)
  local n = tree.kind == "whole" and tree.n
  if not n then
    local entity = not tree.args and scope_of.known(x, scope, tree.name,
      tree.pos, "a slot: a whole number or a bound name", {})
    if not entity then return nil end
    if entity.kind == "bound" then
      return check_bound(x, name, entity, tree.pos)
        and { bound = entity.slot } or nil
    end
    local value = value_of(x, entity)
    n = value and rational.to_integer(value)
    if not n or n < 0 then
      return x.b.report(tree.pos, "'%s' is %s, wanted a slot: a whole number "
        .. "or a bound name", tree.name, scope_of.word(entity))
    end
  end
  return check_number(x, name, n, tree.pos) and { slot = n } or nil
end

-- The row that a place names, for a table that must start there.
local function row_of(x, scope, name, tree)
  if tree.kind == "whole" then
    return x.b.report(tree.pos, "found %d, wanted a row of '%s': a bound name "
      .. "or a place", tree.n, name)
  end
  local row = element(x, scope, tree)
  local of = x.b.model.tables[name]
  if not row or not of then return nil end
  local to = relocate.target(x.b, x.pool.nodes[row])
  if to == of.from then return row end
  return x.b.report(tree.pos, "'%s' starts at %s, but this place is on %s",
    name, of.from, to)
end

local function table_element(x, scope, tree, name)
  local args = tree.args
  if not args then
    return x.b.report(tree.pos, "'%s' is a neighbour table, wanted one of its "
      .. "slots, '%s(0)', or a name bound by a reduction", name, name)
  end
  local row = args[2] and row_of(x, scope, name, args[1])
  if args[2] and not row then return nil end
  local slot = slot_of(x, scope, name, args[2] or args[1])
  if not slot or not x.b.model.tables[name] then return nil end
  return pool_of.place(x.pool, tree.pos, { table = name, row = row,
    from = x.b.model.tables[name].from, slot = slot.slot, bound = slot.bound })
end

-- The place node that a tree in brackets names; nil after a report.
function element(x, scope, tree)
  local entity = scope_of.known(x, scope, tree.name, tree.pos, "a place",
    PLACES)
  if not entity then return nil end
  if entity.kind == "bound" and not tree.args then return entity.place end
  if entity.kind == "table" then
    return table_element(x, scope, tree, entity.name)
  elseif entity.kind == "argument" and entity.place_tree and not tree.args then
    return element(x, entity.scope, entity.place_tree)
  elseif entity.kind == "list" then
    return x.b.report(tree.pos, "'%s' is a list: its points have no numbers, "
      .. "wanted a name bound by a reduction", entity.name)
  end
  return x.b.report(tree.pos, "'%s' is %s, wanted an axis or a place",
    tree.name, scope_of.word(entity))
end
M.element = element

-- { shift }, place (id or nil) of the brackets of an index; nil after a report.
function M.brackets(x, scope, shifts)
  local by, place, good = {}, nil, true
  for _, shift in ipairs(shifts) do
    local entity = not shift.args and scope_of.find(x, scope, shift.name)
    local is_axis = entity
      and (entity.kind == "axis" or entity.kind == "level")
    if shift.kind == "shift" or is_axis then
      if is_axis and shift.kind == "place" then
        shift = { name = shift.name, pos = shift.pos, sign = 1, n = 0, d = 1 }
      end
      good = add_shift(x, scope, shift, by) and good
    elseif place then
      x.b.report(shift.pos, "found a second place, wanted one at most")
      good = false
    else
      place = element(x, scope, shift)
      good = place ~= nil and good
    end
  end
  if good then return by, place end
  return nil
end

-- ---------------------------------------------------------------------------
-- Rows

local function list_row(x, tree, name)
  if tree.args then
    return x.b.report(tree.pos, "'%s' is a list: it has no rows", name)
  elseif x.kernel and x.kernel.kind ~= "request" then
    return x.b.report(tree.pos, "'%s' is a list: lists come with requests, "
      .. "and this is a kernel", name)
  end
  if not x.b.model.lists[name] then return nil end    -- it is reported
  return pool_of.place(x.pool, tree.pos, { list = name })
end

local function table_row(x, scope, tree, name)
  local args = tree.args or {}
  if args[2] then
    return x.b.report(args[2].pos, "a reduction runs over all slots of a row: "
      .. "wanted '%s' or '%s(row)'", name, name)
  end
  local row = args[1] and row_of(x, scope, name, args[1])
  if args[1] and not row or not x.b.model.tables[name] then return nil end
  return pool_of.place(x.pool, tree.pos, { table = name, row = row,
    from = x.b.model.tables[name].from })
end

-- The node of the row that a set names; nil after a report.
function M.row(x, scope, tree)
  local entity = scope_of.known(x, scope, tree.name, tree.pos,
    "a table or a list", PLACES)
  if not entity then return nil end
  if entity.kind == "table" then
    return table_row(x, scope, tree, entity.name)
  elseif entity.kind == "list" then
    return list_row(x, tree, entity.name)
  elseif entity.kind == "argument" and entity.place_tree and not tree.args then
    return M.row(x, entity.scope, entity.place_tree)
  end
  return x.b.report(tree.pos, "'%s' is %s, wanted a table or a list",
    tree.name, scope_of.word(entity))
end

return M
