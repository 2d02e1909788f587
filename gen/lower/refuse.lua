-- What cannot be lowered yet, each in one sentence where it is declared. An
-- issue that brings one of these deletes its lines here.

local diag = require "gen.diag"

local M = {}

-- Adds a diagnostic if `found`.
local function refuse(list, found, pos, text, ...)
  if found then list[#list + 1] = diag.new(pos, text, ...) end
end

local LATER = ", which no kernel can be made of yet"

local function boundary_kind(field, axes)
  for _, axis in ipairs(axes) do
    local sides = field.boundary and field.boundary[axis]
    for _, side in ipairs { "low", "high" } do
      local kind = sides and sides[side] and sides[side].kind or "halo"
      if kind ~= "halo" then return kind, axis end
    end
  end
end

local function off_whole_points(field, axes)
  for _, axis in ipairs(axes) do
    if field.at and (field.at[axis] or 0) ~= 0 then return axis end
  end
end

local function longer_axis(field, axes)
  for _, axis in ipairs(axes) do
    if field.extra and (field.extra[axis] or 0) ~= 0 then return axis end
  end
end

local SIXTEEN_BIT = { half = true, bfloat16 = true }

local function off_grid(model, field)
  for _, space in ipairs(field.on) do
    local known = model.spaces[space]
    if not known or known.kind ~= "axis" then return space end
  end
end

local function check_field(list, model, field, pos)
  local name, axes = field.name, model.axes
  local space = off_grid(model, field)
  refuse(list, space, pos, "%s lies on %s, not on axes of the grid alone"
    .. LATER, name, space)
  local kind, axis = boundary_kind(field, axes)
  refuse(list, kind, pos, "%s has a boundary of kind %s along %s" .. LATER,
    name, kind, axis)
  axis = off_whole_points(field, axes)
  refuse(list, axis, pos, "%s lies half a point off along %s (staggered)"
    .. LATER, name, axis)
  axis = longer_axis(field, field.on)
  refuse(list, axis, pos, "%s has extra points along %s" .. LATER, name, axis)
  refuse(list, SIXTEEN_BIT[field.type], pos, "%s is stored as %s" .. LATER,
    name, field.type)
  refuse(list, field.temporary, pos, "%s is temporary" .. LATER, name)
  refuse(list, field.only, pos, "%s is stored only in region %s" .. LATER,
    name, field.only)
  refuse(list, field.packed, pos, "%s is packed with other fields" .. LATER,
    name)
end

local KIND = { colours = "runs in colours", sweep = "is a sweep",
  request = "is a request" }

local function check_kernel(list, kernel, pos)
  local name = kernel.name
  refuse(list, KIND[kernel.kind], pos, "kernel %s %s" .. LATER, name,
    KIND[kernel.kind])
  refuse(list, kernel.setup, pos, "kernel %s is a setup kernel" .. LATER,
    name)
end

-- Odd half points that are left once all fields lie on whole ones: operators
-- that are staggered, shifts by 1/2.
local function half_step(model, node)
  for _, axis in ipairs(model.axes) do
    local by = node.kind == "read" and node.shift or node.by or {}
    if (by[axis] or 0) % 2 ~= 0 then return axis end
    for _, tap in ipairs(node.taps or {}) do
      if (tap.shift[axis] or 0) % 2 ~= 0 then return axis end
    end
  end
end

local function check_nodes(list, model)
  for _, node in ipairs(model.nodes) do
    local axis = half_step(model, node)
    if axis then
      refuse(list, true, node.pos, "a step of half a point along %s" .. LATER,
        axis)
      return                            -- one is enough: the rest follow
    end
  end
end

-- The diagnostics of everything in a model that waits for a later issue.
function M.check(model)
  local list, fields = {}, model.order.fields
  for _, name in ipairs(fields) do
    local field = model.fields[name]
    check_field(list, model, field, field.pos)
  end
  for _, name in ipairs(model.order.tables or {}) do
    refuse(list, true, model.tables[name].pos, "%s is a table of neighbours"
      .. LATER, name)
  end
  for _, kernel in ipairs(model.kernels) do
    check_kernel(list, kernel, kernel.pos)
  end
  for _, chain in ipairs(model.chains or {}) do
    refuse(list, true, chain.pos, "chain %s fuses kernels" .. LATER,
      chain.name)
  end
  if #list == 0 then check_nodes(list, model) end
  return list
end

return M
