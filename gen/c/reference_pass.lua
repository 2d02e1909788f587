-- Which points a pass of the reference is about, as a C condition on the point
-- alone: the forms as the specification has them.

local M = {}

-- "p.at[0] + 2 * p.at[1] - 1".
local function sum(form, position)
  local text = ""
  local function add(value, what)
    if value == 0 then return end
    local size = math.abs(value)
    local word = not what and tostring(size)
      or size == 1 and what or ("%d * %s"):format(size, what)
    if text == "" then
      text = (value < 0 and "-" or "") .. word
    else
      text = text .. (value < 0 and " - " or " + ") .. word
    end
  end
  for _, term in ipairs(form.terms) do
    add(term.coefficient, ("p.at[%d]"):format(position[term.axis]))
  end
  add(form.constant)
  return text ~= "" and text or "0"
end

-- Lines, joined by `&&`, and how many passes there are; nil of a kernel with
-- one pass. The first form is the fastest.
function M.colours(kernel, position)
  local lines, per = {}, 1
  for i, form in ipairs(kernel.colours or {}) do
    lines[i] = ("%swrapped(%s, %d) == %s %% %d"):format(i > 1 and "&& " or "",
      sum(form, position), form.modulus, per > 1 and "pass / " .. per
        or "pass", form.modulus)
    per = per * form.modulus
  end
  if per == 1 then return nil end
  return lines, per
end

return M
