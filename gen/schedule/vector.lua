-- Threads of a walk with several points side by side, which they read and write
-- as one vector.

local choices = require "gen.schedule.choices"
local lists = require "gen.list"
local precision = require "gen.model.precision"
local space = require "gen.schedule.space"
local tensor = require "gen.schedule.tensor"

local M = {}

local PIECE = 16                -- bytes that a thread moves at once, at most

-- The plan parameter: points of a thread along the first axis.
M.SETTING = { name = "vec", default = { 1 }, most = 4,
              choices = choices.VECTOR }

-- What rows have to be aligned to, in bytes.
function M.bytes(plan)
  return math.min(PIECE, plan.vec * precision.BYTES[plan.kernel.compute])
end

-- The names that the text of a shape has of its own, `kept`, and those of
-- vectors.
function M.kept(kept, count)
  return count > 1 and lists.joined(kept, { "e" }) or kept
end

-- A sentence if a field of a block is not one that vectors are read from.
local function unfit(lowered, kernel, block)
  local why = tensor.wrong_field(lowered, block, space.axes(lowered, block))
  if why then return why end
  for _, list in ipairs { block.loads, block.stores } do
    for _, access in ipairs(list) do
      local field = space.field(lowered, access.field)
      if field.type ~= kernel.compute then
        return ("%s is stored as %s and computed with as %s"):format(
          field.name, field.type, kernel.compute)
      end
    end
  end
end

-- Whether a block can have as many points a thread: true, or nil and a
-- sentence.
function M.fits(shape, lowered, kernel, block, count)
  if count == 1 then return true end
  if count == 3 then return nil, shape .. ": vec=3: wanted 1, 2 or 4" end
  local why = unfit(lowered, kernel, block)
  if why then
    return nil, ("%s: vec=%d: %s"):format(shape, count, why)
  end
  return true
end

return M
