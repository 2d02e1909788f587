-- The texts of st_smem: planes in shared memory, the function that fills one,
-- and which plane is where in each step of the unrolled walk.

local access = require "gen.c.access"
local lists = require "gen.list"
local stream_text = require "gen.c.stream"
local text = require "gen.c.text"
local vectors = require "gen.c.vectors"

local M = {}

local DIMENSION = { "x", "y" }
local BOUND = { "wide", "high" }        -- points of a plane that are there
local ENDS = { "start", "stop" }        -- of what is there of a vector
local COUNTER = { "col", "row" }
local STRIDE = { "across", "up" }
local MOST = 8                  -- copies of a thread that may be in flight

-- Names what belongs to a stream: planes, share (the function), place[i] (its
-- thread's place in a plane), bound[i], false along the first axis where rows
-- are of vectors. Alone it needs no prefix.
function M.name(stream, names, axes, alone, vec)
  local function claim(word)
    return names.claim(alone and word or stream.buffer .. "_" .. word)
  end
  stream.planes = claim "planes"
  stream.share = names.claim("share_" .. stream.buffer)
  stream.place, stream.bound = {}, {}
  for i = 1, #axes - 1 do
    stream.place[i] = claim("t" .. DIMENSION[i])
    stream.bound[i] = (i > 1 or vec == 1) and claim(BOUND[i])
  end
end

-- The slot of the plane at offset r along the walk, in step `turn` from 0.
local function slot(stream, turn, r)
  return ("s.%s[%d]"):format(stream.planes,
    (turn + r - stream.low) % stream.slots)
end

-- "s.planes[3][ty - 1][tx]".
function M.element(stream, turn, load, axes)
  local offset = {}
  for i = 1, #axes - 1 do offset[i] = load.offset[axes[i].name] or 0 end
  return slot(stream, turn, load.offset[axes[#axes].name] or 0)
    .. stream_text.in_plane(stream, offset)
end

-- "const int wide = (int)min((index_t)72, x_end + 4 - x + tx);"
function M.bound_rows(stream, context)
  local rows, names = {}, context.names
  for i, name in ipairs(stream.bound) do
    local axis = context.axes[i].name
    rows[#rows + 1] = name and { "const int " .. name,
      (" = (int)min((index_t)%d, %s - %s + %s);"):format(stream.size[i],
        access.offset(names.upper[axis], { { stream.reach[i][2], "" } }),
        names.axis[axis], stream.place[i]) } or nil
  end
  return rows
end

-- The strides within a plane that are arguments: { parameter, argument }.
local function strides(stream, context)
  local list = {}
  for i = 1, #context.axes - 1 do
    local stride = context.names.stride[stream.field][context.axes[i].name]
    if stride ~= "" and not tonumber(stride) then
      list[#list + 1] = { STRIDE[i], stride }
    end
  end
  return list
end

-- "row * up + 2 * col".
local function place_in_memory(stream, context)
  local terms = {}
  for i = #stream.place, 1, -1 do
    local stride = context.names.stride[stream.field][context.axes[i].name]
    local factor = stride ~= "" and (tonumber(stride) and stride or STRIDE[i])
    terms[#terms + 1] = factor and COUNTER[i] .. " * " .. factor or COUNTER[i]
  end
  return table.concat(terms, " + ")
end

-- Whether the loop over axis i of a plane is unrolled: not where a thread would
-- have more copies in flight than registers for them.
local function unrolled(stream, context, i)
  local copies = 1
  for j = 1, i do
    local n = context.plan.block_size[j]
    copies = copies * ((stream.size[j] + n - 1) // n)
  end
  return copies <= MOST and "#pragma unroll" or "#pragma unroll 1"
end

-- The lines that copy a point, or a vector as far as it is there.
local function copy_lines(context, to, from)
  if context.rows.vec > 1 then
    return vectors.share(context, to, from, ("%s - %s, %s - %s"):format(
      ENDS[1], COUNTER[1], ENDS[2], COUNTER[1]))
  end
  return { (context.plan.stages > 0 and "quern_fetch(&%s, &%s);"
    or "%s = %s;"):format(to, from) }
end

-- The function that fills a plane: its parameters, the lines of its loops.
function M.share(stream, context)
  local field, compute = context.by_name[stream.field], context.kernel.compute
  local loops, conditions, index, pad = {}, {}, {}, ""
  local vec = context.rows.vec
  for i = #stream.place, 1, -1 do
    local unit = i == 1 and vec or 1
    local mine = ("threadIdx.%s%s + %s"):format(DIMENSION[i], unit > 1
      and " * " .. unit or "", COUNTER[i])
    loops[#loops + 1] = unrolled(stream, context, i)
    loops[#loops + 1] = ("    %sfor (int %s = 0; %s < %d; %s += %d)"):format(
      pad, COUNTER[i], COUNTER[i], stream.size[i], COUNTER[i],
      context.plan.block_size[i] * unit)
    table.insert(conditions, 1, "(int)" .. mine .. " < "
      .. (unit > 1 and stream.size[i] or BOUND[i]))
    index[#index + 1] = "[" .. mine .. "]"
    pad = pad .. "    "
  end
  local parameters = { ("%s (&plane)%s, const %s *__restrict__ from"):format(
    compute, stream_text.extents(stream.size), access.type(field.type)) }
  local given = strides(stream, context)
  for _, pair in ipairs(given) do
    parameters[#parameters + 1] = "index_t " .. pair[1]
  end
  for i, bound in ipairs(stream.bound) do
    lists.append(parameters, bound and { "int " .. BOUND[i] }
      or { "int " .. ENDS[1], "int " .. ENDS[2] })
  end
  local to, from = "plane" .. table.concat(index), access.element("from",
    place_in_memory(stream, context), field.type, compute)
  local copy = copy_lines(context, to, from)
  copy = lists.append({ ("if (%s)"):format(table.concat(conditions,
    " && ")) }, text.indented(copy))
  return { name = stream.share, buffer = stream.buffer, loops = loops,
    pad = pad, copy = copy, templated = given[1] ~= nil,
    parameters = table.concat(parameters, ", ") }
end

-- A call of it; `plane`: where to; `along`: text of the plane from the point.
local function call(stream, context, plane, place)
  local arguments = { plane, ("%s + (%s)"):format(
    context.names.array[stream.buffer], place) }
  for _, pair in ipairs(strides(stream, context)) do
    arguments[#arguments + 1] = pair[2]
  end
  for _, bound in ipairs(stream.bound) do
    arguments[#arguments + 1] = bound or vectors.range(context,
      -stream.room[1][1], stream.reach[1])
  end
  return ("%s(%s);"):format(stream.share, table.concat(arguments, ", "))
end

-- Where a thread begins to fill a plane, r planes on from its point.
local function corner(stream, context, r)
  local offset = { [context.axes[#context.axes].name] = r }
  for i, room in ipairs(stream.room) do
    offset[context.axes[i].name] = -room[1]
  end
  return text.place(context.by_name[stream.field], offset, context.names)
end

-- The newest plane of a step, or the one that threads copy ahead in it, takes
-- the place of the one that is not read any more.
function M.newest(stream, context, turn)
  local newest = stream.high + context.plan.stages
  return call(stream, context, slot(stream, turn, newest),
    corner(stream, context, newest))
end

-- Fills slot p with the p-th plane of the first step, from 0.
local function fill(stream, context)
  local names, walk = context.names, context.axes[#context.axes].name
  local stride = names.stride[stream.field][walk]
  local plane = access.offset("p", { { stream.low, "" } })
  return call(stream, context, ("s.%s[p]"):format(stream.planes),
    ("%s + (%s)%s"):format(corner(stream, context, 0), plane,
      stride ~= "" and " * " .. stride or ""))
end

-- The planes of the first step, but for the newest if that is not copied ahead:
-- a loop, its body; none where there is one plane.
function M.prime(stream, context)
  local count = stream.high - stream.low
    + (context.plan.stages > 0 and 1 or 0)
  if count == 0 then return nil end
  return { ("for (int p = 0; p < %d; p++)"):format(count),
    "    " .. fill(stream, context) }
end

-- The planes of the next steps that are copied before the walk begins, each
-- { ahead = of the step, call }.
function M.prime_ahead(stream, context, ahead)
  local plane = stream.high + ahead
  return call(stream, context, slot(stream, 0, plane),
    corner(stream, context, plane))
end

return M
