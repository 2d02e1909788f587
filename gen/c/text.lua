-- Small pieces of C that the views need: rows of tables, conditions, offsets.

local access = require "gen.c.access"
local lists = require "gen.list"
local statement = require "gen.c.statement"
local words = require "gen.c.words"

local M = {}

local WIDTH = 88

local function list(items) return table.concat(items, ", ") end

-- The lines, one step further in; empty ones stay empty.
function M.indented(lines)
  local out = {}
  for i, line in ipairs(lines) do
    out[i] = line == "" and "" or "    " .. line
  end
  return out
end

-- Does a name stand in one of the lines?
function M.stands(name, lines)
  for _, line in ipairs(lines) do
    if line:find("%f[%w_]" .. name .. "%f[^%w_]") then return true end
  end
  return false
end

-- "float behind1[2], current[2];", a line as long as WIDTH at most.
function M.declaration(type, items)
  local lines, line = {}, type .. " "
  for i, name in ipairs(items) do
    local item = name .. (i < #items and "," or ";")
    if #line + #item > WIDTH then
      lines[#lines + 1] = (line:gsub(" $", ""))
      line = "    "
    end
    line = line .. item .. " "
  end
  lines[#lines + 1] = (line:gsub(" $", ""))
  return lines
end

-- "_ym1_zp2" for the offsets along the last axes that are not 0.
function M.ending(axes, offset)
  local parts = {}
  for i, n in ipairs(offset) do
    if n ~= 0 then
      parts[#parts + 1] = ("_%s%s%d"):format(axes[i + 1].name,
        n < 0 and "m" or "p", math.abs(n))
    end
  end
  return table.concat(parts)
end

function M.quoted(names)
  local out = {}
  for i, name in ipairs(names) do out[i] = ('"%s"'):format(name) end
  return list(out)
end

-- What quern_launch.h asks of an array along its i-th axis; noughts at the end
-- are left out.
local function along(array, i)
  local name, only = array.field.axes[i], array.field.only
  local packed = i == 1 and array.field.packed
  local slab, more = only and only.axis == name, array.more[name]
  local facts = { array.reach[name][1], array.reach[name][2] }
  if slab or packed or more ~= 0 then facts[3] = more end
  if slab or packed then
    facts[4] = slab and "hollow.upper - hollow.lower" or 0
  end
  if packed then
    lists.append(facts, { #packed.names, packed.index, array.group })
  end
  return ("{ %s }"):format(list(facts))
end

-- One row of the table that part/check walks, on two lines.
local function array_row(array, positions)
  local axis, reach = {}, {}
  for i, name in ipairs(array.field.axes) do
    axis[i], reach[i] = positions[name], along(array, i)
  end
  local name, field = words.name(array.buffer), array.field
  return ('{ "%s", a->%s, sizeof(%s), %d, %d, { %s },'):format(array.buffer,
    name, access.type(field.type), array.written and 1 or 0, #field.axes,
    list(axis)),
    ("  a->%s_stride, a->%s_halo, { %s } },"):format(field.name, field.name,
    list(reach))
end

function M.array_rows(arrays, axes)
  local positions, lines = {}, {}
  for i, axis in ipairs(axes) do positions[axis.name] = i - 1 end
  for i, array in ipairs(arrays) do
    lines[2*i - 1], lines[2*i] = array_row(array, positions)
  end
  return lines
end

-- "x >= x_end || y >= y_end", and more tests.
function M.outside(axes, names, tests)
  local terms = {}
  for i, axis in ipairs(axes) do
    terms[i] = ("%s >= %s"):format(names.axis[axis.name],
      names.upper[axis.name])
  end
  lists.append(terms, tests or {})
  return table.concat(terms, " || ")
end

-- "x < x_end && y < y_end".
function M.inside(axes, names)
  local terms = {}
  for i, axis in ipairs(axes) do
    terms[i] = ("%s < %s"):format(names.axis[axis.name],
      names.upper[axis.name])
  end
  return table.concat(terms, " && ")
end

-- Where the point of a thread lies in the arrays of `field`.
function M.offset(field, names, bases)
  local terms = {}
  for i, axis in ipairs(field.axes) do
    local base = bases and bases[axis] or names.axis[axis]
    local stride = names.stride[field.name][axis]
    terms[i] = stride == "" and base or base .. " * " .. stride
  end
  return table.concat(terms, " + ")
end

-- "const index_t u_at = x + y * u_y;" for each field; `type` with const or
-- without; bases[axis]: where to start along it, other than at the point.
function M.offsets(fields, names, type, bases)
  local rows = {}
  for i, field in ipairs(fields) do
    rows[i] = { ("%s %s"):format(type, names.at[field.name]),
      (" = %s;"):format(M.offset(field, names, bases)) }
  end
  return statement.columns(rows)
end

-- The place of an offset from the point: "u_at + 2*u_y - 1".
function M.place(field, offset, names)
  local terms = {}
  for i = #field.axes, 1, -1 do
    local axis = field.axes[i]
    terms[#terms + 1] = { offset[axis] or 0,
      names.stride[field.name][axis] }
  end
  return access.offset(names.at[field.name], terms)
end

-- The blocks along the first axis, whose place in a grid the fourth shares.
local function blocks(axis, size, names)
  local name = axis.name
  names.blocks = names.blocks or names.claim(name .. "_blocks")
  return ("const index_t %s = (%s - %s + %d) / %d;"):format(names.blocks,
    names.upper[name], names.lower[name], size - 1, size)
end

-- The cells of a thread's place along each axis.
local function coordinate_rows(axes, block, names, folded, index)
  local rows = {}
  for i = 1, math.min(#axes, 3) do
    local axis, d = axes[i], ("xyz"):sub(i, i)
    local share = folded and i == 1 and " % " .. names.blocks or ""
    rows[i] = { ("const index_t %s"):format(names.axis[axis.name]),
      (" = %s"):format(names.lower[axis.name]),
      (" + (index_t)%s.%s%s * %d"):format(index, d, share, block[i]),
      (" + threadIdx.%s;"):format(d) }
  end
  return rows
end

-- "const index_t x = x_begin + (index_t)blockIdx.x * 32 + threadIdx.x;"; index:
-- the name of the block's place, blockIdx if it is not given.
function M.coordinates(axes, block, names, index)
  index = index or "blockIdx"
  local folded = axes[4] and blocks(axes[1], block[1], names)
  local rows = coordinate_rows(axes, block, names, folded, index)
  local lines = statement.columns(rows)
  if folded then
    table.insert(lines, 1, folded)
    lines[#lines + 1] = ("const index_t %s = %s + (index_t)%s.x / %s;"):format(
      names.axis[axes[4].name], names.lower[axes[4].name], index, names.blocks)
  end
  return lines
end

-- The same where threads are at every ahead.step-th point along some axes, from
-- ahead.text past where they begin, which later axes decide. ahead[i]: of the
-- i-th axis, or false; tile: points of a block.
function M.stepped_coordinates(axes, block, names, ahead, tile)
  local folded = axes[4] and blocks(axes[1], tile[1], names)
  local rows, lines = coordinate_rows(axes, block, names, folded,
    "blockIdx"), { folded }
  rows[4] = folded and { "const index_t " .. names.axis[axes[4].name],
    " = " .. names.lower[axes[4].name],
    " + (index_t)blockIdx.x / " .. names.blocks, ";" }
  for i = #axes, 1, -1 do
    local row, from = rows[i], ahead[i]
    if from then
      lines[#lines + 1] = row[1] .. row[2] .. " + " .. from.text
      row = { ("    + %d * ("):format(from.step), (row[3]:sub(4)),
              (row[4]:gsub(";", ");")) }
    end
    lines[#lines + 1] = table.concat(row)
  end
  return lines
end

-- "quern_tiles(&list[b], TILE, 0)" for each axis of a grid; the fourth shares
-- with the first.
function M.tiles(rank, tile)
  local counts = {}
  for i = 1, rank do
    counts[i] = ("quern_tiles(&list[b], %s, %d)"):format(tile, i - 1)
  end
  if counts[4] then
    counts[1], counts[4] = ("(%s * %s)"):format(counts[1], counts[4]), nil
  end
  return counts
end

-- The same as lines, each a number of a grid.
function M.grid(rank, tile)
  local lines = {}
  for i, tiles in ipairs(M.tiles(rank, tile)) do
    lines[i] = "(unsigned)" .. tiles
  end
  for i = 1, #lines - 1 do lines[i] = lines[i] .. "," end
  return lines
end

return M
