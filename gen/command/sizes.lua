-- The extents that `check` and `bench` run at.

local lfs = require "lfs"
local periods = require "gen.schedule.periods"
local space = require "gen.schedule.space"

local M = {}

-- Sizes that break tilings: one point, odd ones, one more and one less than a
-- power of two, each axis long once; and the sizes to time.
local USUAL = {
  check = {
    { { 1 }, { 7 }, { 33 }, { 130 }, { 4097 } },
    { { 1, 1 }, { 7, 130 }, { 130, 7 }, { 33, 65 }, { 63, 17 } },
    { { 1, 1, 1 }, { 7, 13, 17 }, { 130, 5, 3 }, { 5, 130, 3 }, { 3, 5, 130 },
      { 65, 33, 13 }, { 32, 32, 32 } },
    { { 1, 1, 1, 1 }, { 7, 5, 3, 13 }, { 33, 7, 5, 3 } },
  },
  bench = { { { 1 << 24 } }, { { 4096, 4096 } }, { { 256, 256, 256 } },
            { { 96, 96, 96, 16 } } },
  -- What is validated before it is timed, once: an odd size, longer along each
  -- axis than most blocks.
  tune = { { { 4097 } }, { { 259, 133 } }, { { 67, 19, 133 } },
           { { 35, 9, 7, 3 } } },
}

-- On a mesh: extents that each axis takes in turn, so that rows, slots and
-- neighbours are many or few; levels; and what to time.
local MESH = { check = { 33, 130, 7, 1, 65, 257 }, bench = { 1 << 20 },
               tune = { 261, 1037, 523 } }
local DEPTH = { check = { 3, 1, 17, 5, 66, 2 }, bench = { 64 },
                tune = { 35 } }

local WRONG = "--size %s: the spec has %d %s, %s"

-- The least extents that a block asks for, { axis, points }: mirror images have
-- to be as large as what is read from them, levels as many as are read.
local function needs(lowered, block)
  local list = {}
  for _, image in ipairs(block.images or {}) do
    list[#list + 1] = { axis = image.axis,
      points = image.reach + (image.about == "point" and 1 or 0)
        - image.extra }
  end
  for _, axis in ipairs(lowered.axes) do
    list[#list + 1] = { axis = axis, points = (block.least or {})[axis] or 1 }
  end
  return list
end

-- An affine table has as many targets as slots, a ragged one some entries for
-- each row.
local function raise_targets(lowered, extents)
  for _, of in ipairs(lowered.tables or {}) do
    if of.affine then
      extents[of.to] = math.max(extents[of.to],
        of.count * extents[of.from])
    elseif of.ragged then
      extents[of.name] = 3 * extents[of.from] + 1
    end
  end
end

local function mesh_sizes(command, lowered)
  local list = {}
  for i = 1, #MESH[command] do
    local extents, size = {}, {}
    for k, axis in ipairs(lowered.axes) do
      local known = lowered.model.spaces[axis]
      local from = known and known.kind ~= "domain" and DEPTH or MESH
      extents[axis] = from[command][(i * k + k) % #from[command] + 1]
    end
    raise_targets(lowered, extents)
    for k, axis in ipairs(lowered.axes) do size[k] = extents[axis] end
    list[i] = size
  end
  return list
end

-- What extents have to be multiples of: colours on periodic axes.
local function multiples(lowered)
  local list = {}
  for _, kernel in ipairs(lowered.kernels) do
    for _, block in ipairs(kernel.blocks) do
      for _, period in ipairs(periods.list(lowered, kernel, block,
                                       space.axes(lowered, block))) do
        list[period.name] = periods.common(list[period.name] or 1,
          period.multiple)
      end
    end
  end
  return list
end

local function least(lowered)
  local extents = {}
  for _, kernel in ipairs(lowered.kernels) do
    for _, block in ipairs(kernel.blocks) do
      for _, need in ipairs(needs(lowered, block)) do
        extents[need.axis] = math.max(extents[need.axis] or 1, need.points)
      end
    end
  end
  return extents
end

-- The sizes of a list, each extent enlarged to what the kernels need.
function M.fitting(list, lowered)
  local extents, sizes, of = least(lowered), {}, multiples(lowered)
  for i, size in ipairs(list) do
    sizes[i] = {}
    for k, axis in ipairs(lowered.axes) do
      local points, multiple = math.max(size[k], extents[axis] or 1), of[axis]
      sizes[i][k] = multiple and (points + multiple - 1) // multiple * multiple
        or points
    end
  end
  return sizes
end

local function usual(command, lowered)
  local mesh = lowered.tables and #lowered.tables > 0
  return M.fitting(mesh and mesh_sizes(command, lowered)
    or USUAL[command][#lowered.axes], lowered)
end

-- The size at which candidates are validated.
function M.tune(lowered) return usual("tune", lowered)[1] end

-- A sentence if a size of the command line has not one extent for each axis.
function M.problem(options, lowered)
  local axes = lowered.axes
  for _, size in ipairs(options.sizes) do
    if #size ~= #axes then
      return WRONG:format(table.concat(size, ","), #axes,
        #axes == 1 and "axis" or "axes", table.concat(axes, ", "))
    end
  end
end

-- What quern-run is told of a mesh, which it makes or reads from a file.
function M.mesh(options)
  local mesh = options.mesh
  if not mesh or mesh:find("^%a+:") or mesh:find("^/") then return mesh end
  return lfs.currentdir() .. "/" .. mesh
end

-- "65x33x13", whatever kind of number JSON makes of them.
function M.text(size)
  local words = {}
  for i, n in ipairs(size) do words[i] = ("%d"):format(n) end
  return table.concat(words, "x")
end

-- Gives a list of extents, or nil and a sentence. Those of the command line
-- are taken as they are.
function M.choose(options, lowered, command)
  local wrong = M.problem(options, lowered)
  if wrong then return nil, "quern: " .. wrong end
  if #options.sizes > 0 then return options.sizes end
  if options.mesh then
    return M.fitting({ mesh_sizes(command, lowered)[1] }, lowered)
  end
  return usual(command, lowered)
end

return M
