-- Scopes: what a name means where it stands. Bound names of reductions, then
-- locals or the parameters of a define, then declarations; nothing shadows.
--
-- scope = { vars = { name = entity }, parent = scope or nil }. Besides the
-- entities of gen/model/names.lua a name can be
--   { kind = "bound", place = id, slot = id, over = id }   of a reduction
--   { kind = "local", id, fixed, pos, used }
--   { kind = "argument", ... }      see gen/model/defines.lua

local diag = require "gen.diag"
local names = require "gen.model.names"

local M = {}

local WORDS = { bound = "a bound name", ["local"] = "a local",
  argument = "a parameter" }

-- What an entity is called in messages.
function M.word(entity)
  return WORDS[entity.kind] or names.WORDS[entity.kind]
end

function M.inner(parent, vars)
  return { vars = vars, parent = parent }
end

-- The entity of a name, or nil.
function M.find(x, scope, name)
  while scope do
    local entity = scope.vars[name]
    if entity then return entity end
    scope = scope.parent
  end
  return x.b.names[name]
end

-- Marks what a name stands for as used.
function M.use(x, entity)
  entity.used = true
  if x.b.names[entity.name] == entity then x.b.used[entity.name] = true end
end

-- Names in scope of the kinds given, for hints.
local function candidates(x, scope, kinds)
  local list = names.of(x.b, table.unpack(kinds))
  while scope do
    local own = {}
    for name in next, scope.vars do own[#own + 1] = name end
    table.sort(own)
    table.move(own, 1, #own, #list + 1, list)
    scope = scope.parent
  end
  return list
end

-- Reports a name that is not declared; `wanted` says what for.
function M.unknown(x, scope, name, pos, wanted, kinds)
  if x.block and x.block.local_names[name] and not x.in_define then
    return x.b.report(pos, "'%s' is used before it is assigned", name)
  end
  return x.b.report(pos, "'%s' is not declared, wanted %s%s", name, wanted,
    diag.hint(name, candidates(x, scope, kinds)))
end

-- The entity of a name that is declared; nil after a report.
function M.known(x, scope, name, pos, wanted, kinds)
  local entity = M.find(x, scope, name)
  if not entity then
    return M.unknown(x, scope, name, pos, wanted, kinds)
  end
  if entity.kind == "absent" then
    return x.b.report(pos, "%s", entity.why)
  end
  M.use(x, entity)
  return entity
end

-- Reports a name that would hide another; true if it is free.
function M.check_free(x, scope, name, pos)
  local entity = M.find(x, scope, name)
  if not entity then return true end
  local word = entity.kind == "absent" and "declared" or M.word(entity)
  x.b.report(pos, "'%s' is already %s, and nothing may hide another name",
    name, word)
  return false
end

-- The name of the axis (or level axis) that a name stands for; nil after a
-- report.
function M.axis(x, scope, name, pos)
  local entity = M.known(x, scope, name, pos, "an axis", { "axis", "level" })
  if not entity then return nil end
  if entity.kind == "axis" or entity.kind == "level" then return entity.name end
  x.b.report(pos, "'%s' is %s, wanted an axis", name, M.word(entity))
  return nil
end

return M
