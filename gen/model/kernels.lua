-- Kernels and requests: their blocks evaluated, statement by statement.
--
-- A kernel while it is built: that of the model, plus { item, domain, assigns
-- = { "field level" = position }, adds = { field = position }, regions }; a
-- block has its source text's name and position, `reads` and, per assignment,
-- the positions of what its formula wrote.

local defines = require "gen.model.defines"
local diag = require "gen.diag"
local expression = require "gen.model.expression"
local fields = require "gen.model.fields"
local names = require "gen.model.names"
local positions = require "gen.model.positions"
local reads = require "gen.model.reads"
local scope_of = require "gen.model.scope"

local M = {}

-- ---------------------------------------------------------------------------
-- Targets

-- The field that a statement assigns, or nil for a local.
local function target_of(b, statement)
  local entity = b.names[statement.name]
  return entity and entity.kind == "field"
    and b.model.fields[statement.name] or nil
end

local function each_target(b, kernel, visit)
  for _, block in ipairs(kernel.item.keys.blocks) do
    for _, statement in ipairs(block.text.statements) do
      local field = target_of(b, statement)
      if field then visit(field, statement) end
    end
  end
end

local function set_text(list)
  local sorted = table.move(list, 1, #list, 1, {})
  table.sort(sorted)
  return table.concat(sorted, ", ")
end

local function extra_text(field)
  local words = {}
  for _, axis in ipairs(field.axes) do
    if field.extra[axis] ~= 0 then
      words[#words + 1] = axis .. " = " .. field.extra[axis]
    end
  end
  table.sort(words)
  if #words == 0 then return "no extra points" end
  return "the extra points " .. table.concat(words, ", ")
end

local function check_spaces(b, first, field, pos)
  if set_text(first.on) ~= set_text(field.on) then
    b.report(pos, "a kernel runs over the points of its targets: '%s' lies on "
      .. "%s, '%s' on %s", first.name, set_text(first.on), field.name,
      set_text(field.on))
  elseif extra_text(first) ~= extra_text(field) then
    b.report(pos, "a kernel runs over the points of its targets: '%s' has %s, "
      .. "'%s' has %s", first.name, extra_text(first), field.name,
      extra_text(field))
  end
end

-- A target with a slip of the pen is taken for a local: then that is the hint.
local function report_no_field(b, kernel)
  local hint, known = "", names.of(b, "field")
  for _, source in ipairs(kernel.item.keys.blocks) do
    for _, statement in ipairs(source.text.statements) do
      local near = diag.nearest(statement.name, known)
      if hint == "" and near then
        hint = ("; '%s': did you mean '%s'?"):format(statement.name, near)
      end
    end
  end
  b.report(kernel.item.names[1].pos, "'%s' assigns no field%s", kernel.name,
    hint)
end

-- Fills kernel.space, .domain, .extra from the targets.
local function find_space(b, kernel)
  local first
  each_target(b, kernel, function(field, statement)
    first = first or field
    check_spaces(b, first, field, statement.pos)
    local level = statement.level == "next" and 1 or 0
    local key = fields.key(field.name, level)
    kernel.assigns[key] = kernel.assigns[key] or statement.pos
    if statement.add then
      kernel.adds[field.name] = kernel.adds[field.name] or statement.pos
    end
  end)
  if not first then
    report_no_field(b, kernel)
    kernel.space, kernel.extra = {}, {}
    return
  end
  kernel.space, kernel.domain = first.on, first.domain
  kernel.extra = first.extra
  if first.table then
    b.report(kernel.item.names[1].pos, "'%s' has a value for each slot of "
      .. "'%s': kernels run over points, not slots", first.name, first.table)
  end
end

-- ---------------------------------------------------------------------------
-- Statements

local function check_level(b, kernel, field, statement)
  local level = statement.level
  if field.timed and level ~= "next" then
    b.report(statement.pos, "found '%s', wanted '%s.next': %s",
      level and field.name .. "." .. level or field.name, field.name,
      field.levels[#field.levels] == 1
        and "of a field with time levels only the next is assigned"
        or "but it has the levels " .. fields.levels_text(field) .. " only")
  elseif field.timed and field.levels[#field.levels] ~= 1 then
    b.report(statement.pos, "%s has the levels %s; there is no '%s.next'",
      field.name, fields.levels_text(field), field.name)
  elseif not field.timed and level then
    b.report(statement.pos, "%s has no time levels: assign '%s'", field.name,
      field.name)
  elseif field.timed and kernel.kind == "request" then
    b.report(statement.pos, "'%s' has time levels: a request assigns fields "
      .. "without them", field.name)
  elseif kernel.setup and not field.constant then
    b.report(statement.pos, "a setup kernel assigns constant fields only, and "
      .. "'%s' is none", field.name)
  elseif field.constant and not kernel.setup then
    b.report(statement.pos, "'%s' is constant: only a setup kernel can assign "
      .. "it", field.name)
  end
end

local function assign(x, field, statement, id, fixed)
  local block, level = x.block, statement.level == "next" and 1 or 0
  local key = fields.key(field.name, level)
  local first = block.first[key]
  if first then
    x.b.report_note(statement.pos, first, "the first assignment is here",
      "'%s' is assigned twice in one formula", field.name)
  end
  block.first[key] = first or statement.pos
  local made = { field = field.name, level = level,
    add = statement.add or false, value = id, pos = statement.pos }
  block.assign[#block.assign + 1] = made
  if not statement.add then block.assigned[key] = id end
  positions.check(x, made, fixed)
end

local function target_statement(x, field, statement)
  check_level(x.b, x.kernel, field, statement)
  x.b.used[field.name] = true
  local id, fixed = defines.apart(x, x.real, statement.value, x.scope)
  assign(x, field, statement, id, fixed)
end

local function local_statement(x, statement)
  local name, vars = statement.name, x.scope.vars
  if statement.level or statement.add then
    x.b.report(statement.pos, "'%s' is not a field%s", name, statement.level
      and ": only fields have time levels" or ": '+=' adds to fields only")
  elseif vars[name] then
    x.b.report_note(statement.pos, vars[name].pos, "the first one is here",
      "the local '%s' is assigned twice", name)
  end
  local id, fixed = defines.apart(x, x.any, statement.value, x.scope)
  defines.hint(x, id, name)
  reads.of(x.b, id)         -- now, so that long chains are not deep
  vars[name] = vars[name] or { kind = "local", name = name, id = id,
    fixed = fixed, pos = statement.pos }
end

local function statement_of(x, statement)
  local b, entity = x.b, x.b.names[statement.name]
  b.pool.written = {}
  x.statement = statement
  if not entity then
    local_statement(x, statement)
  elseif entity.kind == "field" then
    local field = b.model.fields[statement.name]
    if field then target_statement(x, field, statement) end
  elseif entity.kind == "absent" then
    b.report(statement.pos, "%s", entity.why)
  else
    b.report(statement.pos, "'%s' is %s, wanted a field or the name of a new "
      .. "local", statement.name, names.WORDS[entity.kind])
  end
  for id, pos in next, b.pool.written do
    x.block.written[id] = x.block.written[id] or pos
  end
end

local function check_locals(x, problems)
  if #x.b.problems > problems then return end   -- they may hide a use
  for _, statement in ipairs(x.block.statements) do
    local made = x.scope.vars[statement.name]
    if made and not made.used and made.pos == statement.pos then
      x.b.report(made.pos, "the local '%s' is never used%s", statement.name,
        diag.hint(statement.name, names.of(x.b, "field")))
    end
  end
end

-- The block of one formula: { region or list, assign }.
local function block_of(b, kernel, source)
  local block = { assign = {}, assigned = {}, first = {}, written = {},
    local_names = {}, reads = {}, statements = source.text.statements,
    text = source.text, name = source.name, pos = source.name_pos
      or kernel.item.names[1].pos }
  for _, s in ipairs(block.statements) do
    if not b.names[s.name] then block.local_names[s.name] = true end
  end
  local x, problems = expression.new(b, kernel, block), #b.problems
  x.real, x.any = expression.evaluate.real, expression.evaluate.any
  x.scope = scope_of.inner(nil, {})
  for _, s in ipairs(block.statements) do
    statement_of(x, s)
    x.expanded = {}
  end
  check_locals(x, problems)
  return block
end

-- ---------------------------------------------------------------------------
-- Kernels

local function check_compute(b, item)
  local compute = item.keys.compute or b.model.compute
  if compute ~= "float" and compute ~= "double" then
    b.report(item.key_pos.compute or item.pos, "found compute = \"%s\", wanted "
      .. "\"float\" or \"double\": 16-bit types are for storage", compute)
  end
  return compute
end

local function new_kernel(b, item)
  local keys = item.keys
  return { name = item.names[1].name, item = item, blocks = {}, assigns = {},
    adds = {}, compute = check_compute(b, item), setup = keys.setup or false,
    kind = item.kind == "request" and "request" or keys.sweep and "sweep"
      or keys.colours and "colours" or "point" }
end

local function name_block(b, kernel, block)
  if not block.name then return end
  if kernel.kind == "request" then
    local list = names.get(b, block.name, block.pos, "list") and block.name
    block.list = list
    local of = list and b.model.lists[list]
    if of and kernel.domain and of.of ~= kernel.domain then
      b.report(block.pos, "'%s' is a list of points of %s, but its formula "
        .. "assigns fields on %s", list, of.of, kernel.domain)
    end
  elseif names.get(b, block.name, block.pos, "region") then
    block.region = block.name
  end
end

local function build(b, item)
  local kernel = new_kernel(b, item)
  find_space(b, kernel)
  for _, source in ipairs(item.keys.blocks) do
    local block = block_of(b, kernel, source)
    name_block(b, kernel, block)
    kernel.blocks[#kernel.blocks + 1] = block
  end
  b.kernels[#b.kernels + 1] = kernel
  b.kernel[kernel.name] = kernel
end

function M.build(b)
  b.kernels, b.kernel = {}, {}
  for _, item in ipairs(b.decls.items) do
    if item.kind == "kernel" or item.kind == "request" then build(b, item) end
  end
end

return M
