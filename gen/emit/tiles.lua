-- Tiles in the args struct and the descriptor of a module.

local c = require "gen.c.staged"

local M = {}

-- The names of a plan's members: { tiles, count }.
function M.members(plan, lowered)
  local own = plan.name:sub(#lowered.instance + 2)
  return { tiles = own .. "_tiles", count = own .. "_tile_count" }
end

-- Levels that a block's beginning takes as long as: coefficients, and what the
-- ring waits for; without a ring little (measured: tests/device/RESULTS.md).
local BEGIN, BEGIN_BARE = 5, 1

-- What a launch of tiles needs, in the place of what cuda.view gives for tiles
-- of a grid; the names of the plan's members.
function M.add_launch(values, plan, lowered)
  local members = M.members(plan, lowered)
  values.tile, values.grid, values.resident = false, nil, plan.resident
  values.more_checks = { "part/tiles_check" }
  values.tiles, values.tile_count = members.tiles, members.count
  values.begin = plan.tiling.ahead > 0 and BEGIN + plan.tiling.ahead
    or BEGIN_BARE
  return members
end

-- Their lines in the args struct, one list for each plan that goes through
-- tiles.
function M.lines(plans, lowered)
  local list = {}
  for _, plan in ipairs(plans) do
    if plan.tiling then
      local members = M.members(plan, lowered)
      list[#list + 1] = {
        "/* The tiles of " .. plan.name .. ",",
        " * which libquern makes: their words, how many they are. */",
        ("const int32_t *%s;"):format(members.tiles),
        ("int64_t %s;"):format(members.count) }
    end
  end
  return list
end

-- What the descriptor says of a plan's tiles; false where it has none.
function M.entry(plan, lowered, number)
  if not plan.tiling then return false end
  local members = M.members(plan, lowered)
  local form = c.form(plan.tiling, "tiling_" .. number)
  form.name, form.tiles, form.count = plan.name, members.tiles, members.count
  form.number = number
  return form
end

return M
