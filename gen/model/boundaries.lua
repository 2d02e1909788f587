-- What reads outside the domain return: fields[name].boundary. Runs once
-- fields and scalars are known; values and slopes become nodes.

local diag = require "gen.diag"
local expression = require "gen.model.expression"
local names = require "gen.model.names"
local pool_of = require "gen.model.pool"
local rational = require "gen.rational"

local M = {}

M.KINDS = { "halo", "periodic", "constant", "even", "odd" }

-- Which further keys a kind takes.
local TAKES = {
  halo = {}, periodic = {}, constant = { value = true },
  even = { about = true, slope = true }, odd = { about = true, value = true },
}

local function check_about(b, kind, side, pos)
  if kind ~= "even" and kind ~= "odd" then return end
  if side.about == nil then
    b.report(pos, "boundary '%s' needs about = \"point\" or \"face\"", kind)
  elseif side.about ~= "point" and side.about ~= "face" then
    b.report(pos, "found about = \"%s\", wanted \"point\" or \"face\"",
      tostring(side.about))
  end
end

local function side_of(b, side, pos)
  local takes = TAKES[side.kind]
  if not takes then
    return b.report(pos, "'%s' is no kind of boundary, wanted %s%s",
      tostring(side.kind), table.concat(M.KINDS, ", "),
      diag.hint(tostring(side.kind), M.KINDS))
  end
  check_about(b, side.kind, side, pos)
  local out = { kind = side.kind, about = side.about }
  for _, key in ipairs { "value", "slope", "about" } do
    if side[key] ~= nil and not takes[key] then
      b.report(pos, "boundary '%s' takes no '%s'", side.kind, key)
    elseif key ~= "about" and takes[key] then
      out[key] = side[key] and expression.constant(b, side[key])
        or pool_of.num(b.pool, pos, rational.ZERO)
    end
  end
  if side.kind == "constant" and side.value == nil then
    b.report(pos, "boundary 'constant' needs 'value'")
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
  local low, high = side_of(b, sides.low, pos), side_of(b, sides.high, pos)
  if not low or not high then return end
  if (low.kind == "periodic") ~= (high.kind == "periodic") then
    b.report(pos, "one side of '%s' along '%s' is periodic, wanted both",
      name.name, axis)
  end
  field.boundary[axis] = { low = low, high = high }
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
