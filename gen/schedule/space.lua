-- The space a block runs over.

local M = {}

local function field_named(lowered, name)
  for _, field in ipairs(lowered.fields) do
    if field.name == name then return field end
  end
end

M.field = field_named

-- The axes of a block's kernel, contiguous first, each { name, index = its
-- position among the module's axes, from 0 }.
function M.axes(lowered, block)
  local index, list = {}, {}
  for i, name in ipairs(lowered.axes) do index[name] = i - 1 end
  for i, name in ipairs(block.axes) do
    list[i] = { name = name, index = index[name] }
  end
  return list
end

-- The offsets of a load along the axes, and how many are not 0.
function M.offsets(load, axes)
  local list, count = {}, 0
  for i, axis in ipairs(axes) do
    list[i] = load.offset[axis.name] or 0
    if list[i] ~= 0 then count = count + 1 end
  end
  return list, count
end

-- How far the loads of a block reach along an axis, below and above, as
-- { below, above }; of one buffer if it is given.
function M.reach(block, axis, buffer)
  local below, above = 0, 0
  for _, load in ipairs(block.loads) do
    if not buffer or load.buffer == buffer then
      local at = load.offset[axis] or 0
      if at > above then above = at elseif -at > below then below = -at end
    end
  end
  return { below, above }
end

-- Whether a block is a shell: slabs along the faces, thin along one axis.
function M.in_shell(lowered, block)
  for _, region in ipairs(lowered.model.regions or {}) do
    if region.name == block.region then return region.shell ~= nil end
  end
  return false
end

return M
