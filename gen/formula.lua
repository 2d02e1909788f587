-- Pass 2, parse: every formula text of the declarations becomes a tree.

local diag = require "gen.diag"
local names = require "gen.spec.names"
local statement = require "gen.formula.statement"

local M = {}

local function sorted_keys(t)
  local keys = {}
  for key in next, t do keys[#keys + 1] = key end
  table.sort(keys, function(a, b)
    if type(a) == type(b) then return a < b end
    return type(a) == "number"
  end)
  return keys
end

-- Calls visit(text) for every text inside a value, in a fixed order.
local function each_text(value, visit)
  if type(value) ~= "table" or value.offset then
    if type(value) == "table" and value.kind == "text" then visit(value) end
    return
  end
  for _, key in ipairs(sorted_keys(value)) do each_text(value[key], visit) end
end

-- Calls visit(text, what it is) for every text of an item.
local function texts_of(item, visit)
  local keys = item.keys
  for _, block in ipairs(keys.blocks or {}) do visit(block.text, "block") end
  for _, form in ipairs(keys.colours or {}) do visit(form, "form") end
  if item.kind == "define" then
    visit(keys.text, "definitions")
  elseif not keys.blocks then
    each_text(keys, function(text) visit(text, "expression") end)
  end
end

-- Name -> position of what the items declare, for definitions to differ from.
local function declared_names(decls)
  local at = {}
  for _, p in ipairs(decls.params) do at[p.name] = p.pos end
  for _, item in ipairs(decls.items) do
    for _, name in ipairs(item.declares or {}) do
      at[name.name] = at[name.name] or name.pos
    end
  end
  return at
end

local function check_definitions(list, at, report)
  for _, d in ipairs(list or {}) do
    local problem = names.problem(d.name)
    if problem then
      report(diag.new(d.pos, "%s", problem))
    elseif at[d.name] then
      report(diag.note(diag.new(d.pos, "'%s' is declared twice", d.name),
                       at[d.name], "the first declaration is here"))
    else
      at[d.name] = d.pos
    end
  end
end

-- `+=` exists in requests only.
local function check_adds(item, text, report)
  if item.kind == "request" then return end
  for _, a in ipairs(text.statements or {}) do
    if a.add then
      report(diag.new(a.pos, "'+=' adds in a request only; here wanted '='"))
    end
  end
end

-- decls with every text completed, or nil and diagnostics.
function M.parse(decls)
  local problems, at = {}, declared_names(decls)
  local function report(d) problems[#problems + 1] = d end
  for _, item in ipairs(decls.items) do
    texts_of(item, function(text, what)
      local ok, problem = statement.complete(text, what)
      if not ok then return report(problem) end
      check_definitions(text.definitions, at, report)
      check_adds(item, text, report)
    end)
  end
  if #problems > 0 then return nil, problems end
  return decls
end

return M
