-- The functions of the reference that read a field at a place, and what they
-- return beyond the faces of the domain: one axis after the other, each as the
-- language defines it.

local access = require "gen.c.access"
local arithmetic = require "gen.c.reference_arithmetic"
local axes_of = require "gen.lower.axes"
local extent = require "gen.extent"
local slab = require "gen.c.reference_slab"

local M = {}

-- The index of a place along an axis of the field, which lies at `at`.
local function index_text(k, at)
  if not at or at == 0 then return ("q.half[%d] / 2"):format(k) end
  return ("(q.half[%d] %s 1) / 2"):format(k, at > 0 and "-" or "+")
end

local IMAGE = {
  low  = { face = "-1 - i[%d]", point = "-i[%d]" },
  high = { face = "2 * %s - 1 - i[%d]", point = "2 * %s - 2 - i[%d]" },
}

-- The points of a field along an axis.
local function extent_of(w, field, axis)
  return extent.text(field, axis, ("in->n[%d]"):format(w.position[axis]))
end

-- The index that a side's value is taken from; n: the points there are.
local function source(side, b, i, n)
  if b.kind == "periodic" then
    return ("wrapped(i[%d], %s)"):format(i, n)
  elseif side == "low" then
    return IMAGE.low[b.about]:format(i)
  end
  return IMAGE.high[b.about]:format(n, i)
end

local function is_zero(w, id)
  return not id or arithmetic.is_number(w.nodes[id], "0")
end

-- The spacing of an axis, as a double.
local function spacing(w, axis)
  local h = w.model.spaces[axis].spacing
  if type(h) == "string" then return w.names.scalar(h) end
  return ("(%s.0 / %s.0)"):format(h.n, h.d)
end

-- What a side makes of `there`, the number at its source; nil: nothing.
local function result(w, b, axis, i)
  if b.kind == "odd" then
    if is_zero(w, b.value) then return "negative(there)" end
    return ("add(scaled(exact(2.0), %s), negative(there))"):format(
      w.operand(b.value))
  elseif b.kind == "even" and not is_zero(w, b.slope) then
    return ("add(there, scaled(%s, rounded((double)llabs(image - i[%d]) "
      .. "* %s)))"):format(w.operand(b.slope), i, spacing(w, axis))
  end
end

-- The lines that give the number beyond one side.
local function side_lines(w, field, name, axis, side, i)
  local b, k, at = field.boundary[axis][side], w.position[axis], field.at[axis]
  if b.kind == "constant" then
    return { ("return %s;"):format(w.operand(b.value)) }
  end
  local there = ("%s(in, moved(q, %d, 2 * image%s));"):format(name, k,
    at == 0 and "" or at > 0 and " + 1" or " - 1")
  local image = ("const int64_t image = %s;"):format(source(side, b, i,
    extent_of(w, field, axis)))
  local text = result(w, b, axis, i)
  if not text then return { image, "return " .. there } end
  return { image, "const struct number there = " .. there,
    ("return %s;"):format(text) }
end

local function side_of(w, field, name, axis, side, i)
  return { lines = side_lines(w, field, name, axis, side, i),
    test = side == "low" and ("i[%d] < 0"):format(i)
      or ("i[%d] >= %s"):format(i, extent_of(w, field, axis)) }
end

-- The axes of a field in the order of the spec.
local function in_order(w, field)
  local axes = table.move(field.axes, 1, #field.axes, 1, {})
  table.sort(axes, function(a, b)
    return w.model.spaces[a].rank < w.model.spaces[b].rank
  end)
  return axes
end

local STORED = { halo = true, none = true }     -- none: the end of levels

-- The sides of a field where something is answered, axis after axis.
local function sides(w, field, name)
  local list, index = {}, {}
  for i, axis in ipairs(field.on) do index[axis] = i - 1 end
  for _, axis in ipairs(in_order(w, field)) do
    for _, side in ipairs { "low", "high" } do
      local b = field.boundary[axis][side]
      if not STORED[b.kind] then
        list[#list + 1] = side_of(w, field, name, axis, side, index[axis])
      end
    end
  end
  return list
end

-- The model's nodes that the boundaries of a field are made of.
function M.constants(field)
  local list = {}
  for _, axis in ipairs(field.axes) do
    for _, side in ipairs { "low", "high" } do
      local b = field.boundary[axis][side]
      list[#list + 1] = b.value
      list[#list + 1] = b.slope
    end
  end
  return list
end

-- { name, strides, indices (one per axis of the field), element, sides } of the
-- function that reads one time level.
function M.view(w, name, array, field)
  local indices, terms = {}, {}
  for i, axis in ipairs(axes_of.of_field(w.model, field)) do
    indices[i] = index_text(w.position[axis], field.at[axis])
    terms[i] = ("%s * s[%d]"):format(slab.place(w.model, field, axis,
      ("i[%d]"):format(i - 1), "in->a"), i - 1)
  end
  return { name = name, strides = array.strides,
    indices = table.concat(indices, ", "),
    element = access.element("in->a->" .. array.member,
      table.concat(terms, " + "), field.type, w.compute),
    sides = sides(w, field, name) }
end

return M
