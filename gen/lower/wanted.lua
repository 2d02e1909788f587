-- What statements and constants would like to be called: as in the spec, else
-- after what they are. gen/lower/names.lua makes it unique.

local names_of = require "gen.lower.names"
local offset_of = require "gen.lower.offset"
local pool_of = require "gen.lower.pool"

local M = {}

local KIND_NAME = { sum = "sum", mul = "product", div = "quotient",
  select = "choice", call = "value", stored = "kept" }

local EXTREME = { sum = "sum", min = "least", max = "most" }

local POWER_NAME = { [2] = "_squared", [3] = "_cubed" }

-- u_squared, u_next_squared_xm1, u_w; nil unless both factors are loads at one
-- point.
local function product(block, node)
  if node.kind ~= "mul" then return nil end
  local a, b = block.pool.nodes[node.a], block.pool.nodes[node.b]
  if a.kind ~= "load" or b.kind ~= "load" then return nil end
  local suffix = offset_of.suffix(block.axes, a.offset)
  if suffix ~= offset_of.suffix(block.axes, b.offset) then return nil end
  local first = names_of.of_level(a.field, a.level)
  if a == b then return first .. "_squared" .. suffix end
  return first .. "_" .. names_of.of_level(b.field, b.level) .. suffix
end

-- dd_u, lap_u_prev; d_u_x of an operator along one axis.
local function of_stencil(node)
  local s = node.stencil
  local words = { node.hint or s.operator }
  if s.field then words[2] = names_of.of_level(s.field, s.level) end
  if s.along and not node.hint then words[#words + 1] = s.along end
  return table.concat(words, "_") .. s.suffix
end

-- Where a node reads: per axis the lowest and highest offset, and the set of
-- fields that it reads around the point.
local function survey(block, id)
  local s, seen = { lo = {}, hi = {}, around = {} }, {}
  local function visit(below)
    if seen[below] then return end
    seen[below] = true
    local node = block.pool.nodes[below]
    if node.kind == "load" then
      for _, axis in ipairs(block.axes) do
        local n = node.offset[axis] or 0
        s.lo[axis] = math.min(s.lo[axis] or n, n)
        s.hi[axis] = math.max(s.hi[axis] or n, n)
      end
      if not offset_of.is_zero(node.offset) then s.around[node.field] = true end
    end
    for _, operand in ipairs(pool_of.operands(node)) do visit(operand) end
  end
  visit(id)
  return s
end

-- The only member of `names` that holds, nil if there are none or several.
local function only(names, holds)
  local found
  for _, name in ipairs(names) do
    if holds(name) then
      if found then return nil end
      found = name
    end
  end
  return found
end

-- A name that several statements have in the spec: flux_x, flux_y after the
-- only axis that they read along, or rough_u, rough_v after the only field.
local function of_several(block, node)
  local s = survey(block, node.id)
  local which = only(block.axes, function(axis)
    return s.lo[axis] ~= s.hi[axis]
  end) or only(block.fields, function(field) return s.around[field] end)
  return which and node.hint .. "_" .. which or node.hint
end

function M.name(block, node)
  if node.hint and (block.hints[node.hint] or 0) < 2 then return node.hint end
  if node.stencil then return of_stencil(node) end
  if node.hint then return of_several(block, node) end
  return node.result or product(block, node) or KIND_NAME[node.kind]
    or EXTREME[node.fn]
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
