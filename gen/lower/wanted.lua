-- What statements and constants would like to be called: as in the spec, else
-- after what they are. gen/lower/names.lua makes it unique.

local names_of = require "gen.lower.names"
local offset_of = require "gen.lower.offset"
local pool_of = require "gen.lower.pool"

local M = {}

local KIND_NAME = { sum = "sum", mul = "product", div = "quotient",
  select = "choice", call = "value" }

local POWER_NAME = { [2] = "_squared", [3] = "_cubed" }

-- u_squared, u_next_squared_xm1.
local function square(block, node)
  if node.kind ~= "mul" or node.a ~= node.b then return nil end
  local base = block.pool.nodes[node.a]
  if base.kind ~= "load" then return nil end
  return names_of.of_level(base.field, base.level) .. "_squared"
    .. offset_of.suffix(block.axes, base.offset)
end

-- dd_u, lap_u_prev; d_u_x of an operator along one axis.
local function of_stencil(block, node)
  local s = node.stencil
  local words = { node.hint or s.operator }
  if s.field then words[2] = names_of.of_level(s.field, s.level) end
  if s.axis and not node.hint then words[#words + 1] = s.axis end
  return table.concat(words, "_") .. offset_of.suffix(block.axes, s.centre)
end

-- The axes along which a node reads at more than one place, in order.
local function spread(block, id)
  local lo, hi, seen = {}, {}, {}
  local function visit(below)
    if seen[below] then return end
    seen[below] = true
    local node = block.pool.nodes[below]
    for _, axis in ipairs(node.kind == "load" and block.axes or {}) do
      local n = node.offset[axis] or 0
      lo[axis] = math.min(lo[axis] or n, n)
      hi[axis] = math.max(hi[axis] or n, n)
    end
    for _, operand in ipairs(pool_of.operands(node)) do visit(operand) end
  end
  visit(id)
  local axes = {}
  for _, axis in ipairs(block.axes) do
    if lo[axis] ~= hi[axis] then axes[#axes + 1] = axis end
  end
  return axes
end

-- A name that several statements have in the spec: flux_x, flux_y.
local function of_several(block, node)
  local axes = spread(block, node.id)
  return node.hint .. (#axes == 1 and "_" .. axes[1] or "")
end

function M.name(block, node)
  if node.hint and (block.hints[node.hint] or 0) < 2 then return node.hint end
  if node.stencil then return of_stencil(block, node) end
  if node.hint then return of_several(block, node) end
  return node.result or square(block, node) or KIND_NAME[node.kind]
end

-- The same for a constant of the host.
function M.constant(pool, node)
  if node.hint then return node.hint end
  local base = node.kind == "pow" and pool.nodes[node.a]
  local power = POWER_NAME[node.exponent]
  if power and base.kind == "scalar" then return base.name .. power end
  return "constant"
end

-- "dd(u), 25 taps", nil where there is nothing to say.
function M.comment(node)
  local s = node.stencil
  if not s then return nil end
  return ("%s(%s), %d taps"):format(s.operator, s.field or "..", s.taps)
end

return M
