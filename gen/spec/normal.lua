-- The normal forms of what a declaration says: formulas become texts, short
-- ways of writing become long ones. gen/README.md lists the forms.

local diag = require "gen.diag"
local locate = require "gen.spec.locate"
local types = require "gen.spec.types"

local M = {}

-- The keys that are not the schema's own: axes, regions, lists; in the order
-- written where that is known, else by name.
local function other_keys(finder, argument, known)
  local names = {}
  for key in next, argument do
    if type(key) == "string" and not known[key] then
      names[#names + 1] = key
    end
  end
  local function place(name)
    local pos, found = locate.key(finder, name)
    return found and pos.offset or 0
  end
  table.sort(names, function(a, b)
    if place(a) ~= place(b) then return place(a) < place(b) end
    return a < b
  end)
  return names
end

M.other_keys = other_keys

local function texts(finder, list, key)
  local out = {}
  for i, value in ipairs(list) do out[i] = locate.text(finder, value, key) end
  return out
end

local function bounds(finder, value, key)
  return { locate.text(finder, value[1], key),
           locate.text(finder, value[2], key) }
end

-- kernel and request: one block per formula.
local function blocks(finder, argument, keys, known, report)
  keys.blocks = {}
  if types.formula.accept(argument[2]) then
    keys.blocks[1] = { text = locate.text(finder, argument[2]) }
  elseif argument[2] ~= nil then
    report(diag.new(finder.pos, "found %s, wanted a formula",
                    types.show(argument[2])))
  end
  for _, name in ipairs(other_keys(finder, argument, known)) do
    table.insert(keys.blocks, { name = name,
      name_pos = locate.key(finder, name),
      text = locate.text(finder, argument[name], name) })
  end
  if keys.colours then keys.colours = texts(finder, keys.colours, "colours") end
end

local function shell(finder, value)
  if type(value) ~= "table" then return locate.text(finder, value, "shell") end
  local out = {}
  for axis, pair in next, value do
    out[axis] = bounds(finder, pair, "shell")
  end
  return out
end

local function region(finder, argument, keys, known)
  if keys.shell then keys.shell = shell(finder, keys.shell) end
  local axes = other_keys(finder, argument, known)
  if #axes > 0 then keys.ranges = {} end
  for _, axis in ipairs(axes) do
    keys.ranges[axis] = bounds(finder, argument[axis], axis)
  end
end

local function tap(finder, entry)
  local offsets = table.move(entry, 1, #entry - 1, 1, {})
  for i, offset in ipairs(offsets) do offsets[i] = math.tointeger(offset) end
  return { offsets = offsets,
           weight = locate.text(finder, entry[#entry], "taps") }
end

local function operator(finder, _, keys)
  if keys.weights then keys.weights = texts(finder, keys.weights, "weights") end
  if not keys.taps then return end
  local taps = {}
  for i, entry in ipairs(keys.taps) do taps[i] = tap(finder, entry) end
  keys.taps = taps
end

-- ---------------------------------------------------------------------------
-- Boundaries

local KINDS = { "constant", "even", "halo", "odd", "periodic" }
local TAKES = { constant = { value = true }, even = { about = true,
  slope = true }, halo = {}, odd = { about = true, value = true },
  periodic = {} }

-- The first key, as text, that is neither 1 nor one of those; or nil.
local function stray_key(value, those)
  local least
  for key in next, value do
    local text = tostring(key)
    if key ~= 1 and not those[key] and (not least or text < least) then
      least = text
    end
  end
  return least
end

local function side_problem(value)
  local kind = value[1]
  if type(kind) ~= "string" or not TAKES[kind] then
    return string.format("found %s, wanted a kind of boundary: %s%s",
      type(kind) == "string" and "'" .. kind .. "'" or "a table without one",
      table.concat(KINDS, ", "),
      type(kind) == "string" and diag.hint(kind, KINDS) or "")
  end
  local odd = stray_key(value, TAKES[kind])
  if odd then
    return string.format("a boundary '%s' has no '%s'", kind, odd)
  end
  for _, key in ipairs { "value", "slope" } do
    if value[key] ~= nil and not types.formula.accept(value[key]) then
      return string.format("'%s': found a %s, wanted a formula", key,
                           type(value[key]))
    end
  end
  if TAKES[kind].about and value.about ~= "point"
     and value.about ~= "face" then
    return string.format("a boundary '%s' wants about = \"point\" or \"face\"",
                         kind)
  end
  return nil
end

-- One side as a table, or nil and a sentence.
local function side(finder, value, axis)
  if type(value) == "string" then value = { value } end
  if type(value) ~= "table" then
    return nil, "found a " .. type(value) .. ", wanted a kind of boundary: "
      .. table.concat(KINDS, ", ")
  end
  local problem = side_problem(value)
  if problem then return nil, problem end
  return { kind = value[1], about = value.about,
    value = value.value and locate.text(finder, value.value, axis),
    slope = value.slope and locate.text(finder, value.slope, axis) }
end

-- Both sides of an axis, or nil and a sentence.
local function sides(finder, value, axis)
  local low, high = value, value
  if type(value) == "table" and (value.low or value.high) then
    local odd = stray_key(value, { low = true, high = true })
    if odd then
      return nil, string.format("found '%s' beside 'low' and 'high'", odd)
    end
    low, high = value.low or "halo", value.high or "halo"
  end
  local first, problem = side(finder, low, axis)
  if not first then return nil, problem end
  local last, other = side(finder, high, axis)
  if not last then return nil, other end
  if (first.kind == "periodic") ~= (last.kind == "periodic") then
    return nil, "a periodic axis is periodic on both sides"
  end
  return { low = first, high = last }
end

local function boundary(finder, argument, keys, known, report)
  keys.axes = {}
  for _, axis in ipairs(other_keys(finder, argument, known)) do
    local both, problem = sides(finder, argument[axis], axis)
    if both then
      keys.axes[axis] = both
    else
      report(diag.new(locate.key(finder, axis), "'%s': %s", axis, problem))
    end
  end
  if next(keys.axes) == nil and #other_keys(finder, argument, known) == 0 then
    report(diag.new(finder.pos, "the boundary names no axis"))
  end
end

M.forms = { kernel = blocks, request = blocks, region = region,
            operator = operator, boundary = boundary }

-- Brings `keys` (well typed) into the normal form of its constructor.
function M.apply(kind, finder, argument, keys, known, report)
  local form = M.forms[kind]
  if form then form(finder, argument, keys, known, report) end
end

return M
