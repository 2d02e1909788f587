-- The one namespace of a spec: what each declared name is, and whether
-- anything uses it.
--
-- An entity: { kind = "param"|"axis"|"level"|"domain"|"scalar"|"field"|
-- "table"|"list"|"operator"|"define"|"region"|"kernel"|"request"|"chain"|
-- "absent", name, pos, item = its declaration }, and by kind: value (param),
-- definition (define), why (absent: a sentence).

local diag = require "gen.diag"

local M = {}

-- What the kinds are called in messages.
M.WORDS = { param = "a param", axis = "an axis", level = "a level axis",
  domain = "a domain", scalar = "a scalar", field = "a field",
  table = "a neighbour table", list = "a list", operator = "an operator",
  define = "a define", region = "a region", kernel = "a kernel",
  request = "a request", chain = "a chain" }

local function enter(b, entity)
  if b.names[entity.name] then return end
  b.names[entity.name] = entity
  b.entities[#b.entities + 1] = entity
end

local function enter_all(b, item, kind)
  for _, name in ipairs(item.names) do
    enter(b, { kind = kind, name = name.name, pos = name.pos, item = item })
  end
end

-- Axes that `dims` leaves out, and their spacings, are absent: known, of no
-- use, and no fault where a declaration mentions them.
local function enter_grid(b, item)
  local dims = item.keys.dims or #item.names
  for i, name in ipairs(item.names) do
    enter(b, { kind = i <= dims and "axis" or "absent", name = name.name,
      pos = name.pos, item = item, why = ("dims = %d leaves the axis '%s' out")
        :format(dims, name.name) })
  end
  for i, spacing in ipairs(item.keys.spacing or {}) do
    local axis = item.names[i]
    if type(spacing) == "string" and axis then
      enter(b, { kind = i <= dims and "scalar" or "absent", name = spacing,
        pos = item.key_pos.spacing or item.pos, item = item, spacing = true,
        why = ("'%s' is the spacing of '%s', which dims = %d leaves out")
          :format(spacing, axis.name, dims) })
    end
  end
end

local function enter_definitions(b, item)
  for _, definition in ipairs(item.keys.text.definitions) do
    enter(b, { kind = "define", name = definition.name, pos = definition.pos,
      item = item, definition = definition })
  end
end

local function enter_first(kind)
  return function(b, item)
    local name = item.names[1]
    enter(b, { kind = kind, name = name.name, pos = name.pos, item = item })
  end
end

local ENTER = {
  grid = enter_grid, define = enter_definitions,
  levels = function(b, item) enter_all(b, item, "level") end,
  domain = function(b, item) enter_all(b, item, "domain") end,
  scalar = function(b, item) enter_all(b, item, "scalar") end,
  field = function(b, item) enter_all(b, item, "field") end,
  neighbours = function(b, item) enter_all(b, item, "table") end,
  list = function(b, item) enter_all(b, item, "list") end,
  operator = enter_first "operator", region = enter_first "region",
  kernel = enter_first "kernel", request = enter_first "request",
  fuse = enter_first "chain",
}

-- Fills b.names and b.entities from the declarations.
function M.collect(b)
  b.names, b.entities, b.used = {}, {}, {}
  for _, param in ipairs(b.decls.params) do
    enter(b, { kind = "param", name = param.name, pos = param.pos,
      value = param.value })
  end
  for _, item in ipairs(b.decls.items) do
    if ENTER[item.kind] then ENTER[item.kind](b, item) end
  end
end

-- The names of some kinds, in order of declaration.
function M.of(b, ...)
  local wanted, list = {}, {}
  for _, kind in ipairs { ... } do wanted[kind] = true end
  for _, entity in ipairs(b.entities) do
    if wanted[entity.kind] then list[#list + 1] = entity.name end
  end
  return list
end

-- The entity of a name that must be of a kind (or one of two); nil after
-- reporting what it is instead.
function M.get(b, name, pos, kind, other)
  local entity = b.names[name]
  if entity and (entity.kind == kind or entity.kind == other) then
    b.used[name] = true
    return entity
  end
  local wanted = M.WORDS[kind]
  if other then wanted = wanted .. " or " .. M.WORDS[other] end
  if not entity then
    b.report(pos, "'%s' is not declared, wanted %s%s", name, wanted,
      diag.hint(name, M.of(b, kind, other)))
  elseif entity.kind == "absent" then
    b.report(pos, "%s", entity.why)
  else
    b.report(pos, "'%s' is %s, wanted %s", name, M.WORDS[entity.kind], wanted)
  end
  return nil
end

-- True if a declaration may pass over the name of an axis that dims leaves out.
function M.is_absent(b, name)
  local entity = b.names[name]
  return entity ~= nil and entity.kind == "absent"
end

local MUST_BE_USED = { scalar = true, field = true, table = true, list = true,
  operator = true, define = true, region = true }

-- Reports what is declared and never used. Params, spaces and composed
-- tables may be. Other faults may hide a use: they come first.
function M.check_used(b)
  if #b.problems > 0 then return end
  for _, e in ipairs(b.entities) do
    local composed = e.kind == "table" and e.item.keys.through
    if MUST_BE_USED[e.kind] and not b.used[e.name] and not e.spacing
       and not composed then
      b.report(e.pos, "'%s' is never used: %s that no formula needs",
        e.name, M.WORDS[e.kind])
    end
  end
end

return M
