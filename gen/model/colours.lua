-- Colours: a read of what a pass assigns must be of a point of another colour.

local reads = require "gen.model.reads"

local M = {}

local function is_space(kernel, axis)
  for _, name in ipairs(kernel.space) do
    if name == axis then return true end
  end
  return false
end

local function check_form(b, kernel, form)
  for _, term in ipairs(form.terms) do
    local space = b.model.spaces[term.axis]
    if not space or space.kind == "domain" or not is_space(kernel, term.axis)
    then
      b.report(term.pos, "'%s' is no axis of '%s', which runs over %s",
        term.axis, kernel.name, table.concat(kernel.space, ", "))
    end
  end
end

local MOST = 4096

local function check_count(b, kernel)
  local count = 1
  for _, text in ipairs(kernel.item.keys.colours) do
    count = count * text.form.modulus
    if count > MOST then
      b.report(text.form.pos, "'%s' has more than %d colours", kernel.name,
        MOST)
      return
    end
  end
end

function M.check_forms(b, kernel)
  for _, text in ipairs(kernel.item.keys.colours) do
    check_form(b, kernel, text.form)
  end
  check_count(b, kernel)
  for _, block in ipairs(kernel.blocks) do
    for _, assign in ipairs(block.assign) do
      if b.model.fields[assign.field].timed then
        b.report(assign.pos, "colours are for fields without time levels, and "
          .. "'%s' has some", assign.field)
      end
    end
  end
end

-- The distinct index offsets of a read: { axis = points } each.
local function offsets_of(b, read)
  local list, field = {}, b.model.fields[read.field]
  local target = b.model.fields[read.assign.field]
  for _, shift in ipairs(reads.each(b, read.assign.value, read.id)) do
    local offset, here = {}, true
    for i, axis in ipairs(b.pool.axes) do
      if field.at[axis] then
        offset[axis] = (shift[i] + target.at[axis] - field.at[axis]) // 2
        here = here and offset[axis] == 0
      end
    end
    list[#list + 1] = { at = offset, here = here }
  end
  return list
end

-- True if one of a read's offsets is the point itself.
function M.reads_itself(b, read)
  for _, offset in ipairs(offsets_of(b, read)) do
    if offset.here then return true end
  end
  return false
end

local function changes(kernel, offset)
  for _, text in ipairs(kernel.item.keys.colours) do
    local sum = 0
    for _, term in ipairs(text.form.terms) do
      sum = sum + term.coefficient * (offset[term.axis] or 0)
    end
    if sum % text.form.modulus ~= 0 then return true end
  end
  return false
end

local function show(b, offset)
  local words = {}
  for _, axis in ipairs(b.pool.axes) do
    local n = offset[axis] or 0
    if n ~= 0 then
      words[#words + 1] = ("%s%s%d"):format(axis, n < 0 and "-" or "+",
        math.abs(n))
    end
  end
  return table.concat(words, ", ")
end

-- Where an offset along an axis may lead: `here`, the points near a face that
-- find an image of it instead.
local function places(field, axis, here)
  local sides, list = field.boundary[axis], { here }
  local side = here < 0 and sides.low or sides.high
  if side.kind ~= "even" and side.kind ~= "odd" then return list end
  local beyond = side.about == "face" and 1 or 0
  for away = 0, math.abs(here) - 1 do
    list[#list + 1] = here < 0 and -here - beyond - 2 * away
      or -here + beyond + 2 * away
  end
  return list
end

-- Is some image of an offset another point of the same colour?
local function meets_itself(b, kernel, field, offset, axis, at)
  local name = b.pool.axes[axis]
  if not name then
    for _, n in pairs(at) do -- any order
      if n ~= 0 then return not changes(kernel, at) end
    end
    return false
  end
  for _, n in ipairs(offset[name] and places(field, name, offset[name])
                     or { 0 }) do
    at[name] = n
    if meets_itself(b, kernel, field, offset, axis + 1, at) then return true end
  end
  return false
end

function M.check_read(b, kernel, read)
  if b.pool.nodes[read.id].place then
    b.report(read.pos, "%s is read through a table: colours are for grids",
      read.field)
    return
  end
  for _, offset in ipairs(offsets_of(b, read)) do
    if not offset.here and not changes(kernel, offset.at) then
      b.report(read.pos, "%s is read at %s, a point of the same colour",
        read.field, show(b, offset.at))
      return
    elseif meets_itself(b, kernel, b.model.fields[read.field], offset.at, 1, {})
    then
      b.report(read.pos, "%s is read at %s: beyond a face its image may be a "
        .. "point of the same colour", read.field, show(b, offset.at))
      return
    end
  end
end

return M
