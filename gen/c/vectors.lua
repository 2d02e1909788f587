-- The texts of threads with several points side by side: vectors of a row that
-- are read, shared and written at once where all of their points are there. A
-- thread's points are those from `from` to before `to` of its vector.

local access = require "gen.c.access"
local lists = require "gen.list"
local several = require "gen.c.several"
local text = require "gen.c.text"
local vector = require "gen.schedule.vector"

local M = {}

local NARROW = 72

-- The name of a vector, of one of its values.
function M.whole(name) return (name:gsub("%[e%]$", "")) end

-- Names the ends of a thread's points; how far they may be beyond those of its
-- vector, as far as anybody asks.
function M.claim(context, streams)
  local room, size = 0, context.plan.tile[1]
  for _, stream in ipairs(streams) do
    room = math.max(room, stream.room[1][1])
    size = math.max(size, stream.room[1][2] + context.plan.tile[1])
  end
  local claim = context.names.claim
  context.ends = { from = claim "from", to = claim "to", low = -room,
                   high = size + context.rows.vec }
end

-- The ends: lines.
function M.ends(context)
  local ends, names = context.ends, context.names
  local axis = context.axes[1].name
  return { ("const int %s = (int)max(%s - %s, (index_t)%d);"):format(
      ends.from, names.lower[axis], names.axis[axis], ends.low),
    ("const int %s = (int)min(%s - %s, (index_t)%d);"):format(ends.to,
      names.upper[axis], names.axis[axis], ends.high) }
end

-- "from - 4, to + 4": the elements of the vector `by` points on, a number or a
-- text, that are points of the box or within reach of it.
function M.range(context, by, reach)
  local from, to = context.ends.from, context.ends.to
  if type(by) == "string" then
    from, to, by = from .. " - " .. by, to .. " - " .. by, 0
  end
  return access.offset(from, { { -by - reach[1], "" } }) .. ", "
    .. access.offset(to, { { reach[2] - by, "" } })
end

local NOTHING = { 0, 0 }

-- The line that reads a vector, what is within reach of the box.
function M.take(context, name, element, reach)
  return ("quern_take_some(%s, &%s, %s);"):format(M.whole(name), element,
    M.range(context, 0, reach or NOTHING))
end

-- The lines that copy one to shared memory; `range`: which elements.
function M.share(context, to, from, range)
  local head = ("quern_%s_some<%d>("):format(context.plan.stages > 0
    and "fetch" or "share", context.rows.vec)
  local first, second = head .. "&" .. to .. ",", ("&%s, %s);"):format(from,
    range)
  if #first + #second < NARROW then return { first .. " " .. second } end
  return { first, (" "):rep(#head) .. second }
end

-- "__align__(16) float": the type of what vectors lie in.
function M.type(context)
  local type = context.kernel.compute
  if context.rows.vec == 1 then return type end
  return ("__align__(%d) %s"):format(vector.bytes(context.plan), type)
end

-- The declarations of vectors that begin as noughts.
function M.declared(context, names)
  local count = context.rows.count
  local extent = (count > 1 and ("[%d]"):format(count) or "")
    .. ("[%d] = {}"):format(context.rows.vec)
  local items = {}
  for i, name in ipairs(names) do
    items[i] = name:gsub("%[[je]%]", "") .. extent
  end
  return text.declaration(context.kernel.compute, items)
end

-- ---------------------------------------------------------------------------
-- Rows of shared planes

local function key_of(load, axes)
  local at = {}
  for i = 2, #axes do at[i - 1] = load.offset[axes[i].name] or 0 end
  return table.concat(at, ","), at
end

-- Gives a stream the rows that a block reads of it: { at = offsets along all
-- axes but the first, below, above = points beside the vector, name }.. in the
-- order of loads. `elsewhere(load)`: is it no value of a plane?
function M.add_rows(stream, context, elsewhere)
  local axes, vec = context.axes, context.rows.vec
  stream.rows, stream.by_key = {}, {}
  for _, load in ipairs(context.block.loads) do
    if load.buffer == stream.buffer and not elsewhere(load) then
      local key, at = key_of(load, axes)
      local row = stream.by_key[key]
      if not row then
        local ending = text.ending(axes, at)
        row = { at = at, below = 0, above = 0,
          name = context.names.claim(stream.buffer
            .. (ending == "" and "_row" or ending)) }
        stream.by_key[key] = row
        stream.rows[#stream.rows + 1] = row
      end
      local x = load.offset[axes[1].name] or 0
      row.below = math.max(row.below, (vec - 1 - x) // vec * vec)
      row.above = math.max(row.above, (vec - 1 + x) // vec * vec)
    end
  end
end

-- "u_row[e + 3]": where a load of a plane is.
function M.element(stream, load, axes)
  local row = stream.by_key[key_of(load, axes)]
  local x = load.offset[axes[1].name] or 0
  return ("%s[%s]"):format(row.name,
    access.offset("e", { { x + row.below, "" } }))
end

-- The line that reads a row at `place`; `own`: the vector itself, if a thread
-- has it.
function M.row_line(row, context, place, own)
  local beside = row.below + row.above > 0
    and (", %d, %d"):format(row.below, row.above) or ""
  return ("const quern_line<%s, %d%s> %s(%s&%s);"):format(
    context.kernel.compute, context.rows.vec, beside, row.name,
    own and M.whole(own) .. ", " or "", place)
end

-- ---------------------------------------------------------------------------
-- A step

-- Names the vectors of results: context.result[buffer].
function M.name_results(context)
  context.result = {}
  for _, store in ipairs(context.block.stores) do
    context.result[store.buffer] = context.names.claim(store.buffer
      .. "_result")
  end
end

-- The points of one step: the rows that are read, the code of a value, which
-- assigns results, and where these go.
function M.body(context, rows, code)
  local lines, results = lists.joined(rows, {}), {}
  for i, store in ipairs(context.block.stores) do
    results[i] = ("%s[%d]"):format(context.result[store.buffer],
      context.rows.vec)
  end
  lines[#lines + 1] = ("%s %s;"):format(context.kernel.compute,
    table.concat(results, ", "))
  lists.append(lines, several.elements(context, code))
  for _, store in ipairs(context.block.stores) do
    lines[#lines + 1] = ("quern_put_some(&%s, %s, %s);"):format(
      access.at(context.names.array[store.buffer],
        text.place(context.by_name[store.field], {}, context.names)),
      context.result[store.buffer], M.range(context, 0, NOTHING))
  end
  return lines
end

-- Where the value of a store goes.
function M.target(context)
  return function(store)
    return access.at(context.result[store.buffer], "e")
  end
end

-- What is read of the points before a block waits: the lines that declare it,
-- those that read it. loads: { load, name }..
function M.early(context, loads, guard)
  if #loads == 0 then return {}, {} end
  local names, lines = {}, {}
  for i, of in ipairs(loads) do
    local load = of.load
    names[i] = of.name
    lines[i] = M.take(context, of.name .. context.rows.own,
      access.at(context.names.array[load.buffer],
        text.place(context.by_name[load.field], load.offset, context.names)))
  end
  return M.declared(context, names),
    several.loop(context, several.inside(context, lines, guard))
end

-- ---------------------------------------------------------------------------
-- The launch

-- Where tiles begin: its name, the line that finds it.
function M.start(context)
  local names, axis = context.names, context.axes[1].name
  local name = names.claim(axis .. "_start")
  return name, ("const index_t %s = quern_sector_start(%s, %s);"):format(name,
    names.array[context.arrays[1].buffer], names.lower[axis])
end

-- The tiles of a box along the first axis; `arrays`: how arrays are found.
function M.tiles(context, arrays)
  return ("quern_sector_tiles(%s, &list[b], TILE)"):format(
    arrays[context.arrays[1].buffer])
end

return M
