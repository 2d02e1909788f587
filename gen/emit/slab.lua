-- What is said of fields that are stored in a shell along one axis only. A
-- block that touches such fields runs in their region, so it has one hollow.

local region_text = require "gen.c.region"
local statement = require "gen.c.statement"
local words = require "gen.c.words"

local M = {}

-- The texts of the hollow of `only` = { region, axis, lo, hi }, the axis being
-- the module's `index`-th.
local function hollow(only, index)
  local extent = ("a->n[%d]"):format(index)
  local lower, upper = region_text.hollow(only.lo, only.hi, extent)
  return { region = only.region, axis = only.axis, extent = extent,
    lower = lower, upper = upper }
end

-- How many of the `n` points along an axis a field stores.
function M.stored(field, axis, n)
  local only = field.only
  if not only or only.axis ~= axis then return n end
  return ("quern_kept(%s, %s, %s)"):format(n,
    region_text.hollow(only.lo, only.hi, n))
end

-- The arrays of the slabs, as a box sees them: behind the hollow they have
-- that many points less in front.
local function views(arrays, names)
  local moved, pointers = {}, {}
  for _, array in ipairs(arrays) do
    local only, member = array.field.only, words.name(array.buffer)
    for i, axis in ipairs(only and array.field.axes or {}) do
      if axis == only.axis then
        moved[#moved + 1] = { ("seen.%s"):format(member),
          (" -= skipped * seen.%s_stride[%d];"):format(array.field.name,
          i - 1) }
        pointers[#pointers + 1] = { names.array[array.buffer],
          (" = seen.%s;"):format(member) }
      end
    end
  end
  return statement.columns(moved), statement.columns(pointers)
end

-- { region, axis, extent, lower, upper, position (of the axis in the kernel),
-- moved, pointers } of a block that touches such fields, else false.
function M.of_block(arrays, axes, names)
  for _, array in ipairs(arrays) do
    for i, axis in ipairs(axes) do
      local only = array.field.only
      if only and only.axis == axis.name then
        local slab = hollow(only, axis.index)
        slab.position = i - 1
        slab.moved, slab.pointers = views(arrays, names)
        return slab
      end
    end
  end
  return false
end

-- The positions of the scalars that bound a hollow.
local function deciders(lowered, only)
  local seen, list = {}, {}
  region_text.scalars(only.lo, seen)
  region_text.scalars(only.hi, seen)
  for i, scalar in ipairs(lowered.scalars) do
    list[#list + 1] = seen[scalar.name] and i - 1 or nil
  end
  return list
end

-- The hollows of all fields, each region's once.
function M.of_module(lowered)
  local index, known, list = {}, {}, {}
  for i, axis in ipairs(lowered.axes) do index[axis] = i - 1 end
  for _, field in ipairs(lowered.fields) do
    local only = field.only
    if only and not known[only.region] then
      known[only.region] = true
      local made = hollow(only, index[only.axis])
      made.deciders = deciders(lowered, only)
      made.decider_list = table.concat(made.deciders, ", ")
      list[#list + 1] = made
    end
  end
  return list
end

return M
