-- Which blocks st_tma can scatter: one buffer is read at other points, by sums
-- that can be split alone. Each plane then begins the sums of its own points
-- and is read no more; what is ahead of them completes them from registers.

local space = require "gen.schedule.space"
local sums_in = require "gen.schedule.sums"

local M = {}

-- Is a load where the thread has it: at the point, or in the buffer's window of
-- planes 0 .. ahead?
local function at_hand(load, axes, buffer, ahead)
  local at = space.offsets(load, axes)
  local z = at[3]
  return at[1] == 0 and at[2] == 0
    and (z == 0 or load.buffer == buffer and z > 0 and z <= ahead)
end

-- { sums, ahead = planes, buffer }, or nil and what is missing.
function M.of(lowered, block, axes)
  local sums, ahead = sums_in.of(lowered, block, axes), 0
  if not sums[1] then
    return nil, "no sum is a symmetric star along " .. axes[3].name
  end
  local buffer = sums[1].buffer
  for _, sum in ipairs(sums) do
    if sum.buffer ~= buffer then
      return nil, ("sums read %s and %s"):format(buffer, sum.buffer)
    end
    ahead = math.max(ahead, sum.reach)
  end
  local ids = sums_in.left(block, sums)
  for _, load in ipairs(block.loads) do
    if ids[load.id] and not at_hand(load, axes, buffer, ahead) then
      return nil, ("%s is read at other points by more than such a sum")
        :format(load.field)
    end
  end
  return { sums = sums, ahead = ahead, buffer = buffer }
end

-- The stream as such a walk has it: of its ring, one plane is read, the newest.
function M.narrow(stream, ahead)
  stream.first, stream.newest, stream.front = ahead, ahead, nil
  stream.low, stream.high = 0, ahead
end

return M
