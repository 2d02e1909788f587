-- What the tensor unit of a GPU copies, in what sizes, and since when there is
-- one.

local precision = require "gen.model.precision"
local space = require "gen.schedule.space"

-- Bytes: where a copy starts costs nothing, and what planes in shared memory
-- are aligned to.
local M = { SECTOR = 32, LINE = 128 }

local BYTES = precision.BYTES
local COPIED = { float = true, double = true, int = true }
local MOST_BOX = 256            -- elements of a copy along an axis
local FIRST_ARCH = 90

function M.round_up(n, unit) return (n + unit - 1) // unit * unit end

-- Points that a thread has side by side: 16 bytes of what it assigns.
function M.vector(lowered, block)
  return 16 // BYTES[space.field(lowered, block.stores[1].field).type]
end

-- A sentence if a field is not one that is copied here.
local function unfit(field, axes, size)
  if not COPIED[field.type] then
    return ("%s is stored as %s"):format(field.name, field.type)
  elseif BYTES[field.type] ~= size then
    return ("%s has elements of %d bytes, others of %d"):format(field.name,
      BYTES[field.type], size)
  elseif field.packed then
    return ("%s is packed"):format(field.name)
  elseif field.only then
    return ("%s is stored in %s only"):format(field.name, field.only.region)
  end
  for i, axis in ipairs(axes) do
    if field.axes[i] ~= axis.name then
      return ("%s is on %s"):format(field.name, table.concat(field.axes, ", "))
    elseif ((field.extra or {})[axis.name] or 0) ~= 0 then
      return ("%s has extra points along %s"):format(field.name, axis.name)
    end
  end
end

-- A sentence about the first field of a block that is not copied, or nil.
function M.wrong_field(lowered, block, axes)
  local first = space.field(lowered, block.stores[1].field)
  local size = BYTES[first.type]
  for _, list in ipairs { block.stores, block.loads } do
    for _, access in ipairs(list) do
      local why = unfit(space.field(lowered, access.field), axes, size)
      if why then return why end
    end
  end
end

-- A sentence if an architecture asked for has no tensor unit.
function M.too_old(options)
  if options.backend ~= "cuda" then return nil end
  for name in (options.arch or ""):gmatch("sm_%d+") do
    if tonumber(name:sub(4)) < FIRST_ARCH then
      return ("needs sm_%d, this is for %s"):format(FIRST_ARCH, name)
    end
  end
end

-- A sentence about the first of some { buffer, size } that no copy takes.
function M.too_wide(buffers)
  for _, b in ipairs(buffers) do
    for i = 1, 2 do
      if b.size[i] > MOST_BOX then
        return ("a plane of %s is %d points wide, the limit is %d"):format(
          b.buffer, b.size[i], MOST_BOX)
      end
    end
  end
end

return M
