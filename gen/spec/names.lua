-- Which names a spec may declare.

local M = {}

M.LONGEST = 40

-- Functions of the formula language, in the order messages list them.
M.FUNCTIONS = { "abs", "sqrt", "exp", "log", "sin", "cos", "tan", "asin",
  "acos", "atan", "atan2", "sinh", "cosh", "tanh", "erf", "erfc", "floor",
  "ceil", "sign", "pow", "min", "max", "where", "same" }

M.WORDS = { "in", "and", "or", "not", "sum", "axes" }

M.is_function, M.is_word = {}, {}
for _, name in ipairs(M.FUNCTIONS) do M.is_function[name] = true end
for _, name in ipairs(M.WORDS) do M.is_word[name] = true end

-- nil if the name may be declared, else the sentence that says why not.
function M.problem(name)
  if not string.find(name, "^[A-Za-z][A-Za-z0-9_]*$") then
    return string.format(
      "found '%s', wanted a name: letters, digits and _, a letter first", name)
  elseif #name > M.LONGEST then
    return string.format("the name '%s' has %d letters; at most %d are allowed",
                         name, #name, M.LONGEST)
  elseif M.is_word[name] then
    return string.format("'%s' is a word of the formula language", name)
  elseif M.is_function[name] then
    return string.format("'%s' is a function of the formula language", name)
  end
  return nil
end

return M
