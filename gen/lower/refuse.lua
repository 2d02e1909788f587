-- What cannot be lowered yet, each in one sentence where it is declared. An
-- issue that brings one of these deletes its lines here.

local axes_of = require "gen.lower.axes"
local diag = require "gen.diag"
local lists = require "gen.list"

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
    if not known or known.kind == "domain" then return space end
  end
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

-- A module has so many extents.
local function check_axes(list, model)
  local axes = axes_of.of_model(model)
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

local function check_field(list, model, field)
  local name, pos = field.name, field.pos
  local space = off_grid(model, field)
  if space then
    return refuse(list, pos, "%s lies on %s, not on axes alone",
      name, space)
  end
  check_slopes(list, model, field)
end

local KIND = { request = "is a request" }

local function check_kernel(list, kernel)
  local what = KIND[kernel.kind]
  if what then
    refuse(list, kernel.pos, "kernel %s %s", kernel.name, what)
  end
end

-- The diagnostics of everything in a model that waits for a later issue.
function M.check(model)
  local list, order = {}, model.order
  check_axes(list, model)
  for _, name in ipairs(order.fields) do
    check_field(list, model, model.fields[name])
  end
  for _, name in ipairs(order.tables or {}) do
    refuse(list, model.tables[name].pos, "%s is a table of neighbours", name)
  end
  for _, kernel in ipairs(model.kernels) do check_kernel(list, kernel) end
  return list
end

return M
