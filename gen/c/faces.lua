-- What a kernel reads of a field beyond faces that have no halo: the body of a
-- function of the index, which folds it axis by axis, in the order of the grid,
-- and collects a sign and an addend (gen/README.md, Boundaries).

local access = require "gen.c.access"
local expression = require "gen.c.expression"
local extent = require "gen.extent"
local number = require "gen.c.number"
local lists = require "gen.list"

local M = {}

local function raw(text) return { op = "raw", text = text } end

-- The sign times a factor.
local function signed(w, factor)
  return w.face.signed and { op = "mul", raw "sign", factor } or factor
end

local function text(w, e) return expression.text(e, w.style) end

-- The index of the image of `i` beyond one side; 2n is not computed, as it may
-- need one bit more.
local function image(i, n, side, about)
  if side == "low" then return about == "face" and "-1 - " .. i or "-" .. i end
  return ("%s - %d - (%s - %s)"):format(n, about == "face" and 1 or 2, i, n)
end

-- addend + sign * slope * distance, as one fma under strict.
local function sloped(w, slope, distance)
  local addend = raw "addend"
  if w.fp == "strict" then
    return { op = "fma", signed(w, slope), distance, addend }
  end
  return { op = "add", addend, { op = "mul", signed(w, slope), distance } }
end

local SIDE = {}         -- by kind: (w, side, i, n) -> lines

function SIDE.periodic(_, _, i, n)
  return { ("%s = (%s %% %s + %s) %% %s;"):format(i, i, n, n, n) }
end

function SIDE.even(w, side, i, n)
  local there = image(i, n, side.name, side.about)
  if not side.slope then return { ("%s = %s;"):format(i, there) } end
  local away = side.name == "low" and "image - " .. i or i .. " - image"
  return { ("const %s image = %s;"):format(w.index, there),
    ("addend = %s;"):format(text(w, sloped(w, side.slope,
      raw(("(%s)(%s)"):format(w.compute, away))))),
    i .. " = image;" }
end

function SIDE.odd(w, side, i, n)
  local lines = {}
  if side.value then
    local twice = signed(w, { op = "literal", n = "2", d = "1" })
    lines[1] = ("addend = %s;"):format(text(w, { op = "add", raw "addend",
      { op = "mul", twice, side.value } }))
  end
  lines[#lines + 1] = "sign = -sign;"
  lines[#lines + 1] = ("%s = %s;"):format(i,
    image(i, n, side.name, side.about))
  return lines
end

-- What is returned for `value`, nil for nothing but the addend.
local function result(w, value)
  local e = value and signed(w, value)
  if w.face.added then
    e = e and { op = "add", e, raw "addend" } or raw "addend"
  end
  return ("return %s;"):format(text(w, e
    or { op = "literal", n = "0", d = "1" }))
end

function SIDE.constant(w, side) return { result(w, side.value) } end

-- The branches of one axis, { test, lines }.
local function branches(w, axis)
  local i, n = w.names.axis[axis.axis], w.extent[axis.axis]
  local below, above = i .. " < 0", ("%s >= %s"):format(i, n)
  local low, high = axis.low, axis.high
  if low and high and low.kind == "periodic" and high.kind == "periodic" then
    return { { test = below .. " || " .. above,
               lines = SIDE.periodic(w, low, i, n) } }
  end
  local list = {}
  for _, name in ipairs { "low", "high" } do
    local b = axis[name]
    local side = b and { name = name, about = b.about, value = b.value,
      slope = b.slope }
    list[#list + 1] = b and { test = name == "low" and below or above,
      lines = SIDE[b.kind](w, side, i, n) } or nil
  end
  return list
end

-- `if`, `else if` over the branches; braces where one has several lines.
local function conditions(list)
  local lines, braced = {}, false
  for _, branch in ipairs(list) do braced = braced or #branch.lines > 1 end
  local open, close = braced and " {" or "", braced and "} " or ""
  for i, branch in ipairs(list) do
    lines[#lines + 1] = ("%sif (%s)%s"):format(
      i > 1 and close .. "else " or "", branch.test, open)
    for _, line in ipairs(branch.lines) do
      lines[#lines + 1] = "    " .. line
    end
  end
  lines[#lines + 1] = braced and "}" or nil
  return lines
end

local function words(side)
  return side.kind .. (side.about and " about the " .. side.about or "")
end

-- "/* y: odd about the face below, constant above. */"
local function comment(name, low, high)
  local said
  if low and high and words(low) == words(high) then
    said = words(low)
  else
    local parts = {}
    parts[1] = low and words(low) .. " below" or nil
    parts[#parts + 1] = high and words(high) .. " above" or nil
    said = table.concat(parts, ", ")
  end
  return ("/* %s: %s. */"):format(name, said)
end

-- "x + y * e->u_y".
local function place(w, field)
  local terms = {}
  for i, axis in ipairs(field.axes) do
    local index, stride = w.names.axis[axis], w.names.stride[field.name][axis]
    if stride ~= "" then
      index = ("%s * %s%s"):format(index, i > 1 and w.edge or "", stride)
    end
    terms[i] = index
  end
  return table.concat(terms, " + ")
end

local function start(w)
  local first = {}
  if w.face.signed then
    first[1] = "sign = " .. number.literal("1", "1", w.compute)
  end
  if w.face.added then
    first[#first + 1] = "addend = " .. number.literal("0", "1", w.compute)
  end
  return first[1] and { ("%s %s;"):format(w.compute,
    table.concat(first, ", ")) } or {}
end

-- The lines of the function's body. how = { array = the name of its array,
-- edge = "e->", where extents, strides and what is added are; index = the type
-- of indices; fp }.
function M.body(face, field, compute, names, how)
  local w = { face = face, names = names, compute = compute, fp = how.fp,
    edge = how.edge, index = how.index, extent = {} }
  for _, axis in ipairs(field.axes) do
    w.extent[axis] = extent.text(field, axis, how.edge .. names.extent[axis])
  end
  w.style = { type = compute,
    host = function(name) return how.edge .. names.host[name] end }
  local lines = start(w)
  for _, axis in ipairs(face.axes) do
    lines[#lines + 1] = comment(axis.axis, axis.low, axis.high)
    lists.append(lines, conditions(branches(w, axis)))
  end
  local element = access.element(how.array, place(w, field), field.type,
    compute)
  lines[#lines + 1] = result(w, raw(element))
  if not table.concat(lines):find(how.edge, 1, true) then
    table.insert(lines, 1, "(void)edge;")
  end
  return lines
end

return M
