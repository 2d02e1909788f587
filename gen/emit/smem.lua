-- The values of templates/smem.cu.tpl.

local block_lines = require "gen.c.block"
local cuda = require "gen.emit.cuda"
local lists = require "gen.list"
local place_of = require "gen.emit.place"
local smem = require "gen.c.smem"
local statement = require "gen.c.statement"
local stream = require "gen.c.stream"
local text = require "gen.c.text"
local tilted = require "gen.c.tilted"

local M = {}

-- The plan's tiles with their names and texts; those that are filled whole,
-- since their corners are read, and those whose halo stands apart.
local function named_tiles(plan, context)
  local whole, sided, by_buffer = {}, {}, {}
  for i, planned in ipairs(plan.tiles) do
    local tile = setmetatable({}, { __index = planned })
    smem.name(tile, context.names, #plan.tiles == 1)
    by_buffer[i], by_buffer[tile.buffer] = tile, tile
    tile.extents = smem.extents(tile)
    if tile.corners then
      tile.fill = smem.whole(tile, context)
      whole[#whole + 1] = tile
    else
      tile.own = smem.own(tile, context)
      tile.halos = (plan.tilted and tilted or smem).halos(tile, context)
      sided[#sided + 1] = tile
    end
  end
  return by_buffer, whole, sided
end

-- The buffers that are read around the point.
local function read_around(block)
  local set = {}
  for _, load in ipairs(block.loads) do
    if next(load.offset) then set[load.buffer] = true end
  end
  return set
end

-- What is read at the point alone is loaded before the barrier.
local function early_rows(context, around)
  local rows = {}
  for _, load in ipairs(context.block.loads) do
    if not around[load.buffer] then
      rows[#rows + 1] = stream.early_row(load, block_lines.load_name(load,
        context.names), context)
    end
  end
  return statement.columns(rows)
end

-- As gmem's places, but for what is in a tile or loaded early.
local function places(context, by_buffer, around)
  local direct = place_of.direct(context)
  return { width = 88, target = direct.target,
    register = function(load)
      return not around[load.buffer]
        and block_lines.load_name(load, context.names) or nil
    end,
    named = function(load)
      return not by_buffer[load.buffer] and direct.named(load)
    end,
    element = function(load)
      local tile, offset = by_buffer[load.buffer], {}
      if not tile then return direct.element(load) end
      for i, axis in ipairs(context.axes) do
        offset[i] = load.offset[axis.name] or 0
      end
      return smem.at(tile, offset)
    end }
end

function M.view(plan, lowered)
  local values, context = cuda.view(plan, lowered)
  cuda.add_entry(values, context)
  local names = context.names
  local tiles, whole, sided = named_tiles(plan, context)
  local rows = {}
  for _, tile in ipairs(tiles) do lists.append(rows, smem.place_rows(tile)) end
  values.tiles, values.whole, values.sided = tiles, whole, sided
  values.places = statement.columns(rows)
  values.compute = context.kernel.compute
  values.tile_text = table.concat(plan.block_size, "x")
  values.coordinates = text.coordinates(context.axes, plan.block_size, names,
    context.index)
  values.inside = smem.inside(context)
  values.offsets = text.offsets(context.fields, names, "const index_t")
  local around = read_around(context.block)
  values.early = early_rows(context, around)
  values.body = block_lines.join(block_lines.lines(lowered, context.kernel,
    context.block, names, places(context, tiles, around)))
  if plan.dynamic then cuda.add_dynamic(values) end
  return values
end

return M
