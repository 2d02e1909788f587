-- Neighbours in the reference: places, rows and reductions, straight from the
-- model's nodes. A place of a mesh kernel has a coordinate for every domain
-- and for the slots of every table; a read at a neighbour sets those it needs.

local indented = require("gen.c.text").indented
local lists = require "gen.list"
local walk = require "gen.model.walk"
local words = require "gen.c.words"

local M = {}

-- All that a place has coordinates for: the kernel's axes, then the domains
-- and the tables.
function M.axes(lowered, axes)
  local list, seen = table.move(axes, 1, #axes, 1, {}), {}
  for _, axis in ipairs(axes) do seen[axis] = true end
  for _, name in ipairs(lowered.axes) do
    if not seen[name] then list[#list + 1] = name end
    seen[name] = true
  end
  for _, of in ipairs(lowered.tables or {}) do
    list[#list + 1] = not seen[of.name] and of.name or nil
  end
  return list
end

-- A table as a function of a row and a slot.
local function reader(w, name)
  local key = name .. "_of"
  if not w.seen[key] then
    w.seen[key] = true
    local of, at = w.model.tables[name], "in->a->" .. name
    local entry = ("in->a->%s[%s]"):format(words.name(name),
      of.ragged and "slot"
      or of.contiguous == "row" and "row + slot * " .. at .. "_stride"
      or "slot + row * " .. at .. "_stride")
    if of.affine then
      entry = ("%s_base + row * %s_stride[0] + slot * %s_stride[1]"):format(at,
        at, at)
    end
    w.tables[#w.tables + 1] = { name = key, of = name,
      unused = of.ragged or false,
      entry = entry .. (of.skip == 0 and " - 1" or "") }
  end
  return key
end

-- at_12, slot_12: the number of a neighbour, a slot.
local function variable(kind, id) return ("%s_%d"):format(kind, id) end
M.variable = variable

-- The row that a place or the row of a reduction is in.
local function row_of(w, node)
  if node.row then return variable("at", node.row) end
  return ("%s.half[%d] / 2"):format(w.q,
    w.position[w.model.tables[node.table].from])
end

local function slot_of(node)
  return node.slot and tostring(node.slot) or variable("slot", node.bound)
end

-- What a read needs of its place, a node, to be there: that, or the row alone
-- where the value is of a slot.
function M.sought(w, node)
  local near = w.nodes[node.place]
  local of_slot = near.kind == "place"
    and near.table == w.model.fields[node.field].table
  return not of_slot and node.place or near.row
end

-- The row of a reduction, a node, where its loop asks for it by itself.
function M.over(w, node)
  local of = w.model.tables[w.nodes[node.over].table]
  return of and (of.ragged or of.skip) and node.over or nil
end

-- The line of a place that is a neighbour; nil for a row, which is no place.
function M.place(w, node, id)
  if not node.slot and not node.bound then return nil end
  return ("const int64_t %s = %s(in, %s, %s);"):format(variable("at", id),
    reader(w, node.table), row_of(w, node), slot_of(node))
end

-- The place of a read at `q`, another place.
function M.moved(w, node, q)
  local field, near = w.model.fields[node.field], w.nodes[node.place]
  local row, slot = variable("at", node.place), nil
  if near.kind == "slot" then
    row, slot = row_of(w, w.nodes[near.over]), variable("slot", node.place)
  elseif field.table == near.table then
    row, slot = row_of(w, near), slot_of(near)
  end
  local text = ("moved(%s, %d, 2 * (%s))"):format(q,
    w.position[field.domain], row)
  return not field.table and text
    or ("moved(%s, %d, 2 * %s)"):format(text, w.position[field.table], slot)
end

local function bounds(w, over, of)
  if of.count then return "0", tostring(of.count) end
  local start, row = ("in->a->%s_start"):format(over.table), row_of(w, over)
  return ("%s[%s]"):format(start, row), ("%s[%s + 1]"):format(start, row)
end

local CHOICE = { min = "less", max = "greater" }

-- What one neighbour more makes of a reduction; `none`: there was none before.
local function step(name, fn, value, none, choice)
  if fn == "sum" then
    return { ("    %s = add(%s, %s);"):format(name, name, value) }
  end
  return {
    ("    %s = %s ? %s : choose(noted(%d, %s(%s, %s)), %s, %s);"):format(name,
      none, value, choice, CHOICE[fn], value, name, value, name),
    ("    %s = 0;"):format(none) }
end

-- The reductions below a reduction that change neither with its slot nor with
-- that of another below it: they come before its loop, as they may be over the
-- same row.
local function reductions_before(w, node)
  local below, list, bound = {}, {}, { [node.slot] = true }
  for _, id in ipairs(walk.reachable(w.nodes, { node.body })) do
    local other = w.nodes[id]
    if other.kind == "reduce" then
      below[#below + 1], bound[other.slot] = id, true
    end
  end
  for _, id in ipairs(below) do
    local inside = false
    for _, slot in ipairs(w.nodes[id].slots or {}) do
      inside = inside or bound[slot]
    end
    list[#list + 1] = not inside and id or nil
  end
  return list
end

-- What is known where a loop begins is known in it; not the other way.
local function inner_lines(w, id, seen)
  return w.lines({ id }, setmetatable({}, { __index = seen }))
end

local function loop_head(w, node, name)
  local over = w.nodes[node.over]
  local of, slot = w.model.tables[over.table], variable("slot", node.slot)
  local first, last = bounds(w, over, of)
  local lines = { ("struct number %s = { 0, 0, 0, 0 };"):format(name) }
  if node.fn ~= "sum" then lines[2] = ("int no_%s = 1;"):format(name) end
  lines[#lines + 1] = ("for (int64_t %s = %s; %s < %s; %s++) {"):format(slot,
    first, slot, last, slot)
  if of.skip then
    lines[#lines + 1] = ("    if (%s(in, %s, %s) < 0)"):format(
      reader(w, over.table), row_of(w, over), slot)
    lines[#lines + 1] = "        continue;"
  end
  return lines
end

-- The lines of a reduction, and of those that come before it.
function M.reduce(w, node, id, seen)
  local list, name = w.lines(reductions_before(w, node), seen), w.local_name(id)
  lists.append(list, loop_head(w, node, name))
  lists.append(list, indented(inner_lines(w, node.body, seen)))
  lists.append(list, step(name, node.fn, w.operand(node.body), "no_" .. name,
    w.choices[id]))
  return lists.append(list, { "}" })
end

-- The lines of a shift of what changes with a slot that is bound around it.
function M.shift(w, node, id, seen)
  local q, outer, name = "q_" .. id, w.q, w.local_name(id)
  local list = { ("struct number %s;"):format(name), "{",
    ("    const struct place %s = %s;"):format(q, w.place(node.by)) }
  w.q = q
  lists.append(list, indented(inner_lines(w, node.arg, seen)))
  w.q = outer
  return lists.append(list, { ("    %s = %s;"):format(name,
    w.operand(node.arg)), "}" })
end

return M
