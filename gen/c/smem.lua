-- The texts of tiles in shared memory: places in them, who fetches what.
-- (gen/c/tilted.lua has the halo of smem_eta_1.)

local access = require "gen.c.access"
local text = require "gen.c.text"

local M = {}

local WIDTH = 100               -- columns of the lines made here
local WORD = { "col", "row", "layer" }  -- a place in a tile along each axis
M.word = WORD
local THREAD = { "threadIdx.x", "threadIdx.y", "threadIdx.z" }

-- Names what belongs to a tile; alone its threads' places need no prefix.
function M.name(tile, names, alone)
  tile.name = names.claim(tile.buffer .. "_tile")
  tile.array, tile.place = names.array[tile.buffer], {}
  for i = 1, #tile.reach do
    local word = "t" .. ("xyz"):sub(i, i)
    tile.place[i] = names.claim(alone and word or tile.buffer .. "_" .. word)
  end
end

function M.extents(tile)
  local parts = {}
  for i = #tile.size, 1, -1 do
    parts[#parts + 1] = ("[%d]"):format(tile.size[i])
  end
  return table.concat(parts)
end

-- "const int tx = threadIdx.x + 4;", rows of a table.
function M.place_rows(tile)
  local rows = {}
  for i, place in ipairs(tile.place) do
    rows[i] = { "const int " .. place, (" = %s;"):format(access.offset(
      THREAD[i], { { tile.reach[i][1], "" } })) }
  end
  return rows
end

-- "u_tile[tz][ty][tx - 1]": at offsets from the thread's own place.
function M.at(tile, offset)
  local parts = {}
  for i = #tile.place, 1, -1 do
    parts[#parts + 1] = ("[%s]"):format(access.offset(tile.place[i],
      { { offset[i] or 0, "" } }))
  end
  return tile.name .. table.concat(parts)
end

-- "x + (col - tx) < x_end + 4", or of the point itself.
local function before_end(tile, context, i, moved)
  local names, axis = context.names, context.axes[i].name
  local at = names.axis[axis]
  if moved then
    at = ("%s + (%s - %s)"):format(at, WORD[i], tile.place[i])
  end
  local extra = moved and tile.reach[i][2] or 0
  return ("%s < %s"):format(at, access.offset(names.upper[axis],
    { { extra, "" } }))
end

-- "if (a && b", "    && c)": as many lines as `column` leaves it.
local function condition(terms, column)
  local lines, width = { "if (" .. terms[1] }, WIDTH - column - 1
  for i = 2, #terms do
    local longer = lines[#lines] .. " && " .. terms[i]
    if #longer <= width then
      lines[#lines] = longer
    else
      lines[#lines + 1] = "    && " .. terms[i]
    end
  end
  lines[#lines] = lines[#lines] .. ")"
  return lines
end

-- "u_tile[tz][ty][col] = u[u_at + (col - tx)];", moved along the axes that
-- are in `moved`.
local function move(tile, context, moved, column)
  local field = context.by_name[tile.field]
  local names, index = context.names, {}
  local terms = { names.at[tile.field] }
  for i = #tile.place, 1, -1 do
    index[#index + 1] = ("[%s]"):format(moved[i] and WORD[i] or tile.place[i])
  end
  for i in ipairs(tile.place) do
    local stride = names.stride[tile.field][context.axes[i].name]
    terms[#terms + 1] = moved[i] and ("(%s - %s)"):format(WORD[i],
      tile.place[i]) .. (stride ~= "" and " * " .. stride or "") or nil
  end
  local to = tile.name .. table.concat(index) .. " ="
  local function from(separator)
    return access.element(tile.array, table.concat(terms, separator),
      field.type, context.kernel.compute) .. ";"
  end
  local flat = from " + "
  if column + #to + 1 + #flat <= WIDTH then return { to .. " " .. flat } end
  if column + 4 + #flat <= WIDTH then return { to, "    " .. flat } end
  return { to, "    " .. from("\n        + ") }
end

-- Everyone's own point: { guard, move }. Beyond the end of a box too, where
-- threads of the box read it.
function M.own(tile, context)
  local terms, names = {}, context.names
  for i, axis in ipairs(context.axes) do
    terms[i] = ("%s < %s"):format(names.axis[axis.name], access.offset(
      names.upper[axis.name], { { tile.reach[i][2], "" } }))
  end
  local field = context.by_name[tile.field]
  local from = access.element(tile.array, text.place(field, {}, names),
    field.type, context.kernel.compute)
  return { guard = condition(terms, 4),
           move = { ("%s = %s;"):format(M.at(tile, {}), from) } }
end

-- The place in the tile of the h-th point of its halo along axis i.
local function halo_place(tile, context, i, h, from)
  local low, high = tile.reach[i][1], tile.reach[i][2]
  local n = context.plan.block_size[i]
  if low == 0 then return access.offset(h, { { n - from, "" } }) end
  local own = access.offset(h, { { -from, "" } })
  if high == 0 then return own end
  return ("%s + (%s < %d ? 0 : %d)"):format(own, h, from + low, n)
end

M.before_end, M.condition, M.move = before_end, condition, move
M.halo_place = halo_place

local function sides(reach)
  local parts = {}
  if reach[1] > 0 then parts[1] = reach[1] .. " below" end
  if reach[2] > 0 then parts[#parts + 1] = reach[2] .. " above" end
  return table.concat(parts, " and ")
end

-- The halo along axis i, by the first threads along it: by all where it is as
-- wide as the block, in turns where it is wider.
local function along(tile, context, i)
  local count = tile.reach[i][1] + tile.reach[i][2]
  local n = context.plan.block_size[i]
  local halo = { pad = "", places = {} }
  local h, who, terms = THREAD[i], "all threads", {}
  if count < n then
    halo.head = { ("if (%s < %d) {"):format(h, count) }
    who = ("the first %d threads"):format(count)
  elseif count == n then
    halo.head = { "{" }
  else
    halo.head = { ("for (int turn = 0; turn < %d; turn += %d) {"):format(count,
      n) }
    halo.places[1] = ("const int halo = %s + turn;"):format(h)
    h, who = "halo", "all threads, in turns"
    if count % n ~= 0 then terms[1] = ("halo < %d"):format(count) end
  end
  halo.places[#halo.places + 1] = ("const int %s = %s;"):format(WORD[i],
    halo_place(tile, context, i, h, 0))
  for j in ipairs(context.axes) do
    terms[#terms + 1] = before_end(tile, context, j, j == i)
  end
  halo.comment = ("Its halo along %s, %s: %s."):format(context.axes[i].name,
    sides(tile.reach[i]), who)
  halo.guard = condition(terms, 8)
  halo.move = move(tile, context, { [i] = true }, 12)
  return halo
end

-- The halos of a tile, one per axis that has one.
function M.halos(tile, context)
  local list = {}
  for i, reach in ipairs(tile.reach) do
    if reach[1] + reach[2] > 0 then
      list[#list + 1] = along(tile, context, i)
    end
  end
  return list
end

-- Loops over a whole tile, corners included: { loops, pad, guard, move }.
function M.whole(tile, context)
  local loops, terms, moved = {}, {}, {}
  for i = #tile.place, 1, -1 do
    loops[#loops + 1] = ("%sfor (int %s = %s; %s < %d; %s += %d)"):format(
      ("    "):rep(#loops), WORD[i], THREAD[i], WORD[i], tile.size[i], WORD[i],
      context.plan.block_size[i])
  end
  for i in ipairs(tile.place) do
    moved[i], terms[i] = true, before_end(tile, context, i, true)
  end
  local pad = ("    "):rep(#loops)
  return { loops = loops, pad = pad, guard = condition(terms, #pad + 4),
           move = move(tile, context, moved, #pad + 8) }
end

-- "x < x_end && y < y_end".
function M.inside(context)
  local terms = {}
  for i in ipairs(context.axes) do
    terms[i] = before_end(nil, context, i, false)
  end
  return table.concat(terms, " && ")
end

return M
