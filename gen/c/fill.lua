-- How planes in shared memory are filled from memory: the halo of each side, or
-- all of a plane.

local access = require "gen.c.access"
local lists = require "gen.list"
local several = require "gen.c.several"
local stream_text = require "gen.c.stream"
local text = require "gen.c.text"
local vectors = require "gen.c.vectors"

local M = {}

local NOTHING = { 0, 0 }
local DIMENSION, COUNTER = { "x", "y" }, { "col", "row" }

-- "plane[ty][tx] = ..;", or the same without waiting for it. Of vectors `by`
-- points on, what is within reach.
local function move(to, from, context, by, reach)
  if context.rows.vec > 1 then
    return vectors.share(context, to, from, vectors.range(context, by, reach))
  end
  return { (context.plan.stages > 0 and "quern_fetch(&%s, &%s);"
    or "%s = %s;"):format(to, from) }
end

-- The lines that fill the halo of each side of a plane; `tile`: where to; `on`:
-- how many planes on from the point.
function M.side_moves(stream, context, tile, on)
  local lines, walk = {}, context.axes[#context.axes].name
  for i, reach in ipairs(stream.reach) do
    local n = context.plan.tile[i]
    for side, by in ipairs { -stream.room[i][1], n } do
      if reach[side] > 0 then
        lines[#lines + 1] = ("if (%s)"):format(stream.sides[i][side])
        lists.append(lines, text.indented(move(
          tile .. stream_text.in_plane(stream, { [i] = by }),
          stream_text.element(stream, context,
            { [context.axes[i].name] = by, [walk] = on }), context,
          i == 1 and by or 0, i == 1 and reach or NOTHING)))
      end
    end
  end
  return lines
end

-- One axis of a plane that is filled whole, by its counter: the head of the
-- loop, the condition that it is in the domain or within reach, how far it is
-- from the thread's point.
local function loop_over(stream, context, i, counter)
  local names, axis = context.names, context.axes[i].name
  local vec = i == 1 and context.rows.vec or 1
  local away = ("(%s - %s)"):format(counter, stream.place[i])
  return ("for (int %s = threadIdx.%s%s; %s < %d; %s += %d)"):format(counter,
      DIMENSION[i], vec > 1 and " * " .. vec or "", counter, stream.size[i],
      counter, context.plan.block_size[i] * vec),
    vec == 1 and ("%s + %s < %s"):format(names.axis[axis], away,
      access.offset(names.upper[axis], { { stream.reach[i][2], "" } })) or nil,
    away
end

-- The lines that fill a whole plane.
function M.whole(stream, context, tile, on)
  local loops, conditions, terms, index = {}, {}, {}, {}
  local walk, names = context.axes[#context.axes].name, context.names
  for i = #stream.place, 1, -1 do
    local head, condition, away = loop_over(stream, context, i, COUNTER[i])
    loops[#loops + 1], conditions[#conditions + 1] = head, condition
    local stride = names.stride[stream.field][context.axes[i].name]
    terms[#terms + 1] = away .. (stride ~= "" and " * " .. stride or "")
    index[#index + 1] = ("[%s]"):format(COUNTER[i])
  end
  if conditions[1] then
    loops[#loops + 1] = ("if (%s)"):format(table.concat(conditions, " && "))
  end
  local field = context.by_name[stream.field]
  local lines = move(tile .. table.concat(index),
    access.element(stream.array, text.place(field, { [walk] = on }, names)
      .. " + " .. table.concat(terms, " + "), field.type,
      context.kernel.compute), context, terms[#terms], stream.reach[1])
  for i = #loops, 1, -1 do
    lines = lists.append({ loops[i] }, text.indented(lines))
  end
  return several.first(context, lines)
end

return M
