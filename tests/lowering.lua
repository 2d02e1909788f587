-- What the tests of lower share: specs as text, readable expressions, and two
-- evaluators in plain doubles, of the model as it is written and of the
-- lowered code, on the same made-up data.

local boundaries = require "tests.boundaries"
local driver = require "gen.driver"

local M = {}

-- Runs the passes up to lower on a spec given as text; options are added.
function M.run(text, options)
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  local all = { spec = path, set = {}, stop_after = "lower", fp = "strict" }
  for key, value in pairs(options or {}) do all[key] = value end
  local well, state, problems = pcall(driver.run, all)
  os.remove(path)
  assert(well, state)
  return state, problems
end

local function sentences(problems)
  local list = {}
  for i, problem in ipairs(problems or {}) do list[i] = problem.message end
  return table.concat(list, "\n")
end

function M.lower(text, options)
  local state, problems = M.run(text, options)
  if not state then error(sentences(problems), 2) end
  return state.lowered
end

-- The messages of what is refused, one a line.
function M.refused(text, options)
  local state, problems = M.run(text, options)
  return not state and sentences(problems) or nil, problems
end

-- ---------------------------------------------------------------------------
-- Readable text

local SIGN = { add = " + ", sub = " - ", mul = "*", div = "/" }

-- As text: every operation of two in brackets.
function M.show(e, loads)
  if e.op == "literal" then
    return e.d == "1" and e.n or e.n .. "/" .. e.d
  elseif e.op == "load" then
    return loads[e.id].name
  elseif e.name then
    return e.name
  end
  local args = {}
  for i, below in ipairs(e) do args[i] = M.show(below, loads) end
  if e.op == "pow" then return args[1] .. "^" .. e.exponent end
  if SIGN[e.op] then return "(" .. table.concat(args, SIGN[e.op]) .. ")" end
  if e.op == "neg" then return "-" .. args[1] end
  return ("%s(%s)"):format(e.fn or e.cmp or e.op, table.concat(args, ", "))
end

-- A block as lines: host, code, stores.
function M.lines(block)
  local lines = {}
  local function add(what, name, value)
    lines[#lines + 1] = ("%s %s = %s"):format(what, name,
      M.show(value, block.loads))
  end
  for _, entry in ipairs(block.host) do add("host", entry.name, entry.value) end
  for _, entry in ipairs(block.code) do add("code", entry.name, entry.value) end
  for _, s in ipairs(block.stores) do add("store", s.buffer, s.value) end
  return lines
end

function M.text(block)
  return table.concat(M.lines(block), "\n")
end

-- ---------------------------------------------------------------------------
-- Numbers

-- A number between lo and hi for a field's level at a point: always the same.
local function datum(model, name, level, point)
  local field, seed = model.fields[name], level * 11.13
  for i, other in ipairs(model.order.fields) do
    if other == name then seed = seed + i * 3.7 end
  end
  for i, axis in ipairs({ "x", "y", "z" }) do
    seed = seed + (point[axis] or 0) * ({ 12.9898, 78.233, 37.719 })[i]
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

local function read(model, name, level, point, offset)
  return datum(model, name, level, index_of(model, name, point, offset))
end

local function scalar_value(model, name)
  for i, other in ipairs(model.order.scalars) do
    if other == name then return 0.5 + i / 8 end
  end
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

-- A place, in half points, elsewhere; it knows the extents of the domain, or
-- none where it has no faces.
local function moved(place, half_points)
  local other = { n = place.n }
  for axis, half in pairs(place) do
    if axis ~= "n" then other[axis] = half + (half_points[axis] or 0) end
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
function written.scalar(model, node) return scalar_value(model, node.name) end

-- The index of a place in a field, which has a point there.
local function index_at(field, place)
  local index = {}
  for _, axis in ipairs(field.on) do
    local half = place[axis] - field.at[axis]
    assert(half % 2 == 0, field.name .. " has no point there")
    index[axis] = half // 2
  end
  return index
end

function written.read(model, node, place)
  local field, level = model.fields[node.field], node.level or 0
  local index = index_at(field, moved(place, node.shift or {}))
  local function inside(there)
    return datum(model, node.field, level, there)
  end
  if not place.n then return inside(index) end
  return boundaries.by_words(model, field, index, place.n, inside,
    function(what)
      return type(what) == "string" and scalar_value(model, what)
        or value_of(model, what, {})
    end)
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

-- What an assignment of the model writes at a point of its target; n: the
-- extents of the domain, nil for none.
function M.written(model, assign, point, n)
  local place, at = { n = n }, model.fields[assign.field].at
  for _, axis in ipairs(model.axes) do
    place[axis] = 2 * point[axis] + (at[axis] or 0)
  end
  return value_of(model, assign.value, place)
end

local BINARY = {
  add = function(a, b) return a + b end, sub = function(a, b) return a - b end,
  mul = function(a, b) return a * b end, div = function(a, b) return a / b end }

-- The value of an expression; names = values of host and code entries, loads =
-- values by id.
local function evaluate(e, model, names, loads)
  local args = {}
  if e.op == "literal" then return tonumber(e.n) / tonumber(e.d) end
  if e.op == "scalar" then return scalar_value(model, e.name) end
  if e.op == "load" then return assert(loads[e.id], "no such load") end
  if e.name then
    return assert(names[e.name], "used before it is computed: " .. e.name)
  end
  for i, below in ipairs(e) do
    args[i] = evaluate(below, model, names, loads)
  end
  local a, b, c = args[1], args[2], args[3]
  if BINARY[e.op] then return BINARY[e.op](a, b) end
  if e.op == "fma" then return a * b + c end
  if e.op == "neg" then return -a end
  if e.op == "pow" then return a ^ e.exponent end
  if e.op == "call" then return CALL[e.fn](a, b, c) end
  if e.op == "compare" then return COMPARE[e.cmp](a, b) end
  if e.op == "select" then return a and b or not a and c end
  if e.op == "not" then return not a end
  if e.op == "and" then return a and b end
  if e.op == "or" then return a or b end
  error("no value of " .. e.op)
end

M.evaluate = evaluate

-- A load of a block at a point of a domain.
local function loaded(model, block, l, point, n, names)
  local index = index_of(model, l.field, point, l.offset)
  return boundaries.by_faces(block, l.field, index, n, function(there)
    return datum(model, l.field, l.level, there)
  end, function(e) return e and evaluate(e, model, names, {}) or 0 end)
end

local function evaluate_all(entries, model, names, loads)
  for _, entry in ipairs(entries) do
    assert(names[entry.name] == nil, "assigned twice: " .. entry.name)
    names[entry.name] = evaluate(entry.value, model, names, loads)
  end
end

-- What the stores of a block write at a point, in their order, and the values
-- of its host and code entries by name and of its loads by id. options.still:
-- loads around the point are 0; options.n: the extents of the domain.
function M.stored(model, block, point, options)
  local names, loads, values = {}, {}, {}
  local still, n = (options or {}).still, (options or {}).n
  evaluate_all(block.host, model, names, loads)
  for i, l in ipairs(block.loads) do
    loads[i] = still and next(l.offset) and 0
      or n and loaded(model, block, l, point, n, names)
      or read(model, l.field, l.level, point, l.offset)
  end
  evaluate_all(block.code, model, names, loads)
  for i, s in ipairs(block.stores) do
    values[i] = evaluate(s.value, model, names, loads)
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
        + tap.sign * read(model, stencil.field, stencil.level, at, tap.offset)
    end
    sum = sum + evaluate(group.weight, model, names, {}) * members
  end
  return sum
end

-- Calls visit(e) for every expression of a block's code and stores.
function M.each(block, visit)
  local function walk(e)
    visit(e)
    for _, below in ipairs(e) do walk(below) end
  end
  for _, entry in ipairs(block.code) do walk(entry.value) end
  for _, s in ipairs(block.stores) do walk(s.value) end
end

return M
