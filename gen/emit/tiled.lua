-- The values of templates/tiled.cu.tpl.

local block_lines = require "gen.c.block"
local c = require "gen.c.tiled"
local cuda = require "gen.emit.cuda"
local place_of = require "gen.emit.place"
local rows = require "gen.c.rows"
local shares = require "gen.emit.shares"
local text = require "gen.c.text"

local M = {}

-- Places of a block whose lists are in tiles: what an entry has is in one.
local function places_of(context, tiles)
  local places, direct = {}, place_of.direct(context)
  local members = {}
  for _, tile in ipairs(tiles) do
    for _, value in ipairs(tile.values) do
      if value.load then
        members[value.load.id] = ("%s.%s"):format(tile.at, value.member)
      end
    end
  end
  function places.register(load) return members[load.id] end
  function places.named() return true end
  places.element, places.target = direct.element, direct.target
  return places
end

local function code_lines(code, style)
  local lines = {}
  block_lines.add_code(lines, code, style)
  return lines
end

-- What stands before the loops: the item's own neighbours, values, statements.
local function add_own(values, context, parts, made)
  local names = context.names
  values.offsets = text.offsets(rows.direct_fields(context), names,
    "const index_t")
  values.own = block_lines.join {
    loads = rows.neighbours(context.block.neighbours, names.rows),
    code = made.taken(nil, false), stores = {} }
  values.before = code_lines(parts.before, made.style)
end

function M.view(plan, lowered)
  local values, context = cuda.view(plan, lowered)
  local names, block, parts = context.names, context.block, plan.reading
  local kernel, axis = context.kernel, context.axes[1].name
  names.rows.index = "index_t"
  c.claim(parts.tiles, names)
  local places = places_of(context, parts.tiles)
  local made = block_lines.parts(lowered, kernel, block, names, places)
  add_own(values, context, parts, made)
  values.type = kernel.compute
  values.item, values.item_begin = names.axis[axis], names.lower[axis]
  values.item_end, values.share_items = names.upper[axis], plan.shares.items
  shares.add_launch(values, plan, lowered)
  values.tiles = c.tiles(parts.tiles, made.style, places)
  values.sums, values.resident = parts.sums, plan.resident
  values.parts, values.totals = c.totals(parts.tiles, made.style)
  values.after = code_lines(parts.after, made.style)
  values.stores = block_lines.stores(block, places, made)
  return values
end

return M
