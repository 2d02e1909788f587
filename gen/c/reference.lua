-- The reference as C text: the model's nodes, untransformed, one line of
-- number arithmetic (templates/part/reference_*) each.
--
-- What numbers and scalars alone decide is a constant, evaluated once a
-- launch. What is read at other places, the argument of an operator or of a
-- shift, is a function of a place (in half points, so that every field and
-- operator finds its own points); so is the block, for each place that its
-- targets lie at. Inside a function every node is a local, so a node used twice
-- is written once.

local arithmetic = require "gen.c.reference_arithmetic"
local choices = require "gen.c.reference_choices"
local constants = require "gen.c.reference_constants"
local lists = require "gen.list"
local reader_of = require "gen.c.reference_reader"
local rows = require "gen.c.reference_rows"
local store_of = require "gen.c.reference_store"
local walk_of = require "gen.model.walk"

local M = {}

local KIND = { add = "sum", mul = "product", div = "ratio", pow = "power",
  select = "choice", compare = "test", same = "test", ["and"] = "test",
  ["or"] = "test", ["not"] = "test", num = "number", shift = "moved" }

-- Half points along every axis of the model.
local function offsets(w, shift)
  local list = {}
  for i, axis in ipairs(w.axes) do
    list[i] = tostring(shift and shift[axis] or 0)
  end
  return list
end

local function is_still(shift)
  for _, offset in ipairs(shift) do
    if offset ~= "0" then return false end
  end
  return true
end

local function local_name(w, id)
  local node = w.nodes[id]
  local name = node.hint or KIND[node.kind] or node.name or node.fn
  if node.kind == "read" then
    name = w.names.array(node.field, node.level).name
  elseif not node.hint and arithmetic.is_minus(w.nodes, node) then
    name = "minus"
  end
  return name .. "_" .. id
end

local value_function

-- The place that a shift moves to.
local function place(w, shift)
  local list = offsets(w, shift)
  return is_still(list) and w.q
    or ("SHIFTED(%s, %s)"):format(w.q, table.concat(list, ", "))
end

local MOVED = {}     -- read, shift, apply: (w, node, id) -> text

-- The function that reads one time level of a field.
local function reader(w, node)
  local array = w.names.array(node.field, node.level)
  local name = array.name .. "_at"
  if not w.seen[name] then
    w.seen[name] = true
    w.readers[#w.readers + 1] = reader_of.view(w, name, array,
      w.model.fields[node.field])
  end
  return name
end

-- What a stage of a chain assigns, at a place: as its storage type holds it.
local function inlined(w, made, q)
  local value = ("%s(in, %s)"):format(value_function(w, made.value), q)
  local rounding = store_of.rounding(made.type, w.compute)
  if rounding[1] == "0" or w.folds then return value end
  return ("kept(%s, %s, %s)"):format(value, rounding[1], rounding[2])
end

function MOVED.read(w, node)
  local q = place(w, node.shift)
  local made = w.inline[node.field]
  if made then
    return inlined(w, made, node.place and rows.moved(w, node, q) or q)
  end
  return ("%s(in, %s)"):format(reader(w, node),
    node.place and rows.moved(w, node, q) or q)
end

function MOVED.shift(w, node)
  return ("%s(in, %s)"):format(value_function(w, node.arg), place(w, node.by))
end

-- The table of an operator's taps: where, and which constant is the weight.
-- Operators of the same taps share one.
local function tap_table(w, node, id)
  local list = {}
  for i, tap in ipairs(constants.taps(w.nodes, node)) do
    list[i] = ("{ { %s }, %d },"):format(
      table.concat(offsets(w, tap.shift), ", "), w.index[tap.w])
  end
  local key = table.concat(list)
  if not w.seen[key] then
    w.seen[key] = { name = ("taps_%d"):format(id), rows = list, count = #list,
      operator = node.name .. (node.axis and " along " .. node.axis or "") }
    w.taps[#w.taps + 1] = w.seen[key]
  end
  return w.seen[key]
end

function MOVED.apply(w, node, id)
  local taps = tap_table(w, node, id)
  return ("applied(in, q, %s, %d, %s)"):format(taps.name, taps.count,
    value_function(w, node.arg))
end

-- Calls visit(id) for what a function of `root` computes itself, children
-- first: not constants, and not what operators and shifts read elsewhere.
local function walk(w, root, visit, seen)
  if seen[root] then return end
  seen[root] = true
  local node = w.nodes[root]
  for _, child in ipairs(
    not constants.is_hoisted(w, root) and node.args or {}) do
    walk(w, child, visit, seen)
  end
  local near = math.type(node.place) and rows.sought(w, node)
  local over = math.type(node.over) and rows.over(w, node)
  for _, id in ipairs { near or false, node.row or false, over or false } do
    if math.type(id) then walk(w, id, visit, seen) end
  end
  visit(root)
end

local function operand(w, id)
  if w.nodes[id].kind == "place" then return rows.variable("at", id) end
  if w.nodes[id].kind == "num" then return arithmetic.literal(w.nodes[id]) end
  if constants.is_hoisted(w, id) and not w.in_constants then
    return ("in->constant[%d]"):format(w.index[id])
  end
  return local_name(w, id)
end

local function line(w, id)
  local node, args = w.nodes[id], {}
  for i, arg in ipairs(node.args or {}) do args[i] = operand(w, arg) end
  local text = MOVED[node.kind] and MOVED[node.kind](w, node, id)
    or arithmetic[node.kind](w, node, args, id)
  return ("const struct %s %s = %s;"):format(
    node.type == "bool" and "condition" or "number", local_name(w, id),
    text)
end

local lines

-- The lines of one node, what its operands need being there.
local function node_lines(w, id, seen)
  local node = w.nodes[id]
  if node.kind == "place" then return { rows.place(w, node, id) } end
  if node.kind == "slot" then return {} end
  if node.kind == "reduce" then
    return rows.reduce(w, node, id, seen)
  elseif node.kind == "shift" and node.slots then
    return rows.shift(w, node, id, seen)
  end
  return { line(w, id) }
end

-- The lines that compute the roots at the place q; `seen`: nodes that are there
-- already.
function lines(w, roots, seen)
  local list = {}
  seen = seen or {}
  for _, root in ipairs(roots) do
    walk(w, root, function(id)
      if not constants.is_hoisted(w, id) then
        lists.append(list, node_lines(w, id, seen))
      end
    end, seen)
  end
  return list
end

-- The name of the function of a place that gives the node there.
function value_function(w, id)
  local node = w.nodes[id]
  if node.kind == "read" and not node.place and not w.inline[node.field]
     and is_still(offsets(w, node.shift)) then
    return reader(w, node)
  end
  local name = local_name(w, id) .. "_at"
  if not w.seen[name] then
    w.seen[name] = true
    local outer = w.q
    w.q = "q"
    local body = lines(w, { id })
    w.q = outer
    w.values[#w.values + 1] = { name = name, lines = body,
      result = operand(w, id) }
  end
  return name
end

-- The lines that evaluate the constants, and set in->constant.
local function constant_lines(w, list)
  local text, seen = {}, {}
  local function visit(id)
    if seen[id] then return end
    seen[id] = true
    for _, child in ipairs(w.nodes[id].args or {}) do visit(child) end
    if w.nodes[id].kind ~= "num" then text[#text + 1] = line(w, id) end
  end
  w.in_constants = true
  for i, id in ipairs(list) do
    visit(id)
    text[#text + 1] = ("in->constant[%d] = rounded_once(%s);"):format(i - 1,
      operand(w, id))
  end
  w.in_constants = false
  return text
end

local function workspace(model, kernel, axes, names, folds)
  local w = { model = model, nodes = model.nodes, names = names, axes = axes,
    compute = kernel.compute or model.compute, position = {}, index = {},
    constant = constants.mark(model.nodes), seen = {}, readers = {},
    taps = {}, values = {}, tables = {}, q = "q", choices = {},
    inline = kernel.inline or {}, folds = folds }
  w.moves = function(id)
    return folds ~= nil and walk_of.depends(model, id, folds)
  end
  for i, axis in ipairs(axes) do w.position[axis] = i - 1 end
  w.operand = function(id) return operand(w, id) end
  w.local_name = function(id) return local_name(w, id) end
  w.place = function(shift) return place(w, shift) end
  w.lines = function(roots, seen) return lines(w, roots, seen) end
  return w
end

-- The targets that lie at one place: { half = its half points, placed = true if
-- something is read there, lines, stores }.
local function group_at(w, half, list)
  local roots, stores = {}, {}
  for i, assign in ipairs(list) do roots[i] = assign.value end
  for _, assign in ipairs(list) do roots[#roots + 1] = assign.adds end
  local body = lines(w, roots)
  for i, assign in ipairs(list) do stores[i] = store_of.view(w, assign) end
  local placed = table.concat(body, "\n"):find("%f[%w_]q%f[^%w_]") ~= nil
  return { half = half, placed = placed, lines = body, stores = stores }
end

-- One for each place, in the order of the block's first target there.
local function groups(w, block)
  local halves, at, made = {}, {}, {}
  for _, assign in ipairs(block.assign) do
    local field = w.model.fields[assign.field]
    local half = table.concat(offsets(w, field.at), ", ")
    if not at[half] then halves[#halves + 1], at[half] = half, {} end
    table.insert(at[half], assign)
  end
  for i, half in ipairs(halves) do made[i] = group_at(w, half, at[half]) end
  return made
end

-- One block as text: { constants = lines, count (of them), readers, taps,
-- values, groups, choices (how many) }. `names` spells arrays and scalars, as
-- emit does; folds: the level of kernels that are folded, whose sums are
-- multiplied out.
function M.text(model, kernel, block, axes, names, folds)
  local w, roots = workspace(model, kernel, axes, names, folds), {}
  for i, assign in ipairs(block.assign) do roots[i] = assign.value end
  local list = constants.find(w, roots)
  for i, id in ipairs(list) do w.index[id] = i - 1 end
  local chosen = choices.list(model, kernel, block)
  for i, choice in ipairs(chosen) do w.choices[choice.id] = i - 1 end
  local made = groups(w, block)
  return { constants = constant_lines(w, list), count = #list, groups = made,
    readers = w.readers, taps = w.taps, values = w.values,
    tables = w.tables, choices = #chosen }
end

return M
