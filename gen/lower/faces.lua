-- Reads across the faces of the domain, where a boundary says what they return:
-- no halo is stored there. What a field has there, how near to a face a block
-- reads across it, and from which images.

local code = require "gen.lower.code"
local extent = require "gen.extent"
local pool_of = require "gen.lower.pool"
local rational = require "gen.rational"

local M = {}

local SIDES = { "low", "high" }

-- A side as a shape sees it; nil for a stored halo, and for the end of levels.
local function side_of(boundary)
  if boundary.kind == "halo" or boundary.kind == "none" then return nil end
  return { kind = boundary.kind, about = boundary.about }
end

-- { x = { low = { kind, about }, high = .. } } of a field of the model; sides
-- and axes that are halos are nil.
function M.of_field(field)
  local boundary = {}
  for _, axis in ipairs(field.axes) do
    local sides = field.boundary[axis]
    local low, high = side_of(sides.low), side_of(sides.high)
    if low or high then boundary[axis] = { low = low, high = high } end
  end
  return boundary
end

-- Points beyond the low and the high face of a field at an offset, from the
-- first and the last point of a block that goes `past` the field's.
local function beyond(offset, past)
  return { low = math.max(-(offset or 0), 0),
           high = math.max((offset or 0) + past, 0) }
end

-- How far the loads of a field reach across its faces: { x = { low = n, high =
-- n } }, 0 at halos; nil if nowhere.
local function crossings(block, axes, field, loads)
  local reach, any = {}, false
  for _, axis in ipairs(axes) do
    local boundary = field.boundary[axis] or {}
    local past = extent.past(block, field, axis)
    reach[axis] = { low = 0, high = 0 }
    for _, load in ipairs(loads) do
      if load.field == field.name then
        local out = beyond(load.offset[axis], past)
        for _, side in ipairs(SIDES) do
          if boundary[side] then
            reach[axis][side] = math.max(reach[axis][side], out[side])
            any = any or out[side] > 0
          end
        end
      end
    end
  end
  return any and reach or nil
end

-- The node of a spacing in the pool.
local function spacing_node(ctx, axis)
  local spacing = ctx.model.spaces[axis].spacing
  if type(spacing) == "string" then
    return pool_of.scalar(ctx.pool, spacing)
  end
  return pool_of.number(ctx.pool, rational.new(spacing.n, spacing.d))
end

local function is_zero(node)
  return node.kind == "num" and rational.is_zero(node.value)
end

-- A value, or a slope times the spacing, as a literal or a host name; nil for
-- 0. `wanted`: its name where the spec has none.
local function addend(ctx, made, id, axis, wanted)
  local node = id and ctx.expand(id, {})
  if not node or is_zero(ctx.pool.nodes[node]) then return nil end
  if axis then
    node = pool_of.product(ctx.pool, { node, spacing_node(ctx, axis) })
  end
  local known = ctx.pool.nodes[node]
  known.hint = known.hint or known.kind ~= "scalar" and wanted or nil
  return code.operand(made, node)
end

-- A side with what it adds, for a block.
local function block_side(ctx, made, field, axis, side)
  local source = ctx.model.fields[field.name].boundary[axis][side]
  local wanted = table.concat({ field.name, side, axis }, "_")
  return { kind = source.kind, about = source.about,
    value = addend(ctx, made, source.value, nil, wanted),
    slope = addend(ctx, made, source.slope, axis, wanted) }
end

-- The faces of one field that a block reads across.
local function face(ctx, made, field, reach)
  local f = { field = field.name, signed = false, added = false, axes = {} }
  for _, axis in ipairs(ctx.axes) do
    local entry = { axis = axis }
    for _, side in ipairs(SIDES) do
      if reach[axis][side] > 0 then
        local made_side = block_side(ctx, made, field, axis, side)
        f.signed = f.signed or made_side.kind == "odd"
        f.added = f.added or made_side.kind ~= "constant"
          and (made_side.value or made_side.slope) ~= nil
        entry[side] = made_side
      end
    end
    if entry.low or entry.high then f.axes[#f.axes + 1] = entry end
  end
  return f
end

local function widen(axes, edge, reach)
  for _, axis in ipairs(axes) do
    edge[axis] = edge[axis] or { 0, 0 }
    edge[axis][1] = math.max(edge[axis][1], reach[axis].low)
    edge[axis][2] = math.max(edge[axis][2], reach[axis].high)
  end
end

-- block.edge and block.faces, nil if no load crosses a face that has no halo.
-- made: the block of gen/lower/code.lua, which gets what the host computes;
-- extra: the points that the kernel has more.
function M.of_block(ctx, made, fields, extra)
  local edge, faces, block = {}, {}, { extra = extra }
  for _, field in ipairs(fields) do
    local reach = crossings(block, ctx.axes, field, made.loads)
    if reach then
      widen(ctx.axes, edge, reach)
      faces[#faces + 1] = face(ctx, made, field, reach)
    end
  end
  if #faces == 0 then return nil end
  return edge, faces
end

local MIRRORS = { even = true, odd = true }

-- How far a field is read on one side as the formulas are written.
local function written(block, reads, field, axis, side)
  local reach, past = 0, extent.past(block, field, axis)
  for _, read in ipairs(reads) do
    if read.field == field.name then
      local at = side == "low" and read.lo or read.hi
      reach = math.max(reach, beyond(at[axis], past)[side])
    end
  end
  return reach
end

-- block.images: the mirrors that a block reads from, by field, axis and side.
function M.images(fields, reads, extra)
  local list, block = {}, { extra = extra }
  for _, field in ipairs(fields) do
    for _, axis in ipairs(field.axes) do
      for _, side in ipairs(SIDES) do
        local b = (field.boundary[axis] or {})[side]
        local mirrored = b and MIRRORS[b.kind]
        local reach = mirrored and written(block, reads, field, axis, side)
        if mirrored and reach > 0 then
          list[#list + 1] = { field = field.name, axis = axis, side = side,
            kind = b.kind, about = b.about, reach = reach,
            extra = extent.extra(field, axis) }
        end
      end
    end
  end
  return list
end

return M
