-- The args struct in C: its members, and the tables that describe them.

local access = require "gen.c.access"
local extent = require "gen.extent"
local append = require("gen.list").append
local mesh = require "gen.c.mesh"
local region_text = require "gen.c.region"
local statement = require "gen.c.statement"
local words = require "gen.c.words"

local M = {}

local TYPE = { float = "QUERN_FLOAT", double = "QUERN_DOUBLE",
  half = "QUERN_HALF", bfloat16 = "QUERN_BFLOAT16", int = "QUERN_INT" }

function M.type(name) return TYPE[name] end

local function stored_names(field, prefix)
  local list = {}
  for i, buffer in ipairs(field.stored) do
    list[i] = prefix .. words.name(buffer.name)
  end
  return list
end

-- "x < width, then x >= n[0] - width": which points are stored where not all
-- are; nil where they are.
local function slab_note(field)
  local only = field.only
  if not only then return nil end
  local lower, upper = region_text.hollow(only.lo, only.hi, "n")
  lower, upper = lower:gsub("a%->", ""), upper:gsub("a%->", "")
  return ("/* %s; stored: %s < %s, right behind them %s >= %s, n of %s */")
    :format(field.name, only.axis, lower, only.axis, upper, only.axis)
end

-- Along each axis: the halo that is read, the halo that is asked for, and the
-- points more than the extent.
local function widths(field)
  local read, asked, more = {}, {}, {}
  for _, axis in ipairs(field.axes) do
    local halo = field.halo and field.halo[axis]
    local reach = math.max(field.reach[axis][1], field.reach[axis][2])
    local extra = extent.extra(field, axis)
    read[#read + 1] = reach > 0 and ("%d along %s"):format(reach, axis) or nil
    asked[#asked + 1] = halo and ("%d along %s"):format(halo, axis)
    more[#more + 1] = extra > 0 and axis ~= field.table
      and ("%d along %s"):format(extra, axis) or nil
  end
  return read, asked, more
end

-- A comment on levels, halo and extra points, or no line where there is nothing
-- to say.
local function note(field)
  local levels, said = {}, {}
  local read, asked, more = widths(field)
  for i, buffer in ipairs(field.stored) do levels[i] = buffer.level end
  if #levels > 1 then
    said[1] = "time levels " .. table.concat(levels, ", ")
  end
  if read[1] then
    said[#said + 1] = "halo read: " .. table.concat(read, ", ")
  end
  if asked[1] then
    said[#said + 1] = "halo at least: " .. table.concat(asked, ", ")
  end
  if more[1] then
    said[#said + 1] = "points more: " .. table.concat(more, ", ")
  end
  if field.packed then
    said[#said + 1] = ("stride[0] is %d, interleaved: %s"):format(
      #field.packed.names, table.concat(field.packed.names, ", "))
  end
  local lines = said[1] and { ("/* %s; %s */"):format(field.name,
    table.concat(said, "; ")) } or {}
  lines[#lines + 1] = slab_note(field)
  return lines
end

-- "float *u_prev, *u;" and the names of the other members of a field.
function M.members(field, oracle)
  return {
    note = note(field), data = ("%s %s;"):format(access.type(field.type),
      table.concat(stored_names(field, "*"), ", ")),
    stride = field.name .. "_stride", halo = field.name .. "_halo",
    rank = #field.axes,
    oracle = oracle and { ("double *%s_value, *%s_bound;"):format(field.name,
      field.name) } or {},
  }
end

function M.scalars(scalars)
  local rows = {}
  for i, scalar in ipairs(scalars) do
    rows[i] = { scalar.type == "int" and "int64_t " or "double ",
      words.name(scalar.name) .. ";" }
  end
  return statement.columns(rows)
end

-- Every member that the spec's names make, for the check of clashes.
function M.all_members(lowered)
  local list = {}
  local function add(name, of) list[#list + 1] = { name = name, of = of } end
  for _, field in ipairs(lowered.fields) do
    for _, name in ipairs(stored_names(field, "")) do add(name, field.name) end
    for _, ending in ipairs { "stride", "halo", "value", "bound" } do
      add(field.name .. "_" .. ending, field.name)
    end
  end
  for _, of in ipairs(lowered.tables or {}) do
    for _, name in ipairs(mesh.member_names(of)) do add(name, of.name) end
  end
  for _, scalar in ipairs(lowered.scalars) do
    add(words.name(scalar.name), scalar.name)
  end
  return list
end

local function offset_of(instance, member)
  return ("offsetof(struct %s_args, %s)"):format(instance, member)
end

local function real(value) return ("%.17g"):format(value) end

-- The shortest decimal of a double, as C spells it.
local function number(value)
  for precision = 1, 17 do
    local s = ("%%.%dg"):format(precision):format(value)
    if tonumber(s) + 0.0 == value + 0.0 then return s end
  end
  return real(value)
end

M.number = number

local function levels(field)
  local list = {}
  for i, buffer in ipairs(field.stored) do list[i] = buffer.level end
  return table.concat(list, ", ")
end

local function needs(field)
  local list = {}
  for i, axis in ipairs(field.axes) do
    list[i] = ("{ %d, %d }"):format(extent.halo(field, axis))
  end
  return table.concat(list, ", ")
end

-- Where a field's points lie; no line where it is at the grid's.
local function place_lines(field)
  local list, moved = {}, false
  for i, axis in ipairs(field.axes) do
    list[i] = field.at[axis] or 0
    moved = moved or list[i] ~= 0
  end
  return moved and { (".at = { %s },"):format(table.concat(list, ", ")) } or {}
end

-- What a field in a shell leaves out; no line where it is stored everywhere.
local function hollow_lines(field)
  local only, scalars = field.only, {}
  if not only then return {} end
  local region, lines = only.region, {}
  region_text.scalars(only.lo, scalars)
  region_text.scalars(only.hi, scalars)
  for i, axis in ipairs(field.axes) do
    if axis == only.axis then
      lines[1] = (".hollow = hollow_%s, .hollow_axis = %d,"):format(region,
        i - 1)
    end
  end
  if next(scalars) then
    lines[2] = (".deciders = deciders_%s,"):format(region)
    lines[3] = (".decider_count = sizeof deciders_%s / sizeof(int),")
      :format(region)
  end
  return lines
end

-- ".extra = { 0, 0, 1 }," where a field has points more.
local function extra_lines(field)
  local list, any = {}, false
  for i, axis in ipairs(field.axes) do
    list[i] = extent.extra(field, axis)
    any = any or list[i] > 0
  end
  return any and { (".extra = { %s },"):format(table.concat(list, ", ")) } or {}
end

-- How it shares an array; no line where it does not.
local function packed_lines(field)
  local packed = field.packed
  return packed and { (".packed = %d, .place = %d,"):format(#packed.names,
    packed.index) } or {}
end

-- What formulas compare a field with.
local function edge_lines(edges)
  if not edges or #edges == 0 then return {} end
  local list = {}
  for i, value in ipairs(edges) do list[i] = number(value) end
  return { (".edge = { %s }, .edges = %d,"):format(table.concat(list, ", "),
    #list) }
end

-- The lines of one entry of the table of fields. `written`: some kernel
-- assigns it; `oracle`: the reference's results are members too.
function M.field_entry(instance, field, positions, written, oracle, edges)
  local axis, data = {}, {}
  for i, name in ipairs(field.axes) do axis[i] = positions[name] or -1 end
  for i, name in ipairs(stored_names(field, "")) do
    data[i] = offset_of(instance, name)
  end
  local lines = {
    ('.name = "%s", .type = %s,'):format(field.name, TYPE[field.type]),
    (".rank = %d, .axis = { %s },"):format(#axis, table.concat(axis, ", ")),
    (".oldest = %d, .newest = %d, .buffers = %d, .level = { %s },"):format(
      field.levels[1], field.levels[#field.levels], #field.stored,
      levels(field)),
    (".data = { %s },"):format(table.concat(data, ",\n          ")),
    (".stride = %s,"):format(offset_of(instance, field.name .. "_stride")),
    (".halo = %s,"):format(offset_of(instance, field.name .. "_halo")),
    (".need = { %s },"):format(needs(field)),
    (".low = %s, .high = %s, .written = %d,"):format(number(field.range[1]),
      number(field.range[2]), written and 1 or 0),
  }
  append(lines, edge_lines(edges))
  lines[#lines + 1] = field.constant and ".constant = 1," or nil
  lines[#lines + 1] = field.temporary and ".temporary = 1," or nil
  append(lines, extra_lines(field))
  append(lines, place_lines(field))
  append(lines, packed_lines(field))
  append(lines, hollow_lines(field))
  if oracle and written then
    for _, name in ipairs { "value", "bound" } do
      lines[#lines + 1] = (".%s = %s,"):format(name,
        offset_of(instance, field.name .. "_" .. name))
    end
  end
  return lines
end

function M.scalar_rows(instance, scalars)
  local lines = {}
  for i, scalar in ipairs(scalars) do
    lines[i] = ('{ "%s", %d, %s, %s, %s, %d },'):format(scalar.name,
      scalar.type == "int" and 1 or 0, number(scalar.range[1]),
      number(scalar.range[2]), offset_of(instance, words.name(scalar.name)),
      scalar.spacing and 1 or 0)
  end
  return lines
end

-- One row of a kernel's table of accesses.
function M.access_row(array, field_index)
  local reach = {}
  for i, axis in ipairs(array.field.axes) do
    reach[i] = ("{ %d, %d }"):format(array.reach[axis][1],
      array.reach[axis][2])
  end
  return ("{ %d, %d, %d, %d, { %s }, %d },"):format(field_index, array.index,
    array.read and 1 or 0, array.written and 1 or 0,
    table.concat(reach, ", "), array.handed and 1 or 0)
end

-- The oldest buffer becomes the newest: pointers only.
function M.turn(field)
  local names = stored_names(field, "a->")
  local lines = { ("%s *%s_oldest = %s;"):format(access.type(field.type),
    field.name, names[1]) }
  for i = 1, #names - 1 do
    lines[#lines + 1] = ("%s = %s;"):format(names[i], names[i + 1])
  end
  lines[#lines + 1] = ("%s = %s_oldest;"):format(names[#names], field.name)
  return lines
end

return M
