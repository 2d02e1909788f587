-- The texts of temporal: whose points a thread has, how far planes are, what a
-- step is called with.

local access = require "gen.c.access"
local text = require "gen.c.text"

local M = {}

-- "behind2", "current", "front1": a place of a window.
local function window_word(r)
  if r == 0 then return "current" end
  return (r < 0 and "behind" or "front") .. math.abs(r)
end

-- "make_step<144>(a, b," and further lines.
function M.call(name, arguments, width)
  local lines, line = {}, name .. "("
  for i, argument in ipairs(arguments) do
    local more = argument .. (i < #arguments and "," or ");")
    if #line + #more + 1 > width then
      lines[#lines + 1], line = line, "    "
    end
    line = line .. (line:find("[%(%s]$") and "" or " ") .. more
  end
  lines[#lines + 1] = line
  return lines
end

-- The names of a column from `low` to `high`.
function M.window(claim, prefix, low, high)
  local window = {}
  for r = low, high do window[r] = claim(prefix .. window_word(r)) end
  return window
end

-- "float current[2][4]", the points of one thread; `form` puts it otherwise.
function M.points(type, name, lay, form)
  return (form or "%s %s[%d][%d]"):format(access.type(type), name, lay.rows,
    lay.vector)
end

M.IN, M.OUT = "const %s (&%s)[%d][%d],", "%s (&%s)[%d][%d],"

-- Which points a thread has: rows of threads have the rows of the tile, the
-- last have the columns beside it.
function M.threads(lay, across)
  if lay.sides == 0 then
    return { "const bool within = true;",
      ("const int tx = (int)threadIdx.x * %d, ty = (int)threadIdx.y * %d;")
        :format(lay.vector, lay.rows) }
  end
  local count = lay.sides // lay.vector
  return {
    "/* Rows of threads have the rows of the tile, the last have the columns "
      .. "beside it. */",
    ("const bool within = threadIdx.y < %d;"):format(lay.groups),
    ("const int beside = ((int)threadIdx.y - %d) * %d + (int)threadIdx.x;")
      :format(lay.groups, across),
    ("const int column = within ? (int)threadIdx.x : beside %% %d - %d;")
      :format(2 * count, count),
    ("const int tx = column * %d + (within || column < 0 ? 0 : %d);"):format(
      lay.vector, lay.across),
    ("const int ty = (within ? (int)threadIdx.y : beside / %d) * %d;"):format(
      2 * count, lay.rows),
  }
end

-- "s.t_ring[t_slot].at[ty + j + 1][tx + 8]"; without `each` of the first row.
function M.in_plane(ring, slot, up, along, each)
  return ("s.%s[%s].at[%s][%s]"):format(ring, slot,
    access.offset(each and "ty + j" or "ty", { { up, "" } }),
    access.offset("tx", { { along, "" } }))
end

-- "quern_read(t_front1[j], &s.t_ring[t_slot].at[ty + j + 1][tx + 8]);"
function M.read(name, place)
  return ("quern_read(%s[j], &%s);"):format(name, place)
end

-- The slot of a plane `by` planes before the newest.
function M.back(buffer, by)
  if by == 0 then return buffer.slot end
  return ("quern_back<%d>(%s, %d)"):format(buffer.slots, buffer.slot, by)
end

-- Where a plane of a ring begins, as the tensor counts: x, y, and what is added
-- along the walk. array: of the buffer; before: rows and planes before those of
-- the tile.
function M.corner(buffer, array, axes, tile, before)
  local y, z = axes[2].name, axes[3].name
  return access.offset(tile.x .. " + " .. buffer.lead,
    { { -buffer.margin[1], "" } }),
    access.offset(tile.y, { { array.reach[y][1] - before[2], "" } }),
    array.reach[z][1] - before[3]
end

-- "fetch_t(s, t_tensor, i, x_tile + lead - 8, y_tile - 1, z_tile + i - 1);"
function M.fetch(buffer, slot, corner, tile, plane, more)
  local z = access.offset(tile.z .. " + " .. plane,
    { { corner[3] + more, "" } })
  return M.call(buffer.fetch, { "s", buffer.tensor, slot, corner[1], corner[2],
    z }, 84)
end

-- The lines by which a ring goes on to its next slot.
function M.onward(slot, slots, phase)
  local lines = { ("if (++%s == %d)%s"):format(slot, slots,
    phase and " {" or ""), ("    %s = 0;"):format(slot) }
  if phase then
    lines[3], lines[4] = ("    %s ^= 1;"):format(phase), "}"
  end
  return lines
end

-- The place of the thread's row j in an array of the field, `planes` on.
function M.at(field, planes, axes, names)
  return ("%s + j * %s"):format(text.place(field, { [axes[3].name] = planes },
    names), names.stride[field.name][axes[2].name])
end

return M
