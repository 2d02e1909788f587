-- Tables of neighbours and the arrays of kernels on meshes in C: members of the
-- args struct, their descriptors, the rows that `check` walks.

local access = require "gen.c.access"
local extent = require "gen.extent"
local kinds = require "gen.c.kinds"
local lists = require "gen.list"
local rows = require "gen.c.rows"
local words = require "gen.c.words"

local M = {}

local function positions_of(lowered)
  local list = {}
  for i, axis in ipairs(lowered.axes) do list[axis] = i - 1 end
  return list
end

local function note(of)
  local slots = of.count and ("%d slots of each %s"):format(of.count, of.from)
    or ("entries of each %s"):format(of.from)
  local said = ("/* %s: %s lead to %s"):format(of.name, slots, of.to)
  if of.through then
    return ("%s by %s; -1: not as the pattern */"):format(said,
      table.concat(of.through, " and "))
  elseif of.affine then
    return said .. ": base + row * stride[0] + slot * stride[1] */"
  elseif of.first == 1 then
    return said .. ", from 1; 0: none */"
  end
  return said .. (of.skip and "; -1: none */" or " */")
end

-- The members of a table: its entries, or the numbers of an affine one.
local function members(of)
  if of.affine then
    return { ("int64_t %s_base, %s_stride[2];"):format(of.name, of.name) }
  end
  local data = ("const int32_t *%s;"):format(words.name(of.name))
  if of.ragged then
    return { ("const int64_t *%s_start;"):format(of.name), data }
  end
  return { data, ("int64_t %s_stride;"):format(of.name) }
end

-- The names of the members, for the check of clashes.
function M.member_names(of)
  if of.affine then return { of.name .. "_base", of.name .. "_stride" } end
  local data = words.name(of.name)
  if of.ragged then return { data, of.name .. "_start" } end
  return lists.append({ data, of.name .. "_stride" }, kinds.member_names(of))
end

-- The lines of each table in the args struct.
function M.members(lowered, plans)
  local list, most = {}, kinds.most(plans)
  for i, of in ipairs(lowered.tables or {}) do
    list[i] = members(of)
    table.insert(list[i], 1, note(of))
    if most[of.name] then
      lists.append(list[i], kinds.members(of, most[of.name]))
    end
  end
  return list
end

local function offset_of(lowered, member)
  return ("offsetof(struct %s_args, %s)"):format(lowered.instance, member)
end

local FLAGS = { "first", "skips", "nonempty", "by_slot", "affine" }

local function flags(of)
  return { first = of.first, skips = of.skip and 1 or 0,
    nonempty = of.nonempty and 1 or 0, affine = of.affine and 1 or 0,
    by_slot = of.contiguous == "slot" and not of.affine and not of.ragged
      and 1 or 0 }
end

-- The indices of the parts of a composed table.
local function through(lowered, of)
  local list = {}
  for k, part in ipairs(of.through) do
    for i, other in ipairs(lowered.tables) do
      if other.name == part then list[k] = i - 1 end
    end
  end
  return list
end

-- { name, targets } of the composed tables.
function M.patterns(lowered)
  local list = {}
  for _, of in ipairs(lowered.tables or {}) do
    local targets = {}
    for _, row in ipairs(of.pattern or {}) do
      lists.append(targets, row)
    end
    list[#list + 1] = of.pattern and { name = of.name,
      targets = table.concat(targets, ", ") } or nil
  end
  return list
end

local function entry(lowered, of, position, most)
  local set, flag = {}, flags(of)
  for _, name in ipairs(FLAGS) do
    if flag[name] ~= 0 then set[#set + 1] = (".%s = %d,"):format(name,
      flag[name]) end
  end
  local lines = { ('.name = "%s", .from = %d, .to = %d, .count = %d,'):format(
    of.name, position[of.from], position[of.to], of.count or 0) }
  lines[#lines + 1] = set[1] and table.concat(set, " ") or nil
  if of.through then
    lines[#lines + 1] = (".pattern = %s_pattern, .through = { %s },"):format(
      of.name, table.concat(through(lowered, of), ", "))
  end
  if most then
    lists.append(lines, kinds.entry(of, most, function(member)
      return offset_of(lowered, member)
    end))
  end
  lines[#lines + 1] = (".data = %s,"):format(offset_of(lowered,
    of.affine and of.name .. "_base" or words.name(of.name)))
  if of.ragged then
    lines[#lines + 1] = (".entries = %d, .start = %s,"):format(
      position[of.name], offset_of(lowered, of.name .. "_start"))
  else
    lines[#lines + 1] = (".stride = %s,"):format(offset_of(lowered,
      of.name .. "_stride"))
  end
  return lines
end

-- The lines of each entry of the module's list of tables.
function M.entries(lowered, plans)
  local list, position, most = {}, positions_of(lowered), kinds.most(plans)
  for i, of in ipairs(lowered.tables or {}) do
    list[i] = entry(lowered, of, position, most[of.name])
  end
  return list
end

-- The indices of the tables that a block reads, in the module's list.
function M.positions(lowered, block)
  local list = {}
  for i, of in ipairs(lowered.tables or {}) do
    for _, name in ipairs(block.tables or {}) do
      if name == of.name then list[#list + 1] = i - 1 end
    end
  end
  return list
end

-- ---------------------------------------------------------------------------
-- What `check` of a kernel looks at

-- "a->n[3] + 1": the points of a field along an axis.
local function points(field, axis, position)
  if not position[axis] then return tostring(extent.extra(field, axis)) end
  return (extent.text(field, axis, ("a->n[%d]"):format(position[axis]))
    :gsub("^%((.*)%)$", "%1"))
end

-- Rows of struct quern_mesh_array, two lines each.
function M.array_rows(lowered, arrays)
  local position, lines = positions_of(lowered), {}
  for i, array in ipairs(arrays) do
    local field, axes, n = array.field, {}, {}
    for k, axis in ipairs(field.axes) do
      axes[k], n[k] = ('"%s"'):format(axis), points(field, axis, position)
    end
    local name = words.name(array.buffer)
    lines[2*i - 1] = ('{ "%s", a->%s, sizeof(%s), %d, %d, { %s },'):format(
      array.buffer, name, access.type(field.type), array.written and 1 or 0,
      #axes, table.concat(axes, ", "))
    lines[2*i] = ("  { %s }, a->%s_stride },"):format(table.concat(n, ", "),
      field.name)
  end
  return lines
end

-- A row of struct quern_mesh_table.
local function table_row(of, position)
  local set, flag = {}, flags(of)
  for i, name in ipairs(FLAGS) do set[i] = tostring(flag[name]) end
  local count = of.count or ("a->n[%d]"):format(position[of.name])
  local memory = ("NULL, NULL, 0, a->%s_base, { a->%s_stride[0], "
    .. "a->%s_stride[1] }"):format(of.name, of.name, of.name)
  if not of.affine then
    memory = ("a->%s, %s, %s, 0, { 0, 0 }"):format(words.name(of.name),
      of.ragged and "a->" .. of.name .. "_start" or "NULL",
      of.ragged and "0" or "a->" .. of.name .. "_stride")
  end
  return { ('{ "%s", "%s", "%s", a->n[%d], a->n[%d], %s, %s,'):format(of.name,
    of.from, of.to, position[of.from], position[of.to], count,
    table.concat(set, ", ")), ("  %s },"):format(memory) }
end

-- { table_count, tables = lines } of a block on a mesh; false for others.
function M.of_block(lowered, kernel, block)
  if not kernel.domain then return false end
  local position, lines, list = positions_of(lowered), {}, rows.tables(lowered,
    block)
  for _, of in ipairs(list) do
    for _, line in ipairs(table_row(of, position)) do
      lines[#lines + 1] = line
    end
  end
  return { table_count = #list, tables = #list > 0 and lines or nil }
end

return M
