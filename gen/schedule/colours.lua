-- How a kernel finds the points of one colour.
--
-- A form is solved for the first of the kernel's axes that it has, where its
-- coefficient there has an inverse: from the other coordinates follow the first
-- point of the colour along that axis, and the step to the next. A form that is
-- not is tested at every point.

local M = {}

-- The inverse of a modulo m, or nil.
local function inverse(a, m)
  for k = 1, m - 1 do
    if k * a % m == 1 then return k end
  end
end

-- The coefficients modulo m, { axis, coefficient }, in the order of the axes.
local function terms_of(form, axes)
  local sums, list = {}, {}
  for _, term in ipairs(form.terms) do
    sums[term.axis] = ((sums[term.axis] or 0) + term.coefficient)
      % form.modulus
  end
  for _, axis in ipairs(axes) do
    local coefficient = sums[axis.name] or 0
    list[#list + 1] = coefficient ~= 0 and { axis = axis.name,
      coefficient = coefficient } or nil
  end
  return list
end

-- One form as { modulus, per, factor, constant, terms, solves }.
local function form_of(form, axes, per, taken)
  local m, terms = form.modulus, terms_of(form, axes)
  local made = { modulus = m, per = per, factor = 1, terms = terms }
  local first = terms[1]
  local k = first and not taken[first.axis] and inverse(first.coefficient, m)
  if k then
    made.solves, made.factor, taken[first.axis] = first.axis, k, true
    for _, term in ipairs(terms) do
      term.coefficient = term.coefficient * k % m
    end
  end
  made.constant = -made.factor * form.constant % m
  return made
end

-- The forms of a kernel, none without colours. In pass p the colour of a form
-- is (factor * (p / per % modulus) + constant) % modulus: its points are those
-- whose sum of terms is that, modulo its modulus. Where it `solves` an axis the
-- coefficient there is 1.
function M.forms(kernel, axes)
  local list, per, taken = {}, 1, {}
  for _, form in ipairs(kernel.colours or {}) do
    if form.modulus > 1 then
      list[#list + 1] = form_of(form, axes, per, taken)
    end
    per = per * form.modulus
  end
  return list
end

-- A tile that has so many points of one colour along each axis.
function M.tile(kernel, axes, size)
  local tile, index = table.move(size, 1, #size, 1, {}), {}
  for i, axis in ipairs(axes) do index[axis.name] = i end
  for _, form in ipairs(M.forms(kernel, axes)) do
    local i = index[form.solves]
    if i then tile[i] = tile[i] * form.modulus end
  end
  return tile
end

return M
