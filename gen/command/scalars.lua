-- The scalars that the command line gives a value.

local diag = require "gen.diag"

local M = {}

-- Scalars as numbers; nil and a sentence where one is none or is not there.
function M.choose(options, model)
  local values, names = {}, {}
  for name in pairs(options.scalars) do -- any order
    names[#names + 1] = name
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local value = tonumber(options.scalars[name])
    if not model.scalars[name] then
      return nil, ("quern: --scalar %s: no such scalar%s"):format(name,
        diag.hint(name, model.order.scalars))
    elseif not value or value ~= value or math.abs(value) == math.huge then
      return nil, ("quern: --scalar %s=%s: wanted a number"):format(name,
        options.scalars[name])
    end
    values[name] = value
  end
  return values
end

return M
