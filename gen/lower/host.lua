-- What the launcher computes once per launch, in double: the scalar nodes
-- that a kernel uses, as expressions.

local names_of = require "gen.lower.names"
local rational = require "gen.rational"
local wanted = require "gen.lower.wanted"

local M = {}

local build = {}

local function value(pool, id)
  local node = pool.nodes[id]
  local rule = build[node.kind]
  if not rule then error("the host cannot compute " .. node.kind) end
  return rule(pool, node)
end

function build.num(_, node)
  local n, d = rational.to_text(node.value)
  return { op = "literal", n = n, d = d }
end

function build.scalar(_, node)
  return { op = "scalar", name = node.name }
end

function build.neg(pool, node)
  return { op = "neg", value(pool, node.a) }
end

local function binary(pool, node)
  return { op = node.kind, value(pool, node.a), value(pool, node.b) }
end
build.mul, build.div = binary, binary

function build.pow(pool, node)
  return { op = "pow", value(pool, node.a), exponent = node.exponent }
end

function build.sum(pool, node)
  local sum
  for _, t in ipairs(node.terms) do
    local v = value(pool, t.a)
    if not sum then
      sum = t.sign > 0 and v or { op = "neg", v }
    else
      sum = { op = t.sign > 0 and "add" or "sub", sum, v }
    end
  end
  return sum
end

local function other(pool, node)
  local e = { op = node.kind, fn = node.fn, cmp = node.op }
  for i, id in ipairs(node.args) do e[i] = value(pool, id) end
  return e
end
for _, kind in ipairs { "call", "select", "compare", "and", "or", "not" } do
  build[kind] = other
end

-- A scalar that stands alone keeps its name, which is its own.
local function take_name(block, node)
  if node.kind == "scalar" then
    return names_of.take(block.names, node.name, node.name)
  end
  return names_of.take(block.names, wanted.constant(block.pool, node))
end

-- The name of a scalar node's entry in `host`, made when first used.
function M.name(block, id)
  local known = block.host_names[id]
  if known then return known end
  local name = take_name(block, block.pool.nodes[id])
  table.insert(block.host, { name = name, value = value(block.pool, id) })
  block.host_names[id] = name
  return name
end

return M
