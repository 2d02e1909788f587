-- Shapes whose threads hold the values of their own column, the window, in
-- registers, and those of the current plane in shared memory: st_reg_shft and
-- st_reg_fixed, which differ in how the window goes on.

local choices = require "gen.schedule.choices"
local edge = require "gen.schedule.edge"
local limits = require "gen.schedule.limits"
local lists = require "gen.list"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"
local vector = require "gen.schedule.vector"
local walk = require "gen.schedule.walk"

local M = {}

-- What a block may be: threads, rows of points each, planes copied ahead, bytes
-- of points side by side and the words of such vectors that a thread may hold,
-- or values where there is one.
-- The first that fits is the default: tests/device/RESULTS.md has why.
local LINE = { { { 128 }, 1, 1 }, { { 128 }, 1, 0 } }
local LATER = { { { 64, 4 }, 1, 0 }, { { 64, 8 }, 1, 0 }, { { 16, 8 }, 1, 0 } }
local SHELL = lists.joined({ { { 64, 8 }, 1, 1 }, { { 32, 16 }, 1, 0 } }, LATER)
local CHOICES = {
  st_reg_shft = lists.joined({ { { 32, 8 }, 1, 1, 16, 200 },
    { { 16, 8 }, 1, 1, 16, 200 }, { { 64, 4 }, 2, 1 }, { { 64, 4 }, 1, 1 } },
    LATER),
  -- Steps that are unrolled keep more alive: long windows go one by one, in two
  -- rows, up to those that spill.
  st_reg_fixed = lists.joined({ { { 16, 8 }, 1, 1, 16, 64 },
    { { 64, 8 }, 2, 1, 4, 54 }, { { 32, 8 }, 1, 1 } }, LATER),
}

-- A plane is filled from the window: then the current value is in it.
local function measure(stream, block, axes)
  walk.measure(stream, block, axes)
  if stream.plane then
    stream.low = math.min(stream.low, 0)
    stream.high = math.max(stream.high, 0)
  end
end

-- The streams of a block, and the bytes of their planes over the `points` of a
-- block, `spare` more than one of each.
local function streams_of(lowered, kernel, block, points, spare, vec)
  local axes = space.axes(lowered, block)
  local streams = walk.streamed_buffers(lowered, block, axes)
  local shared = 0
  for _, stream in ipairs(streams) do
    measure(stream, block, axes)
    local bytes = walk.plane(stream, kernel, points, vec)
    shared = shared + (stream.plane and (1 + spare) * bytes or 0)
  end
  return streams, shared
end

-- The first choice that can be launched, or the last.
local function default(name, lowered, kernel, block, arch)
  local rank = #space.axes(lowered, block)
  local list = rank == 2 and LINE
    or space.in_shell(lowered, block) and SHELL or CHOICES[name]
  for _, choice in ipairs(list) do
    local size, rows, stages, bytes, words = table.unpack(choice)
    local vec = vector.points(kernel, bytes)
    local streams, shared = streams_of(lowered, kernel, block,
      { size[1] * vec, size[2] and size[2] * rows }, stages, vec)
    if limits.shared(name, shared) and walk.copies_ahead(name, lowered, kernel,
       streams, stages, arch)
       and vector.pays(lowered, kernel, block, streams, vec, size, words) then
      return size, rows, stages, vec
    end
  end
  return table.unpack(list[#list])
end

local function settings(name, lowered, kernel, block, options)
  local rank = #space.axes(lowered, block)
  if rank < 2 or rank > 3 then return walk.settings() end
  local size, rows, stages, vec = default(name, lowered, kernel, block,
    options.arch)
  local list = lists.append(walk.settings(size),
    { walk.stages(stages), vector.setting(vec or 1) })
  list[6] = rank == 3 and { name = "rows", default = { rows },
    most = limits.ROWS.most, choices = choices.ROWS } or nil
  return list
end

local function applies(name, lowered, kernel, block)
  local well, why = walk.applies(name, lowered, kernel, block)
  if not well then return nil, why end
  why = walk.no_star(name, block, space.axes(lowered, block))
  if why then return nil, why end
  return true
end

local function plan_of(name, lowered, kernel, block, options, values)
  local axes, size = space.axes(lowered, block), values.block
  local threads, problem = limits.threads(name, size)
  if not threads then return nil, problem end
  local spare = walk.spare(values)
  local tile = walk.tile(values)
  local streams, shared = streams_of(lowered, kernel, block,
    table.move(tile, 1, #size, 1, {}), spare, values.vec[1])
  local well, why = limits.shared(name, shared)
  if well then
    well, why = walk.copies_ahead(name, lowered, kernel, streams,
      values.stages[1], options.arch)
  end
  if well then
    well, why = vector.fits(name, lowered, kernel, block, values.vec[1])
  end
  if not well then return nil, why end
  local plan = { name = setting.plan_name(lowered, kernel, block, name,
      settings(name, lowered, kernel, block, options), values),
    template = name .. ".cu", block_size = size, threads = threads,
    tile = tile, margin = walk.margin(tile, block, axes), streams = streams,
    shared = shared, chunk = values.chunk[1], spare = spare,
    stages = values.stages[1], vec = values.vec[1],
    rows = values.rows and values.rows[1] or 1 }
  plan.kept = vector.kept(plan.rows > 1 and { "j" } or {}, plan.vec)
  plan.notes = { walk.note(plan, axes) }
  return edge.with(plan, lowered, block)
end

-- The module of a shape of that name; `more(lowered, block, axes)`, if given: a
-- sentence if it does not apply for a reason of its own.
function M.shape(name, more)
  return { backends = walk.backends, together = true,
    settings = function(lowered, kernel, block, options)
      return settings(name, lowered, kernel, block, options)
    end,
    applies = function(lowered, kernel, block)
      local well, why = applies(name, lowered, kernel, block)
      if not well then return nil, why end
      why = more and more(lowered, block, space.axes(lowered, block))
      return not why, why
    end,
    plan = function(lowered, kernel, block, options, values)
      return plan_of(name, lowered, kernel, block, options, values)
    end }
end

return M
