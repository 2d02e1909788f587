-- Where the reference puts the value and the bound of one assignment, and what
-- its storage rounds.

local rows = require "gen.c.reference_rows"
local slab = require "gen.c.reference_slab"

local M = {}

-- What a stored type rounds to when the arithmetic is wider: relative to the
-- value, and at least.
local STORED = { float = { "0x1p-24", "0x1p-150" },
  half = { "0x1p-11", "0x1p-25" }, bfloat16 = { "0x1p-8", "0x1p-134" } }
local WIDTH = { double = 64, float = 32, half = 16, bfloat16 = 16 }

-- The place of p in a dense array over the field's axes, from the i-th on.
local function dense(w, field, i)
  local axis, k = field.on[i], w.position[field.on[i]]
  local at = slab.place(w.model, field, axis, ("p.at[%d]"):format(k), "in->a")
  if i == #field.on then return at end
  local rest = dense(w, field, i + 1)
  return ("%s + %s * %s"):format(at,
    slab.count(w.model, field, axis, ("in->n[%d]"):format(k), "in->a"),
    i + 1 < #field.on and "(" .. rest .. ")" or rest)
end

-- { relative, least }: how much a storage type rounds what has been computed.
function M.rounding(type, compute)
  if (WIDTH[type] or 64) >= WIDTH[compute] then return { "0", "0" } end
  return STORED[type]
end

-- { field, index, value, relative, least, adds = is it added to what others
-- add } of an assignment.
function M.view(w, assign)
  local field = w.model.fields[assign.field]
  local value = w.operand(assign.value)
  local rounding = M.rounding(field.type, w.compute)
  if field.type == "int" then value = ("step(trunc, %s)"):format(value) end
  return { field = assign.field, adds = assign.adds ~= nil,
    index = assign.adds and rows.variable("at", assign.adds)
      or dense(w, field, 1),
    value = value, relative = rounding[1], least = rounding[2] }
end

return M
