-- What fields are beyond the faces of a domain, twice: by the words of the
-- language, one axis after the other, and as lowered blocks say it, in the order
-- of operations of gen/README.md.

local M = {}

local function moved(index, axis, i)
  local other = {}
  for name, at in pairs(index) do other[name] = at end
  other[axis] = i
  return other
end

-- The side of an axis beyond which an index lies, nil inside.
local function side_of(i, n)
  return i < 0 and "low" or i >= n and "high" or nil
end

-- Mirrored about the outermost point, or half a point beyond it.
local function mirrored(i, n, side, about)
  local first, last = 0, n - 1
  local outermost = side == "low" and first or last
  if about == "point" then return outermost - (i - outermost) end
  local face = side == "low" and outermost - 0.5 or outermost + 0.5
  return math.tointeger(face - (i - face))
end

-- The field at an index, wherever it is. inside(index): its datum there or in a
-- halo; constant(id): a node of numbers and scalars; n: extents.
function M.by_words(model, field, index, n, inside, constant)
  local function at(there)
    return M.by_words(model, field, there, n, inside, constant)
  end
  for _, axis in ipairs(model.axes) do
    local i = index[axis]
    local side = i and side_of(i, n[axis])
    local b = side and field.boundary[axis][side]
    if b and b.kind == "periodic" then
      while i < 0 do i = i + n[axis] end
      while i >= n[axis] do i = i - n[axis] end
      return at(moved(index, axis, i))
    elseif b and b.kind == "constant" then
      return constant(b.value)
    elseif b and b.kind ~= "halo" then
      local image = mirrored(i, n[axis], side, b.about)
      local there = at(moved(index, axis, image))
      if b.kind == "odd" then return 2 * constant(b.value) - there end
      local h = model.spaces[axis].spacing
      h = not h and 0 or type(h) == "string" and constant(h)
        or tonumber(h.n) / tonumber(h.d)
      return there + constant(b.slope) * (math.abs(i - image) * h)
    end
  end
  return inside(index)
end

-- The faces of a block that tell of a field, or nil.
local function faces_of(block, field)
  for _, f in ipairs(block.faces or {}) do
    if f.field == field then return f end
  end
end

local IMAGE = {
  low  = { face = function(i) return -1 - i end,
           point = function(i) return -i end },
  high = { face = function(i, n) return 2 * n - 1 - i end,
           point = function(i, n) return 2 * n - 2 - i end } }

local function as_it_is(a) return a end

-- One axis of a fold { i, sign, addend, round }; true if nothing is read any
-- more.
local function fold(f, side, b, n, value)
  local round = f.round
  if b.kind == "periodic" then
    f.i = f.i % n
    return false
  elseif b.kind == "constant" then
    f.addend = round(f.sign * value(b.value) + f.addend)
    return true
  end
  local image = IMAGE[side][b.about](f.i, n)
  if b.kind == "odd" then
    f.addend = round(f.addend + f.sign * 2 * value(b.value))
    f.sign = -f.sign
  else
    f.addend = round(f.sign * value(b.slope) * math.abs(f.i - image) + f.addend)
  end
  f.i = image
  return false
end

-- A load of a block at an index. inside(index); value(E or nil); round: to the
-- compute type.
function M.by_faces(block, field, index, n, inside, value, round)
  local faces = faces_of(block, field)
  local f = { sign = 1, addend = 0, round = round or as_it_is }
  for _, entry in ipairs(faces and faces.axes or {}) do
    local axis = entry.axis
    local side = side_of(index[axis], n[axis])
    local b = side and entry[side]
    if b then
      f.i = index[axis]
      if fold(f, side, b, n[axis], value) then return f.addend end
      index = moved(index, axis, f.i)
    end
  end
  assert(not faces or faces.signed or f.sign == 1, "a sign where none is said")
  assert(not faces or faces.added or f.addend == 0, "an addend likewise")
  return f.round(f.sign * inside(index) + f.addend)
end

-- Whether every image that a block reads from, at any point, is there.
function M.has_images(block, n)
  for _, image in ipairs(block.images) do
    local points = n[image.axis] - (image.about == "point" and 1 or 0)
    if image.reach > points then return false end
  end
  return true
end

return M
