-- The steps of a walk of st_tma whose sums are split: values and sums of as
-- many planes as a step has to do with stay in arrays of registers, and
-- unrolled steps take turns in them.

local access = require "gen.c.access"
local phases = require "gen.c.phases"
local ring = require "gen.c.ring"
local ring_steps = require "gen.emit.ring_steps"
local statement = require "gen.c.statement"
local sums = require "gen.emit.sums"
local text = require "gen.c.text"

local M = {}

-- The place of what is r planes from the point, in step k of `period`.
local function turn(name, r, period)
  return ("%s[%s]"):format(name, r == 0 and "k"
    or ("(k + %d) %% %d"):format(r, period))
end

-- A value beside the point, in a row of the newest plane; e: which of them.
local function beside(w, stream, offset)
  local x, y = offset[w.axes[1].name] or 0, offset[w.axes[2].name] or 0
  local row = stream.by_key[y]
  if x == 0 and y == 0 then
    return stream.window[w.scatter.ahead] .. "[j][e]"
  end
  return access.at(row.name, ring.element(x + row.below))
end

-- The sums of a plan with the names of what has begun.
local function named_sums(w, stream)
  local list, names, ahead = {}, w.context.names, w.scatter.ahead
  for n, planned in ipairs(w.scatter.sums) do
    local sum = { value = planned.value, groups = planned.groups,
      begun = {}, window = {},
      beside = function(offset) return beside(w, stream, offset) end }
    local name = names.value(sum.value)
    sum.array, sum.new = names.claim(name .. "_begun"),
      names.claim(name .. "_new")
    sum.made = sum.new .. "[e]"
    for r = 0, ahead do
      sum.begun[r] = turn(sum.array, r, ahead + 1) .. "[j][e]"
      sum.window[r] = stream.window[r] .. "[j][e]"
    end
    list[n] = sum
  end
  return list
end

-- The values of the thread's column behind the first plane, from memory.
local function behind_lines(w, stream, array)
  local lines, names = {}, w.context.names
  local field = w.context.by_name[stream.field]
  for r = 0, w.scatter.ahead - 1 do
    lines[r + 1] = ("quern_read(%s[%d][j], &%s[%s + j * %s]);"):format(array, r,
      names.array[stream.buffer], text.place(field,
        { [w.axes[3].name] = r - w.scatter.ahead }, names),
      names.stride[field.name][w.axes[2].name])
  end
  return lines
end

-- Registers: what they are, what they hold before the first step.
local function add_registers(values, w, stream, array, list)
  local compute, period = w.context.kernel.compute, w.scatter.ahead + 1
  values.windows = { ("%s %s[%d][%d][%d] = {};"):format(
    access.type(stream.type), array, period, w.rows, w.vector) }
  for _, sum in ipairs(list) do
    table.insert(values.windows, ("%s %s[%d][%d][%d] = {};"):format(compute,
      sum.array, period, w.rows, w.vector))
  end
  values.window, values.behind = values.windows, behind_lines(w, stream, array)
  values.priming = {}
end

-- The rows of the newest plane that some taps need.
local function rows_of(w, stream, taps)
  local list = {}
  for _, tap in ipairs(taps) do
    local x, y, z = tap.offset[w.axes[1].name] or 0,
      tap.offset[w.axes[2].name] or 0, tap.offset[w.axes[3].name] or 0
    if z == 0 and (x ~= 0 or y ~= 0) then
      list[#list + 1] = stream.by_key[y]
    end
  end
  return list
end

-- What a plane that comes is read for, and what it begins, in parts.
local function forward_parts(w, stream, list)
  local window = { [0] = stream.window[w.scatter.ahead] }
  local own = setmetatable({ window = window }, { __index = stream })
  for _, row in ipairs(stream.rows) do
    row.line = ring.row_line(own, row, stream.slot, w.vector)
  end
  local style = { type = w.context.kernel.compute, width = 72, texts = {},
    load = function(name) return name end,
    host = function(name) return w.context.names.host[name] end }
  local parts = sums.new()
  for _, sum in ipairs(list) do
    for _, step in ipairs(phases.steps(sum, w.context)) do
      local rows = rows_of(w, stream, step.taps)
      for _, line in ipairs(statement.assignment(sum.made .. " = ", step.value,
                            style)) do
        sums.add(parts, rows, { line })
      end
    end
  end
  return sums.view(parts)
end

local function add_forward(values, w, stream, list)
  values.newest = { ring.read_window(stream, w.scatter.ahead, stream.slot) }
  values.begun = {}
  for i, sum in ipairs(list) do
    values.begun[i] = ("%s (&%s)[%d] = %s[j];"):format(
      w.context.kernel.compute, sum.new, w.vector,
      turn(sum.array, w.scatter.ahead, w.scatter.ahead + 1))
  end
  values.forward = forward_parts(w, stream, list)
end

-- Adds all of it for one walk.
function M.add(values, w)
  local stream, ahead = w.streams[1], w.scatter.ahead
  local array = w.context.names.claim(stream.buffer .. "_near")
  for r = 0, ahead do stream.window[r] = turn(array, r, ahead + 1) end
  local list = named_sums(w, stream)
  values.ahead, values.period = ahead, ahead + 1
  values.before = ahead == 1 and "one plane before"
    or ahead .. " planes before"
  add_registers(values, w, stream, array, list)
  add_forward(values, w, stream, list)
  values.point_reads = ring_steps.point_reads(w)
  ring_steps.add_results(values, w)
  values.body = ring_steps.whole_body(w, phases.completed(list, w.context))
end

return M
