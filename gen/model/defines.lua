-- Defines: a define means what it means where it is used; the names inside
-- mean the declarations, the parameters what they stand for. Equal uses are
-- expanded once.
--
-- An argument: { kind = "argument", id = its value (nil: not an expression),
-- fixed = what assigned values it has, tree, scope, place_tree, key }.

local number = require "gen.model.number"
local places = require "gen.model.places"
local pool_of = require "gen.model.pool"
local scope_of = require "gen.model.scope"

local M = {}

M.DEEPEST = 200                 -- defines within defines

-- Calls evaluate(x, tree, scope) with x.fixed empty; returns its value, and
-- the fixed names it met or nil. x.fixed is as before.
local function apart(x, evaluate, tree, scope)
  local outer = x.fixed
  x.fixed = {}
  local id = evaluate(x, tree, scope)
  local fixed = next(x.fixed) and x.fixed or nil
  x.fixed = outer
  return id, fixed
end
M.apart = apart

-- Adds fixed names to those of the expression at hand.
function M.add_fixed(x, fixed)
  for name, pos in next, fixed or {} do
    x.fixed[name] = x.fixed[name] or pos
  end
end

local PASSED = { axis = true, level = true, domain = true, table = true,
  list = true, bound = true }

-- A tree that a parameter stands for: an entity as it is, or an argument.
local function argument(x, tree, scope, evaluate)
  local name = (tree.kind == "name" or tree.kind == "call")
    and not tree.level and tree.name
  local entity = name and scope_of.find(x, scope, name)
  if entity and tree.kind == "name" and (PASSED[entity.kind]
     or entity.kind == "argument") then
    scope_of.use(x, entity)
    return entity
  end
  if entity and (entity.kind == "table" or entity.kind == "argument") then
    local place = places.from_call(tree)
    if place then
      return { kind = "argument", place_tree = place, scope = scope }
    end
  end
  local id, fixed = apart(x, evaluate, tree, scope)
  return { kind = "argument", id = id, fixed = fixed, tree = tree,
    scope = scope, shifted = x.shifted, evaluate = evaluate,
    key = not fixed and "e" .. id or nil }
end

-- The value of an argument here; one that has assigned values is evaluated
-- again where it is shifted.
function M.value(x, entity)
  if not entity.fixed or x.shifted == entity.shifted then
    M.add_fixed(x, entity.fixed)
    return entity.id
  end
  entity.elsewhere = entity.elsewhere
    or entity.evaluate(x, entity.tree, entity.scope)
  return entity.elsewhere
end

-- One text for equal arguments; nil where that cannot be told.
local function key_of(x, definition, arguments)
  local words = { definition.name, x.shifted and "s" or "-" }
  for _, slot in ipairs(x.binders) do words[#words + 1] = "b" .. slot end
  for _, a in ipairs(arguments) do
    local key = a.key or PASSED[a.kind] and a.kind .. (a.place or a.name)
    if not key then return nil end
    words[#words + 1] = key
  end
  return table.concat(words, " ")
end

local function wanted_arguments(definition)
  local words = {}
  for i, p in ipairs(definition.params or {}) do words[i] = p.name end
  return ("%s(%s)"):format(definition.name, table.concat(words, ", "))
end

local function check_count(x, tree, definition)
  local given = tree.kind == "call" and #tree.args or nil
  local wanted = definition.params and #definition.params or nil
  if given == wanted then return true end
  if not wanted then
    x.b.report(tree.pos, "'%s' has no parameters, found %s",
      definition.name, number.count(given, "argument"))
  else
    x.b.report(tree.pos, "'%s' has %s, found %s: wanted %s", definition.name,
      number.count(wanted, "parameter"),
      given and number.count(given, "argument") or "no argument",
      wanted_arguments(definition))
  end
  return false
end

local function check_recursion(x, tree, name)
  local path = {}
  for i, active in ipairs(x.active) do
    if active == name or #path > 0 then path[#path + 1] = active end
    if i == M.DEEPEST then
      x.b.report(tree.pos, "defines stand %d deep in each other, the most "
        .. "that is possible", M.DEEPEST)
      return false
    end
  end
  if #path == 0 then return true end
  if not x.b.recursive[name] then
    x.b.recursive[name] = true
    path[#path + 1] = name
    x.b.report(tree.pos, "'%s' is defined by itself: %s", name,
      table.concat(path, ", "))
  end
  return false
end

local function expand(x, definition, arguments, evaluate)
  local vars = {}
  for i, p in ipairs(definition.params or {}) do vars[p.name] = arguments[i] end
  local outer = x.in_define
  x.in_define = true
  x.active[#x.active + 1] = definition.name
  local id, fixed = apart(x, evaluate, definition.value,
    scope_of.inner(nil, vars))
  x.active[#x.active] = nil
  x.in_define = outer
  return id, fixed
end

local HINTED = { num = false, scalar = false, read = false, bad = false }

-- Gives the node the name it was written as, unless it has one.
function M.hint(x, id, name)
  local node = x.pool.nodes[id]
  if HINTED[node.kind] == nil then node.hint = node.hint or name end
end

-- The value of a use of a define: tree is a name or a call.
function M.use(x, tree, scope, entity, evaluate)
  local definition = entity.definition
  if not check_count(x, tree, definition)
     or not check_recursion(x, tree, definition.name) then
    return pool_of.BAD
  end
  local arguments = {}
  for i, arg in ipairs(tree.args or {}) do
    arguments[i] = argument(x, arg, scope, evaluate)
  end
  local key = key_of(x, definition, arguments)
  local known = key and x.expanded[key]
  if not known then
    known = {}
    known.id, known.fixed = expand(x, definition, arguments, evaluate)
    M.hint(x, known.id, definition.name)
    if key then x.expanded[key] = known end
  end
  M.add_fixed(x, known.fixed)
  return known.id
end

-- Parameters differ from each other and from all that is declared. Runs once.
local function check_parameters(b, definition)
  local seen = {}
  for _, p in ipairs(definition.params or {}) do
    local entity = b.names[p.name]
    if seen[p.name] then
      b.report(p.pos, "parameter '%s' stands twice", p.name)
    elseif entity then
      b.report(p.pos, "'%s' is already %s, and nothing may hide another name",
        p.name, entity.kind == "absent" and "declared"
        or scope_of.word(entity))
    end
    seen[p.name] = true
  end
end

function M.build(b)
  b.recursive = {}
  for _, entity in ipairs(b.entities) do
    if entity.kind == "define" then check_parameters(b, entity.definition) end
  end
end

return M
