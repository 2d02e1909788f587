-- How the reference finds the points of fields that are stored in a shell
-- along one axis only: those of the low face counted from it, the others from
-- the end of the array. In its own words, so that it shares no other's mistake.

local extent = require "gen.extent"
local region_tests = require "gen.c.reference_region"

local M = {}

-- The region that a field is stored in, and the axis of its shell.
local function region_of(model, field)
  for _, region in ipairs(model.regions) do
    for _, axis in ipairs(region.name == field.only and field.on or {}) do
      if region.shell[axis] then return region, axis end
    end
  end
end

local function is_along(model, field, axis)
  local region, along = region_of(model, field)
  return along == axis and region
end

-- The place of point i of an axis, in the field's array; `args` is the text of
-- the arguments.
function M.place(model, field, axis, i, args)
  local region = field.only and is_along(model, field, axis)
  return region and ("place_in_%s(%s, %s)"):format(region.name, args, i) or i
end

-- How many points of the axis the array has, where the module has n of it.
function M.count(model, field, axis, n, args)
  local region = field.only and is_along(model, field, axis)
  return extent.text(field, axis, region
    and ("points_in_%s(%s)"):format(region.name, args) or n)
end

-- The regions that some field is stored in, { name, extent, low, high } of
-- their widths; position[axis] counts the module's axes from 0.
function M.list(model, position, names)
  local known, list = {}, {}
  for _, name in ipairs(model.order.fields) do
    local field = model.fields[name]
    if field.only and not known[field.only] then
      known[field.only] = true
      local region, axis = region_of(model, field)
      local widths, n = region.shell[axis], ("a->n[%d]"):format(position[axis])
      list[#list + 1] = { name = region.name, axis = axis, extent = n,
        low = region_tests.bound(widths[1], "n", names),
        high = region_tests.bound(widths[2], "n", names) }
    end
  end
  return list
end

return M
