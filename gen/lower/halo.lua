-- Halos that a declaration asks for, beside what reads need: halo = { x = 8 }.

local diag = require "gen.diag"

local M = {}

-- { x = 8 }, the axes alone along which something is asked for; nil if none.
function M.of_field(field)
  local halo
  for _, axis in ipairs(field.axes) do
    if field.halo[axis] > 0 then
      halo = halo or {}
      halo[axis] = field.halo[axis]
    end
  end
  return halo
end

-- Why a field, as lowered, stores nothing outside along an axis, or nil.
local function why_none(model, field, axis)
  local sides = field.boundary[axis] or {}
  if model.spaces[axis].kind == "level" then
    return ("%s is an axis of levels"):format(axis)
  elseif field.temporary then
    return "what is handed on has none"
  elseif field.only and field.only.axis == axis then
    return ("it is stored in a shell along %s"):format(axis)
  elseif sides.low and sides.high then
    return ("its boundary answers at both faces of %s"):format(axis)
  end
end

-- Diagnostics, an empty list if all is well. fields: as lowered.
function M.problems(model, fields)
  local problems = {}
  for _, field in ipairs(fields) do
    for _, axis in ipairs(field.halo and field.axes or {}) do
      local why = field.halo[axis] and why_none(model, field, axis)
      if why then
        problems[#problems + 1] = diag.new(model.fields[field.name].pos,
          "%s cannot have a halo of %d along %s: %s", field.name,
          field.halo[axis], axis, why)
      end
    end
  end
  return problems
end

return M
