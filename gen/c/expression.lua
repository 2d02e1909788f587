-- Expressions (E and H of gen/README.md) to C text with the fewest brackets.
--
-- A style says how the leaves read:
--   type           "float" or "double", the type of the arithmetic
--   load(id)       text of a load; value(name), host(name), scalar(name)
--   near(name), of a neighbour
--   pattern(table), slot(number or variable), of what is picked from arrays
--   texts          {} if the text of an expression is always the same
--   divide         how floats are divided, or nil for C's own way: { quotient,
--                  inverse, odd }, functions of a / b where a reads a field
--                  and, if there is one, of 1 / b; `odd`, if there is one: the
--                  variable that the first sets where it cannot, which is then
--                  told every a and b }

local access = require "gen.c.access"
local number = require "gen.c.number"

local M = {}

local SELECT, OR, AND, EQUAL, ORDER, SUM, PRODUCT, UNARY, PRIMARY =
  1, 2, 3, 4, 5, 6, 7, 8, 9

local BINARY = {
  add = { "+", SUM }, sub = { "-", SUM },
  mul = { "*", PRODUCT }, div = { "/", PRODUCT },
  ["and"] = { "&&", AND }, ["or"] = { "||", OR },
}
local COMPARE = { ["<"] = ORDER, ["<="] = ORDER, [">"] = ORDER,
  [">="] = ORDER, ["=="] = EQUAL, ["!="] = EQUAL }
local FUNCTIONS = { abs = "fabs" }      -- the others are C's own names

local text                              -- E, style -> text, precedence

-- The text of `e` where a neighbour binds with strength `least`.
local function operand(e, style, least)
  local s, strength = text(e, style)
  return strength < least and "(" .. s .. ")" or s
end

local function arguments(e, style, first)
  local list = {}
  for i = first or 1, #e do list[#list + 1] = operand(e[i], style, SELECT) end
  return table.concat(list, ", ")
end

-- A function of the compute type: sqrtf for float, sqrt for double.
function M.function_name(fn, style)
  local name = FUNCTIONS[fn] or fn
  if fn == "sign" then return style.type == "float" and "signf" or "sign" end
  return style.type == "float" and name .. "f" or name
end

local RENDER = {}

function RENDER.literal(e, style)
  local s = assert(number.literal(e.n, e.d, style.type))
  return s, s:find("^-") and UNARY or PRIMARY
end

function RENDER.raw(e) return e.text end
function RENDER.load(e, style) return style.load(e.id) end
function RENDER.value(e, style) return style.value(e.name), PRIMARY end
function RENDER.host(e, style) return style.host(e.name), PRIMARY end
function RENDER.scalar(e, style) return style.scalar(e.name) end

function RENDER.neg(e, style)
  local s = operand(e[1], style, UNARY)
  return (s:find("^-") and "-(" .. s .. ")" or "-" .. s), UNARY
end

RENDER["not"] = function(e, style)
  return "!" .. operand(e[1], style, UNARY), UNARY
end

function RENDER.fma(e, style)
  return M.function_name("fma", style) .. "(" .. arguments(e, style) .. ")",
    PRIMARY
end

function RENDER.call(e, style)
  return M.function_name(e.fn, style) .. "(" .. arguments(e, style) .. ")",
    PRIMARY
end

function RENDER.pick(e, style)
  return ("%s[%s[%s][%s]]"):format(style.value(e.array), style.pattern(e.table),
    style.slot(e.first), style.slot(e.second)), PRIMARY
end

-- To the storage type and back.
function RENDER.stored(e, style)
  local there = access.conversion(e.type, style.type)
  local back = access.is_small(e.type)
    and ("quern_%s_to_%s("):format(e.type, style.type)
    or ("(%s)("):format(style.type)
  return ("%s%s(%s))"):format(back, there, (text(e[1], style))), UNARY
end

function RENDER.select(e, style)
  return ("%s ? %s : %s"):format(operand(e[1], style, OR),
    operand(e[2], style, OR), operand(e[3], style, SELECT)), SELECT
end

function RENDER.compare(e, style)
  local strength = COMPARE[e.cmp]
  return operand(e[1], style, SUM) .. " " .. e.cmp .. " "
      .. operand(e[2], style, SUM), strength
end

-- Two points of one domain, by their numbers.
function RENDER.same(e, style)
  return style.near(e.near[1]) .. " == " .. style.near(e.near[2]), EQUAL
end

-- A whole power as C spells it; small ones as products.
function RENDER.pow(e, style)
  local exponent = math.abs(e.exponent)
  local one = number.literal("1", "1", style.type)
  local s, strength = one, PRIMARY
  if exponent >= 1 and exponent <= 3 then
    local base = operand(e[1], style, UNARY)
    s = base .. (" * " .. base):rep(exponent - 1)
    strength = exponent == 1 and UNARY or PRODUCT
  elseif exponent > 3 then
    s = ("%s(%s, %s)"):format(M.function_name("pow", style),
      operand(e[1], style, SELECT),
      number.literal(tostring(exponent), "1", style.type))
  end
  if e.exponent >= 0 then return s, strength end
  return one .. " / " .. (strength < UNARY and "(" .. s .. ")" or s), PRODUCT
end

-- The strengths that the sides of a binary operator need. Left to right: the
-- right side of an equal operator keeps its brackets, and so does `and` within
-- `or`, as compilers ask.
-- A factor with a sign gets brackets.
local function sides(e, strength, style)
  if strength == OR then return e[1].op == "or" and OR or EQUAL, EQUAL end
  if strength == PRODUCT and text(e[2], style):find("^-") then
    return strength, PRIMARY
  end
  return strength, strength + 1
end

-- The sign of a sum's right side goes into the operator, which is exact.
local function joined(operator, right)
  if right:find("^-") then
    return (operator == "+" and "- " or "+ ") .. right:sub(2)
  end
  return operator .. " " .. right
end

local function binary(e, style)
  local operator, strength = BINARY[e.op][1], BINARY[e.op][2]
  local least_left, least_right = sides(e, strength, style)
  return operand(e[1], style, least_left) .. " "
    .. joined(operator, operand(e[2], style, least_right)), strength
end

-- Whether an expression reads a field, of itself or by a name: what does not is
-- never 0 over whole regions.
local function varies(e)
  if e.op == "load" or e.op == "value" then return true end
  for _, part in ipairs(e) do
    if varies(part) then return true end
  end
  return false
end

-- The function that a division calls and its arguments, or nil.
local function division(e, style)
  local how = e.op == "div" and style.type == "float" and style.divide
  if not how then return nil end
  local a, b = e[1], e[2]
  if how.inverse and a.op == "literal" and a.n == "1" and a.d == "1" then
    return how.inverse, { b }
  elseif how.odd then
    return how.quotient, { a, b, { op = "raw", text = how.odd } }
  end
  return varies(a) and how.quotient or nil, e
end

function RENDER.div(e, style)
  local name, list = division(e, style)
  if not name then return binary(e, style) end
  return name .. "(" .. arguments(list, style) .. ")", PRIMARY
end

-- (Where long sums break, each level of their tree is asked for again.)
function text(e, style)
  local known = style.texts and style.texts[e]
  if known then return known[1], known[2] end
  local s, strength = (RENDER[e.op] or binary)(e, style)
  if style.texts then style.texts[e] = { s, strength or PRIMARY } end
  return s, strength or PRIMARY
end

-- The text of `e`, bracketed if it is a choice.
function M.text(e, style)
  return (text(e, style))
end

local lines

-- The lines of `e` at `column`, bracketed where a neighbour binds with `least`.
local function operand_lines(e, style, least, column, width)
  local _, strength = text(e, style)
  if strength >= least then return lines(e, style, column, width) end
  local list = lines(e, style, column + 1, width - 1)
  for i, line in ipairs(list) do list[i] = (i == 1 and "(" or " ") .. line end
  list[#list] = list[#list] .. ")"
  return list
end

-- Appends `more` to `list`, the first with `lead`, the others under it.
local function append(list, more, lead)
  for i, line in ipairs(more) do
    list[#list + 1] = (i == 1 and lead or (" "):rep(#lead)) .. line
  end
  return list
end

local BREAK = {}

-- f(first, second,
--   third): as many on a line as fit, one that needs several on its own.
function BREAK.call(e, style, column, width)
  local name, children = division(e, style)
  if not name then
    name = M.function_name(e.op == "fma" and "fma" or e.fn, style)
    children = e
  end
  local head, list, open = name .. "(", {}, false
  for i, child in ipairs(children) do
    local more = operand_lines(child, style, SELECT, column + #head,
      width - 1)
    local last, mark = list[#list], i < #children and "," or ")"
    if open and #more == 1
       and column + #last + #more[1] + #mark < width then
      list[#list] = last .. " " .. more[1] .. mark
    else
      append(list, more, i == 1 and head or (" "):rep(#head))
      list[#list] = list[#list] .. mark
    end
    open = #more == 1
  end
  return list
end

BREAK.fma = BREAK.call

function BREAK.select(e, style, column, width)
  local list = operand_lines(e[1], style, OR, column, width)
  append(list, operand_lines(e[2], style, OR, column + 2, width), "? ")
  return append(list, operand_lines(e[3], style, SELECT, column + 2, width),
    ": ")
end

function BREAK.neg(e, style, column, width)
  return append({}, operand_lines(e[1], style, UNARY + 1, column + 1, width),
    "-")
end

-- left
-- + right
local function break_binary(e, style, column, width)
  local operator, strength = BINARY[e.op][1], BINARY[e.op][2]
  local least_left, least_right = sides(e, strength, style)
  local list = operand_lines(e[1], style, least_left, column, width)
  local right = operand_lines(e[2], style, least_right,
    column + #operator + 1, width)
  local lead = joined(operator, right[1])
  append(list, { table.unpack(right, 2) }, (" "):rep(#operator + 1))
  table.insert(list, #list - #right + 2, lead)
  return list
end

-- The lines of `e` from `column` on; breaks only what would pass `width`.
function lines(e, style, column, width)
  local flat = text(e, style)
  local broken = division(e, style) and BREAK.call or BREAK[e.op]
    or BINARY[e.op] and break_binary
  if column + #flat <= width or not broken then return { flat } end
  return broken(e, style, column, width)
end

M.lines = lines

return M
