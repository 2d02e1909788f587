-- Neighbour tables in C: how kernels find neighbours, walk along rows, and
-- where the values of a neighbour or of a slot are.

local access = require "gen.c.access"
local lists = require "gen.list"
local statement = require "gen.c.statement"
local words = require "gen.c.words"

local M = {}

-- The tables of a block, as lowered has them, in order.
function M.tables(lowered, block)
  local list = {}
  for _, of in ipairs(lowered.tables or {}) do
    list[#list + 1] = lists.contains(block.tables or {}, of.name) and of or nil
  end
  return list
end

-- Does a block read entries of a table? Of others the number of slots matters.
function M.reads(block, name)
  local function among(nears, code)
    for _, near in ipairs(nears) do
      if near.table == name and not near.unsought and not near.given then
        return true
      end
    end
    for _, entry_of in ipairs(code) do
      if entry_of.loop and among(entry_of.neighbours, entry_of.code) then
        return true
      end
    end
    return false
  end
  return among(block.neighbours, block.code)
end

-- What is handed to a kernel of a table, in order: { ending of its name, type,
-- member of the args struct, row = is it an affine table's step from one row to
-- the next }. A type of nil is that of an index. An affine
-- table is no array: the neighbour at slot s of row r is base + r * row + s *
-- slot.
function M.parts(of)
  local function part(ending, member, type)
    return { ending = ending, type = type,
      member = of.name .. member }
  end
  if of.affine then
    local row = part("_row", "_stride[0]")
    row.row = true
    return { part("_base", "_base"), row, part("_slot", "_stride[1]") }
  end
  local array = part("", "", "int32_t")
  if of.ragged then return { array, part("_start", "_start", "int64_t") } end
  return { array, part(of.contiguous == "row" and "_slot" or "_row",
                       "_stride") }
end

-- names.rows = { of = { [table] = its entry of lowered.tables }, name[table ..
-- ending], handed = { { type, name, member }.. }, variable(name) of a neighbour
-- or a slot, axis[domain], index = the C type of an index, absent(name) = the
-- condition that a neighbour is missing, or nil, regular: is there a variable
-- that says so of a tile (gen/c/regular.lua), unrolled: loops over slots are,
-- so that the loop around them is vectorised, rolled: those are not in which
-- values are gathered, as there are registers for one turn }. `handed`: of
-- which tables the kernel has parameters, { [table] = true }; nil: of all.
function M.claim(names, lowered, block, handed)
  local rows = { of = {}, name = {}, handed = {}, axis = names.axis,
    index = "int64_t", variable = names.value }
  for _, of in ipairs(M.tables(lowered, block)) do
    rows.of[of.name] = of
    for _, part in ipairs(M.parts(of)) do
      local name = names.claim(of.name .. part.ending)
      rows.name[of.name .. part.ending] = name
      table.insert((not handed or handed[of.name]) and rows.handed or {},
        { type = part.type, name = name, row = part.row,
          member = part.ending == "" and words.name(of.name) or part.member })
    end
  end
  names.rows = rows
end

local function times(factor, stride)
  if factor == "0" then return nil end
  return factor == "1" and stride or factor .. " * " .. stride
end

local function plus(terms)
  local kept = {}
  for i = 1, terms.n do kept[#kept + 1] = terms[i] end
  return #kept > 0 and table.concat(kept, " + ") or "0"
end

local function sum(...) return plus(table.pack(...)) end

-- The entry of a table at a row and a slot, both texts.
local function entry(of, row, slot, rows)
  local function name(ending) return rows.name[of.name .. ending] end
  if of.affine then
    return sum(name "_base", times(row, name "_row"),
      times(slot, name "_slot"))
  end
  local place = of.ragged and slot
    or of.contiguous == "row" and sum(row, times(slot, name "_slot"))
    or sum(times(row, name "_row"), slot ~= "0" and slot or nil)
  return access.at(name "", place) .. (of.first == 1 and " - 1" or "")
end

M.entry = entry

local function row_of(near, rows)
  return near.row and rows.variable(near.row)
    or rows.axis[rows.of[near.table].from]
end

local function slot_of(near, rows)
  return near.slot and tostring(near.slot) or rows.variable(near.loop)
end

-- Where a neighbour is found; loads at it are from now on. Of the point's own
-- row it may be found by strides. `given`: the text of one that a shape knows.
function M.neighbour(near, rows)
  rows.found = rows.found or {}
  rows.found[near.name] = near
  if near.given then return near.given end
  local strides = not near.row and rows.strides and rows.strides[near.table]
  if strides then
    return ("%s(%s)"):format(strides.at, slot_of(near, rows))
  end
  return entry(rows.of[near.table], row_of(near, rows), slot_of(near, rows),
    rows)
end

-- The entry in the slot `own_slot` of the point's own row.
function M.own_entry(of, rows)
  return entry(of, rows.axis[of.from], rows.own_slot, rows)
end

-- The point that a table leads to from the point's own row, by its neighbour's
-- name where it has one.
function M.led(block, name, rows)
  local near = lists.find(block.neighbours, "table", name)
  if near and not near.row and not near.unsought then
    return rows.variable(near.name)
  end
  return entry(rows.of[name], rows.axis[rows.of[name].from], "0", rows)
end

-- "const int64_t e2c2v_0 = e2c2v[edge];" for each that is sought; none if they
-- are kept.
function M.neighbours(list, rows)
  local lines = {}
  for _, near in ipairs(not rows.kept and list or {}) do
    local place = M.neighbour(near, rows)
    lines[#lines + 1] = not near.unsought and { ("const %s %s"):format(
      rows.index, rows.variable(near.name)), (" = %s;"):format(place) } or nil
  end
  return statement.columns(lines)
end

-- ---------------------------------------------------------------------------
-- Elements

-- The index of a load along one axis of its field, as a text.
local function index(field, axis, load, names)
  local rows = names.rows
  local near = load.place and rows.found[load.place]
  if near and axis == field.table then return slot_of(near, rows) end
  if near and axis == field.domain then
    return field.table and row_of(near, rows) or rows.variable(near.name)
  end
  local n = load.offset[axis] or 0
  local base = names.axis[axis]
  if n == 0 then return base end
  return ("(%s %s %d)"):format(base, n < 0 and "-" or "+", math.abs(n))
end

-- Where the value of a load is in the array of its field.
function M.element(field, load, names)
  local terms = { n = #field.axes }
  for i, axis in ipairs(field.axes) do
    local stride = names.stride[field.name][axis]
    local at = index(field, axis, load, names)
    terms[i] = stride == "" and (at ~= "0" and at or nil) or times(at, stride)
  end
  return plus(terms)
end

-- The fields of a block that it finds at its own point; all on a grid.
function M.direct_fields(context)
  local found, list, block = {}, {}, context.block
  for _, load in ipairs(block.loads) do
    local here = not load.place and not next(load.offset)
    found[load.field] = found[load.field] or here
  end
  for _, store in ipairs(block.stores) do
    found[store.field] = found[store.field] or not store.adds
  end
  for _, field in ipairs(context.fields) do
    list[#list + 1] = (found[field.name] or not context.kernel.domain)
      and field or nil
  end
  return list
end

-- ---------------------------------------------------------------------------
-- Loops

local FIRST = { sum = "0", min = "INFINITY", max = "-INFINITY" }

-- "double sum = 0.0;"
function M.start(sum_of, style)
  local first = FIRST[sum_of.fn]
  if first == "0" then first = style.type == "float" and "0.0f" or "0.0" end
  return ("%s %s = %s;"):format(style.type, style.value(sum_of.name), first)
end

-- The head of a loop over the slots of a row.
function M.head(loop, rows)
  local of, slot = rows.of[loop.table], rows.variable(loop.slot)
  if of.count then
    return ("for (int %s = 0; %s < %d; %s++) {"):format(slot, slot, of.count,
      slot)
  end
  local starts = rows.name[of.name .. "_start"]
  local row = row_of(loop, rows)
  return ("for (int64_t %s = %s[%s]; %s < %s[%s + 1]; %s++) {"):format(slot,
    starts, row, slot, starts, row, slot)
end

-- The condition that there is no such neighbour.
function M.missing(name, rows)
  local known = rows.absent and rows.absent(name)
  return known or ("%s < 0"):format(rows.variable(name))
end

-- A missing neighbour is passed over; in regular tiles the point's own row has
-- none.
function M.guard(loop, rows)
  local never = rows.regular and not loop.row
    and not rows.of[loop.table].ragged
  return { ("if (%s%s)"):format(never and "!regular && " or "",
    M.missing(loop.guard, rows)), "    continue;" }
end

local function has_arrays(code)
  for _, entry_of in ipairs(code) do
    if entry_of.arrays then return true end
  end
  return false
end

-- More lines than so many times those of the innermost loop are not made of
-- loops within loops: 49 of them took gcc half a minute.
local MOST_COPIES = 32

-- How often they stand there where a loop and all within it are unrolled.
local function copies(entry_of, rows)
  local most = 1
  for _, inner in ipairs(entry_of.code) do
    if inner.loop then most = math.max(most, copies(inner, rows)) end
  end
  return most * (rows.of[entry_of.loop.table].count or 1)
end

-- The lines of a loop: neighbours, one that may be missing first, what is read
-- there, the code (by `add_code`), and one term more of each sum.
function M.loop(entry_of, style, add_code)
  local rows, lines, body = style.rows, {}, {}
  for i, reduced in ipairs(entry_of.sums) do
    lines[i] = M.start(reduced, style)
  end
  for _, array in ipairs(entry_of.arrays or {}) do
    lines[#lines + 1] = ("%s %s[%d];"):format(style.type,
      style.value(array.name), array.count)
  end
  local count = rows.of[entry_of.loop.table].count
  if rows.rolled and has_arrays(entry_of.code) then
    lines[#lines + 1] = "#pragma unroll 1"
  elseif rows.unrolled and count and copies(entry_of, rows) <= MOST_COPIES then
    lines[#lines + 1] = ("#pragma GCC unroll %d"):format(count)
  end
  lines[#lines + 1] = M.head(entry_of.loop, rows)
  local nears = table.move(entry_of.neighbours, 1, #entry_of.neighbours, 1, {})
  lists.append(body, style.taken(entry_of, true))
  if entry_of.loop.guard then
    lists.append(body, M.neighbours({ table.remove(nears, 1) }, rows))
    lists.append(body, M.guard(entry_of.loop, rows))
  end
  lists.append(body, M.neighbours(nears, rows))
  lists.append(body, style.taken(entry_of, false))
  add_code(body, entry_of.code, style)
  for _, reduced in ipairs(entry_of.sums) do
    lists.append(body, statement.assignment(style.value(reduced.name) .. " = ",
      reduced.value, style))
  end
  for _, array in ipairs(entry_of.arrays or {}) do
    lists.append(body, statement.assignment(("%s[%s] = "):format(
      style.value(array.name), rows.variable(entry_of.loop.slot)),
      array.value, style))
  end
  for _, line in ipairs(body) do
    lines[#lines + 1] = line == "" and line or "    " .. line
  end
  lines[#lines + 1] = "}"
  return lines
end

return M
