-- The sums of a block that can be split along its last axis: of a symmetric
-- star, what is behind a point and beside it, and what is ahead of it.

local lists = require "gen.list"
local space = require "gen.schedule.space"

local M = {}

-- Whether an expression is a number wherever the point is.
local function is_number(e)
  if e.op == "load" or e.op == "value" then return false end
  for _, child in ipairs(e) do
    if not is_number(child) then return false end
  end
  return true
end

local function key(offset, axes)
  local list = {}
  for i, axis in ipairs(axes) do list[i] = offset[axis.name] or 0 end
  return table.concat(list, ",")
end

-- The places that the taps of a stencil are at, by their key: sign and weight.
local function taps_of(stencil, axes)
  local taps, count = {}, 0
  for _, group in ipairs(stencil.groups) do
    if not is_number(group.weight) then return nil end
    for _, tap in ipairs(group.taps) do
      taps[key(tap.offset, axes)] = { sign = tap.sign, group = group }
      count = count + 1
    end
  end
  return taps, count
end

-- How far a stencil reaches along the last axis, if it is a star along it of
-- the same weights on both sides; else nil.
local function reach_of(stencil, taps, axes)
  local last, reach = axes[#axes].name, 0
  for _, group in ipairs(stencil.groups) do
    for _, tap in ipairs(group.taps) do
      local along = tap.offset[last] or 0
      local other = taps[key({ [last] = -along }, axes)]
      if along ~= 0 then
        if key(tap.offset, axes) ~= key({ [last] = along }, axes) or not other
           or other.group ~= group or other.sign ~= tap.sign then
          return nil
        end
        reach = math.max(reach, along)
      end
    end
  end
  return reach > 0 and reach or nil
end

-- The buffer whose loads at the taps, no others, are what an expression reads.
local function buffer_of(e, block, axes, taps, count)
  local by_id, seen, buffer = {}, {}, nil
  for _, load in ipairs(block.loads) do by_id[load.id] = load end
  local function agrees(part)
    if part.op == "value" then return false end
    if part.op == "load" then
      local load = by_id[part.id]
      local at = key(load.offset, axes)
      if not taps[at] or buffer and buffer ~= load.buffer then return false end
      count = count - (seen[at] and 0 or 1)
      seen[at], buffer = true, load.buffer
    end
    for _, child in ipairs(part) do
      if not agrees(child) then return false end
    end
    return true
  end
  return agrees(e) and count == 0 and buffer or nil
end

-- One of the sums that are split, or nil: { value = name of the code entry,
-- buffer, field, reach, groups }.
local function sum_of(lowered, stencil, block, axes)
  local entry = stencil.value and lists.find(block.code, "name",
    stencil.value)
  local field = stencil.field and space.field(lowered, stencil.field)
  if not entry or not field or #field.axes ~= #axes then return nil end
  local taps, count = taps_of(stencil, axes)
  local reach = taps and reach_of(stencil, taps, axes)
  local buffer = reach and buffer_of(entry.value, block, axes, taps, count)
  return buffer and { value = entry.name, buffer = buffer,
    field = stencil.field, reach = reach, groups = stencil.groups }
end

-- All of them, in order.
function M.of(lowered, block, axes)
  local list = {}
  for _, stencil in ipairs(block.stencils or {}) do
    list[#list + 1] = sum_of(lowered, stencil, block, axes)
  end
  return list
end

local function mark(e, ids)
  if e.op == "load" then ids[e.id] = true end
  for _, child in ipairs(e) do mark(child, ids) end
end

-- The ids of the loads that code and stores read, but for entries of code whose
-- names `made`, if given, has as keys.
function M.loads(code, stores, made)
  local ids = {}
  for _, entry in ipairs(code) do
    if not (made and made[entry.name]) then mark(entry.value, ids) end
  end
  for _, store in ipairs(stores) do mark(store.value, ids) end
  return ids
end

-- The ids of the loads that a block still reads when its sums are made.
function M.left(block, sums)
  local made = {}
  for _, sum in ipairs(sums) do made[sum.value] = true end
  return M.loads(block.code, block.stores, made)
end

return M
