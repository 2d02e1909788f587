-- The texts of the streamed shapes: windows, shared planes, who does what.

local access = require "gen.c.access"
local number = require "gen.c.number"
local text = require "gen.c.text"
local vectors = require "gen.c.vectors"

local M = {}

local DIMENSION = { "x", "y", "z" }

local function window_word(r)
  if r == 0 then return "current" end
  return (r < 0 and "behind" or "front") .. math.abs(r)
end

-- A function that gives a word of a streamed buffer its name. Alone the buffer
-- needs no prefix.
local function claimer(stream, names, alone)
  return function(word)
    return names.claim(alone and word or stream.buffer .. "_" .. word)
  end
end

-- Names a window whose values move on: window[r].
function M.name_window(stream, names, alone)
  local claim = claimer(stream, names, alone)
  stream.window = {}
  for r = stream.low, stream.high do
    stream.window[r] = claim(window_word(r)) .. stream.each
  end
end

-- Names what else belongs to a streamed buffer: planes, place[i] (its thread's
-- place in the plane), near, and the roles below[i], above[i]. `now`: which of
-- its planes a step has, where there are several.
function M.name(stream, names, axes, alone, now)
  local claim = claimer(stream, names, alone)
  stream.place, stream.sides = {}, {}
  stream.array = names.array[stream.buffer]
  stream.near = "inside" .. stream.own
  if not stream.plane then return end
  stream.planes, stream.near = claim(now and "planes" or "plane"),
    claim "near" .. stream.own
  stream.tile = now and ("%s[%s]"):format(stream.planes, now) or stream.planes
  for i = 1, #axes - 1 do
    stream.place[i] = claim("t" .. DIMENSION[i])
    stream.sides[i] = stream.whole and {} or
      { claim(axes[i].name .. "_below") .. stream.own,
        claim(axes[i].name .. "_above") .. stream.own }
  end
end

-- "[ty - 1][tx]": a place in the plane, offsets per axis.
function M.in_plane(stream, offset)
  local parts = {}
  for i = #stream.place, 1, -1 do
    parts[#parts + 1] = ("[%s]"):format(
      access.offset(stream.place[i], { { offset[i] or 0, "" } }))
  end
  return table.concat(parts)
end

function M.extents(size)
  local parts = {}
  for i = #size, 1, -1 do parts[#parts + 1] = ("[%d]"):format(size[i]) end
  return table.concat(parts)
end

-- "const int tx = threadIdx.x + 4;"
function M.place_lines(stream)
  local lines = {}
  for i, name in ipairs(stream.place) do
    lines[i] = { "const int " .. name, (" = threadIdx.%s%s;"):format(
      DIMENSION[i], stream.room[i][1] > 0
      and " + " .. stream.room[i][1] or "") }
  end
  return lines
end

local function plus(name, n)
  return n == 0 and name or ("%s + %d"):format(name, n)
end

-- "x < x_end + 4 && y < y_end".
local function before_ends(context, extra)
  local terms = {}
  for i = 1, #context.axes - 1 do
    local axis = context.axes[i].name
    terms[i] = ("%s < %s"):format(context.names.axis[axis],
      plus(context.names.upper[axis], extra[i] or 0))
  end
  return table.concat(terms, " && ")
end

function M.inside(context) return before_ends(context, {}) end

local function above(stream)
  local list = {}
  for i, reach in ipairs(stream.reach) do list[i] = reach[2] end
  return list
end

-- The conditions on the other axes of the plane.
local function others(context, i)
  local terms = {}
  for j = 1, #context.axes - 1 do
    local axis = context.axes[j].name
    if j ~= i then
      terms[#terms + 1] = (" && %s < %s"):format(context.names.axis[axis],
        context.names.upper[axis])
    end
  end
  return table.concat(terms)
end

-- Who fetches the halo of a plane on both sides of axis i: rows of a table.
local function side_rows(stream, context, i)
  local rows, names = {}, context.names
  local axis = context.axes[i].name
  local unit = i == 1 and context.rows.vec or 1
  local low, high = stream.room[i][1] // unit, stream.room[i][2] // unit
  local rest = others(context, i)
  if low > 0 then
    rows[#rows + 1] = { "const bool " .. stream.sides[i][1],
      (" = threadIdx.%s < %d%s;"):format(DIMENSION[i], low, rest) }
  end
  if high > 0 then
    rows[#rows + 1] = { "const bool " .. stream.sides[i][2],
      (" = threadIdx.%s < %d%s && %s + %d < %s;"):format(DIMENSION[i], high,
        rest, names.axis[axis], context.plan.tile[i],
        plus(names.upper[axis], stream.reach[i][2])) }
  end
  return rows
end

-- The roles of the threads for one buffer's plane.
function M.role_rows(stream, context)
  local rows = {}
  if stream.low <= stream.high then
    rows[1] = { "const bool " .. stream.near,
      (" = %s;"):format(before_ends(context, above(stream))) }
  end
  if stream.whole then return rows end
  for i = 1, #context.axes - 1 do
    for _, row in ipairs(side_rows(stream, context, i)) do
      rows[#rows + 1] = row
    end
  end
  return rows
end

local function zero(type) return number.literal("0", "1", type) end

-- "near ? u[u_at + 4*u_z] : 0.0f".
local function guarded(condition, element, type)
  return ("%s ? %s : %s"):format(condition, element, zero(type))
end

-- Where a stream's value is, off the point.
function M.element(stream, context, offset)
  local field = context.by_name[stream.field]
  return access.element(stream.array,
    text.place(field, offset, context.names), field.type,
    context.kernel.compute)
end

function M.along(stream, context, r)
  local walk = context.axes[#context.axes].name
  return guarded(stream.near, M.element(stream, context, { [walk] = r }),
    context.kernel.compute)
end

-- The names of all windows as wide as the widest: column[r].
function M.align(streams)
  local width = 0
  for _, stream in ipairs(streams) do
    for r = stream.low, stream.high do
      width = math.max(width, #stream.window[r])
    end
  end
  for _, stream in ipairs(streams) do
    stream.column = {}
    for r = stream.low, stream.high do
      stream.column[r] = ("%-" .. width .. "s"):format(stream.window[r])
    end
  end
end

-- A window before the first advance, one plane back: { name, plane }.., those
-- without a plane have no value yet.
function M.prime_window(stream)
  local list = {}
  for r = stream.low, stream.high do
    list[#list + 1] = { name = stream.window[r],
                        plane = r > stream.low and r - 1 or nil }
  end
  return list
end

-- The same as rows of a table; names without a value share one.
function M.prime_rows(list, stream, context)
  local rows, compute, names = {}, context.kernel.compute, {}
  for i, value in ipairs(list) do
    if value.plane then
      rows[#rows + 1] = { compute .. " " .. value.name,
        (" = %s;"):format(M.along(stream, context, value.plane)) }
    else
      names[#names + 1] = value.name
      local next = list[i + 1]
      if not next or next.plane then
        rows[#rows + 1] = { ("%s %s;"):format(compute,
          table.concat(names, ", ")) }
        names = {}
      end
    end
  end
  return rows
end

-- A window moves on by one plane, but for its newest.
function M.moved_lines(stream)
  local lines = {}
  for r = stream.low, stream.high - 1 do
    lines[#lines + 1] = ("%s = %s;"):format(stream.column[r],
      stream.window[r + 1])
  end
  return lines
end

-- Names a window whose values stay: value[i], of the i-th step's oldest plane,
-- in as many steps as the walk is unrolled.
function M.name_values(stream, names, turns)
  stream.value = {}
  for i = 0, turns - 1 do
    stream.value[i] = names.claim(stream.buffer .. "_" .. i) .. stream.each
  end
end

-- The roles of such values in step `turn` from 0: window[r].
function M.turn(stream, turn)
  local turns = #stream.value + 1
  stream.window = {}
  for r = stream.low, stream.high do
    stream.window[r] = stream.value[(turn + r - stream.low) % turns]
  end
  stream.column = stream.window
end

-- Such values before the first step, as prime_window has them: all but the
-- newest, then those of later steps.
function M.prime_values(stream)
  local list, count = {}, stream.high - stream.low
  for i = 0, #stream.value do
    list[i + 1] = { name = stream.value[i],
                    plane = i < count and stream.low + i or nil }
  end
  return list
end

-- The line that reads a vector of a window from plane r.
function M.take(name, stream, context, r)
  local walk = context.axes[#context.axes].name
  return vectors.take(context, name, M.element(stream, context, { [walk] = r }),
    stream.plane and stream.reach[1])
end

-- What completes the window: the plane furthest ahead.
function M.newest_lines(stream, context)
  if context.rows.vec == 1 then return { M.newest_line(stream, context) } end
  return { ("if (%s)"):format(stream.near), "    "
    .. M.take(stream.window[stream.high], stream, context, stream.high) }
end

-- The same of a single value.
function M.newest_line(stream, context)
  return ("%s = %s;"):format(stream.column[stream.high],
    M.along(stream, context, stream.high))
end

-- A load that is no one's window, before anyone waits; `guard`: who may, if
-- not all that are inside.
function M.early_row(load, name, context, guard)
  local field, compute = context.by_name[load.field], context.kernel.compute
  return { ("const %s %s"):format(compute, name), (" = %s;"):format(
    guarded(guard or "inside", access.element(context.names.array[load.buffer],
      text.place(field, load.offset, context.names), field.type, compute),
      compute)) }
end

return M
