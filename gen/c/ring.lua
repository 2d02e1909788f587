-- The texts of st_tma: rings of planes, rows of points, who copies what.

local access = require "gen.c.access"
local text = require "gen.c.text"

local M = {}

-- "behind2", "current", "front1": a place of the window.
local function window_word(r)
  if r == 0 then return "current" end
  return (r < 0 and "behind" or "front") .. math.abs(r)
end

-- Names what belongs to a buffer with a ring.
function M.name(buffer, names, alone)
  local claim = names.claim
  local front = buffer.front and not buffer.away
  local word = buffer.buffer .. (front and "_front" or "")
  buffer.ring = claim(word .. "_ring")
  buffer.tensor = claim(word .. "_tensor")
  if not buffer.away then return end
  for _, key in ipairs { "full", "slot", "phase", "oldest" } do
    buffer[key] = claim(buffer.buffer .. "_" .. key)
  end
  buffer.fetch = claim("fetch_" .. buffer.buffer)
  buffer.window, buffer.plane = {}, {}
  for r = buffer.low, buffer.high do
    local place = window_word(r)
    buffer.window[r] = claim(alone and place or buffer.buffer .. "_" .. place)
  end
end

-- The rows of planes that a block reads beside the window, in order: each
-- { at = { y, z }, below, above: points beside the thread's own, name, own: are
-- these in the window }.
function M.rows(stream, block, axes, vector, names)
  local list, by_key = {}, {}
  for _, load in ipairs(block.loads) do
    local x = load.offset[axes[1].name] or 0
    local at = { load.offset[axes[2].name] or 0,
      load.offset[axes[3].name] or 0 }
    if load.buffer == stream.buffer and (x ~= 0 or at[1] ~= 0) then
      local key = at[2] * 1000 + at[1]
      local row = by_key[key]
      if not row then
        row = { at = at, key = key, below = 0, above = 0,
                own = key == 0 and stream.window[0] ~= nil }
        by_key[key], list[#list + 1] = row, row
      end
      row.below = math.max(row.below, -x)
      row.above = math.max(row.above, x)
    end
  end
  table.sort(list, function(a, b) return a.key < b.key end)
  for _, row in ipairs(list) do
    if not row.own then
      row.below = (row.below + vector - 1) // vector * vector
      row.above = (row.above + vector - 1) // vector * vector
    end
    row.name = names.claim(stream.buffer .. (row.key == 0 and "_row"
      or text.ending(axes, row.at)))
  end
  return list, by_key
end

-- "e + 5" or "e".
function M.element(shift) return access.offset("e", { { shift, "" } }) end

-- The place in a plane of the thread's row j, `up` rows and `along` points on.
function M.in_plane(buffer, slot, up, along)
  return ("s.%s[%s].at[%s][%s]"):format(buffer.ring, slot,
    access.offset("ty + j", { { up, "" } }),
    access.offset(buffer.column or "tx", { { along, "" } }))
end

function M.extents(size) return ("[%d][%d]"):format(size[2], size[1]) end

-- The name of the slot that holds the plane at an offset along the walk.
function M.slot(stream, at, axes, names)
  if at == stream.newest then return stream.slot end
  if not stream.plane[at] then
    local word = at == 0 and "_here" or text.ending(axes, { 0, at })
    stream.plane[at] = names.claim(stream.buffer .. word .. "_slot")
  end
  return stream.plane[at]
end

-- The slots that a step needs beside the newest, rows of a table.
function M.slot_rows(stream)
  local rows = {}
  for at = stream.first, stream.newest - 1 do
    if stream.plane[at] then
      rows[#rows + 1] = { "const int " .. stream.plane[at],
        (" = quern_back<%d>(%s, %d);"):format(stream.slots, stream.slot,
        stream.newest - at) }
    end
  end
  return rows
end

-- "quern_read(front4[j], &s.u_ring[u_slot].at[ty + j + 4][tx + 8]);"
function M.read_window(stream, r, slot)
  return ("quern_read(%s[j], &%s);"):format(stream.window[r],
    M.in_plane(stream, slot, stream.reach[2][1], stream.margin[1]))
end

-- The same of a window whose newest place has a ring of its own.
function M.read_front(stream, slot)
  return ("quern_read(%s[j], &%s);"):format(stream.window[stream.high],
    M.in_plane({ ring = stream.front_ring }, slot, 0, 0))
end

-- A row of points, from the ring; the thread's own from the window if it can.
function M.row_line(stream, row, slot, vector)
  local type, up = access.type(stream.type), stream.reach[2][1] + row.at[1]
  if row.own then
    return ("const quern_line<%s, %d, %d, %d> %s(%s[j], &%s);"):format(type,
      vector, row.below, row.above, row.name, stream.window[0],
      M.in_plane(stream, slot, up, stream.margin[1]))
  end
  return ("const quern_row<%s, %d> %s(&%s);"):format(type,
    row.below + vector + row.above, row.name,
    M.in_plane(stream, slot, up, stream.margin[1] - row.below))
end

-- What lies behind the ring, from global memory.
function M.behind_line(stream, r, context)
  local field = context.by_name[stream.field]
  local walk = context.axes[3].name
  local names = context.names
  local place = text.place(field, { [walk] = r }, names)
  return ("quern_read(%s[j], &%s[%s + j * %s]);"):format(stream.window[r + 1],
    names.array[stream.buffer], place, names.stride[field.name]
    [context.axes[2].name])
end

return M
