-- The arithmetic of the reference: a node of the model as a call of the number
-- functions of templates/part/reference_*, given the texts of its args.
--
-- M.<kind>(w, node, args, id), with w.model, w.nodes, w.constant, w.choices
-- and w.names.

local M = {}

local FUNCTION = {
  abs = "absolute(%s)", sqrt = "monotone(sqrt, %s, 0, INFINITY)",
  exp = "monotone(exp, %s, -INFINITY, INFINITY)",
  log = "monotone(log, %s, 0, INFINITY)",
  sin = "wave(sin, %s)", cos = "wave(cos, %s)", tan = "tangent(%s)",
  asin = "monotone(asin, %s, -1, 1)", acos = "monotone(acos, %s, -1, 1)",
  atan = "monotone(atan, %s, -INFINITY, INFINITY)", atan2 = "angle(%s, %s)",
  sinh = "monotone(sinh, %s, -INFINITY, INFINITY)",
  cosh = "monotone(cosh, absolute(%s), 0, INFINITY)",
  tanh = "monotone(tanh, %s, -INFINITY, INFINITY)",
  erf = "monotone(erf, %s, -INFINITY, INFINITY)",
  erfc = "monotone(erfc, %s, -INFINITY, INFINITY)",
  floor = "step(floor, %s)", ceil = "step(ceil, %s)",
  sign = "step(sign_of, %s)", pow = "raised(%s, %s)",
}

local COMPARE = { ["<"] = "less", ["<="] = "less_equal", [">"] = "greater",
  [">="] = "greater_equal", ["=="] = "equal", ["!="] = "unequal" }

-- Is the node this whole number (text)?
function M.is_number(node, n)
  return node.kind == "num" and node.n == n and node.d == "1"
end

-- Is it minus something?
function M.is_minus(nodes, node)
  return node.kind == "mul" and M.is_number(nodes[node.args[1]], "-1")
end

local function nested(fn, list)
  local text = list[1]
  for i = 2, #list do text = ("%s(%s, %s)"):format(fn, text, list[i]) end
  return text
end

-- A number of the formula, exact if every compute type has it.
function M.literal(node)
  local exact = #node.n < 8 and (node.d == "1" or node.d == "2"
    or node.d == "4" or node.d == "8")
  local text = node.d == "1" and node.n .. ".0"
    or ("%s.0 / %s.0"):format(node.n, node.d)
  return ("%s(%s)"):format(exact and "exact" or "rounded", text)
end

function M.num(_, node) return M.literal(node) end

function M.scalar(w, node)
  local whole = w.model.scalars[node.name].type == "int"
  return ("exact(%s%s)"):format(whole and "(double)" or "",
    w.names.scalar(node.name))
end

function M.add(_, _, args) return nested("add", args) end

-- A product from left to right: constants, which may be multiplied into the
-- terms of a sum, and others, which nobody multiplies out, but a folded kernel,
-- what does not change with the level into what does.
local function product(w, ids, args)
  local text, constant = args[1], w.constant[ids[1]]
  local moving = w.moves(ids[1])
  for i = 2, #args do
    local other = w.constant[ids[i]]
    local here = w.moves(ids[i])
    if moving ~= here then
      text = ("scaled(closed(%s), %s)"):format(moving and args[i] or text,
        moving and text or args[i])
    elseif constant == other then
      text = ("mul(%s, %s)"):format(text, args[i])
    elseif constant then
      text = ("scaled(%s, %s)"):format(text, args[i])
    else
      text = ("scaled(%s, %s)"):format(args[i], text)
    end
    constant, moving = constant and other, moving or here
  end
  return text
end

function M.mul(w, node, args)
  if not M.is_minus(w.nodes, node) then return product(w, node.args, args) end
  return ("negative(%s)"):format(product(w, { table.unpack(node.args, 2) },
    { table.unpack(args, 2) }))
end

-- By a constant: its reciprocal may be multiplied into the terms of a sum.
function M.div(w, node, args)
  local folds = w.moves(node.args[1])
  if not folds and (w.constant[node.args[1]] or not w.constant[node.args[2]])
  then
    return ("quotient(%s, %s)"):format(args[1], args[2])
  end
  return ("scaled(quotient(exact(1.0), %s), %s)"):format(args[2], args[1])
end

function M.pow(_, node, args)
  return ("power(%s, %d)"):format(args[1], node.exponent)
end

function M.call(_, node, args)
  return FUNCTION[node.fn]:format(table.unpack(args))
end

function M.select(w, _, args, id)
  return ("choose(noted(%d, %s), %s, %s)"):format(w.choices[id],
    table.unpack(args))
end

function M.compare(_, node, args)
  return ("%s(%s)"):format(COMPARE[node.op], table.concat(args, ", "))
end

function M.same(_, _, args)
  return ("alike(%s, %s)"):format(table.unpack(args))
end

M["and"] = function(_, _, args) return nested("both", args) end
M["or"] = function(_, _, args) return nested("either", args) end
M["not"] = function(_, _, args) return ("negation(%s)"):format(args[1]) end

return M
