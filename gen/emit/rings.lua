-- What st_tma keeps in shared memory: rings of planes, the barriers that say
-- what has come, and who copies what from where.

local access = require "gen.c.access"
local lists = require "gen.list"
local ring = require "gen.c.ring"

local M = {}

function M.find(list, buffer)
  for _, item in ipairs(list) do
    if item.buffer == buffer then return item end
  end
end

-- The planes of tensors: where the first of them lies, as text.
function M.corner(w, buffer, first)
  local array = M.find(w.context.arrays, buffer.buffer)
  local reach = array.reach
  local y, z = w.axes[2].name, w.axes[3].name
  local margin, below = buffer.away and buffer.margin[1] or 0,
    buffer.away and buffer.reach[2][1] or 0
  return access.offset(w.tile_x .. " + " .. w.lead, { { -margin, "" } }),
    access.offset(w.tile_y, { { reach[y][1] - below, "" } }),
    first + reach[z][1]
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
  local x, y, z = M.corner(w, buffer, buffer.first)
  return call(buffer.fetch, { "s", buffer.tensor, slot, x, y,
    access.offset(w.tile_z .. " + " .. plane, { { z + (on or 0), "" } }) })
end

-- The same for all that is read at the points alone.
local function fetch_points(w, slot, plane, on)
  local arguments = { "s" }
  for i, p in ipairs(w.points) do arguments[i + 1] = p.tensor end
  lists.append(arguments, { slot, w.tile_x .. " + " .. w.lead, w.tile_y,
    access.offset(w.tile_z .. " + " .. plane, { { on or 0, "" } }) })
  return call(w.fetch_points, arguments)
end

-- Where the plane of one of them lies in its tensor, from (x, y, z).
local function add_place(w, point)
  local reach = M.find(w.context.arrays, point.buffer).reach
  point.y = access.offset("y", { { reach[w.axes[2].name][1], "" } })
  point.z = access.offset("z", { { reach[w.axes[3].name][1]
    + (point.front or 0), "" } })
end

-- One entry for every set of barriers: how many slots, of how many planes in
-- all, and the copies that fill one.
local function fulls(w)
  local list = {}
  for _, s in ipairs(w.streams) do
    local more = s.newest - s.first
    list[#list + 1] = { name = s.full, slots = s.slots,
      planes = access.offset("planes", { { more, "" } }),
      start = fetch(w, s, "i", "i"),
      refill = fetch(w, s, s.oldest, "p", s.slots) }
  end
  if w.points[1] then
    local slots = w.points[1].slots
    list[#list + 1] = { name = w.points_full, slots = slots,
      planes = "planes", start = fetch_points(w, "i", "i"),
      refill = fetch_points(w, w.points_slot, "p", slots) }
  end
  return list
end

-- Adds the structure of shared memory and who fills it.
function M.add(values, w)
  values.shared, values.streams = {}, w.streams
  local barriers = {}
  for _, b in ipairs(lists.joined(w.streams, w.points)) do
    values.shared[#values.shared + 1] = { type = access.type(b.type),
      extents = ring.extents(b.size), ring = b.ring, slots = b.slots }
    barriers[#barriers + 1] = b.full and ("%s[%d]"):format(b.full, b.slots)
  end
  values.points = false
  if w.points[1] then
    barriers[#barriers + 1] = ("%s[%d]"):format(w.points_full,
      w.points[1].slots)
    local declared, bytes = {}, {}
    for i, p in ipairs(w.points) do
      add_place(w, p)
      local last = i == #w.points
      declared[i] = ("const quern_tensor &%s%s"):format(p.tensor,
        last and "" or ",")
      bytes[i] = ("sizeof s.%s[slot].at%s"):format(p.ring, last and "" or " +")
    end
    values.points = { fetch = w.fetch_points, full = w.points_full,
      tensors = declared, list = w.points, bytes = bytes }
  end
  barriers[#barriers + 1] = ("%s[%d]"):format(w.freed, w.turns)
  values.barriers = table.concat(barriers, ", ")
  values.fulls = fulls(w)
end

return M
