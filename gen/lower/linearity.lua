-- Whether a result is linear in what is read around the point, and then as
-- which terms: what semi-stencils and folding ask.

local code = require "gen.lower.code"
local offset_of = require "gen.lower.offset"
local pool_of = require "gen.lower.pool"

local M = {}

local MOST = 64                 -- terms of one result

-- Why a node is not linear in its moving operands.
local function crooked(node, moving)
  if node.kind == "div" and moving[node.b] then
    return "it divides by what is read around the point"
  end
  for _, t in ipairs(node.kind == "mul" and { node } or node.terms or {}) do
    if t.b and moving[t.a] and moving[t.b] then
      return "it multiplies two values that are read around the point"
    end
  end
  for _, id in ipairs(node.args or {}) do
    if moving[id] then
      return ("%s takes what is read around the point")
        :format(node.fn or node.kind)
    end
  end
end

-- Which nodes below a root depend on loads around the point, and a reason if
-- one of them is not linear in these.
local function survey(pool, root)
  local moving, seen, reason = {}, {}, nil
  local function visit(id)
    if seen[id] then return end
    seen[id] = true
    local node = pool.nodes[id]
    moving[id] = node.kind == "load" and not offset_of.is_zero(node.offset)
    for _, below in ipairs(pool_of.operands(node)) do
      visit(below)
      moving[id] = moving[id] or moving[below]
    end
    reason = reason or moving[id] and crooked(node, moving)
  end
  visit(root)
  return moving, reason
end

local function inputs(block, moving)
  local list, seen = {}, {}
  for i, id in ipairs(block.load_order) do
    local load = block.loads[i]
    local key = load.field .. " " .. load.level
    if moving[id] and not seen[key] then
      seen[key] = true
      list[#list + 1] = { field = load.field, level = load.level }
    end
  end
  return list
end

local ONE = { op = "literal", n = "1", d = "1" }

-- c * factor with a sign, where no c is 1.
local function times(block, c, factor, sign)
  local e = factor and code.operand(block, factor)
  if c and e then e = { op = "mul", c, e } end
  e = e or c
  if sign > 0 then return e end
  return e and e.op == "neg" and e[1] or { op = "neg", e or ONE }
end

-- A node as terms { a, b = second factor or nil, sign }.
local function parts(node)
  if node.kind == "mul" then return { { a = node.a, b = node.b, sign = 1 } } end
  if node.kind == "neg" then return { { a = node.a, sign = -1 } } end
  return node.terms or {}
end

-- Adds { value, coefficient } for each load around the point, and each
-- statement that is a stencil, in a node that stands with coefficient c.
local function collect(block, moving, list, id, c)
  local node = block.pool.nodes[id]
  if not moving[id] or #list > MOST then return end
  if node.kind == "load" or node.stencil and block.value_names[id] then
    list[#list + 1] = { value = code.operand(block, id), coefficient = c }
    return
  elseif node.kind == "div" then
    local below = code.operand(block, node.b)
    collect(block, moving, list, node.a, { op = "div", c or ONE, below })
    return
  end
  for _, t in ipairs(parts(node)) do
    local inner, factor = t.a, t.b
    if factor and moving[factor] then inner, factor = factor, inner end
    collect(block, moving, list, inner, times(block, c, factor, t.sign))
  end
end

local function linear_in(block, root)
  local moving, reason = survey(block.pool, root)
  if reason then return { reason = reason } end
  local terms = {}
  collect(block, moving, terms, root, nil)
  if #terms > MOST then
    return { reason = ("it has more than %d terms"):format(MOST) }
  end
  return { inputs = inputs(block, moving), terms = terms }
end

-- One per root: { inputs = { { field, level }.. }, terms = { { value = E,
-- coefficient = E or nil for 1 }.. } }, or { reason }.
function M.of(block, roots)
  local list = {}
  for i, root in ipairs(roots) do list[i] = linear_in(block, root) end
  return list
end

return M
