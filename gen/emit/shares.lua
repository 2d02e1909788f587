-- Kernels whose blocks each serve a request, a share of its items: what they
-- have in the args struct, in their launch and in the descriptor of a module.

local lists = require "gen.list"

local M = {}

-- The names of a plan's members: { firsts, blocks }.
local function members(plan, lowered)
  local own = plan.name:sub(#lowered.instance + 2)
  return { firsts = own .. "_firsts", blocks = own .. "_blocks" }
end

-- A text behind the last of some lines that commas part.
local function append(lines, more)
  lines[#lines] = lines[#lines] .. ","
  lines[#lines + 1] = more
end

-- "a->n[3]" of a domain.
local function extent(lowered, domain)
  return ("a->n[%d]"):format(lists.index(lowered.axes, domain) - 1)
end

-- What a launch of as many blocks as all requests have needs, in the place of
-- what cuda.view gives for points in tiles.
function M.add_launch(values, plan, lowered)
  local own = members(plan, lowered)
  values.firsts, values.blocks = own.firsts, own.blocks
  values.tile, values.structs = false, nil
  values.more_checks = { "part/shares_check" }
  values.grid = { ("(unsigned)a->%s"):format(own.blocks) }
  values.lists = {}
  for i, tile in ipairs(plan.reading.tiles) do
    local name = tile.entry.loop.table
    values.lists[i] = { name = name,
      entries = extent(lowered, name) }
  end
  append(values.parameters,
    "const int32_t *__restrict__ firsts, int requests")
  append(values.addresses, "&firsts, &requests")
  lists.append(values.locals, {
    ("const int32_t *firsts = a->%s;"):format(own.firsts),
    ("int requests = (int)%s;"):format(extent(lowered, "request")) })
end

-- Their lines in the args struct, one list for each such plan.
function M.lines(plans, lowered)
  local list = {}
  for _, plan in ipairs(plans) do
    if plan.shares then
      local own = members(plan, lowered)
      list[#list + 1] = {
        ("/* The blocks of %s, each of which serves up to %d items of"):format(
          plan.name, plan.shares.items),
        " * a request: of each request the first block and the first item, two",
        " * numbers, and two behind the last; how many blocks there are. */",
        ("const int32_t *%s;"):format(own.firsts),
        ("int64_t %s;"):format(own.blocks) }
    end
  end
  return list
end

-- What the descriptor says of it; false where nothing is shared.
function M.entry(plan, lowered)
  if not plan.shares then return false end
  local entry = members(plan, lowered)
  entry.items = plan.shares.items
  entry.table = lists.index(lowered.tables, lists.find(lowered.tables, "name",
    plan.shares.table)) - 1
  return entry
end

return M
