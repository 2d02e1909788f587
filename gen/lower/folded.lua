-- Folding: a block on a mesh whose results are linear in what changes with the
-- level, where all else is declared constant, is one coefficient for each of
-- these values at each distinct neighbour. What those are is found here; the
-- coefficients are found on the device, by giving the block a pulse of one.

local diag = require "gen.diag"
local lists = require "gen.list"
local walk = require "gen.model.walk"

local M = {}

local MOST = 128                -- coefficients of one point

-- ---------------------------------------------------------------------------
-- Is the block linear? Of the model's nodes, which know their places.

local function how_many(ids, moving)
  local number = 0
  for _, id in ipairs(ids) do number = number + (moving(id) and 1 or 0) end
  return number
end

-- Why a node that changes with the level is not linear in what does so, by its
-- kind; nothing where it may be.
local crooked = {}

function crooked.add(node, moving)
  return how_many(node.args, moving) < #node.args
    and "adds what is the same at all levels"
end

function crooked.mul(node, moving, level)
  return how_many(node.args, moving) > 1
    and ("multiplies two values that change with %s"):format(level)
end

function crooked.div(node, moving, level)
  return moving(node.args[2])
    and ("divides by what changes with %s"):format(level)
end

function crooked.pow(_, _, level)
  return ("takes a power of what changes with %s"):format(level)
end

function crooked.reduce(node, _, level)
  return node.fn ~= "sum"
    and ("takes the %s of what changes with %s"):format(node.fn, level)
end

local function other(node, _, level)
  return ("takes %s of what changes with %s"):format(node.fn or node.kind,
    level)
end
for _, kind in ipairs { "call", "select", "compare", "and", "or", "not" } do
  crooked[kind] = other
end

-- Visits what a kernel computes, stages of a chain too; the first reason why it
-- does not fold, { pos, text }.
local function survey(model, kernel, level, roots)
  local inline, seen, reason = kernel.inline or {}, {}, nil
  local function moving(id) return walk.depends(model, id, level) end
  local function visit(id)
    if seen[id] or reason then return end
    seen[id] = true
    local node = model.nodes[id]
    for _, child in ipairs(walk.children(node)) do visit(child) end
    local made = node.kind == "read" and inline[node.field]
    local rule = node.free and moving(id) and crooked[node.kind]
    local text = rule and rule(node, moving, level)
    if made then
      visit(made.value)
      text = moving(id) and not moving(made.value)
        and ("reads %s, which is the same at all %s"):format(node.field, level)
    elseif node.kind == "read" and not moving(id)
        and not model.fields[node.field].constant then
      text = ("reads %s, which is not declared constant"):format(node.field)
    end
    reason = reason or text and { pos = node.pos, text = text }
  end
  for _, id in ipairs(roots) do
    visit(id)
    reason = reason or not moving(id) and { pos = model.nodes[id].pos,
      text = ("computes what is the same at all %s"):format(level) }
  end
  return reason
end

-- ---------------------------------------------------------------------------
-- Which neighbours? Of the lowered block.

-- The neighbours of a block by name, and the slots of its loops by variable.
local function neighbours_of(model, block)
  local near, slots = {}, {}
  local function collect(entries, list)
    for _, n in ipairs(list) do near[n.name] = n end
    for _, entry in ipairs(entries) do
      if entry.loop then
        slots[entry.loop.slot] = model.tables[entry.loop.table].count
        collect(entry.code, entry.neighbours)
      end
    end
  end
  collect(block.code, block.neighbours)
  return near, slots
end

-- The paths from the point to a neighbour, slot by slot, { { table, slot }..
-- }.., nil where a row has any number of slots.
local function paths(near, slots, name)
  local n = near[name]
  local longer, before = {}, n.row and paths(near, slots, n.row) or { {} }
  local last = n.slot or slots[n.loop] and slots[n.loop] - 1
  if not last then return nil end
  for _, path in ipairs(before) do
    for slot = n.slot or 0, last do
      longer[#longer + 1] = lists.append(lists.copy(path),
        { { table = n.table, slot = slot } })
    end
  end
  return longer
end

-- The tables of a path from one on, so many: "v2e e2c2v".
local function key_of(path, first, count)
  local names = {}
  for i = 1, count do names[i] = path[first + i - 1].table end
  return table.concat(names, " ")
end

-- A path with tables of it composed, as many as can be, the last ones first; or
-- nil. Without a pattern any of its places may be the one.
local function shorter(path, composed)
  for count = #path, 2, -1 do
    for i = #path - count + 1, 1, -1 do
      local of = composed[key_of(path, i, count)]
      if of then
        local made = table.move(path, 1, i - 1, 1, {})
        made[i] = { table = of.name, count = not of.pattern and of.count,
          slot = of.pattern
            and of.pattern[path[i].slot + 1][path[i + 1].slot + 1] or 0 }
        return table.move(path, i + count, #path, i + 1, made)
      end
    end
  end
end

-- What is the same of paths that may lead to the same neighbour, and to how
-- many such paths lead at most, where patterns do not say to which.
local function shortened(path, composed)
  local next_path, words, most = path, {}, 1
  while next_path do
    path, next_path = next_path, shorter(next_path, composed)
  end
  for i, part in ipairs(path) do
    words[i], most = part.table .. " " .. part.slot, most * (part.count or 1)
  end
  return table.concat(words, ", "), most
end

local function composed_of(model)
  local map = {}
  for _, name in ipairs(model.order.tables) do
    local of = model.tables[name]
    if of.through then
      map[table.concat(of.through, " ")] = { name = name, count = of.count,
        pattern = of.pattern }
    end
  end
  return map
end

-- How many neighbours a row may have at several places, where composed tables
-- say which are the same; nil where there may be any number.
local function distinct(model, block, places)
  local near, slots = neighbours_of(model, block)
  local composed, met, number = composed_of(model), {}, 0
  for _, place in ipairs(places) do
    local list = place == "" and { {} } or paths(near, slots, place)
    if not list then return nil end
    for _, path in ipairs(list) do
      local text, most = shortened(path, composed)
      met[text] = (met[text] or 0) + 1
      number = number + (met[text] <= most and 1 or 0)
    end
  end
  return number
end

-- The inputs in the order of the block's loads, { field, buffer, level, offset,
-- places = { name of the neighbour, "" for the point }.. }; loads[id of a load]
-- = input.
local function inputs_of(model, block, level)
  local list, known, loads = {}, {}, {}
  for _, load in ipairs(block.loads) do
    local field = model.fields[load.field]
    if lists.contains(field.on, level) then
      local key = ("%s %d"):format(load.buffer, load.offset[level] or 0)
      local input = known[key] or { field = load.field, buffer = load.buffer,
        level = load.level, offset = load.offset[level] or 0, places = {} }
      if not known[key] then list[#list + 1], known[key] = input, input end
      table.insert(input.places, load.place or "")
      loads[load.id] = input
    end
  end
  return list, loads
end

-- Inputs that are read at the same neighbours share a group, { domain, count,
-- places, inputs, first = slots of the groups before }.
local function groups_of(model, block, inputs)
  local list, known, first = {}, {}, 0
  for _, input in ipairs(inputs) do
    local domain = model.fields[input.field].domain
    local key = domain .. ": " .. table.concat(input.places, " ")
    local group = known[key]
    if not group then
      group = { domain = domain, places = input.places, inputs = {},
        first = first, count = distinct(model, block, input.places) }
      if not group.count then return nil end
      first, known[key] = first + group.count, group
      list[#list + 1] = group
    end
    input.group = group
    table.insert(group.inputs, input)
  end
  return list
end

-- The inputs, one group after the other.
local function grouped(groups)
  local list = {}
  for _, group in ipairs(groups) do lists.append(list, group.inputs) end
  return list
end

-- Numbers coefficients: of a group, slot by slot, of a slot input by input, of
-- an input result by result. Gives how many there are.
local function number(groups, results)
  local first = 0
  for _, group in ipairs(groups) do
    group.coefficients = first
    first = first + group.count * #group.inputs * results
  end
  return first
end

local function level_of(model, kernel)
  local level
  for _, axis in ipairs(kernel.space) do
    if model.spaces[axis].kind == "level" then
      if level then return nil end
      level = axis
    end
  end
  return level
end

-- Why a block has no folded form beside what its formulas say.
local function unfit(model, block, level)
  if not level then return "runs over no levels, or several axes of them" end
  for _, load in ipairs(block.loads) do
    local field = model.fields[load.field]
    local moves = lists.contains(field.on, level)
    if moves and (field.table or not field.domain) then
      return ("reads %s, which is not on %s and a domain alone"):format(
        load.field, level)
    elseif moves and block.edge then
      return ("reads %s across a boundary"):format(load.field)
    end
  end
end

local function sentence(kernel, text, pos)
  return ("%s%s %s"):format(pos and diag.where(pos) .. ": " or "", kernel.name,
    text)
end

-- { level, inputs, loads, groups, slots = neighbours of a point, coefficients =
-- how many of a point }, or { why = a sentence with its place }. kernel,
-- source: of the model; block: lowered.
function M.of_block(model, kernel, source, block)
  local level = level_of(model, kernel)
  local why = unfit(model, block, level)
  if why then return { why = sentence(kernel, why) } end
  local reason = survey(model, kernel, level, walk.roots(source))
  if reason then
    return { why = sentence(kernel, reason.text, reason.pos) }
  end
  local inputs, loads = inputs_of(model, block, level)
  local groups = groups_of(model, block, inputs)
  if not groups then
    return { why = sentence(kernel, "has rows with any number of neighbours") }
  end
  if #groups == 0 then
    return { why = sentence(kernel, "reads nothing that changes with "
      .. level) }
  end
  local coefficients = number(groups, #block.stores)
  if coefficients > MOST then
    return { why = sentence(kernel, ("would have %d coefficients for a point, "
      .. "the limit is %d"):format(coefficients, MOST)) }
  end
  local last = groups[#groups]
  return { level = level, inputs = grouped(groups), loads = loads,
    groups = groups,
    slots = last.first + last.count, coefficients = coefficients }
end

return M
