-- The C shapes' loops over tiles: parameters of the tile function, its locals,
-- its call.

local access = require "gen.c.access"
local lists = require "gen.list"
local statement = require "gen.c.statement"
local words = require "gen.c.words"

local M = {}

local function colour_names(context, prefix)
  local list = {}
  for i, name in ipairs(context.names.colour) do list[i] = prefix .. name end
  return list
end

local function host_names(context)
  local list = {}
  for i, host in ipairs(context.hosts) do
    list[i] = context.names.host[host.name]
  end
  return list
end

local function wrapped(items, per_line)
  local lines = {}
  for i = 1, #items, per_line do
    lines[#lines + 1] = table.concat(items, ", ", i,
      math.min(i + per_line - 1, #items)) .. ","
  end
  lines[#lines] = lines[#lines]:sub(1, -2)
  return lines
end

-- `box`: what the tile is called, of a function that handles all alike.
function M.parameters(context, args, box)
  local items = lists.append({ context.names.rows.regular and not box
    and "const int regular" or nil }, colour_names(context, "int64_t "))
  for _, name in ipairs(host_names(context)) do
    items[#items + 1] = ("%s %s"):format(context.kernel.compute, name)
  end
  local lines = { ("const struct %s *a, const struct quern_box *%s"):format(
    args, box or "tile") }
  if #items > 0 then
    lines[1] = lines[1] .. ","
    table.move(wrapped(items, 6), 1, #items, 2, lines)
  end
  return lines
end

-- `regular`: what the tile is said to be, as a text; nil where it is not asked.
function M.call(context, regular)
  local items = { "a", "&tile", regular }
  lists.append(items, colour_names(context, ""))
  return wrapped(lists.append(items, host_names(context)), 9)
end

-- The words of lists of lines: { [word] = true }.
local function words_of(lists_of_lines)
  local found = {}
  for _, lines in ipairs(lists_of_lines) do
    for _, line in ipairs(lines) do
      for word in line:gmatch "[%a_][%w_]*" do found[word] = true end
    end
  end
  return found
end

-- Those of rows { declaration, value } whose name stands somewhere: slots may
-- lead to the first of a row alone, and of some tables only the number of slots
-- matters.
local function used(rows, texts)
  local found, list = words_of(texts), {}
  for _, row in ipairs(rows) do
    list[#list + 1] = found[row[1]:match "[%w_]+$"] and row or nil
  end
  return list
end

-- The arrays, and the strides of fields, from the arguments: those that the
-- lines of `texts` use, without it all.
function M.locals(context, fields, texts)
  local rows, names = {}, context.names
  for _, array in ipairs(context.arrays) do
    rows[#rows + 1] = { ("%s%s *restrict %s"):format(
      array.written and "" or "const ", access.type(array.field.type),
      names.array[array.buffer]),
      (" = a->%s;"):format(words.name(array.buffer)) }
  end
  for _, field in ipairs(fields) do
    for i = 2, #field.axes do
      rows[#rows + 1] = { ("const int64_t %s"):format(
        names.stride[field.name][field.axes[i]]),
        (" = a->%s_stride[%d];"):format(field.name, i - 1) }
    end
  end
  for _, part in ipairs(names.rows.handed) do
    rows[#rows + 1] = { part.type and ("const %s *restrict %s"):format(
      part.type, part.name) or "const int64_t " .. part.name,
      (part.row and names.rows.regular and " = regular ? 1 : a->%s;"
        or " = a->%s;"):format(part.member) }
  end
  return statement.columns(texts and used(rows, texts) or rows)
end

local LOOP = "for (int64_t %s = %s%s%s < %s->upper[%d]; %s%s)%s"

-- The loops from the last axis to the first, { pad, text }: over the points of
-- a box, or in the strides of `by`; the one over axis `open` opens a brace.
-- ahead[i], if given: { text, step } of an axis on which every step-th point
-- counts, from `text` past where the box begins.
function M.loops(context, box, by, open, ahead)
  local list = {}
  for i = #context.axes, 1, -1 do
    local name = context.names.axis[context.axes[i].name]
    local lower = ("%s->lower[%d]"):format(box, i - 1)
    local from = ahead and ahead[i]
    local text = LOOP:format(name, lower,
      from and (" + %s;\n     "):format(from.text) or "; ", name, box, i - 1,
      name, from and (" += %d"):format(from.step) or by:format(i - 1),
      i - 1 == open and " {" or "")
    list[#list + 1] = { pad = ("    "):rep(#context.axes - i), text = text }
  end
  return list
end

-- "TILE[0], quern_even(box, TILE, 1), ..": along the contiguous axis only the
-- last tile is shorter, but points of a mesh, which are all that there is to
-- share out, are shared among the threads.
function M.sizes(context)
  local of_points = context.axes[1].name == context.kernel.domain
  local sizes = { of_points and "quern_even_shares(box, TILE, 0)"
    or "TILE[0]" }
  for i = 2, #context.axes do
    sizes[i] = ("quern_even(box, TILE, %d)"):format(i - 1)
  end
  return table.concat(sizes, ", ")
end

-- "x, y" and "quern_least(x + size[0], box->upper[0]), ..".
function M.tile(context)
  local lower, upper = {}, {}
  for i, axis in ipairs(context.axes) do
    lower[i] = context.names.axis[axis.name]
    upper[i] = ("quern_least(%s + size[%d], box->upper[%d])"):format(lower[i],
      i - 1, i - 1)
  end
  return table.concat(lower, ", "), table.concat(upper, ",\n")
end

return M
