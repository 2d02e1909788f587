-- Specifications on meshes at random: domains, tables of all kinds, fields in
-- all orders, reductions in reductions, slots, levels beside, chains, and what
-- folds. One in three has the tables of icon, so that rows of real meshes follow
-- their patterns. The same seed gives the same text.

local drawing = require "tests.draw"

local M = {}
local name, use, constant = drawing.name, drawing.use, drawing.constant

local DOMAINS = { "vertex", "edge", "cell", "point", "node", "row", "tile",
  "item", "domain", "table", "list", "near", "thread", "index", "place", "box" }
local LEVELS = { "k", "k", "level", "lev", "plane", "first", "z", "now", "last" }
local TABLES = { "v2e", "t", "ring", "around", "slot_of", "near_edge", "entries",
  "start", "row_start", "e2v", "u", "stride", "kind", "tiles", "words", "slot" }
local BOUND = { "e", "v", "n1", "j", "slot", "near", "m", "near_v", "near_point",
  "of_slot", "s", "i", "to", "from", "sum_of", "at", "near_node", "item" }

-- The tables of the meshes that the runtime makes.
local ICON = {
  domains = { "vertex", "edge", "cell" },
  tables = {
    { name = "e2c2v", from = "edge", to = "vertex", count = 4 },
    { name = "v2e", from = "vertex", to = "edge", count = 6, skip = -1 },
    { name = "c2v", from = "cell", to = "vertex", count = 3 },
    { name = "v2c", from = "vertex", to = "cell", count = 6, skip = -1 },
    { name = "e2v", from = "edge", to = "vertex", count = 2 } },
  composed = { [[
neighbours { "v2e2c2v", through = { "v2e", "e2c2v" }, count = 7, pattern = {
  { 0, 1, 2, 3 }, { 1, 4, 5, 6 }, { 3, 1, 0, 6 }, { 1, 5, 2, 4 },
  { 1, 6, 4, 3 }, { 2, 1, 5, 0 } } }]],
    [[neighbours { "c2v2e", through = { "c2v", "v2e" }, count = 15 }]],
    [[neighbours { "c2v2e2c2v", through = { "c2v", "v2e", "e2c2v" }, count = 12 }]] } }

local MESHES = { "torus:5x6", "plane:6x7", "icosahedron:R1B1", "torus:4x2" }

-- Declarations ---------------------------------------------------------------

local function table_of(draw)
  local of = { name = name(draw, TABLES), from = draw.one(draw.domains),
    to = draw.one(draw.domains) }
  local kind = draw.number(6)
  if kind == 1 then
    of.affine, of.count = true, draw.number(4)
  elseif kind == 2 then
    of.ragged = true
  else
    of.count = draw.one { 1, 2, 2, 3, 4, 6, 7 }
    of.contiguous = draw.one { "row", "row", "slot" }
  end
  of.skip = not of.affine and draw.chance(2) and draw.one { -1, -1, 0 } or nil
  return of
end

-- Which of `distinct` targets each slot of each slot is.
local function pattern(draw, rows, columns)
  local all, next_one = {}, 0
  for i = 1, rows do
    local row, seen = {}, {}
    for j = 1, columns do
      local to = next_one > 0 and draw.chance(3) and draw.number(next_one) - 1 or next_one
      if seen[to] then to = next_one end
      seen[to] = true
      next_one = math.max(next_one, to + 1)
      row[j] = to
    end
    all[i] = "{ " .. table.concat(row, ", ") .. " }"
  end
  return next_one, table.concat(all, ", ")
end

local function compose(draw)
  for _, first in ipairs(draw.tables) do
    for _, second in ipairs(draw.tables) do
      local plain = first.count and second.count and not first.affine and not second.affine
      if plain and first.to == second.from and draw.chance(2) then
        local count, text = pattern(draw, first.count, second.count)
        draw.composed[#draw.composed + 1] = { through = { first, second },
          text = ('neighbours { "%s", through = { "%s", "%s" }, count = %d, pattern = { %s } }')
            :format(name(draw, TABLES), first.name, second.name, count, text) }
        return
      end
    end
  end
end

local function make_space(draw)
  draw.composed, draw.mesh = {}, draw.chance(3) and draw.one(MESHES)
  if draw.mesh then
    draw.domains, draw.tables = ICON.domains, {}
    for i, of in ipairs(ICON.tables) do
      draw.tables[i], draw.names[of.name] = { name = of.name, from = of.from, to = of.to, count = of.count,
        skip = of.skip }, true
    end
    for i, text in ipairs(ICON.composed) do draw.composed[i] = { text = text, icon = true } end
    for _, word in ipairs { "vertex", "edge", "cell", "v2e2c2v", "c2v2e", "c2v2e2c2v" } do
      draw.names[word] = true
    end
  else
    draw.domains, draw.tables = {}, {}
    for i = 1, draw.number(3) do draw.domains[i] = name(draw, DOMAINS) end
    for i = 1, draw.number(4) do draw.tables[i] = table_of(draw) end
    if draw.chance(2) then compose(draw) end
  end
  draw.level = not draw.chance(6) and name(draw, LEVELS) or nil
  draw.bound = { name(draw, BOUND), name(draw, BOUND), name(draw, BOUND), name(draw, BOUND) }
end

-- A field on a domain, maybe on a table's slots and on levels, in any order.
local function field(draw, domain, of, level)
  local made = { name = name(draw), domain = domain, table = of, level = level and draw.level, keys = {}, fields = 0 }
  local on = {}
  if domain then on[1] = domain end
  if of then table.insert(on, draw.number(2), of.name) end
  if made.level then
    table.insert(on, draw.levels_first and draw.number(#on + 1) or #on + 1, made.level)
  end
  made.on = '"' .. table.concat(on, '", "') .. '"'
  if made.level and draw.chance(6) then made.extra = true end
  return made
end

local INPUT = { "", "", "", [[type = "double"]], [[type = "float"]], [[type = "half"]],
  [[type = "bfloat16"]], [[type = "int", range = { -3, 3 }]], "range = { 0.5, 2 }" }
local RESULT = { "", "", "", [[type = "double"]], [[type = "float"]], [[type = "bfloat16"]] }
local function make_inputs(draw)
  draw.fields = {}
  for _ = 1, 3 + draw.number(5) do
    local domain, of = draw.one(draw.domains), nil
    if draw.chance(3) then of = draw.one(draw.tables) end
    if draw.chance(12) and draw.level then domain, of = nil, nil end
    local made = field(draw, of and of.from or domain, of, not domain or draw.chance(2) or not of and draw.chance(2))
    made.text, made.ready = draw.one(INPUT), true
    made.constant = not made.level or draw.chance(4)
    draw.fields[#draw.fields + 1] = made
  end
end

-- Reads ----------------------------------------------------------------------

-- scope = { at = domain, bound = { { name, domain, table }.. }, taken = names,
-- level = do points have one, low, high = how far it may be shifted, extra = are
-- there levels + 1 of them, mine = fields that may be read at the point alone,
-- want = "constant" (at all levels the same) or "level" (neither), nest }
local function within(scope, changes)
  local made = {}
  for key, value in pairs(scope) do made[key] = value end
  for key, value in pairs(changes) do made[key] = value end
  return made
end

local function places(draw, scope)
  local list = {}
  local function slots(from, row)
    for _, of in ipairs(draw.tables) do
      if of.from == from and of.count and not of.skip then
        local slot = draw.number(of.count) - 1
        list[#list + 1] = { of = of, text = row and ("%s(%s, %d)"):format(of.name, row, slot)
          or ("%s(%d)"):format(of.name, slot), domain = of.to, table = of }
      end
    end
  end
  slots(scope.at)
  for _, near in ipairs(scope.bound) do
    list[#list + 1] = { text = near.name, domain = near.domain, table = near.table }
    slots(near.domain, near.name)
  end
  return list
end

-- By how much a read may be shifted along levels: "k+1", or nil.
local function shift(draw, scope, item)
  local low, high = scope.low, scope.high
  if item.extra and not scope.extra then high = high + 1 end
  if not item.level or (low == 0 and high == 0) or draw.chance(2) then return nil end
  local by = draw.number(high - low + 1) + low - 1
  return ("%s%s%d"):format(draw.level, by < 0 and "-" or "+", math.abs(by))
end

local function is_wanted(scope, item)
  if item.level and not scope.level then return false end
  if scope.extra and item.level and not item.extra then return false end
  if scope.want == "constant" then return item.constant and not item.level end
  return scope.want ~= "level" or (item.level and not item.constant)
end

local function candidates(draw, scope)
  local list, near = {}, places(draw, scope)
  for _, item in ipairs(draw.fields) do
    local here = not item.table and (not item.domain or item.domain == scope.at)
    if is_wanted(scope, item) then
      if here and (item.ready or scope.mine[item]) then list[#list + 1] = { field = item } end
      for _, place in ipairs(item.ready and item.domain and near or {}) do
        local there = item.table and item.table == place.table or not item.table and item.domain == place.domain
        if there then list[#list + 1] = { field = item, place = place } end
      end
    end
  end
  return list
end

-- A read of something wanted, or nil.
local function read(draw, scope)
  local list = candidates(draw, scope)
  if #list == 0 then return nil end
  local found = draw.one(list)
  local parts = { found.place and found.place.text or nil }
  parts[#parts + 1] = found.field.ready and shift(draw, scope, found.field) or nil
  use(found.field)
  if found.place and found.place.of then use(found.place.of) end
  local text = found.field.name .. (found.field.done and found.field.timed and ".next" or "")
  return text .. (#parts > 0 and "[" .. table.concat(parts, ", ") .. "]" or "")
end

-- Expressions ----------------------------------------------------------------

local expression, linear

local function free_name(draw, scope)
  for _, word in ipairs(draw.bound) do
    if not scope.taken[word] then return word end
  end
end

-- A reduction over a row of the point, or of a neighbour.
local function reduction(draw, scope, make, fn)
  local rows, word = {}, free_name(draw, scope)
  for _, of in ipairs(draw.tables) do
    if of.from == scope.at then rows[#rows + 1] = { of = of, text = of.name } end
    for _, near in ipairs(scope.bound) do
      if of.from == near.domain then rows[#rows + 1] = { of = of, text = ("%s(%s)"):format(of.name, near.name) } end
    end
  end
  if #rows == 0 or not word or scope.nest >= 2 then return nil end
  local row = draw.one(rows)
  use(row.of)
  row.of.nonempty = row.of.nonempty or fn ~= "sum"
  local bound = { table.unpack(scope.bound) }
  bound[#bound + 1] = { name = word, domain = row.of.to, table = row.of }
  return ("%s(%s in %s, %s)"):format(fn, word, row.text, make(within(scope, { bound = bound, nest = scope.nest + 1,
    taken = within(scope.taken, { [word] = true }) })))
end

-- An expression at another place: "(p*q)[v]", "(p - q)[k-1]".
local function elsewhere(draw, scope, make)
  local list = places(draw, scope)
  if scope.low < 0 and scope.level and draw.chance(2) then
    return ("(%s)[%s-1]"):format(make(within(scope, { low = 0, bound = {}, mine = {} })), draw.level)
  elseif #list == 0 then
    return nil
  end
  local place = draw.one(list)
  if place.of then use(place.of) end
  return ("(%s)[%s]"):format(make(within(scope, { at = place.domain, bound = {}, mine = {} })), place.text)
end

function expression(draw, scope, depth)
  local function deeper(inner) return expression(draw, inner, depth - 1) end
  draw.left = draw.left - 1
  if depth <= 0 or draw.left < 0 or draw.chance(8) then
    return not draw.chance(5) and read(draw, scope) or constant(draw)
  end
  local kind, text = draw.number(6), nil
  if kind <= 2 then
    text = reduction(draw, scope, deeper, draw.one { "sum", "sum", "sum", "min", "max" })
  elseif kind == 3 then
    text = elsewhere(draw, scope, deeper)
  end
  return text or drawing.fill(draw.one(drawing.FORMS), function() return deeper(scope) end)
end

local LINEAR = { "($L + $M)", "($L - $M)", "$C*$L", "$L*$C", "-($L)", "$L/(2 + ($C)^2)", "($C*$L + $M)", "$L/3" }

-- Linear in what changes with the level, where everything else is constant.
function linear(draw, scope, depth)
  local function deeper(inner) return linear(draw, inner, depth - 1) end
  draw.left = draw.left - 1
  local text
  if depth > 0 and draw.left > 0 then
    local kind = draw.number(5)
    if kind <= 2 then
      text = reduction(draw, scope, deeper, "sum")
    elseif kind == 3 then
      text = elsewhere(draw, scope, deeper)
    end
    text = text or draw.one(LINEAR):gsub("%$(%a)", function(letter)
      if letter ~= "C" then return linear(draw, scope, depth - 1) end
      return expression(draw, within(scope, { want = "constant" }), draw.number(2) - 1)
    end)
  end
  return text or read(draw, within(scope, { want = "level" })) or "0.5*" .. constant(draw)
end

-- Kernels --------------------------------------------------------------------

local function scope_of(targets, low)
  local scope = { at = targets[1].domain, bound = {}, taken = {}, level = targets[1].level, low = low or 0, high = 0,
    extra = targets[1].extra, mine = {}, nest = 0 }
  for _, target in ipairs(targets) do scope.mine[target] = target.inplace end
  return scope
end

-- The results of a stage are read: at the point, or all of a row; nil where one
-- has levels and the point none.
local function reads_of(draw, stage, scope)
  local list = {}
  for _, item in ipairs(stage or {}) do
    local text = item.name .. (item.timed and ".next" or "")
    if item.level and not scope.level then return nil end
    local rows = {}
    for _, of in ipairs(draw.tables) do
      rows[#rows + 1] = of.from == scope.at and of.to == item.domain and of or nil
    end
    if item.domain == scope.at and (#rows == 0 or draw.chance(2)) then
      list[#list + 1] = text
    elseif #rows > 0 then
      list[#list + 1] = ("sum(%s in %s, %s[%s])"):format(draw.bound[1], use(draw.one(rows)), text, draw.bound[1])
    end
  end
  return #list > 0 and table.concat(list, " + ") or nil
end

local function block(draw, targets, low, stage)
  local scope, lines = scope_of(targets, low), {}
  draw.left = 40
  local must = reads_of(draw, stage, scope)
  for i, target in ipairs(targets) do
    local value = draw.linear and linear(draw, scope, draw.depth) or expression(draw, scope, draw.depth)
    if must and i == 1 then value = must .. draw.one { " + ", " - " } .. value end
    lines[i] = ("%s = %s"):format(target.name .. (target.timed and ".next" or ""), value)
    scope.mine[target] = nil
  end
  return table.concat(lines, "\n      ")
end

-- New results on a domain, all with levels or without.
local function targets_of(draw, domain, plain)
  local list, level, extra = {}, draw.level and (draw.linear or not draw.chance(6)), not plain and draw.chance(8)
  for i = 1, draw.number(2) do
    local made = field(draw, domain, nil, level)
    made.extra = made.level and extra
    made.text, made.used = draw.one(RESULT), true
    made.timed = not plain and draw.times and draw.chance(2)
    made.inplace = not made.timed and draw.chance(3)
    list[i], draw.fields[#draw.fields + 1] = made, made
  end
  return list
end

local KERNELS = { "step", "move", "k1", "apply", "run", "main", "kernel", "update", "gather", "spread", "fold", "meet" }

local function done(draw, targets)
  for _, target in ipairs(targets) do target.done, target.ready = true, not target.hidden end
  draw.last = targets
end

local function region_of(draw, text)
  local made = { name = name(draw, { "top", "ground", "rim", "shore", "low" }), text = text }
  local rest = { name = name(draw, { "below", "air", "sea", "rest", "inner" }), text = "rest = true" }
  draw.regions = { made, rest }
  return made.name, rest.name
end

-- A kernel in regions: by level (then the one before may be read) or by row.
local function in_regions(draw, targets)
  local level = targets[1].level and draw.chance(2)
  local text = level and ("%s = { 0, 1 }"):format(draw.level)
    or ("%s = { 1, %s }"):format(targets[1].domain, draw.one { '"n - 1"', '"n"', "4" })
  local first, rest = region_of(draw, text)
  return ("%s = [[ %s ]],\n    %s = [[ %s ]]"):format(first, block(draw, targets), rest,
    block(draw, targets, level and -1 or 0))
end

local function kernel(draw, targets, plain, stage, compute)
  local word = name(draw, KERNELS)
  local body = not plain and not draw.regions and draw.chance(3) and in_regions(draw, targets)
    or "[[ " .. block(draw, targets, 0, stage) .. " ]]"
  done(draw, targets)
  draw.order[#draw.order + 1] = '"' .. word .. '"'
  draw.kernels[#draw.kernels + 1] = ('kernel { "%s", %s%s }'):format(word, compute or "", body)
  return word
end

-- The domain that a stage hands its results to.
local function next_domain(draw, domain)
  local list = { domain }
  for _, of in ipairs(draw.tables) do
    if of.to == domain then list[#list + 1] = of.from end
  end
  return draw.one(list)
end

local function chain(draw)
  local domain, stage, words, dropped = draw.one(draw.domains), nil, {}, {}
  local compute = draw.chance(6) and [[compute = "double", ]] or nil
  local most = 1 + draw.number(2)
  for i = 1, most do
    for _, target in ipairs(stage or {}) do
      dropped[#dropped + 1], target.dropped = target, true
    end
    local targets = targets_of(draw, domain, true)
    for _, target in ipairs(targets) do target.inplace = i == most and target.inplace end
    words[i] = '"' .. kernel(draw, targets, true, stage, compute) .. '"'
    stage, domain = targets, next_domain(draw, domain)
  end
  for i, target in ipairs(dropped) do
    target.ready, target.temporary = false, draw.chance(3)
    dropped[i] = '"' .. target.name .. '"'
  end
  for _ = 1, #words do table.remove(draw.order) end
  local word = name(draw, KERNELS)
  draw.order[#draw.order + 1] = '"' .. word .. '"'
  draw.kernels[#draw.kernels + 1] = ('fuse { "%s", %s, drop = { %s } }'):format(word, table.concat(words, ", "),
    table.concat(dropped, ", "))
end

local function declared(draw, lines)
  for _, of in ipairs(draw.tables) do
    if of.used then
      lines[#lines + 1] = ('neighbours { "%s", from = "%s", to = "%s"%s%s%s%s%s }'):format(of.name, of.from, of.to,
        of.count and ", count = " .. of.count or "", of.ragged and ", ragged = true" or "",
        of.skip and ", skip = " .. of.skip or "", of.affine and ", affine = true" or "",
        of.contiguous and (', contiguous = "%s"'):format(of.contiguous) or "")
    end
  end
  for _, item in ipairs(draw.fields) do
    if item.used then
      if item.table and not item.table.used then error("a field on an unused table: " .. item.name) end
      lines[#lines + 1] = ('field { "%s", on = { %s }%s%s%s%s%s }'):format(item.name, item.on,
        item.text ~= "" and ", " .. item.text or "",
        item.extra and (", extra = { %s = 1 }"):format(draw.level) or "",
        item.constant and ", constant = true" or "", item.timed and ", time = { 0, 1 }" or "",
        item.temporary and ", temporary = true" or "")
    end
  end
end

local function compositions(draw, lines)
  for _, made in ipairs(draw.composed) do
    local there = true
    if made.icon then
      for _, word in ipairs { "v2e", "e2c2v", "c2v" } do
        local of
        for _, one in ipairs(draw.tables) do of = one.name == word and one or of end
        there = there and (of.used or not made.text:find('"' .. word .. '"', 1, true))
      end
    else
      there = made.through[1].used and made.through[2].used
    end
    lines[#lines + 1] = there and made.text or nil
  end
end

-- Gives the text of a specification, and the mesh that it is for, or nil.
function M.make(seed)
  local draw = drawing.new(seed)
  draw.scalars, draw.kernels = {}, {}
  make_space(draw)
  for i = 1, draw.number(3) - 1 do draw.scalars[i] = { name = name(draw), text = "" } end
  draw.linear, draw.times = draw.level and draw.chance(3), draw.chance(3)
  draw.levels_first, draw.depth = draw.chance(3), draw.number(3)
  make_inputs(draw)
  if draw.chance(2) then chain(draw) end
  for _ = 1, draw.number(2) do kernel(draw, targets_of(draw, draw.one(draw.domains))) end
  if not draw.chance(3) and #draw.kernels < 3 then chain(draw) end
  local lines = { ([[precision { "%s"%s }]]):format(draw.one { "float", "double", "double" },
    draw.chance(4) and [[, compute = "double"]] or ""),
    ('domain { "%s" }'):format(table.concat(draw.domains, '", "')) }
  if draw.level then lines[#lines + 1] = ('levels { "%s" }'):format(draw.level) end
  declared(draw, lines)
  compositions(draw, lines)
  for _, region in ipairs(draw.regions or {}) do
    lines[#lines + 1] = ('region { "%s", %s }'):format(region.name, region.text)
  end
  for _, text in ipairs(draw.kernels) do lines[#lines + 1] = text end
  local text = table.concat(draw.kernels, "\n"):gsub('"double"', "")
  for _, scalar in ipairs(draw.scalars) do
    if text:find("%f[%w_]" .. scalar.name .. "%f[^%w_]") then
      lines[#lines + 1] = ('scalar { "%s" }'):format(scalar.name)
    end
  end
  if #draw.order > 1 and draw.times then
    lines[#lines + 1] = "step { " .. table.concat(draw.order, ", ") .. " }"
  end
  return table.concat(lines, "\n") .. "\n", draw.mesh or nil
end

-- Extents of all axes, `count` times: nothing where that can be, few and many
-- points and levels; every table leads somewhere.
local LENGTHS, DEPTHS = { 1, 2, 7, 33, 65, 130, 5, 0 }, { 1, 3, 17, 5, 2, 33 }

-- No point leads to an empty domain by a table in which none may be missing.
local function empty_before(lowered, extents)
  for _ = 1, #lowered.tables do
    for _, of in ipairs(lowered.tables) do
      local wants = not of.through and (not of.skip or of.nonempty)
      if wants and extents[of.to] == 0 then extents[of.from] = 0 end
    end
  end
end

local function extents_of(draw, lowered)
  local extents = {}
  for _, axis in ipairs(lowered.axes) do
    local space = lowered.model.spaces[axis]
    extents[axis] = draw.one(space and space.kind == "level" and DEPTHS or LENGTHS)
  end
  empty_before(lowered, extents)
  for _, of in ipairs(lowered.tables) do
    if of.affine then
      extents[of.to] = math.max(extents[of.to], of.count * extents[of.from])
    elseif of.ragged then
      extents[of.name] = extents[of.from] == 0 and 0 or extents[of.from] * draw.number(4)
    end
  end
  return extents
end

function M.sizes(lowered, seed, count)
  local draw, list = drawing.new(seed), {}
  for i = 1, count do
    local extents = extents_of(draw, lowered)
    list[i] = {}
    for k, axis in ipairs(lowered.axes) do list[i][k] = extents[axis] end
  end
  return list
end

return M
