-- Folded kernels in C: how a row's distinct neighbours are met, what answers a
-- pulse of one, and the sums over neighbours.

local access = require "gen.c.access"
local block_lines = require "gen.c.block"
local c_names = require "gen.c.names"
local entries = require "gen.entries"
local lists = require "gen.list"
local place_of = require "gen.emit.place"
local rows = require "gen.c.rows"
local text = require "gen.c.text"

local M = {}

-- A context with a scope of its own, in which names are those of the kernel's
-- parameters.
local function scoped(context, plan)
  local own = lists.copy(context)
  own.names = c_names.new(context.lowered, context.arrays, context.block,
    context.axes, plan.kept)
  own.names.rows.index = "index_t"
  return own
end

-- ---------------------------------------------------------------------------
-- Which neighbours a row has

-- Names of the neighbours on the way to those of the inputs.
local function on_the_way(folded, block)
  local near, wanted = entries.neighbours(block), {}
  for _, input in ipairs(folded.inputs) do
    for _, place in ipairs(input.places) do
      local n = near[place]
      while n do wanted[n.name], n = true, near[n.row] end
    end
  end
  return wanted
end

local MEET = "meet(%s, &met[%d], %d, %s);"

-- "meet(found + 7, &met[1], 6, near_edge);" for the places of groups in a
-- scope, whose neighbours are `list`; of the point itself outside of all.
local function meeting_lines(m, list, outermost)
  local lines, here = {}, {}
  for _, n in ipairs(list) do here[n.name] = m.names.rows.variable(n.name) end
  local point = m.names.axis[m.context.kernel.domain]
  if outermost then here[""] = point end
  for i, group in ipairs(m.folded.groups) do
    for _, place in ipairs(group.places) do
      lines[#lines + 1] = here[place] and MEET:format(
        group.first > 0 and "found + " .. group.first or "found", i - 1,
        group.count, "(int32_t)" .. here[place]) or nil
    end
  end
  return lines
end

local scope_lines

local function loop_lines(m, entry)
  local inside = scope_lines(m, entry.neighbours, entry.code, false,
    entry.loop.guard)
  if #inside == 0 then return {} end
  local lines = { rows.head(entry.loop, m.names.rows) }
  for _, line in ipairs(inside) do lines[#lines + 1] = "    " .. line end
  return lists.append(lines, { "}" })
end

-- The lines of one scope: its neighbours, a missing one ends the turn, those
-- that are met, and the loops inside.
function scope_lines(m, neighbours, code, outermost, guard)
  local kept, lines, inside = {}, {}, {}
  for _, n in ipairs(neighbours) do
    kept[#kept + 1] = (m.wanted[n.name] or n.name == guard) and n or nil
  end
  for _, entry in ipairs(code) do
    if entry.loop then lists.append(inside, loop_lines(m, entry)) end
  end
  local met = meeting_lines(m, kept, outermost)
  if #met + #inside == 0 then return {} end
  if guard then
    lists.append(lines, rows.neighbours({ table.remove(kept, 1) },
      m.names.rows))
    lists.append(lines, { ("if (%s < 0)"):format(
      m.names.rows.variable(guard)), "    continue;" })
  end
  lists.append(lines, rows.neighbours(kept, m.names.rows))
  return lists.append(lists.append(lines, met), inside)
end

-- The lines that fill `found` and `met`.
function M.meetings(context, plan)
  local block, own = plan.block, scoped(context, plan)
  local m = { context = own, names = own.names, folded = block.folded,
    wanted = on_the_way(block.folded, block) }
  return scope_lines(m, block.neighbours, block.code, true, nil)
end

-- ---------------------------------------------------------------------------
-- The response to a pulse

-- An expression without the rounding of what stages hand on: that is no part of
-- a sum that is added up anew.
local function unrounded(e)
  if e.op == "stored" then return unrounded(e[1]) end
  local made = lists.copy(e)
  for i, child in ipairs(e) do made[i] = unrounded(child) end
  return made
end

local function unrounded_code(code)
  local list = {}
  for i, entry in ipairs(code) do
    local made = lists.copy(entry)
    made.value = entry.value and unrounded(entry.value)
    if entry.loop then
      made.code, made.sums = unrounded_code(entry.code), {}
      for k, sum in ipairs(entry.sums) do
        made.sums[k] = lists.copy(sum)
        made.sums[k].value = unrounded(sum.value)
      end
    end
    list[i] = made
  end
  return list
end

-- A block in which nothing is rounded that stages hand on.
function M.unrounded(block)
  local own = lists.copy(block)
  own.code, own.stores = unrounded_code(block.code), {}
  for i, store in ipairs(block.stores) do
    own.stores[i] = lists.copy(store)
    own.stores[i].value, own.stores[i].index = unrounded(store.value), i - 1
  end
  return own
end

-- The model's fields as if all were stored in double: results go to numbers.
local function widened(lowered)
  local list = {}
  for i, field in ipairs(lowered.fields) do
    list[i] = { name = field.name, type = "double" }
  end
  return { fields = list }
end

-- The lines that compute result[..] of a pulse, and those before them.
function M.response(context, plan)
  local own, folded = scoped(context, plan), plan.block.folded
  own.block, own.kernel = M.unrounded(plan.block), lists.copy(context.kernel)
  own.kernel.compute = "double"
  local names, at, position = own.names, place_of.direct(own), {}
  local direct = at.element
  for i, input in ipairs(folded.inputs) do position[input] = i - 1 end
  at.element = function(load)
    local input = folded.loads[load.id]
    if not input then return direct(load) end
    return ("(input == %d && %s == at ? 1.0 : 0.0)"):format(position[input],
      load.place and names.rows.variable(load.place)
        or names.axis[own.kernel.domain])
  end
  at.target = function(store) return ("result[%d]"):format(store.index) end
  local still = {}
  for _, field in ipairs(rows.direct_fields(own)) do
    still[#still + 1] = not lists.contains(field.axes, folded.level) and field
      or nil
  end
  return block_lines.join(block_lines.lines(widened(context.lowered),
    own.kernel, own.block, names, at)),
    text.offsets(still, names, "const index_t")
end

-- ---------------------------------------------------------------------------
-- The sums

local function level_text(context, folded, offset)
  local sign = offset < 0 and "-" or "+"
  return ("(%s + j%s)"):format(context.names.axis[folded.level],
    offset ~= 0 and (" %s %d"):format(sign, math.abs(offset)) or "")
end

-- "(k + j)": the levels that a thread makes at once.
function M.levels(context, folded)
  return level_text(context, folded, 0)
end

-- "u[at + (k + j) * u_k]": of a field at a point, some levels on.
local function in_array(context, folded, field, buffer, point, level)
  local names, terms = context.names, {}
  for i, axis in ipairs(field.axes) do
    local index = axis == folded.level and level or point
    local stride = names.stride[field.name][axis]
    terms[i] = stride == "" and index or index .. " * " .. stride
  end
  return access.at(names.array[buffer], table.concat(terms, " + "))
end

-- What an input is at a neighbour, from the array; `level`: that of the results
-- (M.levels if it is nil).
function M.direct(context, folded, input, level)
  local field, n = context.by_name[input.field], input.offset
  local there = not level and level_text(context, folded, n)
    or n == 0 and level
    or ("(%s %s %d)"):format(level, n < 0 and "-" or "+", math.abs(n))
  local place = in_array(context, folded, field, input.buffer, "at", there)
  local array = context.names.array[input.buffer]
  return access.element(array, place:sub(#array + 2, -2), field.type,
    context.kernel.compute)
end

-- One per store: { name of its sums, target, value }, at the level `level`, of
-- which sums are elements where there are several: `of`, "[j]" or "".
function M.results(context, plan, level, of)
  local folded, list = plan.block.folded, {}
  for i, store in ipairs(plan.block.stores) do
    local field = context.by_name[store.field]
    local name = context.names.value(store.field .. "_sum")
    local conversion = access.conversion(field.type, context.kernel.compute)
    list[i] = { name = name, target = in_array(context, folded, field,
        store.buffer, context.names.axis[context.kernel.domain], level),
      value = conversion and ("%s(%s%s)"):format(conversion, name, of)
        or name .. of }
  end
  return list
end

-- One per group of inputs: { count, first, coefficients, step (from a slot to
-- the next), first_input, note, inputs = { { element, terms = { { sum, index
-- }.. } }.. } }. element(input): what it is at a neighbour.
function M.groups(plan, results, element)
  local folded, list, first_input = plan.block.folded, {}, 0
  for i, group in ipairs(folded.groups) do
    local inputs, names = {}, {}
    for k, input in ipairs(group.inputs) do
      local terms = {}
      for r, result in ipairs(results) do
        terms[r] = { sum = result.name, index = (k - 1) * #results + r - 1 }
      end
      names[k] = input.buffer
      inputs[k] = { terms = terms, element = element(input) }
    end
    list[i] = { count = group.count, first = group.first,
      coefficients = group.coefficients, step = #inputs * #results,
      first_input = first_input, inputs = inputs,
      note = ("%s at %d of %s"):format(table.concat(names, ", "), group.count,
        group.domain) }
    first_input = first_input + #inputs
  end
  return list
end

return M
