-- Regions in kernels: which points a block covers, what that means for
-- fields stored in a region only, for next levels, and for reads past the
-- ends of levels.

local lists = require "gen.list"
local bounds = require "gen.model.bounds"
local fields = require "gen.model.fields"
local names = require "gen.model.names"
local regions = require "gen.model.regions"

local M = {}

-- ---------------------------------------------------------------------------
-- Regions of a kernel

local function check_axes(b, kernel, block, region)
  for _, axis in ipairs(regions.axes(b, region)) do
    if not lists.contains(kernel.space, axis) then
      b.report(block.pos, "region '%s' is of %s, but '%s' runs over %s only",
        region.name, axis, kernel.name, table.concat(kernel.space, ", "))
    end
  end
end

local function check_sweep_region(b, kernel, block, region)
  local axes = regions.axes(b, region)
  if region.rest or region.ranges and #axes == 1
     and axes[1] == kernel.sweep.axis then
    return
  end
  b.report(block.pos, "regions of a sweep are ranges of '%s'; '%s' is not",
    kernel.sweep.axis, region.name)
end

local function check_regions(b, kernel)
  local rest
  for _, block in ipairs(kernel.blocks) do
    local region = b.regions[block.region]
    if region then
      check_axes(b, kernel, block, region)
      if kernel.sweep and not kernel.broken then
        check_sweep_region(b, kernel, block, region)
      end
      if region.rest and rest then
        b.report(block.pos, "'%s' and '%s' are both the rest, wanted one",
          rest, region.name)
      end
      rest = rest or region.rest and region.name
    end
  end
  kernel.rest = rest
end

-- ---------------------------------------------------------------------------
-- Next levels: assigned at every point where what they replace is not the
-- value now

local function block_names(kernel)
  local words = {}
  for i, block in ipairs(kernel.blocks) do words[i] = block.name end
  return table.concat(words, ", ")
end

local function check_cover(b, kernel, field, pos)
  local key = fields.key(field.name, 1)
  if not kernel.blocks[1].name then return end
  if not kernel.rest then
    b.report(pos, "%s.next must be assigned at every point, and %s leave%s "
      .. "some out: wanted a region with rest = true", field.name,
      block_names(kernel), #kernel.blocks == 1 and "s" or "")
    return
  end
  for _, block in ipairs(kernel.blocks) do
    if not block.first[key] then
      b.report(block.pos, "%s.next must be assigned at every point, and '%s' "
        .. "does not assign it", field.name, block.name)
    end
  end
end

local function check_next(b, kernel)
  for _, name in ipairs(b.model.order.fields) do
    local field = b.model.fields[name]
    local pos = kernel.assigns[fields.key(name, 1)]
    local in_place_of_now = field.buffers < #field.levels
      and field.levels[1] == 0
    if pos and field.timed and kernel.kind ~= "request"
       and not in_place_of_now and not field.only then
      check_cover(b, kernel, field, pos)
    end
  end
end

-- ---------------------------------------------------------------------------
-- Fields stored in a region only

-- The region of `only`, and the axis of its shell; nil after a report.
local function shell_of(b, field)
  local item = b.names[field.name].item
  local pos = item.key_pos.only or item.pos
  if not names.get(b, field.only, pos, "region") then return nil end
  local region = b.regions[field.only]
  local axes = regions.axes(b, region)
  if not region.shell or #axes ~= 1 then
    return b.report(pos, "'only' needs a region that is a shell along one "
      .. "axis; '%s' is not", field.only)
  elseif not lists.contains(field.axes, axes[1]) then
    return b.report(pos, "'%s' is a shell along %s, and '%s' does not lie on "
      .. "it", field.only, axes[1], field.name)
  end
  return axes[1]
end

local function check_only_block(b, block, field, axis)
  local where = block.region and "in '" .. block.region .. "'" or "everywhere"
  local inside = block.region == field.only
  for _, read in ipairs(block.reads) do
    if read.field == field.name and not inside then
      b.report(read.pos, "%s is stored only in '%s'; here it is read %s",
        field.name, field.only, where)
    elseif read.field == field.name
           and (read.lo[axis] ~= 0 or read.hi[axis] ~= 0) then
      b.report(read.pos, "%s is stored only in '%s'; here it is read at "
        .. "another point along %s", field.name, field.only, axis)
    end
  end
  for _, assign in ipairs(block.assign) do
    if assign.field == field.name and not inside then
      b.report(assign.pos, "%s is stored only in '%s'; here it is assigned %s",
        field.name, field.only, where)
    end
  end
end

local function check_only(b)
  for _, name in ipairs(b.model.order.fields) do
    local field = b.model.fields[name]
    local axis = field.only and shell_of(b, field)
    for _, kernel in ipairs(axis and b.kernels or {}) do
      for _, block in ipairs(kernel.blocks) do
        check_only_block(b, block, field, axis)
      end
    end
  end
end

-- ---------------------------------------------------------------------------
-- Ends of levels

-- At an extent of 0 a kernel has points where it has `extra` ones.
local function need(kernel, axis, n)
  local known = kernel.least[axis] or kernel.extra[axis] > 0 and 0 or 1
  if n > known then kernel.least[axis] = n end
end

local function report_end(b, read, axis, offset, side)
  b.report(read.pos, "%s is read at %s%s%d, past the %s of %s: keep it inside "
    .. "with a region, or give it a boundary", read.field, axis,
    offset < 0 and "-" or "+", math.abs(offset), side, axis)
end

-- A read at an end of a level axis, for points from `first` up to (not with)
-- `last`: bounds.lua's forms. As ranges are cut to the domain, only a read that
-- leaves it from there needs an extent.
local function check_ends(b, kernel, read, axis, first, last)
  local field = b.model.fields[read.field]
  local low, high = read.lo[axis], read.hi[axis]
  local extra = field.extra[axis]
  if field.boundary[axis].low.kind == "none" and low < 0 then
    local least = first.c + low
    if first.n == 1 then need(kernel, axis, -least)
    elseif least < 0 then report_end(b, read, axis, low, "start") end
  end
  if field.boundary[axis].high.kind == "none"
     and high + kernel.extra[axis] > extra then
    local most = last.c + high - extra
    if last.n == 0 then need(kernel, axis, most)
    elseif most > 0 then report_end(b, read, axis, high, "end") end
  end
end

local function check_levels(b, kernel)
  kernel.least = {}
  for _, axis in ipairs(kernel.space) do
    local space = b.model.spaces[axis]
    local is_level = space and space.kind == "level"
    for _, block in ipairs(is_level and kernel.blocks or {}) do
      local first, last = bounds.of(b, kernel, block, axis)
      for _, read in ipairs(block.reads) do
        if b.model.fields[read.field].at[axis] then
          check_ends(b, kernel, read, axis, first, last)
        end
      end
    end
  end
end

function M.check(b)
  for _, kernel in ipairs(b.kernels) do
    check_regions(b, kernel)
    check_next(b, kernel)
    check_levels(b, kernel)
  end
  check_only(b)
end

return M
