-- What the launches and the loops of a kernel with colours have more than those
-- of others.

local c = require "gen.c.colours"
local colours = require "gen.schedule.colours"
local passes = require "gen.emit.passes"

local M = {}

-- Coordinates and colours in a launcher: how they are declared, what is cast.
M.DEVICE = { type = "index_t", cast = "index_t", index = "index_t" }
M.HOST = { type = "const int64_t" }

local function claim_names(forms, names)
  names.colour = {}
  for i in ipairs(forms) do
    names.colour[i] = names.claim(#forms == 1 and "colour" or "colour_" .. i)
  end
end

-- Adds the values `pass` and `colours` (false without any) of the templates,
-- and context.forms.
function M.add(values, context, how)
  local count = passes.colours(context.kernel)
  local forms = count and colours.forms(context.kernel, context.axes) or {}
  claim_names(forms, context.names)
  context.forms = forms
  values.pass = c.pass(count)
  values.colours = count and { passes = count,
    values = c.values(forms, context.names, how.type, how.cast) } or false
end

-- Per axis false, or { text, step }: where the points of the colour begin, past
-- `lower` (a form of the axis's number and name), and how far they are apart.
function M.ahead(context, how, lower)
  local list = {}
  for k, axis in ipairs(context.axes) do
    list[k] = false
    for i, form in ipairs(context.forms) do
      if form.solves == axis.name then
        list[k] = { step = form.modulus, text = c.ahead(form, i, context.names,
          lower(k, axis.name), how.index) }
      end
    end
  end
  return list
end

-- The tests of the forms that no axis is solved for, of `every` form.
function M.tests(context, how, every)
  local list = {}
  for i, form in ipairs(context.forms) do
    if every or not form.solves then
      list[#list + 1] = c.test(form, i, context.names, how.index)
    end
  end
  return list
end

-- The lines that a loop's body begins with.
function M.skips(context, every)
  local tests = M.tests(context, M.HOST, every)
  if #tests == 0 then return {} end
  return { ("if (%s)"):format(table.concat(tests, " || ")), "    continue;" }
end

return M
