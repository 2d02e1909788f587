-- What goes there and back where tiles are turned, in C: the lists of what is
-- read, the copies, and the calls that fill them.

local access = require "gen.c.access"
local lists = require "gen.list"
local turned_of = require "gen.schedule.turned"
local words = require "gen.c.words"

local M = {}

-- "a->n[3]" of a domain.
local function extent(name, context)
  return ("a->n[%d]"):format(lists.index(context.lowered.axes, name) - 1)
end

-- Claims a buffer of so many points and declares it; of the field's type, or
-- of another.
local function buffer(made, one, ending, count, context, type)
  local name = context.names.claim(one.buffer .. ending)
  table.insert(made.buffers, ("_Alignas(64) %s %s[%s * 8];"):format(
    access.type(type or one.field.type), name, count))
  return name
end

-- "u_vert + first + k * u_vert_k, u_vert_k": where the first of the levels is,
-- and how far it is from one to the next.
local function levels_of(one, point, context)
  local names, axis = context.names, context.axes[2].name
  local stride = names.stride[one.field.name][axis]
  return ("%s%s + %s * %s, %s"):format(names.array[one.buffer], point,
    names.axis[axis], stride, stride)
end

-- The line that fills the copy of a field at neighbours, of the compute type:
-- loops of vectors have one type, and what is converted is so once.
local function fill(made, one, domain, context)
  local compute, stored = context.kernel.compute, one.field.type
  local copy = buffer(made, one, "_near", domain.lines .. " * 8", context,
    compute)
  made.how.near_array[one.buffer] = copy
  table.insert(made.fills, ("quern_lines_copy_%s(%s, &near.%s, %s, %s);")
    :format(stored == compute and one.bytes or stored .. "_" .. compute, copy,
      words.name(domain.name), levels_of(one, "", context),
      extent(domain.name, context)))
end

-- The copies of what is at neighbours.
local function add_copies(made, plan, context)
  for _, domain in ipairs(plan.turned.domains) do
    local name = words.name(domain.name)
    table.insert(made.members, ("struct quern_lines %s;"):format(name))
    table.insert(made.clears, ("quern_lines_clear(&near->%s, %d);"):format(name,
      domain.lines))
    if domain.own then
      table.insert(made.finds, { ("quern_lines_join(&near->%s, lower, upper)")
        :format(name) })
    end
    for _, one in ipairs(domain.fields) do fill(made, one, domain, context) end
  end
end

-- What is read or written at the points of a group is on its way before.
local function add_next(made, one, written, context)
  table.insert(made.nexts, ("QUERN_NEXT(%s, %s, %d);"):format(levels_of(one, "",
    context), context.names.axis[context.axes[1].name], written))
end

-- What is read, and what is computed, at the points of a group.
local function add_groups(made, plan, context)
  for _, one in ipairs(plan.turned.here) do
    local copy = buffer(made, one, "_here", turned_of.GROUP, context)
    made.how.here_array[one.buffer] = copy
    table.insert(made.besides, ("quern_beside_%d(%s, %s, count);"):format(
      one.bytes, copy, levels_of(one, " + first", context)))
    add_next(made, one, 0, context)
  end
  for _, one in ipairs(plan.turned.stores) do
    local copy = buffer(made, one, "_turned", turned_of.GROUP, context)
    made.how.store_array[one.buffer] = copy
    table.insert(made.aparts, ("quern_apart_%d(%s, %s, count);"):format(
      one.bytes, levels_of(one, " + first", context), copy))
    add_next(made, one, 1, context)
  end
end

-- The places of a table's entries: where they are kept, and how they are found.
local function add_table(made, one, piece)
  local of, name = one.table, words.name(one.table.name)
  local domain = words.name(one.domain.name)
  local stride = ("a->%s_stride"):format(of.name)
  if of.ragged then
    local start = ("a->%s_start"):format(of.name)
    local room = piece * turned_of.ROW
    table.insert(made.members, ("uint16_t %s[%d];"):format(name, room))
    lists.append(made.finds, {
      { ("%s[upper] - %s[lower] <= %d"):format(start, start, room) },
      { ("quern_lines_find(&near->%s, a->%s + %s[lower], 1,"):format(domain,
          name, start),
        ("                 %s[upper] - %s[lower], %d, near->%s)"):format(start,
          start, of.first, name) } })
    return
  end
  table.insert(made.members, ("uint16_t %s[%d * %d];"):format(name, of.count,
    piece))
  table.insert(made.finds, {
    ("quern_lines_find_rows(&near->%s, a->%s, %s, %d, %d,"):format(domain, name,
      of.contiguous == "slot" and stride .. ", 1" or "1, " .. stride, of.count,
      of.first),
    ("                      lower, upper, near->%s, %d)"):format(name, piece) })
end

-- The text of where a neighbour lies in the copies, in points.
local function place_of(made, piece, context)
  local names = context.names
  local point = names.axis[context.axes[1].name]
  return function(near, slot)
    local of = names.rows.of[near.table]
    if of.ragged then
      local first = names.value(of.name .. "_first")
      if not made.firsts[first] then
        made.firsts[first] = true
        table.insert(made.firsts, ("const int64_t %s = %s[lower];"):format(
          first, names.rows.name[of.name .. "_start"]))
      end
      return ("near.%s[%s - %s]"):format(words.name(of.name), slot, first)
    end
    local at = slot == "0" and "" or ("%s * %d + "):format(slot, piece)
    return ("near.%s[%s%s - lower]"):format(words.name(of.name), at, point)
  end
end

local function times(count, what)
  return count == 1 and what or ("%d * %s"):format(count, what)
end

-- "2 * a->n[0] + 2 * a->n[1], 8 * a->n[1]": values that are moved, and that are
-- gathered else, for so many points and neighbours.
local function worth(plan, points, neighbours)
  local terms = {}
  for i, domain in ipairs(plan.turned.domains) do
    terms[i] = times(#domain.fields, neighbours(domain))
  end
  terms[#terms + 1] = times(turned_of.own(plan.turned), points)
  return ("%s, %s"):format(table.concat(terms, " + "),
    times(plan.turned.gathered, points))
end

-- Conditions, each of one or two lines, as lines of one expression.
local function all_of(conditions)
  local lines = {}
  for i, condition in ipairs(conditions) do
    local head = i > 1 and "&& " or ""
    for k, line in ipairs(condition) do
      lines[#lines + 1] = (k > 1 and (" "):rep(#head) or head) .. line
    end
  end
  lines[#lines] = lines[#lines] .. ";"
  return lines
end

-- The values of templates/part/c_turned.tpl but for its body; how: what
-- gen/c/turned.lua wants of them; `j`: what a loop over levels counts.
function M.of(plan, context, j)
  local piece = math.min(plan.tile[1], turned_of.PIECE)
  local made = { piece = piece, group = turned_of.GROUP, members = {},
    clears = {}, finds = {}, buffers = {}, fills = {}, besides = {},
    aparts = {}, nexts = {}, firsts = {},
    how = { near_array = {}, here_array = {}, store_array = {},
      here = context.names.claim "here", j = j } }
  add_copies(made, plan, context)
  add_groups(made, plan, context)
  for _, one in ipairs(plan.turned.tables) do
    add_table(made, one, piece)
  end
  made.finds = all_of(made.finds)
  made.how.place = place_of(made, piece, context)
  made.worth = worth(plan, extent(context.axes[1].name, context),
    function(domain) return extent(domain.name, context) end)
  made.worth_piece = worth(plan, "points", function(domain)
    return ("8 * near.%s.count"):format(words.name(domain.name))
  end)
  return made
end

return M
