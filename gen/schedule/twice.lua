-- Which steps can be made two at once, handing the middle one on without
-- memory, and where their results go.

local space = require "gen.schedule.space"
local tensor = require "gen.schedule.tensor"

local M = {}

local function only_step(lowered, kernel)
  return #lowered.step == 1 and lowered.step[1] == kernel.name
end

-- A sentence if the step is more than one formula at all points.
local function wrong_step(lowered, kernel, block)
  if (kernel.kind or "point") ~= "point" then
    return ("updates all points at once, kernel %s does not"):format(
      kernel.name)
  elseif not only_step(lowered, kernel) then
    return ("makes two steps at once, kernel %s is not the whole step"):format(
      kernel.name)
  elseif kernel.blocks[2] or block.region then
    return ("makes two steps at once, kernel %s has other formulas in other "
      .. "regions"):format(kernel.name)
  elseif block.stores[2] then
    return ("hands one field on, kernel %s assigns %d"):format(kernel.name,
      #block.stores)
  elseif block.stores[1].level ~= 1 then
    return ("hands on a next level, kernel %s assigns %s at once"):format(
      kernel.name, block.stores[1].field)
  end
end

-- A sentence if what lies beyond the faces follows the middle step.
local function wrong_face(block, field)
  for _, face in ipairs(block.faces or {}) do
    if face.field == field.name then
      return ("%s has a face without a halo along %s: what lies beyond it "
        .. "changes with the middle step"):format(field.name,
        face.axes[1].axis)
    end
  end
  if block.edge then return "reads across faces without a halo" end
end

-- A sentence about a load that the second step would not find.
local function wrong_load(lowered, load, field, axes)
  local at, away = space.offsets(load, axes)
  if load.field ~= field.name then
    if #space.field(lowered, load.field).stored > 1 then
      return ("%s has levels too, this hands on %s alone"):format(load.field,
        field.name)
    end
    return away > 0 and ("reads %s at other points: only %s has planes here")
      :format(load.buffer, field.name)
  elseif load.level < -1 then
    return ("reads %s, two steps keep no level before the last"):format(
      load.buffer)
  elseif load.level == -1 then
    return away > 0 and ("reads %s at other points"):format(load.buffer)
  end
  return away > 1 and ("reads %s off its axes, at %s"):format(load.buffer,
    table.concat(at, ", "))
end

-- The arrays of the field when the kernel starts: where the second step's
-- results go, and where the middle ones go; that is nil where no level keeps
-- them. Else nil and a sentence.
function M.targets(block, field)
  local stored, read = field.stored, {}
  for _, load in ipairs(block.loads) do read[load.buffer] = true end
  local newest, oldest = stored[#stored].name, stored[1].name
  if #stored == 2 and stored[1].level == 0 then return { last = newest } end
  if #stored == #field.levels and not read[oldest] then
    return { last = oldest, middle = newest }
  end
  local levels, first = {}, field.levels[1]
  if first < 0 and read[oldest] then first = first - 1 end
  for level = first, 1 do levels[#levels + 1] = level end
  return nil, ("the results of two steps take the place of nothing that they "
    .. "read: give %s arrays of their own, time = { %s }"):format(field.name,
    table.concat(levels, ", "))
end

-- A sentence if two steps cannot be made at once, else nil.
function M.wrong(lowered, kernel, block)
  local axes = space.axes(lowered, block)
  local why = wrong_step(lowered, kernel, block)
    or tensor.wrong_field(lowered, block, axes)
  if why then return why end
  local field = space.field(lowered, block.stores[1].field)
  why = wrong_face(block, field)
  for _, load in ipairs(block.loads) do
    why = why or wrong_load(lowered, load, field, axes)
  end
  if why then return why end
  local reach = space.reach(block, axes[3].name)
  if reach[1] == 0 and reach[2] == 0 then
    return ("reads nothing along %s"):format(axes[3].name)
  end
  local found, problem = M.targets(block, field)
  return not found and problem or nil
end

return M
