-- The sums of semi as expressions and lines: how one begins when its plane is
-- the newest, how it is completed when the walk gets there.

local number = require "gen.c.number"
local statement = require "gen.c.statement"
local stream_text = require "gen.c.stream"

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

-- Where a tap of the newest plane is, or nil if it is in another plane.
local function beside(sum, context, tap)
  local axes, stream, offset = context.axes, sum.stream, {}
  if (tap.offset[axes[#axes].name] or 0) ~= 0 then return nil end
  local any = false
  for i = 1, #axes - 1 do
    offset[i] = tap.offset[axes[i].name] or 0
    any = any or offset[i] ~= 0
  end
  return any and stream.tile .. stream_text.in_plane(stream, offset)
    or stream.window[context.plan.ahead]
end

-- The taps of a group that the forward phase adds: those beside the point, in
-- the newest plane, and those behind it.
local function forward_taps(sum, context, group)
  local walk, list = context.axes[#context.axes].name, {}
  for rank, tap in ipairs(group.taps) do
    local along = tap.offset[walk] or 0
    local text = beside(sum, context, tap)
      or along < 0 and sum.stream.window[context.plan.ahead + along]
    if text then
      list[#list + 1] = { e = value(text), sign = tap.sign, rank = rank }
    end
  end
  return list
end

-- The lines of the forward phase of one sum.
function M.forward(sum, context)
  local e
  for _, group in ipairs(sum.groups) do
    local taps = forward_taps(sum, context, group)
    e = taps[1] and plus(context, e, group.weight, signed_sum(taps)) or e
  end
  local names = context.names
  local lines = statement.code({ name = sum.made, value = e,
    comment = ("%s, what is beside and behind"):format(sum.value) },
    { type = context.kernel.compute, width = 84, texts = {},
      value = function(name) return name end,
      load = function(text) return text end,
      host = function(name) return names.host[name] end })
  lines[#lines + 1] = ("%s = %s;"):format(sum.begun[context.plan.ahead],
    sum.made)
  return lines
end

-- What completes a sum: the planes ahead of it.
function M.backward(sum, context)
  local walk = context.axes[#context.axes].name
  local e = { op = "raw", text = sum.begun[0] }
  for _, group in ipairs(sum.groups) do
    for _, tap in ipairs(group.taps) do
      local along = tap.offset[walk] or 0
      if along > 0 then
        local ahead = { op = "raw", text = sum.stream.window[along] }
        e = plus(context, e, group.weight,
          tap.sign > 0 and ahead or { op = "neg", ahead })
      end
    end
  end
  return e
end

-- "float lap_0 = 0.0f, lap_1 = 0.0f;"
function M.declaration(sum, context)
  local compute, parts = context.kernel.compute, {}
  for i = 0, context.plan.ahead do
    parts[#parts + 1] = ("%s = %s"):format(sum.begun[i],
      number.literal("0", "1", compute))
  end
  return ("%s %s;"):format(compute, table.concat(parts, ", "))
end

return M
