-- The points of one colour in C: what the launcher computes for a pass, where
-- the colour begins along an axis, and how a point is tested.

local statement = require "gen.c.statement"

local M = {}

-- "x + 2 * y", and whether a factor may need 64 bits; coefficients that are
-- all the same stand in front.
local function sum(terms, spelled, wide)
  local same, list = terms[1].coefficient, {}
  for _, term in ipairs(terms) do
    same = same == term.coefficient and same or nil
  end
  for i, term in ipairs(terms) do
    local name, factor = spelled(term), same and 1 or term.coefficient
    local far = wide and (factor > 1 or same and same > 1 and i == 1)
    if far then name = "(int64_t)" .. name end
    list[i] = factor > 1 and factor .. " * " .. name or name
  end
  local text = table.concat(list, " + ")
  if not same or same == 1 then return text end
  return ("%d * %s"):format(same, list[2] and "(" .. text .. ")" or text)
end

local function is_wide(terms)
  for _, term in ipairs(terms) do
    if term.coefficient > 1 then return true end
  end
  return false
end

-- How far the first point of the colour is from where the range begins along
-- the axis that the form solves. lower: the text of where; index: the type of
-- coordinates, cast to where 64 bits were needed, nil if it has as many.
function M.ahead(form, i, names, lower, index)
  local minus = {}
  for k, term in ipairs(form.terms) do
    minus[k] = { axis = term.axis,
                 coefficient = form.modulus - term.coefficient }
  end
  local text = ("(%s + %s) %% %d"):format(names.colour[i],
    sum(minus, function(term)
      return term.axis == form.solves and lower or names.axis[term.axis]
    end, index), form.modulus)
  return index and is_wide(minus) and ("(%s)(%s)"):format(index, text) or text
end

-- "(x + 2 * y) % 5 != colour".
function M.test(form, i, names, index)
  local terms = form.terms
  local text = terms[1] and sum(terms, function(term)
    return names.axis[term.axis]
  end, index) or "0"
  if text:find "[+*)]" then text = "(" .. text .. ")" end
  return ("%s %% %d != %s"):format(text, form.modulus, names.colour[i])
end

-- The colour of a form in a pass.
local function value(form, last)
  local text = form.per > 1 and ("pass / %d"):format(form.per) or "pass"
  if not last then text = ("%s %% %d"):format(text, form.modulus) end
  if form.factor == 1 and form.constant == 0 then return text end
  if form.factor > 1 then
    text = ("%d * %s"):format(form.factor, text == "pass" and text
      or "(" .. text .. ")")
  end
  if form.constant > 0 then text = ("%s + %d"):format(text, form.constant) end
  return ("(%s) %% %d"):format(text, form.modulus)
end

-- The launcher's lines: what each form is, modulo its modulus, at the points
-- of the pass. type: of the names; cast: what is in front of the values.
function M.values(forms, names, type, cast)
  local rows = {}
  for i, form in ipairs(forms) do
    local text = value(form, i == #forms)
    if cast then
      text = ("(%s)%s"):format(cast, text == "pass" and text
        or "(" .. text .. ")")
    end
    rows[i] = { ("%s %s"):format(type, names.colour[i]),
                (" = %s;"):format(text) }
  end
  return statement.columns(rows)
end

-- What the functions of a launch have more where it is one of several passes.
function M.pass(passes)
  if not passes then
    return { suffix = "", parameter = "", argument = "", refused = "",
             run = "a, queue" }
  end
  return { suffix = "_pass", parameter = "int64_t pass, ",
    argument = "pass, ", run = "a, pass, queue",
    refused = ("pass < 0 || pass >= %s || "):format(passes) }
end

return M
