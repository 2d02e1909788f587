-- Which points a pass of the reference is about: of colours as a C condition on
-- the point alone, the forms as the specification has them; of a sweep a level.

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

-- The levels of a sweep: { count, from, to }, texts; lower and upper are lists
-- of the texts of the range. One level is a pass, in the order of the sweep.
function M.sweep(sweep, position, lower, upper)
  local k = position[sweep.axis] + 1
  local up = sweep.direction == "up"
  local from = table.move(lower, 1, #lower, 1, {})
  local to = table.move(upper, 1, #upper, 1, {})
  from[k] = up and lower[k] .. " + pass" or upper[k] .. " - 1 - pass"
  to[k] = up and lower[k] .. " + pass + 1" or upper[k] .. " - pass"
  return { count = ("%s - %s"):format(upper[k], lower[k]),
    from = table.concat(from, ", "), to = table.concat(to, ", ") }
end

return M
