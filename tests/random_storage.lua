-- Specifications at random, of what order and storage are about: colours,
-- sweeps, levels, points more, slabs, types, interleaved arrays, temporaries,
-- chains and setup kernels, in any combination that the language has. The same
-- seed gives the same text.

local M = {}

-- A generator of our own: every run of every Lua draws the same.
local function generator(seed)
  local state = (seed * 2654435761 + 987654321) % 2147483648
  return function(n)
    state = (state * 1103515245 + 12345) % 2147483648
    return state // 65536 % n + 1
  end
end

local function new(seed)
  local number = generator(seed)
  local draw = { number = number, lines = {}, fields = {}, order = {} }
  for _ = 1, 4 do number(2) end
  function draw.one(list) return list[number(#list)] end
  function draw.chance(n) return number(n) == 1 end
  function draw.say(form, ...) draw.lines[#draw.lines + 1] = form:format(...) end
  return draw
end

local function quoted(list) return '"' .. table.concat(list, '", "') .. '"' end

-- Fields ---------------------------------------------------------------------

local TYPES = { "float", "double", "half", "bfloat16", "int" }
local VALUES = { '"s"', "0", "1/3", '"2*s"' }
local KINDS = { '"periodic"', "constant", "even", "odd", "mixed" }

local function side(draw, kind)
  if kind == "constant" then return ('{ "constant", value = %s }'):format(draw.one(VALUES)) end
  local more = kind == "odd" and ", value = " .. draw.one(VALUES) or ""
  return ('{ "%s", about = "face"%s }'):format(kind, more)
end

local function faces(draw, kinds)
  local kind = draw.one(kinds)
  if kind == "mixed" then
    return ("{ low = %s, high = %s }"):format(side(draw, draw.one { "constant", "even", "odd" }),
      side(draw, draw.one { "constant", "even", "odd" }))
  end
  return kind:find '"' and kind or side(draw, kind)
end

-- Every field has boundaries along all its axes, so that all may be read
-- anywhere; `keys` more text; given = { axis, text or "" }: the boundary there.
local function declare(draw, names, on, keys, kinds, given)
  draw.say("field { %s, on = { %s }%s }", quoted(names), quoted(on), keys)
  local list = {}
  for _, axis in ipairs(on) do
    local text = given and given[1] == axis and given[2] or faces(draw, kinds or KINDS)
    list[#list + 1] = text ~= "" and axis .. " = " .. text or nil
  end
  if list[1] then draw.say("boundary { %s, %s }", quoted(names), table.concat(list, ", ")) end
end

local function keys_of(draw, more)
  local type = draw.one(TYPES)
  local range = type == "int" and "{ -9, 9 }" or draw.one { "{ 0, 1 }", "{ -1, 1 }" }
  return (', type = "%s", range = %s%s'):format(type, range, more or "")
end

-- The axes of a target, or those of what it reads: some of them.
local function some(draw, axes)
  local list = {}
  for _, axis in ipairs(axes) do
    if not draw.chance(4) then list[#list + 1] = axis end
  end
  return #list > 0 and list or { draw.one(axes) }
end

local function shuffled(draw, axes)
  local list, from = {}, { table.unpack(axes) }
  while #from > 0 do list[#list + 1] = table.remove(from, draw.number(#from)) end
  return list
end

local function extra_of(draw, axes)
  return draw.chance(3) and (", extra = { %s = %d }"):format(draw.one(axes), draw.number(2)) or ""
end

local function make_inputs(draw)
  for i = 1, 1 + draw.number(3) do
    draw.fields[i] = { name = "in" .. i, on = i == 1 and draw.on or some(draw, draw.on) }
  end
end

-- Expressions ----------------------------------------------------------------

local function shift(draw, on, most)
  local list = {}
  for _, axis in ipairs(on) do
    if draw.chance(2) then
      list[#list + 1] = ("%s%s%d"):format(axis, draw.one { "+", "-" }, draw.number(most))
    end
  end
  return #list > 0 and "[" .. table.concat(list, ", ") .. "]" or ""
end

local FORMS = { "%s + %s/3", "%s*%s", "where(%s > 1/3, %s, 1/4)", "max(%s, %s)", "%s/2 - %s", "s*%s + %s" }

-- Of what no kernel here overwrites; `own` more terms, as text.
local function value(draw, own)
  local function read()
    local field = draw.one(draw.fields)
    field.used = true
    return field.name .. shift(draw, field.on, 2)
  end
  local text = draw.one(FORMS):format(read(), read())
  for _, term in ipairs(own or {}) do text = text .. " + " .. term .. "/" .. draw.number(3) + 1 end
  return text
end

-- A kernel's blocks: of all points, or of regions along one axis.
local function blocks(draw, axis, make)
  if draw.chance(2) then return "[[ " .. make() .. " ]]" end
  local low, high = "low_" .. axis, "high_" .. axis
  draw.regions[axis] = true
  draw.rest = true
  return ("%s = [[ %s ]], %s = [[ %s ]], others = [[ %s ]]"):format(low, make(), high, make(), make())
end

local function kernel(draw, form, ...)
  local name = "k" .. #draw.kernels + 1
  draw.order[#draw.order + 1] = name
  draw.kernels[#draw.kernels + 1] = ('kernel { "%s", %s }'):format(name, form:format(...))
  return name
end

local function compute(draw) return draw.chance(3) and 'compute = "double", ' or "" end

-- What is swept: several targets, read behind.
local function swept(draw, name)
  local axis = draw.one(draw.on)
  local up = draw.chance(2)
  declare(draw, { name }, draw.on, keys_of(draw, extra_of(draw, draw.on)), KINDS,
    { axis, '{ "constant", value = 1/2 }' })
  local behind = name .. ("[%s%s%%d]"):format(axis, up and "-" or "+")
  kernel(draw, '%ssweep = "%s %s", %s', compute(draw), axis, up and "up" or "down", blocks(draw, axis, function()
    local far = draw.chance(2) and behind:format(draw.number(3)) or name
    return ("%s = %s"):format(name, value(draw, { behind:format(1), far }))
  end))
end

local COLOURS = { { '"A % 2"', "A" }, { '"A % 3"', "A" }, { '"2*A % 3"', "A" }, { '"(A + B) % 2"', "A" },
  { '"(2*A + B) % 4"', "B" },
  { '"A % 2", "B % 2"', "B" }, { '"2*B % 4", "(A + 1) % 2"', "A" } }

local function coloured(draw, name)
  local a, b = draw.one(draw.on), draw.one(draw.on)
  local one = draw.one(COLOURS)
  if a == b then one = COLOURS[draw.number(3)] end
  local function axes(text) return (text:gsub("A", a):gsub("B", b)) end
  declare(draw, { name }, draw.on, keys_of(draw), { "constant" })
  local near = axes(one[2])
  kernel(draw, "%scolours = { %s }, %s", compute(draw), axes(one[1]), blocks(draw, near, function()
    return ("%s = %s"):format(name, value(draw, { ("%s[%s+1]"):format(name, near), ("%s[%s-1]"):format(name, near) }))
  end))
end

-- Interleaved, with time levels or without.
local function packed(draw, name)
  local names = { name .. "a", name .. "b", draw.chance(2) and name .. "c" or nil }
  local timed = draw.chance(2)
  local time = timed and ", time = { -1, 0, 1 }, buffers = 2" or ""
  declare(draw, names, draw.on, keys_of(draw, ", packed = true" .. time))
  local list = {}
  for i, one in ipairs(names) do
    local before = timed and one .. ".prev" or one
    local other = timed and draw.one(names) .. shift(draw, draw.on, 2) or before
    list[i] = ("%s = %s"):format(timed and one .. ".next" or one, value(draw, { before, other }))
  end
  kernel(draw, "%s[[ %s ]]", compute(draw), table.concat(list, "\n    "))
end

-- Stored in a shell along one axis.
local function slab(draw, name)
  local axis = draw.one(draw.grid)
  local region = "side_" .. axis
  draw.sides[axis] = true
  declare(draw, { name }, draw.on, keys_of(draw, (', only = "%s"'):format(region)), KINDS, { axis, "" })
  local others = {}
  for _, one in ipairs(draw.on) do others[#others + 1] = one ~= axis and one or nil end
  local out = name .. "out"
  declare(draw, { out }, draw.on, keys_of(draw))
  kernel(draw, "%s%s = [[ %s = %s ]]", compute(draw), region, name, value(draw, { name }))
  kernel(draw, "%s%s = [[ %s = %s ]]", compute(draw), region, out, value(draw, { name .. shift(draw, others, 2) }))
end

-- Handed on, alone or interleaved, in a chain or not; or dropped by the chain.
local function temporary(draw, name)
  local out, how = name .. "out", draw.one { ", temporary = true", ", temporary = true, packed = true", "" }
  local names = how:find "packed" and { name .. "a", name .. "b" } or { name }
  declare(draw, names, draw.on, keys_of(draw, how .. extra_of(draw, draw.on)))
  declare(draw, { out }, draw.on, keys_of(draw))
  local made, used = {}, {}
  for i, one in ipairs(names) do
    made[i] = ("%s = %s"):format(one, value(draw))
    used[2*i - 1], used[2*i] = one .. shift(draw, draw.on, 2), one
  end
  local first = kernel(draw, "%s[[ %s ]]", compute(draw), table.concat(made, "\n    "))
  local second = kernel(draw, "%s[[ %s = %s ]]", compute(draw), out, value(draw, used))
  if how == "" or draw.chance(2) then
    draw.kernels[#draw.kernels + 1] = ('fuse { "c%s", "%s", "%s"%s }'):format(name, first, second,
      how == "" and (', drop = { "%s" }'):format(name) or "")
    draw.order[#draw.order] = nil
    draw.order[#draw.order] = "c" .. name
  end
end

local function constant(draw, name)
  declare(draw, { name }, some(draw, draw.on), keys_of(draw, ", constant = true"))
  draw.kernels[#draw.kernels + 1] = ('kernel { "set%s", setup = true, [[ %s = s ]] }'):format(name, name)
end

local PARTS = { swept, swept, coloured, packed, slab, temporary, constant }

-- What turned out to be read.
local function declare_inputs(draw)
  for _, field in ipairs(draw.fields) do
    if field.used then declare(draw, { field.name }, field.on, keys_of(draw, extra_of(draw, field.on))) end
  end
  local text = table.concat(draw.lines, "\n") .. table.concat(draw.kernels, "\n")
  if text:find "%f[%w]s%f[%W]" then draw.say 'scalar { "s", range = { 0.1, 0.9 } }' end
  if text:find '"w"' then draw.say 'scalar { "w", type = "int", range = { 0, 4 } }' end
end

local function regions(draw)
  for _, axis in ipairs(draw.on) do
    if draw.sides[axis] then
      draw.say('region { "side_%s", shell = { %s = { "w", %d } } }', axis, axis, draw.number(3))
    end
    if draw.regions[axis] then
      draw.say('region { "low_%s", %s = { 0, "w" } }', axis, axis)
      draw.say('region { "high_%s", %s = { "n - %d", "n" } }', axis, axis, draw.number(3))
    end
  end
  if draw.rest then draw.say 'region { "others", rest = true }' end
end

-- Gives the text of a specification.
function M.make(seed)
  local draw = new(seed)
  draw.kernels, draw.regions, draw.sides = {}, {}, {}
  local rank = draw.number(3)
  draw.grid = { table.unpack({ "x", "y", "z" }, 1, rank) }
  draw.on = draw.grid
  draw.say('precision { "%s"%s }', draw.one { "float", "double", "half", "bfloat16" },
    draw.chance(3) and ', compute = "double"' or "")
  draw.say("grid { %s }", quoted(draw.grid))
  if draw.chance(2) then
    draw.say 'levels { "k" }'
    draw.on = shuffled(draw, { "k", table.unpack(draw.grid) })
  end
  make_inputs(draw)
  for i = 1, draw.number(3) do draw.one(PARTS)(draw, "f" .. i) end
  regions(draw)
  declare_inputs(draw)
  for _, text in ipairs(draw.kernels) do draw.say("%s", text) end
  if #draw.order > 1 then draw.say("step { %s }", quoted(draw.order)) end
  return table.concat(draw.lines, "\n") .. "\n"
end

return M
