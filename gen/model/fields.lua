-- Fields: model.fields with every key filled, and what is refused of their
-- declarations.

local lists = require "gen.list"
local names = require "gen.model.names"

local M = {}

M.MOST = 512                    -- fields of one spec

-- The parts of `on`: shifts' axes, a domain, a table whose slots it has.
local function sort_spaces(b, item, on)
  local parts, seen = { axes = {} }, {}
  for _, name in ipairs(on) do
    local pos, entity = item.key_pos.on or item.pos, b.names[name]
    local kind = entity and entity.kind
    if seen[name] then b.report(pos, "'%s' stands twice in 'on'", name) end
    seen[name] = true
    if kind == "axis" or kind == "level" then
      parts.axes[#parts.axes + 1] = name
    elseif kind == "table" then
      names.get(b, name, pos, "table")
      parts.table = name
    elseif not names.get(b, name, pos, "axis", "domain") then
      parts.broken = true           -- no more is said about where it lies
    else
      if parts.domain and parts.domain ~= name then
        b.report(pos, "found two domains, '%s' and '%s', wanted one",
          parts.domain, name)
      end
      parts.domain = name
    end
  end
  return parts
end

local function check_slots(b, item, parts)
  local of = parts.table and b.model.tables[parts.table]
  if not of then return end
  if of.from ~= parts.domain then
    b.report(item.key_pos.on or item.pos, "the slots of '%s' go with rows of "
      .. "'%s', but '%s' is not in 'on'", parts.table, of.from, of.from)
  end
end

-- A table of values per axis, one for each axis of the field; `convert` gives
-- a value its form. Axes that dims leaves out are passed over.
local function per_axis(b, item, key, axes, default, convert)
  local given, out = item.keys[key] or {}, {}
  local unknown = {}
  for axis in next, given do
    if not lists.contains(axes, axis) and not names.is_absent(b, axis) then
      unknown[#unknown + 1] = axis
    end
  end
  table.sort(unknown)
  for _, axis in ipairs(unknown) do
    b.report(item.key_pos[key] or item.pos, "'%s' names '%s', which is no "
      .. "axis of this field (%s)", key, axis, table.concat(axes, ", "))
  end
  for _, axis in ipairs(axes) do
    local value = given[axis]
    out[axis] = value and convert(value) or default
  end
  return out
end

local function buffers_of(b, item, levels)
  local count = #levels
  local buffers = item.keys.buffers or count
  if buffers ~= count and buffers ~= count - 1 or buffers < 1 then
    b.report(item.key_pos.buffers or item.pos, "found buffers = %d, wanted %s"
      .. " for %d level%s", buffers,
      count > 1 and ("%d or %d"):format(count - 1, count) or "1", count,
      count > 1 and "s" or "")
    return count
  end
  if buffers < count and levels[count] ~= 1 then
    b.report(item.key_pos.buffers or item.pos, "found buffers = %d for %d "
      .. "levels without a next one: nothing takes a level's place", buffers,
      count)
  end
  return buffers
end

local EXCLUSIVE = { { "constant", "time" }, { "temporary", "constant" },
  { "temporary", "time" } }

local function check_keys(b, item)
  for _, pair in ipairs(EXCLUSIVE) do
    if item.keys[pair[1]] and item.keys[pair[2]] then
      b.report(item.key_pos[pair[1]] or item.pos,
        "a field cannot have both '%s' and '%s'", pair[1], pair[2])
    end
  end
  if item.keys.packed and #item.names < 2 then
    b.report(item.key_pos.packed or item.pos, "'packed' interleaves the names "
      .. "of one declaration, wanted two or more")
  end
end

local RANGE = { int = { 0, 1 }, real = { -1, 1 } }

local function whole_or(value) return math.tointeger(value) end
local function half_points(value) return math.tointeger(2 * value) end

-- The group of names that interleave with a packed field, itself included.
local function packed_group(item)
  if not item.keys.packed then return nil end
  local group = {}
  for i, name in ipairs(item.names) do group[i] = name.name end
  return group
end

local function one(b, item, name, pos, parts)
  local keys, axes = item.keys, parts.axes
  local type = keys.type or b.model.storage
  local levels = keys.time or { 0 }
  return { name = name, pos = pos, type = type,
    on = keys.on or b.model.axes, axes = axes, domain = parts.domain,
    table = parts.table, broken = parts.broken,
    at = per_axis(b, item, "at", axes, 0, half_points),
    extra = per_axis(b, item, "extra", axes, 0, whole_or),
    halo = per_axis(b, item, "halo", axes, 0, whole_or),
    levels = levels, buffers = buffers_of(b, item, levels),
    timed = keys.time ~= nil, role = "in",
    constant = keys.constant or false, temporary = keys.temporary or false,
    only = keys.only, packed = packed_group(item), boundary = {},
    range = keys.range or RANGE[type == "int" and "int" or "real"] }
end

local function field(b, item)
  local on = item.keys.on or b.model.axes
  if #on == 0 then
    b.report(item.pos, "a field of a spec without a grid needs 'on'")
  end
  local parts = sort_spaces(b, item, on)
  check_slots(b, item, parts)
  check_keys(b, item)
  for _, name in ipairs(item.names) do
    local order = b.model.order.fields
    if not b.model.fields[name.name] then
      order[#order + 1] = name.name
      b.model.fields[name.name] = one(b, item, name.name, name.pos,
        parts)
      if #order == M.MOST + 1 then
        b.report(name.pos, "'%s' is one field too many: at most %d", name.name,
          M.MOST)
      end
    end
  end
end

function M.build(b)
  b.model.fields = {}
  for _, item in ipairs(b.decls.items) do
    if item.kind == "field" then field(b, item) end
  end
end

-- The name of a field's level: what assignments and reads are known by.
function M.key(name, level)
  return name .. " " .. level
end

-- The name of a level in formulas.
function M.level_name(level)
  if level == 0 then return "now" end
  if level == 1 then return "next" end
  return level == -1 and "prev" or "prev" .. -level
end

-- "prev, now, next": the levels of a field.
function M.levels_text(field_of)
  local words = {}
  for i, level in ipairs(field_of.levels) do words[i] = M.level_name(level) end
  return table.concat(words, ", ")
end

return M
