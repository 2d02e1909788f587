-- What reads outside the domain return: fields[name].boundary. Runs once
-- fields and scalars are known; values and slopes become nodes.

local expression = require "gen.model.expression"
local names = require "gen.model.names"
local pool_of = require "gen.model.pool"
local rational = require "gen.rational"

local M = {}

local TAKES = { constant = { "value" }, odd = { "value" }, even = { "slope" } }

-- A side with its value or slope as a node; 0 where none is given.
local function side_of(b, side, pos)
  local out = { kind = side.kind, about = side.about }
  for _, key in ipairs(TAKES[side.kind] or {}) do
    out[key] = side[key] and expression.constant(b, side[key])
      or pool_of.num(b.pool, pos, rational.ZERO)
  end
  return out
end

local function set(b, item, name, axis, pos)
  local field, sides = b.model.fields[name.name], item.keys.axes[axis]
  if field.at[axis] == nil then
    return b.report(pos, "'%s' does not lie on '%s'", name.name, axis)
  end
  if b.bounded[name.name .. " " .. axis] then
    return b.report(pos, "the boundary of '%s' along '%s' is declared twice",
      name.name, axis)
  end
  b.bounded[name.name .. " " .. axis] = true
  field.boundary[axis] = { low = side_of(b, sides.low, pos),
                           high = side_of(b, sides.high, pos) }
end

-- Grid axes have a halo, levels end.
local function fill_defaults(b)
  for _, name in ipairs(b.model.order.fields) do
    local field = b.model.fields[name]
    for _, axis in ipairs(field.axes) do
      local kind = b.model.spaces[axis].kind == "axis" and "halo" or "none"
      field.boundary[axis] = field.boundary[axis]
        or { low = { kind = kind }, high = { kind = kind } }
    end
  end
end

local function sorted_axes(axes)
  local list = {}
  for axis in next, axes do list[#list + 1] = axis end
  table.sort(list)
  return list
end

local function boundary(b, item)
  for _, axis in ipairs(sorted_axes(item.keys.axes or {})) do
    local pos = item.key_pos[axis] or item.pos
    if not names.is_absent(b, axis)
       and names.get(b, axis, pos, "axis", "level") then
      for _, name in ipairs(item.names) do
        local used = b.used[name.name]
        if names.get(b, name.name, name.pos, "field") then
          b.used[name.name] = used          -- a boundary alone is no use
          set(b, item, name, axis, pos)
        end
      end
    end
  end
end

function M.build(b)
  b.bounded = {}
  for _, item in ipairs(b.decls.items) do
    if item.kind == "boundary" then boundary(b, item) end
  end
  fill_defaults(b)
end

return M
