-- Tiles in the args struct and the descriptor of a module.

local c = require "gen.c.staged"

local M = {}

-- The names of a plan's members: { tiles, count }.
function M.members(plan, lowered)
  local own = plan.name:sub(#lowered.instance + 2)
  return { tiles = own .. "_tiles", count = own .. "_tile_count" }
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

-- Does one of the plans go through tiles?
function M.uses(plans)
  for _, plan in ipairs(plans) do
    if plan.tiling then return true end
  end
  return false
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
