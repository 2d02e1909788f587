-- Sums that are split, as expressions and lines: how one begins when its plane
-- is the newest, how it is completed when the walk gets there. A sum knows,
-- beside what the plan says of it: begun[i], what plane i from the point has so
-- far; window[i], the value there; beside(offset), a value of the newest plane.

local number = require "gen.c.number"
local statement = require "gen.c.statement"
local sums_in = require "gen.schedule.sums"
local vectors = require "gen.c.vectors"

local M = {}

-- A value with a name of its own. (As a load, so that pairs stand in columns.)
local function value(text) return { op = "load", id = text } end

local function is_one(e)
  return e.op == "literal" and e.n == "1" and e.d == "1"
end

-- sum + weight * e, in the way of the file's arithmetic; the first without sum.
local function plus(context, sum, weight, e)
  local one = is_one(weight)
  if not sum then return one and e or { op = "mul", weight, e } end
  if one then return { op = "add", sum, e } end
  if context.lowered.fp == "strict" then
    return { op = "fma", weight, e, sum }
  end
  return { op = "add", sum, { op = "mul", weight, e } }
end

-- The sum of values with signs, a positive one first if there is one.
local function signed_sum(list)
  table.sort(list, function(a, b)
    if a.sign ~= b.sign then return a.sign > b.sign end
    return a.rank < b.rank
  end)
  local sum = list[1].sign > 0 and list[1].e or { op = "neg", list[1].e }
  for i = 2, #list do
    sum = { op = list[i].sign > 0 and "add" or "sub", sum, list[i].e }
  end
  return sum
end

-- The taps of a group that the forward phase adds: those in the newest plane,
-- where sum.beside says, and those behind it.
local function forward_taps(sum, context, group)
  local walk, list = context.axes[#context.axes].name, {}
  for rank, tap in ipairs(group.taps) do
    local along = tap.offset[walk] or 0
    local text
    if along == 0 then
      text = sum.beside(tap.offset)
    elseif along < 0 then
      text = sum.window[context.plan.ahead + along]
    end
    if text then
      list[#list + 1] = { e = value(text), sign = tap.sign, rank = rank,
                          tap = tap }
    end
  end
  return list
end

-- The lines of the forward phase of one sum.
function M.forward(sum, context, width)
  local e
  for _, group in ipairs(sum.groups) do
    local taps = forward_taps(sum, context, group)
    e = taps[1] and plus(context, e, group.weight, signed_sum(taps)) or e
  end
  local names = context.names
  local lines = statement.code({ name = sum.made, value = e,
    comment = ("%s, what is beside and behind"):format(sum.value) },
    { type = context.kernel.compute, width = width, texts = {},
      value = function(name) return name end,
      load = function(text) return text end,
      host = function(name) return names.host[name] end })
  lines[#lines + 1] = ("%s = %s;"):format(sum.begun[context.plan.ahead],
    sum.made)
  return lines
end

-- Which taps a group has in the forward phase: 2 in the point's row alone, 3
-- behind it alone, 1 others.
local function kind_of(taps, axes)
  local off, behind = false, 0
  for _, tap in ipairs(taps) do
    for i = 2, #axes - 1 do
      off = off or (tap.offset[axes[i].name] or 0) ~= 0
    end
    behind = behind + ((tap.offset[axes[#axes].name] or 0) < 0 and 1 or 0)
  end
  return behind == #taps and 3 or (off or behind > 0) and 1 or 2
end

-- The groups that have taps in the forward phase, in the order that asks for
-- the fewest values at a time: by kind, then as they were.
local function begun_groups(sum, context)
  local list = {}
  for i, group in ipairs(sum.groups) do
    local parts, taps = forward_taps(sum, context, group), {}
    for k, part in ipairs(parts) do taps[k] = part.tap end
    list[#list + 1] = parts[1] and { group = group, parts = parts, taps = taps,
      rank = i, kind = kind_of(taps, context.axes) } or nil
  end
  table.sort(list, function(a, b)
    if a.kind ~= b.kind then return a.kind < b.kind end
    return a.rank < b.rank
  end)
  return list
end

-- The forward phase of one sum as steps, one for each such group: { taps,
-- value }, which adds to sum.made unless it is the first.
function M.steps(sum, context)
  local list = {}
  for i, begun in ipairs(begun_groups(sum, context)) do
    local before = i > 1 and { op = "raw", text = sum.made } or nil
    list[i] = { taps = begun.taps, value = plus(context, before,
      begun.group.weight, signed_sum(begun.parts)) }
  end
  return list
end

-- What completes a sum: the planes ahead of it.
function M.backward(sum, context)
  local walk = context.axes[#context.axes].name
  local e = { op = "raw", text = sum.begun[0] }
  for _, group in ipairs(sum.groups) do
    for _, tap in ipairs(group.taps) do
      local along = tap.offset[walk] or 0
      if along > 0 then
        local ahead = { op = "raw", text = sum.window[along] }
        e = plus(context, e, group.weight,
          tap.sign > 0 and ahead or { op = "neg", ahead })
      end
    end
  end
  return e
end

-- The loads that code and stores still read.
local function used(loads, code, stores)
  local ids, list = sums_in.loads(code, stores), {}
  for _, load in ipairs(loads) do
    if ids[load.id] then list[#list + 1] = load end
  end
  return list
end

-- The block with its sums completed instead of made: what is left to do for a
-- point when the walk gets there.
function M.completed(sums, context)
  local block, code = context.block, {}
  for i, entry in ipairs(block.code) do code[i] = entry end
  for _, sum in ipairs(sums) do
    for i, entry in ipairs(code) do
      if entry.name == sum.value then
        code[i] = { name = entry.name, value = M.backward(sum, context) }
      end
    end
  end
  return { loads = used(block.loads, code, block.stores), code = code,
           stores = block.stores }
end

-- "float lap_0 = 0.0f, lap_1 = 0.0f;": lines.
function M.declaration(sum, context)
  local compute, parts = context.kernel.compute, {}
  if context.rows.vec > 1 then
    return vectors.declared(context, table.move(sum.begun, 0,
      context.plan.ahead, 1, {}))
  end
  for i = 0, context.plan.ahead do
    parts[#parts + 1] = ("%s = %s"):format(sum.begun[i],
      number.literal("0", "1", compute))
  end
  return { ("%s %s;"):format(compute, table.concat(parts, ", ")) }
end

return M
