-- What every kernel file's template gets, whatever its shape.

local access = require "gen.c.access"
local arrays_of = require "gen.emit.arrays"
local boxes = require "gen.emit.boxes"
local c_names = require "gen.c.names"
local extent = require "gen.extent"
local kinds = require "gen.c.kinds"
local hosts_of = require "gen.emit.hosts"
local head = require "gen.emit.head"
local mesh = require "gen.c.mesh"
local periods = require "gen.schedule.periods"
local region_text = require "gen.c.region"
local slab = require "gen.emit.slab"
local space = require "gen.schedule.space"
local temporaries = require "gen.emit.temporaries"
local text = require "gen.c.text"
local words = require "gen.c.words"

local M = {}

-- The whole scalars that bound regions, { name, member }, in declared order.
function M.bound_scalars(lowered, regions)
  local seen, list = {}, {}
  for _, region in ipairs(regions) do
    local limits = region.shell or region.ranges
    for _, axis in ipairs(lowered.axes) do
      for _, bound in ipairs(limits[axis] or {}) do
        region_text.scalars(bound, seen)
      end
    end
  end
  for _, scalar in ipairs(lowered.scalars) do
    list[#list + 1] = seen[scalar.name] and { name = scalar.name,
      member = words.name(scalar.name) } or nil
  end
  return list
end

-- Rows of struct quern_image, none where no mirror is read from.
local function image_rows(block, axes)
  local index, rows = {}, {}
  for i, axis in ipairs(axes) do index[axis.name] = i - 1 end
  for i, image in ipairs(block.images or {}) do
    rows[i] = ('{ "%s", "%s", %d, %d, %d, %d },'):format(image.field,
      image.kind, index[image.axis], image.side == "high" and 1 or 0,
      image.reach, (image.about == "point" and 1 or 0)
        + extent.extra(block, image.axis) - image.extra)
  end
  return rows
end

-- The least extents, where reads would pass the ends of levels otherwise.
local function least_extents(block, axes)
  local list = {}
  for _, axis in ipairs(axes) do
    local least = (block.least or {})[axis.name]
    list[#list + 1] = least and { axis = axis.name, points = least,
      extent = ("a->n[%d]"):format(axis.index) } or nil
  end
  return list
end

local function merge(into, from)
  for key, value in pairs(from) do -- any order
    into[key] = value
  end
  return into
end

function M.axis_names(axes)
  local list = {}
  for i, axis in ipairs(axes) do list[i] = axis.name end
  return list
end

-- Is one of the fields of a 16-bit type?
local function uses_types(fields)
  for _, field in ipairs(fields) do
    if access.is_small(field.type) then return true end
  end
  return false
end

M.uses_types = uses_types

-- What a chain, or a piece of one, hands on, in no array: { field.. }.
local function handed_on(lowered, kernel)
  local list = {}
  local inline = kernel.chain and kernel.source and kernel.source.inline or {}
  for _, field in ipairs(lowered.fields) do
    list[#list + 1] = inline[field.name] and field or nil
  end
  return list
end

-- Does one of the plans run over a mesh?
function M.uses_mesh(plans)
  for _, plan in ipairs(plans) do
    if plan.kernel.domain then return true end
  end
  return false
end

-- context = { plan, lowered, kernel, block, axes, arrays, fields, hosts,
-- names, index = what says which block a thread is in } for the shape; values =
-- what templates/part needs.
function M.view(plan, lowered)
  local kernel, block = plan.kernel, plan.block
  local axes = space.axes(lowered, block)
  local arrays = arrays_of.list(lowered, block, plan.also)
  local names = c_names.new(lowered, arrays, block, axes, plan.kept,
    plan.handed)
  if kernel.domain then kinds.claim(names, plan) end
  local context = { plan = plan, lowered = lowered, kernel = kernel,
    block = block, axes = axes, arrays = arrays, names = names,
    hosts = hosts_of.code(block),
    index = plan.part and "block" or "blockIdx",
    fields = arrays_of.fields(arrays) }
  context.by_name = {}
  for _, field in ipairs(lowered.fields) do
    context.by_name[field.name] = field
  end
  local box_view, regions = boxes.view(lowered, kernel, block, axes)
  local values = merge(head.view(context), box_view)
  values.plan = plan.name
  values.args = lowered.instance .. "_args"
  values.header = lowered.instance .. ".h"
  values.rank = #axes
  values.axis_names = text.quoted(M.axis_names(axes))
  values.array_count = #arrays
  values.array_rows = not kernel.domain and text.array_rows(arrays, axes)
  values.bound_scalars = M.bound_scalars(lowered, regions)
  values.more_checks = {}
  values.prepares = false
  values.uses_types = uses_types(context.fields)
    or uses_types(handed_on(lowered, kernel))
  values.images = image_rows(block, axes)
  values.mesh = mesh.of_block(lowered, kernel, block)
  if values.mesh then
    values.array_rows = mesh.array_rows(lowered, arrays)
    values.mesh.kinds = kinds.rows(plan)
  end
  values.slab = slab.of_block(arrays, axes, names)
  values.temporaries = temporaries.of_arrays(arrays)
  values.placed = false
  if values.temporaries[1] then
    merge(values, temporaries.functions(lowered))
  end
  values.periods = periods.list(lowered, kernel, block, axes)
  values.least = least_extents(block, axes)
  return values, context
end

return M
