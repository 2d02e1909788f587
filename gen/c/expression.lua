-- Expressions (E and H of gen/README.md) to C text with the fewest brackets.
--
-- A style says how the leaves read:
--   type           "float" or "double", the type of the arithmetic
--   load(id)       text of a load; value(name), host(name), scalar(name)

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
  local s = number.literal(e.n, e.d, style.type)
  return s or "INFINITY", s and s:find("^-") and UNARY or PRIMARY
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

function RENDER.select(e, style)
  return ("%s ? %s : %s"):format(operand(e[1], style, OR),
    operand(e[2], style, OR), operand(e[3], style, SELECT)), SELECT
end

function RENDER.compare(e, style)
  local strength = COMPARE[e.cmp]
  return operand(e[1], style, SUM) .. " " .. e.cmp .. " "
      .. operand(e[2], style, SUM), strength
end

-- A whole power as C spells it; small ones as products.
function RENDER.pow(e, style)
  local exponent = math.abs(e.exponent)
  local one = number.literal("1", "1", style.type)
  local s, strength = one, PRIMARY
  if exponent >= 1 and exponent <= 3 then
    s = (" * "):rep(exponent - 1)
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

-- Left to right: the right side of an equal operator keeps its brackets, and
-- so does `and` within `or`, as compilers ask.
local function binary(e, style)
  local operator, strength = BINARY[e.op][1], BINARY[e.op][2]
  local left = operand(e[1], style,
    strength == OR and EQUAL or strength)
  local right = operand(e[2], style,
    strength == OR and EQUAL or strength + 1)
  if e.op == "or" and e[1].op == "or" then left = text(e[1], style) end
  if right:find("^-") then right = "(" .. right .. ")" end
  return left .. " " .. operator .. " " .. right, strength
end

function text(e, style)
  local s, strength = (RENDER[e.op] or binary)(e, style)
  return s, strength or PRIMARY
end

-- The text of `e`, bracketed if it is a choice.
function M.text(e, style)
  return (text(e, style))
end

-- Prefixes and separators by which an expression too wide for a line breaks.
local function broken(e, style)
  if e.op == "fma" or e.op == "call" then
    local name = M.function_name(e.op == "call" and e.fn or "fma", style)
    return name .. "(", { e[1], e[2], e[3] }, ",", ")"
  elseif e.op == "add" or e.op == "sub" then
    return "", { e[1], e[2] }, e.op == "add" and "+ " or "- ", ""
  end
end

-- The lines of `e` from `column` on; breaks only what would pass `width`.
function M.lines(e, style, column, width)
  local flat = text(e, style)
  local head, children, separator, tail = broken(e, style)
  if column + #flat <= width or not head then return { flat } end
  local lines, pad = {}, (" "):rep(#head)
  local before = separator ~= "," and separator or ""
  for i, child in ipairs(children) do
    local lead = i == 1 and head or pad .. before
    local inner = M.lines(child, style, column + #lead, width - 1)
    if before ~= "" and i == 2 and select(2, text(child, style)) <= SUM then
      inner[1] = "(" .. inner[1]
      inner[#inner] = inner[#inner] .. ")"
    end
    for j, line in ipairs(inner) do
      lines[#lines + 1] = (j == 1 and lead or (" "):rep(#lead)) .. line
    end
    local comma = separator == "," and i < #children and "," or ""
    lines[#lines] = lines[#lines] .. comma
  end
  lines[#lines] = lines[#lines] .. tail
  return lines
end

return M
