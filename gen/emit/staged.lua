-- The values of templates/staged.cu.tpl.

local block_lines = require "gen.c.block"
local c = require "gen.c.staged"
local c_names = require "gen.c.names"
local cuda = require "gen.emit.cuda"
local kept = require "gen.c.kept"
local lists = require "gen.list"
local place_of = require "gen.emit.place"
local text = require "gen.c.text"
local tiles = require "gen.emit.tiles"
local tiling = require "gen.schedule.tiling"

local M = {}

-- ---------------------------------------------------------------------------
-- Names

-- Names of the kernel's own for what it keeps of the tile.
local function claim_arrays(state, names)
  local list = {}
  local function claim(name)
    list[#list + 1] = names.claim(name)
    return list[#list]
  end
  for _, stage in ipairs(state.stages) do
    stage.array = claim(stage.domain .. "_of")
  end
  for _, copied in ipairs(state.lists) do
    copied.array = claim(copied.domain .. "_copied")
  end
  for _, way in ipairs(state.ways) do
    way.array = claim(way.name .. (way.steps[1] and "_near" or way.to
      and "_made" or "_place"))
    if way.fan then way.fan.pattern = claim(way.name .. "_fan") end
  end
  return list
end

-- The context of one stage: its block, and names of its own that agree with
-- the kernel's parameters.
local function context_of(plan, context, stage, taken)
  local own, axes = lists.copy(context), lists.copy(context.axes)
  if stage.domain ~= context.kernel.domain then
    axes[#axes + 1] = { name = stage.domain }
  end
  own.kernel, own.block = stage.kernel, stage.block
  local named = lists.copy(stage.block)
  named.host = context.block.host
  own.names = c_names.new(context.lowered, context.arrays, named, axes,
    lists.joined(plan.kept, taken))
  own.names.rows.index = "index_t"
  own.names.rows.absent = function(name)
    return c.absent(stage, name, own.names.rows)
  end
  return own
end

-- ---------------------------------------------------------------------------
-- A stage

-- Are there loads of a stage that are read where they are, level by level?
local function reads_directly(state, stage)
  for _, load in ipairs(stage.block.loads) do
    if not stage.sources[load.id] and not tiling.is_level_free(state, load) then
      return true
    end
  end
  return false
end

-- Fields with a place of their own at the point: of those that change with the
-- level, or of the others.
local function offsets(state, stage, context, changing, stored)
  local found, list = {}, {}
  for _, load in ipairs(stage.block.loads) do
    if not stage.sources[load.id] and not load.place then
      found[load.field] = true
    end
  end
  for _, store in ipairs(stored) do found[store.field] = true end
  for _, field in ipairs(context.lowered.fields) do
    local has = lists.contains(field.axes, state.level)
    list[#list + 1] = found[field.name] and has == changing and field or nil
  end
  return text.offsets(list, context.names, "const index_t")
end

-- Levels of a stage in shared memory: { { name, back }.. }.
local function levels_of(state, stage, lines)
  local list = {}
  local span = state.slots - 1
  for at = -span, span do
    local name = c.level_name(at)
    if text.stands(name, lines) then
      list[#list + 1] = { name = name,
        back = state.ahead + state.newest + stage.lag - at }
    end
  end
  return list
end

local function values_of(reads)
  local list = {}
  for i, read in ipairs(reads) do list[i] = read.value end
  return list
end

-- The results of a stage that is not the last: registers, then shared memory.
local function handed_of(state, stage, context)
  local list = {}
  for i, store in ipairs(stage.block.stores) do
    local handed = state.handed[store.buffer]
    list[i] = { type = handed.type, member = handed.name,
      level = c.turn(context.names.axis[state.level], handed.levels),
      name = context.names.claim(store.buffer .. "_result") }
  end
  return list
end

local function places_of(state, stage, context, register, handed)
  local direct = place_of.direct(context)
  local function early(load)
    return stage.sources[load.id] ~= nil and load.loop ~= nil
  end
  return { early = early, register = register,
    named = function(load) return early(load) or direct.named(load) end,
    element = function(load)
      return c.element(state, stage, load, context) or direct.element(load)
    end,
    target = function(store)
      if not handed then return direct.target(store) end
      for i, other in ipairs(stage.block.stores) do
        if other == store then return handed[i].name .. "[item]" end
      end
    end }
end

-- The names of its arrays are `taken` for the stages after it.
local function add_kept(view, state, stage, context, taken)
  local names, direct = context.names, place_of.direct(context)
  local lines, loops, arrays, register, claimed = kept.parts(context,
    state.level, direct.element, function(load)
      return block_lines.load_name(load, names)
    end, { { slot = "item", count = stage.each } },
    function(near) return stage.wanted[near.name] end)
  view.arrays = arrays
  lists.append(taken, claimed)
  view.kept = lists.joined(lines, loops)
  view.still = offsets(state, stage, context, false, {})
  return register
end

-- "edge >= 0 && k >= first": is there a point, and a level, of a stage? The
-- first steps have none of later stages, the last steps none of earlier ones;
-- what is computed there all the same nobody stores or reads. `wanted`: false
-- for the opposite.
local function runs(state, stage, axis, k, wanted)
  local tests = { axis .. (wanted and " >= 0" or " < 0") }
  if stage.lag > 0 then
    tests[#tests + 1] = k .. (wanted and " >= first" or " < first")
  end
  if stage.lag < #state.stages - 1 then
    tests[#tests + 1] = k .. (wanted and " < last" or " >= last")
  end
  return table.concat(tests, wanted and " && " or " || ")
end

local function result_place(state, stage)
  if stage.pitch > 0 then
    return ("thread * %d + item"):format(stage.pitch)
  end
  return ("item * %d + thread"):format(state.threads)
end

local function title(stage)
  local name = stage.kernel.name
  return stage.stores and "what " .. name .. " has computed goes to memory"
    or name
end

-- Lines of lines, each where the first begins.
local function unfold(lines)
  local list = {}
  for _, line in ipairs(lines) do
    local indent = ""
    for part in line:gmatch "[^\n]+" do
      list[#list + 1] = indent .. part
      indent = line:match "^ *"
    end
    if line == "" then list[#list + 1] = "" end
  end
  return list
end

local function stage_view(plan, context, stage, taken)
  local state = plan.tiling
  local own = context_of(plan, context, stage, taken)
  local final = stage == state.stages[#state.stages]
  local view = { points = stage.array, each = stage.each, word = stage.word,
    domain = stage.domain, name = title(stage), final = final,
    axis = own.names.axis[stage.domain],
    result = result_place(state, stage), k = own.names.axis[state.level],
    lag = stage.lag, after = stage.after or false }
  local register = add_kept(view, state, stage, own, taken)
  view.handed = final and {} or handed_of(state, stage, own)
  local lines = block_lines.lines(context.lowered, stage.kernel, stage.block,
    own.names, places_of(state, stage, own, register, not final
      and view.handed))
  local stores = lines.stores
  if final then lines.stores = {} end
  view.body = unfold(block_lines.join(lines))
  view.stores = final and stores or {}
  local direct = reads_directly(state, stage)
  local moving = offsets(state, stage, own, true, final and stage.block.stores
    or {})
  view.skips, view.start = direct, direct and " = {}" or ""
  view.runs = (direct or final) and runs(state, stage, view.axis, view.k,
    not direct) or false
  view.moving = direct and moving or {}
  view.stored_at = direct and {} or moving
  view.fan = c.fan_reads(state, stage, own)
  view.fan_place = stage.fan and ("%s(%s, i)"):format(c.place_call(state,
    stage.fan.way), stage.fan.way.array) or false
  view.slots = state.slots
  local reading = lists.joined(view.body, view.stores)
  view.levels = levels_of(state, stage, lists.append(values_of(view.fan),
    reading))
  view.mine = text.stands("mine", reading)
  view.row = direct or final
  view.begin = final and own.names.lower[stage.domain] or false
  view.finish = final and own.names.upper[stage.domain] or false
  return view
end

-- ---------------------------------------------------------------------------

local function copies_of(state, names)
  local groups = {}
  for _, list in ipairs(state.lists) do
    lists.append(groups, c.copies(state, list.streams, list.array, list.each,
      names))
  end
  for _, stage in ipairs(state.stages) do
    lists.append(groups, c.copies(state, stage.own, stage.array, stage.each,
      names))
  end
  return groups
end

-- An array of the words of each point, or of a fan's once.
local function way_view(way)
  local view = { array = way.array, word = way.word }
  if way.fan then
    view.size, view.item = ("[%d]"):format(way.words), "[item]"
    view.all = way.words
  else
    view.size = ("[%d][%d]"):format(way.stage.each, way.words)
    view.item = ("[item / %d][item %% %d]"):format(way.words, way.words)
    view.all = way.words * way.stage.each
  end
  return view
end

local function fan_rows(fan)
  local lines = {}
  for i, row in ipairs(fan.number) do
    lines[i] = ("{ %s },"):format(table.concat(row, ", "))
  end
  return lines
end

local function add_tile(values, state)
  values.words = state.words
  values.kept_on = state.kept_on
  values.lists, values.ways = {}, {}
  for i, list in ipairs(state.lists) do
    values.lists[i] = { array = list.array, each = list.each,
      word = list.word }
  end
  values.fans = {}
  for i, way in ipairs(state.ways) do
    values.ways[i] = way_view(way)
    values.fans[#values.fans + 1] = way.fan and { name = way.fan.pattern,
      each = way.fan.each, entries = #way.fan.number[1],
      rows = fan_rows(way.fan) } or nil
  end
  local before = state.slots - 1
  local lag = #state.stages - 1
  values.start = before > 0 and ("first - %d"):format(before) or "first"
  values.finish = lag == 0 and "last" or "last + " .. lag
end

function M.view(plan, lowered)
  local state = plan.tiling
  c.claim(state)
  local values, context = cuda.view(plan, lowered)
  local taken = claim_arrays(state, context.names)
  tiles.add_launch(values, plan, lowered)
  cuda.add_dynamic(values)
  values.dynamic = nil
  add_tile(values, state)
  values.ring = state.members[1] and { slots = state.slots,
    members = state.members,
    late = state.late, pending = state.pending,
    newest = state.ahead + state.newest,
    copies = copies_of(state, context.names) } or false
  values.stages = {}
  for i, stage in ipairs(state.stages) do
    values.stages[i] = stage_view(plan, context, stage, taken)
  end
  values.turns = {}
  for i, stage in ipairs(values.stages) do
    values.turns[#values.stages + 1 - i] = stage
  end
  values.k_begin = context.names.lower[state.level]
  values.k_end = context.names.upper[state.level]
  return values
end

return M
