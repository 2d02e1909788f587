-- Which functions of templates/part/reference_* a text needs, so that a
-- reference holds no others.

local M = {}

-- A function and those that it calls itself; callers come before callees.
-- `conditions` and `functions` are the parts that hold them.
local CALLS = {
  { "wrapped", "moved" }, { "moved" },
  { "applied", "add", "scaled" }, { "either", "both", "negation" },
  { "both" }, { "negation" }, { "choose" },
  { "less", "conditions" }, { "less_equal", "conditions" },
  { "greater", "conditions" }, { "greater_equal", "conditions" },
  { "equal", "conditions" }, { "alike", "conditions" },
  { "unequal", "conditions" },
  { "tangent", "monotone" }, { "monotone", "functions" },
  { "absolute", "functions" }, { "wave", "functions" },
  { "step", "functions" }, { "sign_of" }, { "angle", "functions" },
  { "raised", "functions" }, { "kept" }, { "power", "mul", "quotient" },
  { "mul", "nought" }, { "quotient" }, { "scaled", "nought" }, { "nought" },
  { "add" }, { "negative" }, { "rounded" }, { "rounded_once" }, { "closed" },
}

-- The set of the functions that the text calls, directly or not.
function M.needed(text)
  local words, needed = {}, {}
  for word in text:gmatch("[%a_][%w_]*") do words[word] = true end
  for _, call in ipairs(CALLS) do
    if words[call[1]] or needed[call[1]] then
      for _, name in ipairs(call) do needed[name] = true end
    end
  end
  return needed
end

return M
