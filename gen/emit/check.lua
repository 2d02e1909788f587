-- What emit refuses: names that clash once C has renamed them.

local diag = require "gen.diag"
local layout = require "gen.c.layout"

local M = {}

local function position(lowered, name)
  local model = lowered.model
  local declared = model.fields and model.fields[name]
    or model.scalars and model.scalars[name]
  return declared and declared.pos
end

-- A list of diagnostics.
function M.names(lowered)
  local taken, problems = {}, {}
  for _, member in ipairs(layout.all_members(lowered)) do
    local other = taken[member.name]
    if other and other ~= member.of then
      problems[#problems + 1] = diag.new(position(lowered, member.of),
        "'%s' and '%s' are both called %s in generated code: rename one",
        other, member.of, member.name)
    end
    taken[member.name] = taken[member.name] or member.of
  end
  return problems
end

return M
