-- Fields that are stored in a shell along one axis only: which points.

local M = {}

local function region_of(model, name)
  for _, region in ipairs(model.regions) do
    if region.name == name then return region end
  end
end

-- { region, axis, lo, hi }: widths at both ends of the axis; nil where a field
-- is stored everywhere. build has seen to it that there is one such axis.
function M.of_field(model, field)
  local region = field.only and region_of(model, field.only)
  for _, axis in ipairs(region and field.on or {}) do
    local widths = region.shell[axis]
    if widths then
      return { region = region.name, axis = axis, lo = widths[1],
        hi = widths[2] }
    end
  end
end

return M
