-- st_reg_fixed: as st_reg_shft, but the values of a window stay in the register
-- that they were loaded into. The walk is unrolled as many times as the window
-- is long, and each step has its own roles for them.

local space = require "gen.schedule.space"
local window = require "gen.schedule.window"

local NAME = "st_reg_fixed"

-- Without a window of several planes there is nothing to unroll for. What lies
-- on some of the axes only has none.
local function still(lowered, block, axes)
  local walk = axes[#axes].name
  for _, load in ipairs(block.loads) do
    local field = space.field(lowered, load.field)
    if #field.axes == #axes and (load.offset[walk] or 0) ~= 0 then
      return nil
    end
  end
  return ("%s: nothing is read at other points along %s: st_reg_shft does that")
    :format(NAME, walk)
end

return window.shape(NAME, still)
