-- The launch of a sweep of several regions: their points piece by piece along
-- its axis.

local extent = require "gen.extent"
local lists = require "gen.list"
local region_text = require "gen.c.region"

local M = {}

-- Where regions that the kernel names begin and end along its axis.
local function places(lowered, kernel, n)
  local named, list = {}, {}
  for _, block in ipairs(kernel.blocks) do named[block.region or ""] = true end
  for _, region in ipairs(lowered.model.regions) do
    local ranges = named[region.name] and region.ranges
    if ranges and ranges[kernel.sweep.axis] then
      local low, high = region_text.limits(region, kernel.sweep.axis, n)
      list[#list + 1] = ("%s, %s,"):format(low, high)
    end
  end
  return list
end

-- { axis, direction, places = lines, piece } of a kernel whose blocks have to
-- take turns, else false.
function M.view(lowered, kernel, plans)
  if not kernel.sweep or #kernel.blocks == 1
     or plans[1].backend == "reference" then
    return false
  end
  local up = kernel.sweep.direction == "up"
  local index = lists.index(lowered.axes, kernel.sweep.axis) - 1
  local extra = extent.extra(kernel.blocks[1], kernel.sweep.axis)
  local list = places(lowered, kernel, ("a->n[%d]"):format(index))
  table.insert(list, 1, ("a->lower[%d],"):format(index))
  list[#list + 1] = extra == 0 and ("a->upper[%d],"):format(index)
    or ("quern_end(a->upper[%d], a->n[%d], %d),"):format(index, index, extra)
  return { axis = kernel.sweep.axis, places = list,
    direction = up and "upwards" or "downwards",
    piece = up and "piece" or "pieces - 1 - piece" }
end

return M
