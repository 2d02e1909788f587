-- What cannot be lowered yet, each in one sentence where it is declared. An
-- issue that brings one of these deletes its lines here.

local diag = require "gen.diag"

local M = {}

-- Adds a diagnostic, one for a position.
local function refuse(list, pos, text, ...)
  local last = list[#list]
  if last and last.pos == pos then return end
  list[#list + 1] = diag.new(pos, text .. ": not supported yet", ...)
end

local function off_grid(model, field)
  for _, space in ipairs(field.on) do
    local known = model.spaces[space]
    if not known or known.kind ~= "axis" then return space end
  end
end

-- The first axis of a field along which `values` are not 0.
local function not_zero(field, values)
  for _, axis in ipairs(field.on) do
    if (values and values[axis] or 0) ~= 0 then return axis end
  end
end

local function boundary(field)
  for _, axis in ipairs(field.on) do
    local sides = field.boundary and field.boundary[axis] or {}
    for _, side in ipairs { "low", "high" } do
      local kind = sides[side] and sides[side].kind or "halo"
      if kind ~= "halo" then return kind, axis end
    end
  end
end

local SIXTEEN_BIT = { half = true, bfloat16 = true }

local function check_field(list, model, field)
  local name, pos = field.name, field.pos
  local space = off_grid(model, field)
  if space then
    return refuse(list, pos, "%s lies on %s, not on axes of the grid alone",
      name, space)
  end
  local at, extra = not_zero(field, field.at), not_zero(field, field.extra)
  local kind, axis = boundary(field)
  if kind then
    refuse(list, pos, "%s has a boundary of kind '%s' along %s", name, kind,
      axis)
  elseif at then
    refuse(list, pos, "%s lies half a point off along %s (staggered)", name,
      at)
  elseif extra then
    refuse(list, pos, "%s has extra points along %s", name, extra)
  elseif SIXTEEN_BIT[field.type] then
    refuse(list, pos, "%s is stored as %s", name, field.type)
  elseif field.temporary then
    refuse(list, pos, "%s is temporary", name)
  elseif field.only then
    refuse(list, pos, "%s is stored only in region %s", name, field.only)
  elseif field.packed then
    refuse(list, pos, "%s is packed with other fields", name)
  end
end

local KIND = { colours = "runs in colours", sweep = "is a sweep",
  request = "is a request" }

local function check_kernel(list, kernel)
  local what = KIND[kernel.kind] or kernel.setup and "is a setup kernel"
  if what then
    refuse(list, kernel.pos, "kernel %s %s", kernel.name, what)
  end
end

-- The axis of a step by odd half points that is left once all fields lie on
-- whole ones: a staggered operator, a shift by 1/2.
local function half_step(model, node)
  for _, axis in ipairs(model.axes) do
    local by = node.kind == "read" and node.shift or node.by or {}
    if (by[axis] or 0) % 2 ~= 0 then return axis end
    for _, tap in ipairs(node.taps or {}) do
      if (tap.shift[axis] or 0) % 2 ~= 0 then return axis end
    end
  end
end

-- One is enough: the others follow from it.
local function check_nodes(list, model)
  for _, node in ipairs(model.nodes) do
    local axis = half_step(model, node)
    if axis then
      return refuse(list, node.pos, "a step of half a point along %s", axis)
    end
  end
end

-- The diagnostics of everything in a model that waits for a later issue.
function M.check(model)
  local list, order = {}, model.order
  for _, name in ipairs(order.fields) do
    check_field(list, model, model.fields[name])
  end
  for _, name in ipairs(order.tables or {}) do
    refuse(list, model.tables[name].pos, "%s is a table of neighbours", name)
  end
  for _, kernel in ipairs(model.kernels) do check_kernel(list, kernel) end
  for _, chain in ipairs(model.chains or {}) do
    refuse(list, chain.pos, "chain %s fuses kernels", chain.name)
  end
  if #list == 0 then check_nodes(list, model) end
  return list
end

return M
