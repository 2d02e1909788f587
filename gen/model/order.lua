-- Updates in place, and the order of points: what a kernel overwrites it must
-- not read elsewhere, unless a sweep or colours say in which order.

local colours = require "gen.model.colours"
local fields = require "gen.model.fields"
local names = require "gen.model.names"

local M = {}

-- "u.prev": a level as formulas name it.
local function level_text(field, level)
  if level == 0 then return field end
  return field .. "." .. fields.level_name(level)
end

-- The level whose place f.next takes, or nil.
local function replaced(field)
  if field.timed and field.buffers < #field.levels then
    return field.levels[1]
  end
  return nil
end

-- What a kernel overwrites: key -> { field, by = key of the assignment }.
local function overwritten(b, kernel)
  local keys = {}
  for _, name in ipairs(b.model.order.fields) do
    local field = b.model.fields[name]
    local now, following = fields.key(name, 0), fields.key(name, 1)
    if not field.timed and kernel.assigns[now] then keys[now] = now end
    local old = replaced(field)
    if kernel.assigns[following] then
      keys[following] = following
      if old then keys[fields.key(name, old)] = following end
    end
  end
  return keys
end

-- ---------------------------------------------------------------------------
-- Within one kernel

local function report_away(b, kernel, read, by)
  local field = read.field
  local own = level_text(field, read.level)
  local place = by ~= fields.key(field, read.level)
    and ("'%s.next' takes its place"):format(field)
    or "the same kernel assigns it"
  b.report_note(read.pos, kernel.assigns[by], "it is overwritten here",
    "%s is read at another point, but %s: other points may be updated already",
    own, place)
end

local function only_behind(b, kernel, read)
  local field, sweep = b.model.fields[read.field], kernel.sweep
  for _, axis in ipairs(field.axes) do
    local low, high = read.lo[axis], read.hi[axis]
    if axis == sweep.axis then
      if sweep.direction == "up" and high > 0 then return false end
      if sweep.direction == "down" and low < 0 then return false end
    elseif low ~= 0 or high ~= 0 then
      return false
    end
  end
  return not b.pool.nodes[read.id].place
end

local function check_sweep_read(b, kernel, read)
  if only_behind(b, kernel, read) then return end
  b.report(read.pos, "a sweep of '%s %s' reads what it assigns only along %s, "
    .. "and only behind: %s is read elsewhere", kernel.sweep.axis,
    kernel.sweep.direction, kernel.sweep.axis,
    level_text(read.field, read.level))
end

local function check_request_read(b, kernel, read)
  if kernel.adds[read.field] then
    b.report_note(read.pos, kernel.adds[read.field], "it is added to here",
      "%s is added to by this request: it cannot be read", read.field)
  elseif read.away and kernel.assigns[fields.key(read.field, 0)] then
    b.report(read.pos, "%s is assigned by this request: it can be read only at "
      .. "the point itself", read.field)
  end
end

-- Through an operator or brackets an assigned field is read from memory: at
-- the point itself that would be the value before.
local function check_mixed(b, block, read, by)
  local first
  for _, assign in ipairs(block.assign) do
    if assign == read.assign then break end
    if fields.key(assign.field, assign.level) == by then first = assign end
  end
  if first and colours.reads_itself(b, read) then
    b.report_note(read.pos, first.pos, "it is assigned here", "%s is assigned "
      .. "above, and read here at the point itself together with others: read "
      .. "it apart", level_text(read.field, read.level))
  end
end

local function check_read(b, kernel, block, read, by)
  local own = by == fields.key(read.field, read.level)
  if not read.away then return end
  if kernel.sweep and own then
    check_sweep_read(b, kernel, read)
    check_mixed(b, block, read, by)
  elseif kernel.kind == "colours" and own then
    colours.check_read(b, kernel, read)
    check_mixed(b, block, read, by)
  else
    report_away(b, kernel, read, by)
  end
end

local function check_kernel(b, kernel)
  local keys = overwritten(b, kernel)
  for _, block in ipairs(kernel.blocks) do
    for _, read in ipairs(block.reads) do
      local by = keys[fields.key(read.field, read.level)]
      if kernel.kind == "request" then
        check_request_read(b, kernel, read)
      elseif by then
        check_read(b, kernel, block, read, by)
      end
    end
  end
end

-- ---------------------------------------------------------------------------
-- Over a step: a level that was overwritten is gone

local function check_gone(b, kernel, gone)
  for _, block in ipairs(kernel.blocks) do
    for _, read in ipairs(block.reads) do
      local by = gone[fields.key(read.field, read.level)]
      if by and by ~= kernel then
        b.report_note(read.pos,
          by.assigns[fields.key(read.field, 1)], "it is overwritten here",
          "%s is read after '%s.next' has taken its place in '%s'",
          level_text(read.field, read.level), read.field, by.name)
      end
    end
  end
end

local function check_step(b)
  local gone = {}
  for _, l in ipairs(b.launches) do
    check_gone(b, l.kernel, gone)
    for _, name in ipairs(b.model.order.fields) do
      local old = replaced(b.model.fields[name])
      if old and l.kernel.assigns[fields.key(name, 1)] then
        gone[fields.key(name, old)] = l.kernel
      end
    end
  end
end

-- ---------------------------------------------------------------------------
-- Declarations of order

local function set_sweep(b, kernel)
  local text, item = kernel.item.keys.sweep, kernel.item
  local axis, direction = text:match("^%s*(%a[%w_]*)%s+(%a+)%s*$")
  local pos = item.key_pos.sweep or item.pos
  kernel.sweep = { axis = axis, direction = direction }
  kernel.broken = not names.get(b, axis, pos, "axis", "level")
  if kernel.broken then return end
  for _, name in ipairs(kernel.space) do
    if name == axis then return end
  end
  kernel.broken = true
  b.report(pos, "a sweep along %s, but '%s' runs over %s", axis, kernel.name,
    table.concat(kernel.space, ", "))
end

local function check_words(b, kernel)
  local keys, item = kernel.item.keys, kernel.item
  if keys.setup and (keys.sweep or keys.colours) then
    b.report(item.key_pos.setup or item.pos,
      "a setup kernel takes no 'sweep' and no 'colours'")
  end
end

-- Before regions and reads are checked: kernel.sweep = { axis, direction }.
function M.declare(b)
  for _, kernel in ipairs(b.kernels) do
    check_words(b, kernel)
    if kernel.kind == "sweep" then set_sweep(b, kernel) end
    if kernel.kind == "colours" then colours.check_forms(b, kernel) end
  end
end

function M.check(b)
  for _, kernel in ipairs(b.kernels) do
    if not kernel.broken then check_kernel(b, kernel) end
  end
  check_step(b)
end

return M
