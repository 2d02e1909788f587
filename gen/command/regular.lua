-- What `check` and `bench` say of kernels that do without the entries of tables
-- in rows that are alike: how many rows are. Where none is, what they do there
-- was neither compared nor timed.

local lists = require "gen.list"

local M = {}

-- What a plan does with rows of a table (of a domain, where it folds them): how
-- the rows are called and what has
-- not been seen where there are none; nil if it does nothing with them.
local function way_of(plan, lowered, name)
  if plan.folds then
    return { rows = "have a folded form", what = "folded", hint = "" }
  end
  local of = lists.find(lowered.tables, "name", name)
  if of.through and plan.shape == "inlined_compressed" then
    return { rows = "follow its pattern", what = "compressed", hint =
      ("; `quern pattern MESH %s` prints that of a mesh"):format(
        table.concat(of.through, " ")) }
  elseif plan.strides then
    return { rows = "are of the usual kinds", what = "found by strides",
      hint = "" }
  end
end

local SOME = "%s: %d of %d rows of %s %s"
local NONE = "%s: none of %d rows of %s %s, so nothing is %s%s"

-- The sentence about a plan's rows at all sizes together, and whether none is
-- alike; nil where a plan tells no rows apart.
local function said(plan, lowered, found)
  local way = found and way_of(plan, lowered, found.table)
  if not way then return nil end
  if found.regular == 0 then
    return NONE:format(plan.name, found.rows, found.table, way.rows, way.what,
      way.hint), true
  end
  return SOME:format(plan.name, found.regular, found.rows, found.table,
    way.rows)
end

-- The sentences about the kernels of all answers, in the order of plans; of
-- those of which no row is alike apart.
function M.rows(requests, answers, state)
  local some, none = {}, {}
  for _, plan in ipairs(state.plans) do
    local found
    for i, request in ipairs(requests) do
      local regular = request.kernel == plan.name and answers[i].regular
      if regular then
        found = found or { table = regular.table, rows = 0, regular = 0 }
        found.rows = found.rows + math.tointeger(regular.rows)
        found.regular = found.regular + math.tointeger(regular.regular)
      end
    end
    local text, bare = said(plan, state.lowered, found)
    local to = bare and none or some
    to[#to + 1] = text
  end
  return some, none
end

return M
