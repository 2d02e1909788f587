-- What a name is worth where it stands: fields are read or have the value that
-- was assigned above, locals and arguments have theirs, params are numbers.

local defines = require "gen.model.defines"
local fields = require "gen.model.fields"
local number = require "gen.model.number"
local pool_of = require "gen.model.pool"
local scope_of = require "gen.model.scope"

local M = {}

local function level_of(x, tree, field)
  local text = tree.level
  if not text then return 0 end
  local level = text == "next" and 1
    or -math.tointeger(tonumber(text:match("%d+")) or 1)
  if not field.timed then
    return x.b.report(tree.pos, "%s has no time levels, so there is no '%s.%s'",
      field.name, field.name, text)
  end
  for _, known in ipairs(field.levels) do
    if known == level then return level end
  end
  return x.b.report(tree.pos, "%s has the levels %s; there is no '%s.%s'",
    field.name, fields.levels_text(field), field.name, text)
end

local function free_of(x, field)
  local list = table.move(field.axes, 1, #field.axes, 1, {})
  local spaces = pool_of.set(x.pool, list)
  if not field.domain then return spaces, spaces end
  return spaces,
    pool_of.union(x.pool, spaces, pool_of.set(x.pool, { field.domain }))
end

local function check_next(x, tree, field, level)
  local k = x.kernel
  local assigns = k and k.assigns[fields.key(field.name, 1)]
  if level ~= 1 or x.shifted or not assigns then return end
  x.b.report(tree.pos, "%s.next is read before it is assigned", field.name)
end

-- The assigned value after an assignment above, else a read.
local function field_value(x, tree, entity)
  local field = x.b.model.fields[entity.name]
  local level = field and level_of(x, tree, field)
  if not level then return pool_of.BAD end
  local key = fields.key(field.name, level)
  local assigned = x.block and x.block.assigned[key]
  if assigned and not x.shifted then
    x.fixed[field.name] = x.fixed[field.name] or tree.pos
    return assigned
  end
  check_next(x, tree, field, level)
  local spaces, free = free_of(x, field)
  return pool_of.read(x.pool, tree.pos, { field = field.name, level = level,
    shift = {}, spaces = spaces, free = free })
end

local function local_value(x, tree, entity)
  if entity.fixed and x.shifted then
    local name = next(entity.fixed)
    for other in next, entity.fixed do
      if other < name then name = other end
    end
    x.b.report(tree.pos, "'%s' has the value that '%s' is assigned above: "
      .. "only at the point itself is it known", tree.name, name)
    return pool_of.BAD
  end
  defines.add_fixed(x, entity.fixed)
  return entity.id
end

local NAME = {}                 -- kind of entity -> its value

function NAME.param(x, tree, entity)
  if type(entity.value) == "number" then
    return pool_of.num(x.pool, tree.pos, number.exact(entity.value))
  end
  x.b.report(tree.pos, "'%s' is a param that is no number", tree.name)
  return pool_of.BAD
end

function NAME.scalar(x, tree, entity)
  local scalar = x.b.model.scalars[entity.name]
  if scalar and scalar.per == "request" and x.kernel
     and x.kernel.kind ~= "request" then
    x.b.report(tree.pos, "'%s' comes with a request (per = \"request\"), and "
      .. "this is a kernel", tree.name)
    return pool_of.BAD
  end
  return pool_of.scalar(x.pool, tree.pos, entity.name)
end

function NAME.define(x, tree, entity, scope, evaluate)
  return defines.use(x, tree, scope, entity, evaluate)
end

function NAME.argument(x, tree, entity)
  if entity.id then return defines.value(x, entity) end
  x.b.report(tree.pos, "'%s' stands for a place, wanted a number", tree.name)
  return pool_of.BAD
end

NAME.field, NAME["local"] = field_value, local_value

-- The node of a name; evaluate: any tree's.
function M.value(x, tree, scope, evaluate)
  local entity = scope_of.known(x, scope, tree.name, tree.pos,
    x.block and "a field, a scalar, a local or a define"
      or "a scalar or a param", { "param", "scalar", "field", "define" })
  if not entity then return pool_of.BAD end
  if tree.level and entity.kind ~= "field" then
    x.b.report(tree.pos, "'%s' is %s: only fields have time levels", tree.name,
      scope_of.word(entity))
    return pool_of.BAD
  end
  local value = NAME[entity.kind]
  if value then return value(x, tree, entity, scope, evaluate) end
  x.b.report(tree.pos, "'%s' is %s, wanted a number", tree.name,
    scope_of.word(entity))
  return pool_of.BAD
end

return M
