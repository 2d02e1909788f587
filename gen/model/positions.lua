-- Where the reads of an assignment happen, seen from its target: on the same
-- spaces, at points that the field has, not too far away.
--
-- Each read of a checked assignment becomes an entry of block.reads:
-- { field, level, assign, pos, away, lo, hi = { axis = index offsets } };
-- `away`: at another point, or through a place.

local lists = require "gen.list"
local number = require "gen.model.number"
local pool_of = require "gen.model.pool"
local reads = require "gen.model.reads"

local M = {}

M.FARTHEST = 64                 -- points of reach along an axis

-- Where a node was written: in this statement, in this block, ever.
local function position_of(x, id)
  return x.pool.written[id] or x.block.written[id] or x.pool.nodes[id].pos
end

-- Reports at a read; the target is noted if the read stands elsewhere.
local function report(x, read, text, ...)
  local inside = x.block.text
  local first, last = inside.offset, inside.offset + #inside.text
  if read.pos.source == inside.source and read.pos.offset >= first
     and read.pos.offset < last then
    x.b.report(read.pos, text, ...)
  else
    x.b.report_note(read.pos, read.assign.pos, ("in the formula of '%s'")
      :format(read.assign.field), text, ...)
  end
end

-- "x+1/2" for an axis and a position in half points.
local function coordinate(axis, half)
  if half == 0 then return axis end
  local size = math.abs(half)
  local text = size % 2 == 0 and number.text(size // 2) or size .. "/2"
  return axis .. (half < 0 and "-" or "+") .. text
end

-- The domain whose own row a read or place starts at, nil: any; and the place
-- that starts there.
local function origin(b, node)
  if node.kind == "read" and not node.place then
    return b.model.fields[node.field].domain
  end
  local place = node.kind == "read" and b.pool.nodes[node.place] or node
  while place.row do place = b.pool.nodes[place.row] end
  return place.table and b.model.tables[place.table].from, place
end

local function check_origin(x, read, node)
  local from, place = origin(x.b, node)
  local domain = x.kernel.domain
  if not from or from == domain then return true end
  if node.kind == "read" and not node.place then
    report(x, read, "%s lives on %s, and the formula runs over %s: name a "
      .. "place, %s[..]", node.field, from, domain or "a grid", node.field)
  elseif not place.bound then       -- else its reduction is reported
    report(x, read, "%s starts at %s, and the formula runs over %s",
      place.table, from, domain or "a grid")
  end
  return false
end

local function check_slots(x, read, node, field)
  if not field.table or node.place then return true end
  report(x, read, "%s has a value for each slot of %s: bind one, sum(e in %s,"
    .. " %s[e])", field.name, field.table, field.table, field.name)
  return false
end

local function check_axes(x, read, field)
  for _, axis in ipairs(field.axes) do
    if not lists.contains(x.kernel.space, axis) then
      report(x, read, "%s varies along %s, but %s lies on %s only", field.name,
        axis, read.assign.field, table.concat(x.kernel.space, ", "))
      return false
    end
  end
  return true
end

-- "mu has points at x, y; here it is read at x+1/2, y+1/2 of sxy: interpolate"
local function report_position(x, read, field, target, entry)
  local own, here = {}, {}
  for i, axis in ipairs(x.pool.axes) do
    if field.at[axis] and (entry.lo[i] + target.at[axis] - field.at[axis]) % 2
       ~= 0 then
      own[#own + 1] = coordinate(axis, field.at[axis])
      here[#here + 1] = coordinate(axis, entry.lo[i] + target.at[axis])
    end
  end
  if #own == 0 then return true end
  report(x, read, "%s has points at %s; here it is read at %s of %s: "
    .. "interpolate", field.name, table.concat(own, ", "),
    table.concat(here, ", "), target.name)
  return false
end

local function check_reach(x, read, field)
  for _, axis in ipairs(field.axes) do
    local far = math.max(math.abs(read.lo[axis]), math.abs(read.hi[axis]))
    if far > M.FARTHEST then
      report(x, read, "%s is read %d points away along %s, at most %d are "
        .. "possible", field.name, far, axis, M.FARTHEST)
      return false
    end
  end
  return true
end

-- Index offsets of a read along the axes of its field.
local function set_offsets(x, read, field, target, entry)
  for i, axis in ipairs(x.pool.axes) do
    if field.at[axis] then
      local at = target.at[axis] - field.at[axis]
      read.lo[axis] = (entry.lo[i] + at) // 2
      read.hi[axis] = (entry.hi[i] + at) // 2
      if read.lo[axis] ~= 0 or read.hi[axis] ~= 0 then read.away = true end
    end
  end
end

local function check_read(x, assign, target, entry)
  local node = x.pool.nodes[entry.id]
  local read = { id = entry.id, assign = assign, away = node.place ~= nil,
    pos = position_of(x, entry.id), lo = {}, hi = {} }
  local field = x.b.model.fields[node.field]
  if field and field.broken or not check_origin(x, read, node)
     or node.kind ~= "read" then
    return
  end
  read.field, read.level = node.field, node.level
  if check_slots(x, read, node, field) and check_axes(x, read, field)
     and report_position(x, read, field, target, entry) then
    set_offsets(x, read, field, target, entry)
    if check_reach(x, read, field) then
      table.insert(x.block.reads, read)
    end
  end
end

-- A value assigned above is known at the points of its own field only.
local function check_fixed(x, target, fixed)
  local list = {}
  for name in next, fixed or {} do list[#list + 1] = name end
  table.sort(list)
  for _, name in ipairs(list) do
    local field = x.b.model.fields[name]
    for _, axis in ipairs(field.axes) do
      if target.at[axis] and field.at[axis] ~= target.at[axis] then
        x.b.report(fixed[name], "%s has points at %s; here it is read at %s of"
          .. " %s: interpolate", name, coordinate(axis, field.at[axis]),
          coordinate(axis, target.at[axis]), target.name)
        break
      end
    end
  end
end

-- Checks the reads of an assignment and adds them to its block. fixed: the
-- assigned values it uses, with positions.
function M.check(x, assign, fixed)
  local target = x.b.model.fields[assign.field]
  if assign.value == pool_of.BAD or target.broken then return end
  for _, entry in ipairs(reads.of(x.b, assign.value)) do
    check_read(x, assign, target, entry)
  end
  check_fixed(x, target, fixed)
end

return M
