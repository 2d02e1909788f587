-- What one point of a block costs: flops of the text as it stands, arrays,
-- loads, stores and the bytes that must move.

local precision = require "gen.model.precision"

local M = {}

local FLOPS = { add = 1, sub = 1, mul = 1, div = 1, fma = 2, call = 1 }

-- An fma is two, a call one; comparing, choosing and negating are free.
local function flops(e)
  local n = FLOPS[e.op] or 0
  for _, below in ipairs(e) do n = n + flops(below) end
  return n
end

-- The slots of a row; of a ragged one the least.
local function slots(model, loop)
  return model.tables[loop.table].count or 1
end

local function all_flops(model, entries)
  local n = 0
  for _, entry in ipairs(entries) do
    if entry.loop then
      n = n + slots(model, entry.loop)
        * (all_flops(model, entry.code) + all_flops(model, entry.sums))
    else
      n = n + flops(entry.value)
    end
  end
  return n
end

-- How often each loop of a block runs for a point: { slot variable = times }.
local function turns(model, entries, times, found)
  for _, entry in ipairs(entries) do
    if entry.loop then
      local own = times * slots(model, entry.loop)
      found[entry.loop.slot] = own
      turns(model, entry.code, own, found)
    end
  end
  return found
end

local function loads(model, block)
  local n, times = 0, turns(model, block.code, 1, {})
  for _, load in ipairs(block.loads) do n = n + (times[load.loop] or 1) end
  return n
end

-- Does a field have a value for each point (of some domain, on a mesh) that a
-- kernel of these axes runs over? A profile is read once per row or plane.
local function is_full(field, axes)
  return not field.table and #field.on == #axes
end

-- Distinct arrays among accesses, and their bytes per point; a profile counts
-- nothing.
local function arrays(model, axes, accesses)
  local seen, n, bytes = {}, 0, 0
  for _, access in ipairs(accesses) do
    local field = model.fields[access.field]
    local key = access.field .. " " .. access.buffer
    if not seen[key] and is_full(field, axes) then
      n, bytes = n + 1, bytes + precision.BYTES[field.type]
    end
    seen[key] = true
  end
  return n, bytes
end

-- Is it what a sweep has just written itself? (All but the first levels.)
local function is_own(block, sweep, load)
  local behind = load.offset[sweep.axis] or 0
  if sweep.direction == "down" then behind = -behind end
  for _, store in ipairs(block.stores) do
    if store.buffer == load.buffer and behind < 0 then return true end
  end
  return false
end

-- The loads that need memory.
function M.needed(block, sweep)
  if not sweep then return block.loads end
  local list = {}
  for _, load in ipairs(block.loads) do
    list[#list + 1] = not is_own(block, sweep, load) and load or nil
  end
  return list
end

-- sweep: the kernel's, or nil.
function M.block(model, block, sweep)
  local reads, read_bytes = arrays(model, block.axes, M.needed(block, sweep))
  local writes, written_bytes = arrays(model, block.axes, block.stores)
  local all = all_flops(model, block.code) + all_flops(model, block.stores)
  return { flops = all, reads = reads, writes = writes,
    loads = loads(model, block), stores = #block.stores,
    bytes = read_bytes + written_bytes }
end

return M
