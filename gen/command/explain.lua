-- `quern explain`: what a kernel reads, writes and computes per point, and how
-- fast the memory or the arithmetic of a device lets it be.

local driver = require "gen.driver"
local lists = require "gen.list"
local outcome = require "gen.command.outcome"
local resources = require "gen.command.resources"
local schedule = require "gen.schedule"
local strides = require "gen.schedule.strides"
local timing = require "gen.command.timing"
local turned = require "gen.schedule.turned"

local M = {}

-- One H200: a stream kernel's bytes per second, and the peak of its multiply-
-- adds, in 10^9; --bandwidth and --peak say otherwise. Processors that C runs
-- on are all kinds of things.
local BANDWIDTH = { cuda = 4400, simt = 4400 }
local PEAK = { float = 66900, double = 33500 }

local WIDTH = 78                -- columns of a list that is folded

local function row(label, text, ...)
  print(("  %-11s %s"):format(label, text:format(...)))
end

-- Prints a list of words after a label, in lines of at most WIDTH columns.
local function list(label, words)
  local line = ""
  for _, word in ipairs(words) do
    if #line > 0 and 14 + #line + 2 + #word > WIDTH then
      row(label, "%s,", line)
      label, line = "", ""
    end
    line = #line > 0 and line .. ", " .. word or word
  end
  row(label, "%s", #line > 0 and line or "-")
end

local function span(reach)
  if reach[1] == 0 and reach[2] == 0 then return "0" end
  return ("%d..%d"):format(-reach[1], reach[2])
end

local function spans(reach, axes)
  local parts = {}
  for i, axis in ipairs(axes) do
    parts[i] = axis .. " " .. span(reach[axis] or { 0, 0 })
  end
  return table.concat(parts, ", ")
end

local INFIX = { add = " + ", sub = " - ", mul = "*", div = "/" }

local formula

local LEVEL = { add = 1, sub = 1, mul = 2, div = 2, neg = 3, pow = 4 }
local CHAINS = { add = true, mul = true }

-- How tightly an expression binds, as it is written.
local function level(e)
  if e.op ~= "literal" then return LEVEL[e.op] or 5 end
  if e.d ~= "1" then return LEVEL.div end
  return e.n:sub(1, 1) == "-" and LEVEL.neg or 5
end

-- An operand, in brackets where it would be read otherwise without.
local function operand(e, parent, place)
  local text, inner, outer = formula(e), level(e), LEVEL[parent.op] or 0
  local joins = INFIX[parent.op] and place == 1
    or e.op == parent.op and CHAINS[e.op]
  local loose = inner < outer or inner == outer and not joins
  return loose and "(" .. text .. ")" or text
end

-- A host expression as it would stand in a formula.
function formula(e)
  if e.op == "literal" then
    return e.d == "1" and e.n or e.n .. "/" .. e.d
  end
  if e.op == "scalar" or e.op == "host" then return e.name end
  local arguments = {}
  for i, child in ipairs(e) do arguments[i] = operand(child, e, i) end
  local infix = INFIX[e.op] or e.cmp and " " .. e.cmp .. " "
  if infix then return table.concat(arguments, infix) end
  if e.op == "pow" then return ("%s^%d"):format(arguments[1], e.exponent) end
  if e.op == "neg" then return "-" .. arguments[1] end
  local called = e.fn or e.op == "select" and "where" or e.op
  return ("%s(%s)"):format(called, table.concat(arguments, ", "))
end

-- What the host computes once per launch; a scalar as it came is not.
local function hoisted(block)
  local words = {}
  for _, entry in ipairs(block.host) do
    if entry.value.op ~= "scalar" then
      words[#words + 1] = entry.name .. " = " .. formula(entry.value)
    end
  end
  return words
end

-- The arrays among loads or stores, in order, each with how many of its points
-- are used where that is more than one.
local function arrays(entries)
  local names, count = {}, {}
  for _, entry in ipairs(entries) do
    local name = entry.buffer
    if not count[name] then names[#names + 1] = name end
    count[name] = (count[name] or 0) + 1
  end
  for i, name in ipairs(names) do
    if count[name] > 1 then names[i] = ("%s at %d points"):format(name,
      count[name]) end
  end
  return names
end

-- "dd(u)", where what the stencil reads is a field.
local function applied(stencil)
  local operator = stencil.operator or "sum"
  return stencil.field and ("%s(%s)"):format(operator, stencil.field)
    or operator
end

local function stencils(block, axes)
  for _, stencil in ipairs(block.stencils) do
    local weights = #stencil.groups
    row(applied(stencil), "%s of %d taps, %d weight%s; %s", stencil.kind,
      stencil.taps, weights, weights == 1 and "" or "s",
      spans(stencil.reach, axes))
  end
end

local function bound(block, options, compute)
  local known = BANDWIDTH[options.backend]
  local bandwidth = options.bandwidth or known
  local peak = options.peak or known and (PEAK[compute] or PEAK.float)
    or math.huge
  local counts = block.counts
  if not bandwidth then
    row("bound", "by --bandwidth, as `bench` finds it for a stream, and --peak")
    return
  end
  local memory = bandwidth / counts.bytes
  local arithmetic = counts.flops > 0 and peak / counts.flops or math.huge
  if memory <= arithmetic then
    row("bound", "%.1f Gpoint/s by memory, %g GB/s / %d bytes", memory,
      bandwidth, counts.bytes)
  else
    row("bound", "%.1f Gpoint/s by arithmetic, %g Gflop/s / %d flops",
      arithmetic, peak, counts.flops)
  end
end

-- The tables of a block, and how a kernel can find neighbours by them.
local function neighbours(lowered, block)
  local words, own = {}, strides.tables(lowered, block)
  for _, of in ipairs(lowered.tables or {}) do
    local how = of.affine and "by arithmetic"
      or lists.contains(own, of.name) and "by entries, or strides"
      or "by entries"
    words[#words + 1] = lists.contains(block.tables or {}, of.name)
      and ("%s (%s)"):format(of.name, how) or nil
  end
  return words
end

-- The ragged tables that a block's loops go over, each once: its counts take
-- a row of one as a single entry.
local function ragged(lowered, code, found)
  for _, entry in ipairs(code) do
    local loop = entry.loop
    if loop then
      local of = lists.find(lowered.tables, "name", loop.table)
      if of and of.ragged and not lists.contains(found, of.name) then
        found[#found + 1] = of.name
      end
      ragged(lowered, entry.code, found)
    end
  end
  return found
end

local function costs(kernel, block, lowered)
  local counts = block.counts
  local rows = ragged(lowered, block.code, {})
  row("accesses", "%d loaded, %d stored", counts.loads, counts.stores)
  row("flops", "%d per point, a multiply-add is two", counts.flops)
  row("bytes", "%d per point, each array moved once", counts.bytes)
  if rows[1] then
    row("", "accesses and flops count one entry in each row of %s",
      table.concat(rows, ", "))
  end
  if kernel.domain then
    row("", "bytes count no tables, and all domains as if of equal size")
  end
  row("intensity", "%.2f flops per byte", counts.flops / counts.bytes)
end

local function explain(kernel, block, lowered, options)
  print(("\n%s%s"):format(kernel.name,
    block.region and ", region " .. block.region or ""))
  stencils(block, lowered.axes)
  list("reads", arrays(block.loads))
  list("writes", arrays(block.stores))
  if kernel.way then row("adds by", "%s", kernel.way) end
  if kernel.domain then list("neighbours", neighbours(lowered, block)) end
  if kernel.domain and options.backend == "c" then
    row("tiles", "%s", turned.verdict(lowered, kernel, block))
  end
  costs(kernel, block, lowered)
  list("hoisted", hoisted(block))
  bound(block, options, kernel.compute)
end

-- What the declaration asks for beside it.
local function asked(field)
  local parts = {}
  for _, axis in ipairs(field.halo and field.axes or {}) do
    local width = field.halo[axis]
    parts[#parts + 1] = width and ("; at least %d along %s"):format(width, axis)
  end
  return table.concat(parts)
end

local function halo(lowered)
  print("\nhalo")
  for _, field in ipairs(lowered.fields) do
    row(field.name, "%s%s", spans(field.reach, field.axes), asked(field))
  end
end

function M.run(options)
  options.stop_after = "lower"
  local state, problems = driver.run(options)
  if not state then return outcome.refused(problems) end
  local lowered = state.lowered
  local kernels, unknown = schedule.kernels(lowered, options)
  if not kernels then return outcome.refused(unknown) end
  print(("%s: stored as %s, computed in %s, axes %s"):format(lowered.instance,
    lowered.storage, lowered.compute, table.concat(lowered.axes, ", ")))
  for _, kernel in ipairs(kernels) do
    for _, block in ipairs(kernel.blocks) do
      explain(kernel, block, lowered, options)
    end
  end
  halo(lowered)
  local status, text = 0, nil
  if options.timed then status, text = timing.run(options) end
  if status == 0 and (options.surveyed or options.fail_on) then
    return resources.run(options)
  end
  return status, text
end

return M
