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

-- "fetch_u(s, u_tensor, i, x0 - 4, y0, z0 + i + 4);"
local function fetch(w, buffer, tensors, slot, plane, on)
  local x, y, z = M.corner(w, buffer, buffer.first or 0)
  return ("%s(s, %s, %s, %s, %s, %s);"):format(buffer.fetch or w.fetch_points,
    tensors, slot, x, y, access.offset(w.tile_z .. " + " .. plane,
    { { z + (on or 0), "" } }))
end

local function tensor_names(list)
  local out = {}
  for i, p in ipairs(list) do out[i] = p.tensor end
  return table.concat(out, ", ")
end

-- One entry for every set of barriers: how many slots, of how many planes in
-- all, and the copies that fill one.
local function fulls(w)
  local list = {}
  for _, s in ipairs(w.streams) do
    local more = s.newest - s.first
    list[#list + 1] = { name = s.full, slots = s.slots,
      planes = access.offset("planes", { { more, "" } }),
      start = fetch(w, s, s.tensor, "i", "i"),
      refill = fetch(w, s, s.tensor, s.oldest, "p", s.slots) }
  end
  if w.points[1] then
    local all, slots = tensor_names(w.points), w.points[1].slots
    list[#list + 1] = { name = w.points_full, slots = slots,
      planes = "planes", start = fetch(w, w.points[1], all, "i", "i"),
      refill = fetch(w, w.points[1], all, w.points_slot, "p", slots) }
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
      local last = i == #w.points
      declared[i] = ("const quern_tensor &%s%s"):format(p.tensor,
        last and "" or ",")
      bytes[i] = ("sizeof s.%s[slot].at%s"):format(p.ring, last and "" or " +")
    end
    values.points = { fetch = w.fetch_points, full = w.points_full,
      tensors = declared, list = w.points, bytes = bytes }
  end
  values.barriers = table.concat(barriers, ", ")
  values.fulls = fulls(w)
end

return M
