-- One namespace per spec: a name is declared once, and names that reach
-- generated code differ by more than case.

local diag = require "gen.diag"
local schema = require "gen.spec.schema"

local M = {}

function M.new(report)
  return { at = {}, emitted = {}, once = {}, report = report }
end

local function first_is(problem, pos)
  return diag.note(problem, pos, "the first declaration is here")
end

local function add_emitted(space, name)
  local lower = string.lower(name.name)
  local other = space.emitted[lower]
  if other and other.name ~= name.name then
    space.report(first_is(diag.new(name.pos,
      "'%s' differs from '%s' by case only", name.name, other.name),
      other.pos))
  end
  space.emitted[lower] = other or name
end

local function add_name(space, name, emitted)
  local first = space.at[name.name]
  if first then
    space.report(first_is(diag.new(name.pos, "'%s' is declared twice",
                                   name.name), first))
    return
  end
  space.at[name.name] = name.pos
  if emitted then add_emitted(space, name) end
end

-- Adds what an item declares; reports what was there before.
function M.add(space, item)
  local rule = schema.constructors[item.kind]
  for _, name in ipairs(item.declares) do
    add_name(space, name, rule.emitted)
  end
  if not rule.once then return end
  local first = space.once[item.kind]
  if first then
    space.report(first_is(diag.new(item.pos, "%s is declared twice",
                                   item.kind), first))
  end
  space.once[item.kind] = first or item.pos
end

return M
