-- What st_tma keeps in shared memory: rings of planes, the barriers that say
-- what has come, and who copies what from where.

local access = require "gen.c.access"
local lists = require "gen.list"
local ring = require "gen.c.ring"

local M = {}

function M.find(list, buffer) return lists.find(list, "buffer", buffer) end

-- Where the first plane of a buffer lies in its tensor, from a tile's corner.
local function corner(w, buffer)
  local reach = M.find(w.context.arrays, buffer.buffer).reach
  local y, z = reach[w.axes[2].name][1], reach[w.axes[3].name][1]
  if not buffer.away then return 0, y, z + (buffer.front or 0) end
  return -buffer.margin[1], y - buffer.reach[2][1], z + buffer.first
end

-- Rows of a buffer's planes: a number, or from those of the tile where a launch
-- says how many these are.
function M.height(w, buffer, tile)
  if not w.fit then return buffer.size[2] end
  return access.offset(tile, { { buffer.size[2] - w.walk.tile[2], "" } })
end

-- The bytes that a plane of a buffer brings to its slot.
local function bytes_of(w, buffer)
  local plane = ("sizeof s.%s[slot].at"):format(buffer.ring)
  if not w.fit then return plane end
  local rows = w.rows > 1 and "blockDim.y * " .. w.rows or "blockDim.y"
  local height = M.height(w, buffer, rows)
  return ("%s * %s[0]"):format(height == rows and rows or "(" .. height .. ")",
    plane)
end

local WIDTH = 84

-- A call, as lines.
local function call(name, arguments)
  local lines, line = {}, name .. "("
  local indent = (" "):rep(#line)
  for i, argument in ipairs(arguments) do
    local word = argument .. (i == #arguments and ");" or ",")
    if #line + #word + 1 > WIDTH then
      lines[#lines + 1], line = line, indent
    end
    local space = line:match("[ (]$") and "" or " "
    line = line .. space .. word
  end
  lines[#lines + 1] = line
  return lines
end

-- "fetch_u(s, u_tensor, i, x0 - 4, y0, z0 + i + 4);"
local function fetch(w, buffer, slot, plane, on)
  local x, y, z = corner(w, buffer)
  return call(buffer.fetch, { "s", buffer.tensor, slot,
    access.offset(w.tile_x .. " + " .. w.lead
      .. (w.shift and " + box.shift" or ""), { { x, "" } }),
    access.offset(w.tile_y, { { y, "" } }),
    access.offset(w.tile_z .. " + " .. plane, { { z + (on or 0), "" } }) })
end

-- The same for all that comes with what is read at the points alone.
local function fetch_points(w, list, slot, plane, on)
  local arguments = { "s" }
  for i, p in ipairs(list) do arguments[i + 1] = p.tensor end
  lists.append(arguments, { slot, w.tile_x .. " + " .. w.lead, w.tile_y,
    access.offset(w.tile_z .. " + " .. plane, { { on or 0, "" } }),
    w.shift and list[#list].away and "box.shift" or nil })
  return call(w.fetch_points, arguments)
end

-- Where the plane of one of them lies in its tensor, from (x, y, z).
local function add_place(w, buffer)
  local x, y, z = corner(w, buffer)
  buffer.x = access.offset(w.shift and buffer.away and "x + shift" or "x",
    { { x, "" } })
  buffer.y = access.offset("y", { { y, "" } })
  buffer.z = access.offset("z", { { z, "" } })
end

-- One entry for every set of barriers: how many slots, of how many planes in
-- all, and the copies that fill one. Where sums are split the planes that come
-- before the first point is completed are `early`.
local function fulls(w, alone, points)
  local list, early = {}, w.scatter and w.scatter.ahead or 0
  for i, s in ipairs(alone) do
    local more = s.newest - s.first + early
    list[i] = { name = s.full, slots = s.slots,
      planes = access.offset("planes", { { more, "" } }),
      start = fetch(w, s, "i", "i", -early),
      refill = fetch(w, s, s.oldest, "p", s.slots), since = "" }
  end
  if points[1] then
    list[#list + 1] = { name = w.points_full, slots = w.turns,
      planes = "planes", start = fetch_points(w, points, "i", "i"),
      refill = fetch_points(w, points, w.points_slot, "p", w.turns),
      since = "p >= 0 && " }
  end
  return list
end

-- What is fetched for one step, in one go, or false.
local function points_of(w, list)
  if not list[1] then return false end
  local declared, bytes = {}, {}
  for i, p in ipairs(list) do
    add_place(w, p)
    local last = i == #list
    declared[i] = ("const quern_tensor &%s%s"):format(p.tensor,
      last and "" or ",")
    bytes[i] = bytes_of(w, p) .. (last and "" or " +")
  end
  return { fetch = w.fetch_points, full = w.points_full, tensors = declared,
    shift = w.shift and list[#list].away and ", int shift" or "",
    list = list, bytes = bytes, what = list[#list].away
      and "a plane of each buffer that a step reads"
      or "a plane of what is read at the points alone" }
end

-- Adds the structure of shared memory and who fills it.
function M.add(values, w)
  local alone, points, barriers = {}, lists.joined(w.points, {}), {}
  for _, s in ipairs(w.streams) do
    local list = s.joined and points or alone
    list[#list + 1] = s
  end
  values.shared, values.streams = {}, alone
  for i, b in ipairs(lists.joined(w.streams, w.points)) do
    values.shared[i] = { type = access.type(b.type), ring = b.ring,
      extents = ring.extents(b.size), slots = b.slots }
  end
  for i, s in ipairs(alone) do
    s.bytes = bytes_of(w, s)
    barriers[i] = ("%s[%d]"):format(s.full, s.slots)
  end
  if points[1] then
    barriers[#barriers + 1] = ("%s[%d]"):format(w.points_full, w.turns)
  end
  barriers[#barriers + 1] = ("%s[%d]"):format(w.freed, w.turns)
  values.barriers = table.concat(barriers, ", ")
  values.points = points_of(w, points)
  values.fulls = fulls(w, alone, points)
end

return M
