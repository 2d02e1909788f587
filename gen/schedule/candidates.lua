-- What there is to try for a block, or for all regions of a kernel: every
-- combination of what is worth trying of a shape's parameters.

local lists = require "gen.list"
local shaped = require "gen.schedule.shaped"
local split = require "gen.schedule.split"
local together = require "gen.schedule.together"

local M = {}

-- Every combination of what is worth trying of each setting, as texts; what is
-- `given` stands as it is. In order: the defaults, then the last changes first.
local function combinations(settings, given)
  local list, first = { {} }, {}
  for _, param in ipairs(settings) do
    local longer, name = {}, param.name
    first[name] = given[name] or table.concat(param.default, "x")
    for _, params in ipairs(list) do
      for _, value in ipairs(given[name] and { { given[name] } }
          or param.choices or { param.default }) do
        local more = { [name] = table.concat(value, "x") }
        for other, text in pairs(params) do more[other] = text end -- any order
        longer[#longer + 1] = more
      end
    end
    list = longer
  end
  table.insert(list, 1, first)
  return list
end

local SEVERAL = "%s: makes %d steps at once, beside a shape that makes one: "
  .. "the two are not compared"

-- What comes of each combination of params, by `plan(params)`, each plan once;
-- or one entry that says why there is none.
local function tried(name, all, why, plan)
  local list, seen = {}, {}
  for i, params in ipairs(all) do
    local made, problem = plan(params)
    if not (made and seen[made.name]) then
      list[#list + 1] = { shape = name, params = params, default = i == 1,
                          plan = made, why = problem }
    end
    if made then seen[made.name] = true end
  end
  return list[1] and list or { { shape = name, why = why } }
end

-- What there is to try for one block as a request has it (its shape, and what
-- params it gives): { shape, params, default, plan, or why there is none }..,
-- first the shape's default; one entry without params where the shape does not
-- apply.
function M.of_block(request, lowered, kernel, block, options)
  local name, given = request.name, lists.copy(request.params or {})
  local fused = given.fused
  given.fused = nil
  local settings, why = shaped.settings(name, given, lowered, kernel, block,
    options)
  local several = shaped.shape(name).steps
  why = why or several and SEVERAL:format(name, several)
  local all = split.combinations(why and {} or combinations(
    together.without(settings), given), given, kernel, shaped.shape(name),
    fused)
  return tried(name, all, why, function(params)
    return shaped.plan(name, params, lowered, kernel, block, options)
  end)
end

-- The same of all regions of a kernel together.
function M.of_regions(request, lowered, kernel, options)
  local name, given = request.name, lists.copy(request.params or {})
  given.together = "1"
  local settings, why = shaped.together_settings(name, given, lowered, kernel,
    options)
  return tried(name, settings and combinations(settings, given) or {}, why,
    function(params)
      return shaped.together(name, params, lowered, kernel, options)
    end)
end

return M
