-- The numbers of formulas: two evaluators in plain doubles, of the model as it is
-- written and of the lowered code, on the same data.
--
-- A world is what they are evaluated in, nothing of it needed: { n = the extents
-- of the domain (without: no faces), datum = f(model, field, level, index),
-- scalar = f(model, name), round = f(number) to the compute type, still = true:
-- loads around the point are 0 }.

local boundaries = require "tests.boundaries"

local M = {}

local AXES, FACTORS = { "x", "y", "z" }, { 12.9898, 78.233, 37.719 }

-- A number between lo and hi for a field's level at a point: always the same.
local function made_up(model, name, level, point)
  local field, seed = model.fields[name], level * 11.13
  for i, other in ipairs(model.order.fields) do
    if other == name then seed = seed + i * 3.7 end
  end
  for i, axis in ipairs(AXES) do
    seed = seed + (point[axis] or 0) * FACTORS[i]
  end
  local unit = math.sin(seed) * 43758.5453
  unit = unit - math.floor(unit)
  return field.range[1] + unit * (field.range[2] - field.range[1])
end

-- point + offset, along the axes that the field has.
local function index_of(model, name, point, offset)
  local index = {}
  for _, axis in ipairs(model.fields[name].on) do
    index[axis] = point[axis] + (offset[axis] or 0)
  end
  return index
end

local function datum(world, model, name, level, index)
  return (world.datum or made_up)(model, name, level, index)
end

local function made_up_scalar(model, name)
  for i, other in ipairs(model.order.scalars) do
    if other == name then return 0.5 + i / 8 end
  end
end

local function scalar(world, model, name)
  return (world.scalar or made_up_scalar)(model, name)
end

local CALL = { abs = math.abs, sqrt = math.sqrt, exp = math.exp,
  log = math.log, sin = math.sin, cos = math.cos, tan = math.tan,
  floor = math.floor, ceil = math.ceil,
  pow = function(a, b) return a ^ b end,
  sign = function(a) return a > 0 and 1 or a < 0 and -1 or 0 end }

local COMPARE = {
  ["<"] = function(a, b) return a < b end,
  ["<="] = function(a, b) return a <= b end,
  [">"] = function(a, b) return a > b end,
  [">="] = function(a, b) return a >= b end,
  ["=="] = function(a, b) return a == b end,
  ["!="] = function(a, b) return a ~= b end }

-- A place, { half = { x = half points }, world }, elsewhere.
local function moved(place, half_points)
  local other = { half = {}, world = place.world }
  for axis, half in pairs(place.half) do
    other.half[axis] = half + (half_points[axis] or 0)
  end
  return other
end

local written = {}

-- The value of a model's node at a place: as written, nothing shared.
local function value_of(model, id, place)
  local node = model.nodes[id]
  local rule = written[node.kind]
  if rule then return rule(model, node, place) end
  local args = {}
  for i, arg in ipairs(node.args) do args[i] = value_of(model, arg, place) end
  if node.kind == "add" or node.kind == "mul" then
    local total = args[1]
    for i = 2, #args do
      if node.kind == "add" then total = total + args[i]
      else total = total * args[i] end
    end
    return total
  elseif node.kind == "div" then return args[1] / args[2]
  elseif node.kind == "call" then return CALL[node.fn](table.unpack(args))
  elseif node.kind == "compare" then return COMPARE[node.op](args[1], args[2])
  elseif node.kind == "not" then return not args[1]
  elseif node.kind == "and" then return args[1] and args[2]
  elseif node.kind == "or" then return args[1] or args[2] end
  error("no value of " .. node.kind)
end

function written.num(_, node) return tonumber(node.n) / tonumber(node.d) end
function written.scalar(model, node, place)
  return scalar(place.world, model, node.name)
end

-- The index of a place in a field, which has a point there.
local function index_at(field, place)
  local index = {}
  for _, axis in ipairs(field.on) do
    local half = place.half[axis] - field.at[axis]
    assert(half % 2 == 0, field.name .. " has no point there")
    index[axis] = half // 2
  end
  return index
end

function written.read(model, node, place)
  local field, level = model.fields[node.field], node.level or 0
  local index = index_at(field, moved(place, node.shift or {}))
  local function inside(there)
    return datum(place.world, model, node.field, level, there)
  end
  local function constant(what)
    return type(what) == "string" and scalar(place.world, model, what)
      or value_of(model, what, place)
  end
  if not place.world.n then return inside(index) end
  return boundaries.by_words(model, field, index, place.world.n, inside,
    constant)
end

function written.shift(model, node, place)
  return value_of(model, node.arg, moved(place, node.by))
end

function written.pow(model, node, place)
  local base, power = value_of(model, node.args[1], place), 1.0
  for _ = 1, math.abs(node.exponent) do power = power * base end
  return node.exponent < 0 and 1 / power or power
end

function written.select(model, node, place)
  local chosen = value_of(model, node.args[1], place) and 2 or 3
  return value_of(model, node.args[chosen], place)
end

function written.apply(model, node, place)
  local sum = 0
  for _, tap in ipairs(node.taps) do
    sum = sum + value_of(model, tap.w, place)
      * value_of(model, node.arg, moved(place, tap.shift))
  end
  return sum
end

-- What an assignment of the model writes at a point of its target.
function M.written(model, assign, point, world)
  local place = { half = {}, world = world or {} }
  local at = model.fields[assign.field].at
  for _, axis in ipairs(model.axes) do
    place.half[axis] = 2 * point[axis] + (at[axis] or 0)
  end
  return value_of(model, assign.value, place)
end

local BINARY = {
  add = function(a, b) return a + b end, sub = function(a, b) return a - b end,
  mul = function(a, b) return a * b end, div = function(a, b) return a / b end }

local other = {}        -- operations that are no arithmetic of two

function other.fma(a, b, c) return a * b + c end
function other.neg(a) return -a end
function other.select(a, b, c) return a and b or not a and c end
other["not"] = function(a) return not a end
other["and"] = function(a, b) return a and b end
other["or"] = function(a, b) return a or b end

local function operate(e, a, b, c)
  if BINARY[e.op] then return BINARY[e.op](a, b) end
  if e.op == "pow" then return a ^ e.exponent end
  if e.op == "call" then return CALL[e.fn](a, b, c) end
  if e.op == "compare" then return COMPARE[e.cmp](a, b) end
  return other[e.op](a, b, c)
end

-- The value of an expression; names = values of host and code entries, loads =
-- values by id. Every operation is rounded as the world says.
local function evaluate(e, model, names, loads, world)
  local round = (world or {}).round or function(a) return a end
  local function value(below)
    return evaluate(below, model, names, loads, world)
  end
  if e.op == "literal" then return round(tonumber(e.n) / tonumber(e.d)) end
  if e.op == "scalar" then return scalar(world or {}, model, e.name) end
  if e.op == "load" then return assert(loads[e.id], "no such load") end
  if e.name then
    return assert(names[e.name], "used before it is computed: " .. e.name)
  end
  local args = {}
  for i, below in ipairs(e) do args[i] = value(below) end
  local result = operate(e, table.unpack(args, 1, 3))
  return type(result) == "number" and round(result) or result
end
M.evaluate = evaluate

-- A load of a block at a point.
local function loaded(model, block, l, point, names, world)
  local index = index_of(model, l.field, point, l.offset)
  local function inside(there)
    return datum(world, model, l.field, l.level, there)
  end
  if not world.n then return inside(index) end
  return boundaries.by_faces(block, l.field, index, world.n, inside,
    function(e) return e and evaluate(e, model, names, {}, world) or 0 end,
    world.round)
end

local function evaluate_all(entries, model, names, loads, world)
  for _, entry in ipairs(entries) do
    assert(names[entry.name] == nil, "assigned twice: " .. entry.name)
    names[entry.name] = evaluate(entry.value, model, names, loads, world)
  end
end

-- What the host computes: in double, rounded once.
local function evaluate_host(block, model, names, world)
  local in_double = { scalar = world.scalar }
  for _, entry in ipairs(block.host) do
    assert(names[entry.name] == nil, "assigned twice: " .. entry.name)
    local value = evaluate(entry.value, model, {}, {}, in_double)
    names[entry.name] = world.round and world.round(value) or value
  end
end

-- What the stores of a block write at a point, in their order, and the values
-- of its host and code entries by name and of its loads by id.
function M.stored(model, block, point, world)
  local names, loads, values = {}, {}, {}
  world = world or {}
  evaluate_host(block, model, names, world)
  for i, l in ipairs(block.loads) do
    loads[i] = world.still and next(l.offset) and 0
      or loaded(model, block, l, point, names, world)
  end
  evaluate_all(block.code, model, names, loads, world)
  for i, s in ipairs(block.stores) do
    values[i] = evaluate(s.value, model, names, loads, world)
  end
  return values, names, loads
end

-- The value that a stencil's groups describe at a point, given its weights by
-- name: the sum over groups of weight times its taps with their signs.
function M.described(model, stencil, names, point)
  local sum = 0
  for _, group in ipairs(stencil.groups) do
    local members = 0
    for _, tap in ipairs(group.taps) do
      local at = {}
      for axis, n in pairs(point) do
        at[axis] = n + (stencil.centre[axis] or 0)
      end
      members = members
        + tap.sign * made_up(model, stencil.field, stencil.level,
          index_of(model, stencil.field, at, tap.offset))
    end
    sum = sum + evaluate(group.weight, model, names, {}) * members
  end
  return sum
end

return M
