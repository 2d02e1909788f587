-- Structured specifications at random: whatever the language and the passes
-- accept, under names that C, CUDA and mathematics use themselves. The same
-- seed gives the same text.

local drawing = require "tests.draw"

local M = {}
local FORMS, fill = drawing.FORMS, drawing.fill
local name, use, constant = drawing.name, drawing.use, drawing.constant

local AXES = { { "x", "y", "z" }, { "i", "j", "k" }, { "n", "lower", "upper" },
  { "a", "args", "stream" }, { "index", "box", "list" }, { "r", "p", "threadIdx" } }

local SPACINGS = { "hx", "dx", "h", "spacing", "y1" }

-- Reads ----------------------------------------------------------------------

-- A shift along some axes, as text; up to `most` points.
local function shift(draw, axes, most)
  local list = {}
  for _, axis in ipairs(axes) do
    if not draw.chance(3) then
      list[#list + 1] = ("%s%s%d"):format(axis, draw.one { "+", "-" },
        draw.chance(5) and 0 or draw.number(most))
    end
  end
  return #list > 0 and "[" .. table.concat(list, ", ") .. "]" or ""
end

-- What may be read here; `far`: also at other points.
local function read(draw, scope, far)
  local list = far and scope.far or scope.near
  if #list == 0 then return constant(draw) end
  local item = draw.one(list)
  if item.thing then use(item.thing) end
  if far and draw.chance(2) then
    return item.text .. shift(draw, scope.axes, draw.reach)
  end
  return item.text
end

-- Expressions ----------------------------------------------------------------

local expression

-- An operator applied; its argument is read at other points.
local function applied(draw, scope, depth)
  if #draw.operators == 0 then return end
  local op = draw.one(draw.operators)
  local axes = {}
  for _, axis in ipairs(scope.axes) do
    if not op.axes or op.axes[axis] then axes[#axes + 1] = axis end
  end
  if not op.taps and #axes == 0 then return end
  use(op)
  local inner = { axes = scope.axes, far = scope.far, near = scope.far,
                  nested = (scope.nested or 0) + 1 }
  local arg
  if inner.nested < 3 and depth > 0 and draw.chance(3) then
    arg = expression(draw, inner, depth - 1)
  else
    arg = read(draw, inner, draw.chance(3))
  end
  if op.taps then return ("%s(%s)"):format(op.name, arg) end
  if #axes == #draw.axes and draw.chance(3) then
    local m = "m" .. inner.nested            -- nothing may hide another
    return ("sum(%s in axes, %s(%s, %s))"):format(m, op.name, arg, m)
  end
  return ("%s(%s, %s)"):format(op.name, arg, draw.one(axes))
end

function expression(draw, scope, depth)
  if depth <= 0 or draw.chance(8) then
    if draw.chance(4) then return constant(draw) end
    return read(draw, scope, draw.chance(2) and #scope.far > 0)
  end
  local kind = draw.number(6)
  if kind <= 2 then
    local text = applied(draw, scope, depth)
    if text then return text end
  elseif kind == 3 and draw.chance(2) then
    local inner = { axes = scope.axes, far = scope.far, near = scope.far,
                    nested = (scope.nested or 0) + 1 }
    if inner.nested < 3 then
      return ("(%s)%s"):format(expression(draw, inner, depth - 1),
        shift(draw, scope.axes, 2))
    end
  end
  return fill(draw.one(FORMS), function()
    return expression(draw, scope, depth - 1)
  end)
end

-- Declarations ---------------------------------------------------------------

local RADII = { 1, 1, 2, 2, 3, 4, 5, 8, 16 }

local function derivative(draw)
  local axes, orders = {}, {}
  for _, axis in ipairs(draw.axes) do
    if not draw.chance(4) then
      axes[axis] = true
      orders[#orders + 1] = ("%s = %d"):format(axis, 2 * math.min(draw.one(RADII), draw.widest))
    end
  end
  if #orders == 0 then
    axes[draw.axes[1]] = true
    orders[1] = draw.axes[1] .. " = 2"
  end
  return { axes = axes, text = ("derivative = %d, order = { %s }")
    :format(draw.number(2), table.concat(orders, ", ")) }
end

local OFFSETS = { "{ 0, 1, 2 }", "{ -2, -1, 0 }", "{ -3, -1, 0, 1 }", "{ 0, 1 }",
  "{ -1, 2, 5 }", "{ 0, 1, 2, 3, 4 }", "{ -4, 0, 4 }" }

local function offsets(draw)
  return { text = "derivative = 1, offsets = " .. draw.one(OFFSETS) }
end

local function given(draw)
  if draw.chance(2) or not draw.scalars[1] then
    return { text = [[derivative = 1, offsets = { -1, 0, 1 }, weights = { "-1/2", 0, "0.5" }]] }
  end
  local s = use(draw.one(draw.scalars))
  return { text = ([[derivative = 1, offsets = { -2, 0, 1 }, weights = { "%s", 0.25, "1 - %s" }]])
    :format(s, s) }
end

-- Any taps: a box, or points anywhere, or one weight for all.
local function taps(draw)
  local list, seen = {}, {}
  local rank, same = #draw.axes, draw.chance(3) and constant(draw)
  for _ = 1, draw.number(9) + 1 do
    local at = {}
    for i = 1, rank do at[i] = draw.number(2 * draw.reach + 1) - draw.reach - 1 end
    local key = table.concat(at, ", ")
    if not seen[key] then
      seen[key] = true
      list[#list + 1] = ([[{ %s, "%s" }]]):format(key, same or constant(draw))
    end
  end
  return { taps = true, text = "taps = { " .. table.concat(list, ", ") .. " }" }
end

local function box(draw)
  local rank, list = #draw.axes, { {} }
  for i = 1, rank do
    local longer = {}
    for _, at in ipairs(list) do
      for d = -1, 1 do
        local more = { table.unpack(at) }
        more[i] = d
        longer[#longer + 1] = more
      end
    end
    list = longer
  end
  local weights = { constant(draw), constant(draw), "1/8", constant(draw) }
  for n, at in ipairs(list) do
    local far = 1
    for _, d in ipairs(at) do far = far + math.abs(d) end
    list[n] = ([[{ %s, "%s" }]]):format(table.concat(at, ", "), weights[far])
  end
  return { taps = true, text = "taps = { " .. table.concat(list, ", ") .. " }" }
end

local function make_operators(draw)
  draw.operators = {}
  for _ = 1, draw.number(4) do
    local op = draw.one { derivative, derivative, offsets, given, taps, box }(draw)
    op.name = name(draw, { "d", "dd", "dx2", "right", "slope", "smooth", "lap", "grad" })
    draw.operators[#draw.operators + 1] = op
  end
end

local TIMES = { { "{ 0, 1 }", { 0, 1 } }, { "{ -1, 0, 1 }", { -1, 0, 1 } },
  { "{ -2, -1, 0, 1 }", { -2, -1, 0, 1 } } }
local LEVEL = { [0] = "", [1] = ".next", [-1] = ".prev", [-2] = ".prev2" }

local function timed(draw)
  local time = draw.one(TIMES)
  local less = draw.chance(2)
  return { name = name(draw), levels = time[2], oldest = less and time[2][1],
    text = ("time = { %s }, buffers = %d"):format(table.concat(time[2], ", "),
      #time[2] - (less and 1 or 0)) }
end

local function make_fields(draw)
  draw.inputs, draw.timed, draw.plain = {}, {}, {}
  for _ = 1, draw.number(3) do
    draw.inputs[#draw.inputs + 1] = { name = name(draw), text = draw.one
      { "", "", "range = { 0.5, 2 }", [[type = "double"]], [[type = "float"]] } }
  end
  if #draw.axes > 1 and draw.chance(2) then
    local on = draw.number(#draw.axes)
    draw.inputs[#draw.inputs + 1] = { name = name(draw),
      text = ([[on = { "%s" }]]):format(draw.axes[on]) }
  end
  if #draw.axes > 2 and draw.chance(3) then
    local skip = draw.number(3)
    local on = {}
    for i, axis in ipairs(draw.axes) do
      if i ~= skip then on[#on + 1] = '"' .. axis .. '"' end
    end
    draw.inputs[#draw.inputs + 1] = { name = name(draw),
      text = ("on = { %s }"):format(table.concat(on, ", ")) }
  end
  for _ = 1, draw.number(3) - 1 do draw.timed[#draw.timed + 1] = timed(draw) end
  for _ = 1, draw.number(2) do
    draw.plain[#draw.plain + 1] = { name = name(draw), text = "", levels = { 0 },
      inplace = draw.chance(2) }
  end
end

local function bound(draw, axis_end)
  local int = draw.int and draw.chance(2) and use(draw.int)
  local w = int or tostring(draw.number(4) - 1)
  if axis_end == nil then return draw.chance(2) and '"' .. w .. '"' or tostring(draw.number(5) - 1) end
  return axis_end and ('"n - %s"'):format(w) or ('"%s"'):format(w)
end

local function region(draw)
  local kind = draw.number(4)
  if kind == 1 then return "shell = " .. bound(draw) end
  local list = {}
  for _, axis in ipairs(draw.axes) do
    if draw.chance(2) then
      if kind == 2 then
        list[#list + 1] = ("%s = { %s, %s }"):format(axis, bound(draw), bound(draw))
      elseif draw.chance(2) then
        list[#list + 1] = ("%s = { %s, %s }"):format(axis, bound(draw, false), bound(draw, true))
      elseif draw.chance(2) then
        list[#list + 1] = ([[%s = { "n/2", "n" }]]):format(axis):gsub("n/2", "n-3")
      else
        list[#list + 1] = ([[%s = { 0, %s }]]):format(axis, bound(draw, false))
      end
    end
  end
  if #list == 0 then return "shell = 1" end
  local text = table.concat(list, ", ")
  return kind == 2 and "shell = { " .. text .. " }" or text
end

local function make_regions(draw)
  draw.regions = {}
  if draw.chance(2) or draw.axes[1] == "n" then return end
  for _ = 1, draw.number(3) do
    draw.regions[#draw.regions + 1] = { text = region(draw),
      name = name(draw, { "pml", "rim", "low", "high", "left", "skin", "hole" }) }
  end
  draw.regions[#draw.regions + 1] = { text = "rest = true",
    name = name(draw, { "inner", "mid", "rest", "main" }) }
end

-- Kernels --------------------------------------------------------------------

-- What every kernel may read: what no kernel overwrites.
local function scope_of(draw, targets)
  local scope = { axes = draw.axes, far = {}, near = {} }
  local function both(text, thing)
    scope.far[#scope.far + 1] = { text = text, thing = thing }
    scope.near[#scope.near + 1] = scope.far[#scope.far]
  end
  for _, field in ipairs(draw.inputs) do both(field.name, field) end
  for _, field in ipairs(draw.timed) do
    for _, level in ipairs(field.levels) do
      local text, over = field.name .. LEVEL[level], field.oldest == level
      if level ~= 1 and not over and field.used then
        both(text)
      elseif over and targets[field] then
        scope.near[#scope.near + 1] = { text = text }
      elseif level == 1 and field.done then
        both(text)
      end
    end
  end
  for _, field in ipairs(draw.plain) do
    if targets[field] then
      if field.inplace then scope.near[#scope.near + 1] = { text = field.name } end
    elseif field.done then
      both(field.name)
    end
  end
  return scope
end

local function deepen(scope)
  return { axes = scope.axes, far = { table.unpack(scope.far) },
           near = { table.unpack(scope.near) } }
end

local function block(draw, targets, scope)
  scope = deepen(scope)
  local lines = {}
  if draw.chance(3) then
    local word = name(draw)
    local far = { axes = scope.axes, far = scope.far, near = scope.far }
    lines[1] = ("%s = %s"):format(word, expression(draw, far, draw.depth - 1))
    scope.far[#scope.far + 1] = { text = word }
    scope.near[#scope.near + 1] = scope.far[#scope.far]
    draw.locals = word
  end
  for i, field in ipairs(targets) do
    local value = expression(draw, scope, draw.depth)
    if i == 1 and draw.locals then value = value .. " + " .. draw.locals .. shift(draw, scope.axes, 1) end
    draw.locals = nil
    local target = field.name .. (field.oldest ~= nil and ".next" or "")
    lines[#lines + 1] = ("%s = %s"):format(target, value)
    if #field.levels == 1 then
      for k = #scope.near, 1, -1 do
        if scope.near[k].text == target then table.remove(scope.near, k) end
      end
    end
    scope.near[#scope.near + 1] = { text = target }
    if field.oldest then
      for k = #scope.near, 1, -1 do
        if scope.near[k].text == field.name .. LEVEL[field.oldest] then table.remove(scope.near, k) end
      end
    end
  end
  return table.concat(lines, "\n      ")
end

local function kernel(draw, targets)
  local set = {}
  for _, field in ipairs(targets) do set[field], field.used = true, true end
  local scope = scope_of(draw, set)
  local parts = { '"' .. name(draw, { "step", "move", "k1", "apply", "run", "main", "kernel", "update" }) .. '"' }
  draw.order[#draw.order + 1] = parts[1]
  if draw.chance(5) then parts[#parts + 1] = [[compute = "double"]] end
  if #draw.regions == 0 or draw.chance(4) then
    parts[#parts + 1] = "[[ " .. block(draw, targets, scope) .. " ]]"
  else
    for _, r in ipairs(draw.regions) do
      if r.text == "rest = true" or not draw.chance(4) then
        use(r)
        parts[#parts + 1] = r.name .. " = [[ " .. block(draw, targets, scope) .. " ]]"
      end
    end
  end
  for _, field in ipairs(targets) do field.done = true end
  return "kernel { " .. table.concat(parts, ",\n    ") .. " }"
end

local function make_kernels(draw)
  local left, kernels = {}, {}
  for _, field in ipairs(draw.timed) do left[#left + 1] = field end
  for _, field in ipairs(draw.plain) do left[#left + 1] = field end
  while #left > 0 do
    local targets = {}
    for _ = 1, math.min(#left, draw.number(2)) do
      targets[#targets + 1] = table.remove(left, draw.number(#left))
    end
    kernels[#kernels + 1] = kernel(draw, targets)
  end
  return kernels
end

local function declare(lines, word, list)
  for _, thing in ipairs(list) do
    if thing.used then
      lines[#lines + 1] = ('%s { "%s"%s }'):format(word, thing.name,
        thing.text ~= "" and ", " .. thing.text or "")
    end
  end
end

-- Scalars are declared where what is declared already names them.
local function declare_scalars(lines, list)
  local text = table.concat(lines, "\n"):gsub('"double"', "")
  for _, scalar in ipairs(list) do
    scalar.used = text:find("%f[%w_]" .. scalar.name .. "%f[^%w_]") ~= nil
  end
  declare(lines, "scalar", list)
end

local function make_scalars(draw)
  draw.scalars = {}
  for _ = 1, draw.number(3) - 1 do
    draw.scalars[#draw.scalars + 1] = { name = name(draw), text = draw.chance(2)
      and "range = { 0.1, 0.9 }" or "" }
  end
  if draw.chance(2) then
    draw.int = { name = name(draw), text = ([[type = "int", range = { %s }]])
      :format(draw.one { "0, 4", "-2, 3", "1, 9" }) }
    draw.scalars[#draw.scalars + 1] = draw.int
  end
end

local function grid(draw)
  local names, spaces = {}, {}
  for i, axis in ipairs(draw.axes) do
    names[i] = '"' .. axis .. '"'
    spaces[i] = draw.chance(4) and "0.5" or '"' .. name(draw, SPACINGS) .. '"'
  end
  return ("grid { %s, spacing = { %s } }"):format(table.concat(names, ", "), table.concat(spaces, ", "))
end

-- Boundaries -----------------------------------------------------------------

local SIDES = { [["halo"]], [["halo"]], [[{ "constant", value = "$v" }]],
  [[{ "constant", value = "$v" }]], [[{ "even", about = "$about", slope = "$v" }]],
  [[{ "even", about = "$about" }]], [[{ "odd", about = "$about", value = "$v" }]],
  [[{ "odd", about = "$about" }]] }

local function side(draw)
  local values = { about = draw.one { "face", "face", "point" }, v = constant(draw) }
  return (draw.one(SIDES):gsub("%$(%a+)", values))
end

local function sides(draw)
  if draw.chance(3) then return [["periodic"]] end
  return ("{ low = %s, high = %s }"):format(side(draw), side(draw))
end

-- Drawn apart: a specification is the same with and without them.
local function add_boundaries(lines, draw, seed)
  local other = drawing.new(seed + 1000)
  other.scalars = draw.scalars
  for _, list in ipairs { draw.inputs, draw.timed, draw.plain } do
    for _, field in ipairs(list) do
      local keys = {}
      for _, axis in ipairs(draw.axes) do
        local lies = not field.text:find("on = ", 1, true) or field.text:find('"' .. axis .. '"', 1, true)
        keys[#keys + 1] = lies and ("%s = %s"):format(axis, sides(other)) or nil
      end
      if field.used then
        lines[#lines + 1] = ('boundary { "%s", %s }'):format(field.name, table.concat(keys, ", "))
      end
    end
  end
end

-- Gives the text of a specification, and its rank; `faces`: with boundaries.
function M.make(seed, faces)
  local draw = drawing.new(seed)
  local rank = draw.number(3)
  local axes = draw.one(AXES)
  draw.axes = { table.unpack(axes, 1, rank) }
  for _, axis in ipairs(axes) do draw.names[axis:lower()] = true end
  draw.depth = draw.number(3)
  draw.reach = draw.one { 1, 2, 2, 3 }
  draw.widest = draw.one { 2, 4, 16 }
  local lines = { ([[precision { "%s"%s }]]):format(draw.one { "float", "float", "double" },
    draw.chance(5) and [[, compute = "double"]] or ""), grid(draw) }
  make_scalars(draw)
  make_operators(draw)
  make_fields(draw)
  make_regions(draw)
  local kernels = make_kernels(draw)
  for _, list in ipairs { draw.inputs, draw.timed, draw.plain } do declare(lines, "field", list) end
  declare(lines, "operator", draw.operators)
  declare(lines, "region", draw.regions)
  for _, text in ipairs(kernels) do lines[#lines + 1] = text end
  if #kernels > 1 then
    lines[#lines + 1] = "step { " .. table.concat(draw.order, ", ") .. " }"
  end
  if faces then add_boundaries(lines, draw, seed) end
  declare_scalars(lines, draw.scalars)
  return table.concat(lines, "\n") .. "\n", rank
end

return M
