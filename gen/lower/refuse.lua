-- What cannot be lowered yet, each in one sentence where it is declared. An
-- issue that brings one of these deletes its lines here.

local axes_of = require "gen.lower.axes"
local diag = require "gen.diag"
local lists = require "gen.list"
local walk = require "gen.model.walk"

local M = {}

-- Adds a diagnostic, one for a position.
local function refuse(list, pos, text, ...)
  local last = list[#list]
  if last and last.pos == pos then return end
  list[#list + 1] = diag.new(pos, text .. ": not supported yet", ...)
end

-- A flux needs a spacing to be a slope.
local function check_slopes(list, model, field)
  for _, axis in ipairs(field.on) do
    for _, side in ipairs { "low", "high" } do
      local slope = field.boundary[axis][side].slope
      local node = slope and model.nodes[slope]
      if node and not (node.kind == "num" and node.n == "0")
         and not model.spaces[axis].spacing then
        list[#list + 1] = diag.new(field.pos, "the boundary of %s along %s has"
          .. " a slope, and %s has no spacing", field.name, axis, axis)
        return
      end
    end
  end
end

local MOST_AXES = 4              -- QUERN_MAX_RANK of runtime/abi.h

-- A grid has so many axes, with levels.
local function check_axes(list, model)
  local axes = {}
  for _, name in ipairs(axes_of.of_model(model)) do
    local space = model.spaces[name]
    axes[#axes + 1] = space and space.kind ~= "domain" and name or nil
  end
  local beyond = axes[MOST_AXES + 1]
  for _, name in ipairs(beyond and model.order.fields or {}) do
    local field = model.fields[name]
    if lists.contains(field.on, beyond) then
      list[#list + 1] = diag.new(field.pos, "%s lies on %s, and with it the "
        .. "spec has %d axes and levels, at most %d are possible", name,
        beyond, #axes, MOST_AXES)
      return
    end
  end
end

-- What a field of a mesh cannot have yet.
local function check_mesh_field(list, model, field)
  local name, pos, domain = field.name, field.pos, field.domain
  for _, axis in ipairs(field.axes) do
    local sides = field.boundary[axis]
    if model.spaces[axis].kind == "axis" then
      refuse(list, pos, "%s lies on %s and on %s, an axis of the grid", name,
        domain, axis)
    elseif sides.low.kind ~= "none" or sides.high.kind ~= "none" then
      refuse(list, pos, "%s lies on %s and has a boundary along %s", name,
        domain, axis)
    end
  end
  if field.packed then
    refuse(list, pos, "%s lies on %s and is packed", name, domain)
  end
  if #axes_of.of_field(model, field) > MOST_AXES then
    list[#list + 1] = diag.new(pos, "%s lies on %d spaces, at most %d are "
      .. "possible", name, #field.on, MOST_AXES)
  end
end

local function check_field(list, model, field)
  if field.domain then return check_mesh_field(list, model, field) end
  check_slopes(list, model, field)
end

-- The first place of a kernel that is in a composed table.
local function composed_place(model, kernel)
  for _, block in ipairs(kernel.blocks) do
    for _, id in ipairs(walk.reachable(model.nodes, walk.roots(block))) do
      local node = model.nodes[id]
      local of = node.kind == "place" and model.tables[node.table]
      if of and of.through then return node end
    end
  end
end

local function check_kernel(list, model, kernel)
  local what = kernel.domain and kernel.sweep and "sweeps over a mesh"
  local place = composed_place(model, kernel)
  if what then
    refuse(list, kernel.pos, "kernel %s %s", kernel.name, what)
  elseif place then
    refuse(list, kernel.pos, "kernel %s reads the composed table %s",
      kernel.name, place.table)
  end
end

-- The diagnostics of everything in a model that waits for a later issue.
function M.check(model)
  local list, order = {}, model.order
  check_axes(list, model)
  for _, name in ipairs(order.fields) do
    check_field(list, model, model.fields[name])
  end
  for _, kernel in ipairs(model.kernels) do
    check_kernel(list, model, kernel)
  end
  return list
end

return M
