-- The values of templates/blocked.c.tpl.

local block_lines = require "gen.c.block"
local colours = require "gen.emit.colours"
local compressed = require "gen.emit.inlined_compressed"
local edge = require "gen.emit.edge"
local functions = require "gen.emit.functions"
local hosts_of = require "gen.emit.hosts"
local kernel_view = require "gen.emit.kernel"
local levels = require "gen.c.levels"
local lists = require "gen.list"
local place_of = require "gen.emit.place"
local regular = require "gen.c.regular"
local rows = require "gen.c.rows"
local text = require "gen.c.text"
local tiles = require "gen.c.tiles"
local turned = require "gen.emit.turned"

local M = {}

-- Tiles with rows that do not follow a pattern are computed without it.
local function add_others(values, plan, lowered, context)
  local own = lists.append(lists.joined(values.offsets, { "" }),
    values.body)
  values.body = regular.either(own, compressed.other_rows(plan, lowered,
    context, context.kernel.blocks[1], "int64_t"))
  values.offsets = {}
end

-- Several levels at once, and the loop over what is left of them; false: one by
-- one. Where neighbours may be missing gathers are masked, and those of several
-- levels slower than one by one: regular tiles alone have it.
local function several(plan, lowered, context, values, places)
  if plan.levels == 1 then return false end
  local names, level = context.names, context.axes[2].name
  local k = names.axis[level]
  local how = { count = plan.levels, level = k, first = names.claim(
    k .. "_first"), j = names.claim "j", offsets = values.offsets }
  local lines = levels.lines(lowered, context, places, how)
  values.outer[1].text = ("for (int64_t %s = %s; %s < tile->upper[1]; %s++) {")
    :format(k, how.first, k, k)
  local whole = values.regular and regular.passes_over(context.block.code)
  return { count = plan.levels, first = how.first, j = how.j, body = lines,
    where = whole and ", where no neighbour is missing" or "",
    lower = "tile->lower[1]", step = ("%s += %d"):format(how.first, how.count),
    more = ("%s%s + %d <= tile->upper[1]"):format(whole and "regular && "
      or "", how.first, how.count) }
end

function M.view(plan, lowered)
  local values, context = kernel_view.view(plan, lowered)
  local names = context.names
  functions.add(values, context, false)
  colours.add(values, context, colours.HOST)
  local tests = regular.add(context)
  names.rows.unrolled = true
  values.gathers = context.kernel.domain ~= nil
    and not regular.passes_over(context.block.code)
    and lowered.model.spaces[context.axes[1].name].kind == "domain"
  values.tile = table.concat(plan.tile, ", ")
  values.parameters = tiles.parameters(context, values.args)
  values.hosts = hosts_of.lines(context, context.hosts)
  values.call = tiles.call(context, tests and "0")
  values.regular = tests and { tests = tests, call = tiles.call(context, "1") }
    or false
  values.tiles = tiles.loops(context, "box", " += size[%d]", 0)
  values.tile_sizes = tiles.sizes(context)
  values.outer = tiles.loops(context, "tile", "++", 1,
    colours.ahead(context, colours.HOST, function(i)
      return ("tile->lower[%d]"):format(i - 1)
    end))
  values.inner = table.remove(values.outer)
  if #values.outer > 0 then values.outer_pad = values.inner.pad:sub(5) end
  values.tile_lower, values.tile_upper = tiles.tile(context)
  values.offsets = lists.append(colours.skips(context),
    text.offsets(rows.direct_fields(context), names, "const int64_t"))
  local at = place_of.direct(context)
  local patterns = context.block.regular
    and compressed.patterns(context) or {}
  at.width = 92 - #values.inner.pad
  values.body = block_lines.join(block_lines.lines(lowered, context.kernel,
    context.block, names, at))
  values.several = several(plan, lowered, context, values, at)
  if context.block.regular then add_others(values, plan, lowered, context) end
  values.locals = lists.append(tiles.locals(context, context.fields,
    { values.offsets, values.body, values.several and values.several.body
      or {} }), patterns)
  turned.add(values, plan, context, at)
  edge.add_host(values, context)
  return values
end

return M
