-- The values of templates/part/c_turned.tpl: what of a tile is turned, and how.

local lists = require "gen.list"
local moves = require "gen.c.turning"
local rows = require "gen.c.rows"
local text = require "gen.c.text"
local tiles = require "gen.c.tiles"
local turned_lines = require "gen.c.turned"

local M = {}

-- Where what is the same at all levels lies at the point.
local function offsets(context, lines)
  local fields = {}
  for _, field in ipairs(rows.direct_fields(context)) do
    local used = text.stands(context.names.at[field.name], lines)
    fields[#fields + 1] = used and field or nil
  end
  return text.offsets(fields, context.names, "const int64_t")
end

-- Lines without the members of `near`, which are called as tables are.
local function without_members(lines)
  local list = {}
  for i, line in ipairs(lines) do list[i] = line:gsub("near%.[%w_]+", "") end
  return list
end

-- Adds values.turned; false where tiles are not.
function M.add(values, plan, context, places)
  values.turned = false
  if not plan.turned then return end
  local names = context.names
  local made = moves.of(plan, context, values.several and values.several.j
    or names.claim "j")
  local regular = names.rows.regular
  names.rows.regular = nil                      -- all tiles are turned alike
  local one = lists.copy(places)
  one.width = places.width - 8
  local body = turned_lines.lines(context.lowered, context, one, made.how)
  local lines = offsets(context, body)
  if lines[1] then lines[#lines + 1] = "" end
  made.body = lists.append(lines, body)
  made.parameters = tiles.parameters(context, values.args, "whole")
  made.call = tiles.call(context)
  made.locals = tiles.locals(context, context.fields, { without_members(
    made.body), made.fills, made.besides, made.aparts, made.firsts })
  made.point = names.axis[context.axes[1].name]
  made.here = made.how.here
  made.level = names.axis[context.axes[2].name]
  names.rows.regular = regular
  values.turned = made
end

return M
