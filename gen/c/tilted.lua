-- The halo of a tile in one: the planes on all its sides are tilted onto the
-- first threads along the first axis, a plane each.

local access = require "gen.c.access"
local smem = require "gen.c.smem"

local M = {}

-- The planes of a halo in one row: per axis that has some, its first and the
-- one behind its last; how many in all, and in how many turns a row of threads
-- along another axis covers one along the first.
local function families(tile, context)
  local list, count, turns, size = {}, 0, 1, context.plan.block_size
  for i, reach in ipairs(tile.reach) do
    local more = reach[1] + reach[2]
    if more > 0 then
      list[#list + 1] = { axis = i, first = count, behind = count + more }
      turns = math.max(turns, i > 1 and (size[1] + size[i] - 1) // size[i] or 1)
    end
    count = count + more
  end
  return list, count, turns
end

-- Where a plane of family f has the thread along the first axis: its own place
-- along the family's axis, tilted.
local function tilted(tile, context, f, turns)
  local place = access.offset(tile.place[f.axis],
    { { tile.reach[1][1] - tile.reach[f.axis][1], "" } })
  return turns == 1 and place
    or place .. " + turn * " .. context.plan.block_size[f.axis]
end

-- "const int col = plane < 2 ? .. : plane < 4 ? ty : tz;"
local function first_place(tile, context, list, turns)
  local lines, lead = {}, "const int col = "
  for k, f in ipairs(list) do
    local value = f.axis > 1 and tilted(tile, context, f, turns)
      or smem.halo_place(tile, context, 1, "plane", f.first)
    local last = k == #list
    lines[k] = (k == 1 and lead or (" "):rep(#lead - 2) .. ": ")
      .. (last and value .. ";" or ("plane < %d ? %s"):format(f.behind, value))
  end
  return lines
end

-- "const int row = plane >= 2 && plane < 4 ? .. : ty;"
local function other_place(tile, context, f, count)
  local terms = {}
  if f.first > 0 then terms[1] = ("plane >= %d"):format(f.first) end
  if f.behind < count then
    terms[#terms + 1] = ("plane < %d"):format(f.behind)
  end
  local own = smem.halo_place(tile, context, f.axis, "plane", f.first)
  if not terms[1] then
    return ("const int %s = %s;"):format(smem.word[f.axis], own)
  end
  return ("const int %s = %s ? %s : %s;"):format(smem.word[f.axis],
    table.concat(terms, " && "), own, tile.place[f.axis])
end

-- What keeps a tilted row within the block, and a plane across the first axis
-- from being fetched in every turn.
local function within(tile, context, list, turns)
  local size, exact = context.plan.block_size, true
  for _, f in ipairs(list) do
    exact = exact and (f.axis == 1 or size[f.axis] * turns == size[1])
  end
  local across = list[1].axis == 1 and list[1].behind
  local row = ("col < %d"):format(tile.reach[1][1] + size[1])
  if across and turns > 1 then
    return (exact and "(plane >= %d || turn == 0)"
      or "(plane < %d ? turn == 0 : %s)"):format(across, row)
  elseif exact then
    return nil
  end
  return across and ("(plane < %d || %s)"):format(across, row) or row
end

local function tilted_head(count, turns, n)
  local head = { count <= n and ("if (threadIdx.x < %d)"):format(count)
    or ("for (int plane = threadIdx.x; plane < %d; plane += %d)"):format(count,
      n) }
  if turns > 1 then
    head[2] = ("    for (int turn = 0; turn < %d; turn++)"):format(turns)
  end
  head[#head] = head[#head] .. " {"
  return head
end

-- The halo in one: planes on all sides, each by one of the first threads along
-- the first axis.
function M.halos(tile, context)
  local list, count, turns = families(tile, context)
  local n = context.plan.block_size[1]
  local halo = { head = tilted_head(count, turns, n), places = {},
                 pad = turns > 1 and "    " or "" }
  if count <= n then halo.places[1] = "const int plane = threadIdx.x;" end
  local moved = { [1] = true }
  for _, line in ipairs(first_place(tile, context, list, turns)) do
    halo.places[#halo.places + 1] = line
  end
  for _, f in ipairs(list) do
    if f.axis > 1 then
      moved[f.axis] = true
      halo.places[#halo.places + 1] = other_place(tile, context, f, count)
    end
  end
  local terms = { within(tile, context, list, turns) }
  for i in ipairs(context.axes) do
    terms[#terms + 1] = smem.before_end(tile, context, i, moved[i])
  end
  halo.comment = ("Its halo, %d planes: %s along %s, a plane each."):format(
    count, count <= n and ("the first %d threads"):format(count)
    or "all threads", context.axes[1].name)
  halo.guard = smem.condition(terms, #halo.pad + 8)
  halo.move = smem.move(tile, context, moved, #halo.pad + 12)
  return { halo }
end

return M
