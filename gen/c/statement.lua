-- A block's code as lines of C: one assignment a line, long sums as running
-- sums with one group a line, columns aligned. The operations and their order
-- are those of the tree.

local access = require "gen.c.access"
local expression = require "gen.c.expression"
local lists = require "gen.list"

local M = {}

local WIDTH = 92                -- columns, unless the style says

-- Rows of cells to lines, each column as wide as its widest cell.
function M.columns(rows)
  local widths, lines = {}, {}
  for _, row in ipairs(rows) do
    for i = 1, #row - 1 do
      widths[i] = math.max(widths[i] or 0, #row[i])
    end
  end
  for _, row in ipairs(rows) do
    local cells = {}
    for i = 1, #row - 1 do
      cells[i] = row[i] .. (" "):rep(widths[i] - #row[i])
    end
    cells[#row] = row[#row]
    lines[#lines + 1] = table.concat(cells)
  end
  return lines
end

-- The left spine of a sum: its first term, then the steps that add to it.
local function spine(e)
  local steps = {}
  while e.op == "fma" or e.op == "add" or e.op == "sub" do
    table.insert(steps, 1, e)
    e = e.op == "fma" and e[3] or e[1]
  end
  return e, steps
end

-- Factors that bind as they stand, and have no sign.
local SIMPLE = { host = true, value = true, load = true }

local function is_pair(e)
  return (e.op == "add" or e.op == "sub") and e[1].op == "load"
    and e[2].op == "load"
end

-- The cells of a pair between `head` and `tail`: its operands in columns.
local function pair_row(head, pair, tail, mark, style)
  return { head, expression.text(pair[1], style),
    pair.op == "add" and " + " or " - ",
    expression.text(pair[2], style) .. mark, tail }
end

-- name = fma(w, p + q, name);
local function fma_row(name, e, style)
  local head = ("%s = %s(%s, "):format(name,
    expression.function_name("fma", style), expression.text(e[1], style))
  local tail = (" %s);"):format(name)
  if is_pair(e[2]) then return pair_row(head, e[2], tail, ",", style) end
  return { head, expression.text(e[2], style) .. "," .. tail }
end

-- name = name + w * (p + q);
local function product_row(name, e, style)
  local product = e[2]
  local head = ("%s = %s %s %s * ("):format(name, name,
    e.op == "add" and "+" or "-", expression.text(product[1], style))
  return pair_row(head, product[2], nil, ");", style)
end

-- The cells of one step of a running sum.
local function step_row(name, e, style)
  if e.op == "fma" then return fma_row(name, e, style) end
  if e[2].op == "mul" and is_pair(e[2][2]) and SIMPLE[e[2][1].op] then
    return product_row(name, e, style)
  end
  local sum = { op = e.op, { op = "raw", text = name }, e[2] }
  return { ("%s = %s;"):format(name, expression.text(sum, style)) }
end

local function width_of(style) return style.width or WIDTH end

-- The steps of `name = sum`: { from = what is read, cells of its line }, the
-- first without cells; nil where the sum is short.
local function steps_of(name, e, style)
  local first, steps = spine(e)
  if #steps < 3 then return nil end
  local list = { { from = { first },
    cells = { ("%s = %s;"):format(name, expression.text(first, style)) } } }
  for i, step in ipairs(steps) do
    list[i + 1] = { cells = step_row(name, step, style),
      from = step.op == "fma" and { step[1], step[2] } or { step[2] } }
  end
  return list
end

-- Are lines of some width wider than a style asks for?
local function too_wide(lines, style)
  for _, line in ipairs(lines) do
    if #line > width_of(style) then return true end
  end
  return false
end

-- `name = sum` one group a line; nil if a line would still be too wide.
local function running_sum(name, e, style)
  local steps, rows = steps_of(name, e, style), {}
  if not steps then return nil end
  for i = 2, #steps do rows[i - 1] = steps[i].cells end
  local lines = { style.type .. " " .. steps[1].cells[1] }
  lists.append(lines, M.columns(rows))
  return not too_wide(lines, style) and lines or nil
end

-- The steps of a long sum into `name`, which is declared before: { from = what
-- each reads, cells of its line, for `columns` }; nil if it has no steps, or
-- one is too wide.
function M.steps(name, e, style)
  local steps, rows = steps_of(name, e, style), {}
  for i, step in ipairs(steps or {}) do rows[i] = step.cells end
  return not too_wide(M.columns(rows), style) and steps or nil
end

-- `prefix value;` over as many lines as its width asks for.
function M.assignment(prefix, value, style, suffix)
  local lines = expression.lines(value, style, #prefix,
    width_of(style) - #(suffix or "") - 1)
  for i, line in ipairs(lines) do
    lines[i] = (i == 1 and prefix or (" "):rep(#prefix)) .. line
  end
  lines[#lines] = lines[#lines] .. (suffix or "") .. ";"
  return lines
end

-- One entry of `code`: its statement, a running sum under its comment.
function M.code(entry, style)
  local name = style.value(entry.name)
  local sum = running_sum(name, entry.value, style)
  if sum and entry.comment then
    table.insert(sum, 1, ("/* %s */"):format(entry.comment))
  end
  return sum or M.assignment(("const %s %s = "):format(style.type, name),
    entry.value, style)
end

-- One store into the place `target`, of type `storage`, or what it adds there,
-- whoever else does.
function M.store(target, storage, value, style, adds)
  if adds then
    return M.assignment(("atomicAdd(&%s, "):format(target), value, style, ")")
  end
  local conversion = access.conversion(storage, style.type)
  if not conversion then
    return M.assignment(target .. " = ", value, style)
  end
  return M.assignment(("%s = %s("):format(target, conversion), value, style,
    ")")
end

return M
