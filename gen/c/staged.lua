-- Tiles in C: where their values lie in shared memory, how they get there, and
-- how a stage finds them.

local access = require "gen.c.access"
local lists = require "gen.list"
local row_texts = require "gen.c.rows"
local tile_rows = require "gen.schedule.tile_rows"
local words = require "gen.c.words"

local M = {}

-- Gives every stream its member of struct tile_level, and what is handed on its
-- member of shared_planes: state.members = { { type, name, points }.. },
-- state.handed[buffer] = { type, name, levels, points }.
function M.claim(state)
  local claim, threads = words.scope(), state.threads
  claim "level"
  state.members, state.handed, state.kept_on = {}, {}, {}
  local function add(streams, count)
    for _, stream in ipairs(streams) do
      stream.member = claim(stream.buffer)
      table.insert(state.members, { type = access.type(stream.type),
        name = stream.member, slots = stream.slots and ("[%d]"):format(
          stream.slots.count) or "", points = count * threads })
    end
  end
  for _, list in ipairs(state.lists) do add(list.streams, list.each) end
  for i, stage in ipairs(state.stages) do
    add(stage.own, stage.each)
    for _, store in ipairs(i < #state.stages and stage.block.stores or {}) do
      local field = lists.find(state.lowered.fields, "name", store.field)
      local handed = { type = access.type(field.type), field = field,
        name = claim(store.buffer), levels = state.kept[store.buffer],
        points = threads
          * (stage.pitch > 0 and stage.pitch or stage.each) }
      state.handed[store.buffer] = handed
      table.insert(state.kept_on, handed)
    end
  end
end

-- ---------------------------------------------------------------------------
-- Copies

local function times(index, stride)
  return stride == "" and index or index .. " * " .. stride
end

-- Where the value of a point `at` a level `next` is in its array.
local function place(stream, state, names)
  local field, slots, terms = stream.field, stream.slots, {}
  local index = slots and slots.affine
    and row_texts.entry(names.rows.of[slots.table], "at", "i", names.rows)
    or "at"
  for i, axis in ipairs(field.axes) do
    local stride = names.stride[field.name][axis]
    terms[i] = axis == state.level and times("next", stride)
      or axis == field.table and times("i", stride)
      or times(stride ~= "" and index:find " " and "(" .. index .. ")"
        or index, stride)
  end
  return table.concat(terms, " + ")
end

-- The lines that send for the values of one point, "vertex_copied[item]".
local function fetch(stream, point, state, names)
  local slots = stream.slots
  local lines = { ("quern_fetch_point(%s, &to->%s%s[mine],"):format(point,
    stream.member, slots and "[i]" or ""),
    ("                  &%s[%s]);"):format(
    names.array[stream.buffer], place(stream, state, names)) }
  if not slots then return lines end
  return { "#pragma unroll", ("for (int i = 0; i < %d; i++)"):format(
    slots.count), "    " .. lines[1], "    " .. lines[2] }
end

-- "next >= first - 1 && next < last + 1": the levels that are read.
local function levels_read(state, stream)
  local tests = {}
  local function beside(name, n)
    return n == 0 and name or ("%s %s %d"):format(name, n < 0 and "-" or "+",
      math.abs(n))
  end
  local oldest = state.newest + state.ahead + 1 - state.slots
  if stream.low > oldest then
    tests[1] = "next >= " .. beside("first", stream.low)
  end
  tests[#tests + 1] = "next < " .. beside("last", stream.high)
  return table.concat(tests, " && ")
end

-- The copies of some points, in groups of as many levels: { { condition, index
-- = "vertex_copied[item]", each, lines }.. }.
function M.copies(state, streams, points, each, names)
  local groups = {}
  for _, stream in ipairs(streams) do
    local condition = levels_read(state, stream)
    local group = lists.find(groups, "condition", condition)
    if not group then
      group = { condition = condition, points = points, each = each,
        lines = {} }
      groups[#groups + 1] = group
    end
    lists.append(group.lines, fetch(stream, points .. "[item]", state, names))
  end
  return groups
end

-- ---------------------------------------------------------------------------
-- What a stage reads

-- The number of a neighbour among those of a way, as a text. rows: of the
-- stage's names.
local function number(stage, way, near, rows)
  local text, fixed = nil, 0
  for i, step in ipairs(tile_rows.steps(stage, near)) do
    local slots = way.steps[i]
    local own
    if step.slot then
      for k, slot in ipairs(slots.slots) do
        if slot == step.slot then own = k - 1 end
      end
    end
    fixed = fixed * slots.count + (own or 0)
    if text then text = ("(%s) * %d"):format(text, slots.count) end
    if not own then
      local slot = rows.variable(step.loop)
      text = text and text .. " + " .. slot or slot
    end
  end
  if not text then return tostring(fixed) end
  return (fixed == 0 and text or ("%s + %d"):format(text, fixed))
    :gsub("^%(([%w_]+)%)", "%1")
end

-- The words and the number of a neighbour among them: "e2c2v_near[item], 2"; of
-- a fan which of its neighbours that is, "e2c2v_near, e2c2v_fan[item][2]".
local function near_words(stage, way, near, rows)
  local which = number(stage, way, near, rows)
  if way.fan then
    return ("%s, %s[item][%s]"):format(way.array, way.fan.pattern, which)
  end
  return ("%s[item], %s"):format(way.array, which)
end

-- What reads the place of a neighbour along a way: may one be missing?
function M.place_call(state, way)
  for _, step in ipairs(way.steps) do
    if state.tables[step.table].skip then return "quern_near" end
  end
  return "quern_place"
end

-- "here", or the level above or below it: its name, and how many slots before
-- the newest one its own is.
function M.level_name(offset)
  return offset == 0 and "here"
    or ("%s_%d"):format(offset < 0 and "below" or "above", math.abs(offset))
end

-- The array of what a fan has read of a buffer, beside its level.
local function fan_array(buffer, offset)
  return offset == 0 and buffer .. "_fan"
    or ("%s_fan_%s"):format(buffer, M.level_name(offset))
end

-- "u_vert_fan[e2c2v_fan[item][2]]".
function M.fan_value(way, load, level, near, stage, rows)
  return ("%s[%s[item][%s]]"):format(
    fan_array(load.buffer, load.offset[level] or 0), way.fan.pattern,
    (number(stage, way, near, rows)))
end

-- What a fan reads: { { type, name, count, value } .. }, value with the place
-- `near`.
function M.fan_reads(state, stage, context)
  local list = {}
  for _, load in ipairs(stage.block.loads) do
    local source = stage.sources[load.id]
    if source and source.way and source.way.fan then
      local offset = load.offset[state.level] or 0
      local name = fan_array(load.buffer, offset)
      local stream = lists.find(source.way.list.streams, "buffer", load.buffer)
      if not lists.find(list, "name", name) then
        list[#list + 1] = { name = name, type = context.kernel.compute,
          count = source.way.fan.count, value = access.element(
            ("%s->%s"):format(M.level_name(offset), stream.member), "near",
            stream.type, context.kernel.compute) }
      end
    end
  end
  return list
end

-- Which of some levels of a result that of a level is: "k & 1". Below the
-- first, which may be 0, stages that are behind read what nobody writes then.
function M.turn(level, count)
  if count & (count - 1) == 0 then
    return ("%s & %d"):format(level, count - 1)
  end
  return ("(unsigned)(%s + %d) %% %d"):format(level, count, count)
end

-- The place of a load's value in shared memory; nil where it has none.
function M.element(state, stage, load, context)
  local source = stage.sources[load.id]
  if not source then return nil end
  local field, compute = context.by_name[load.field], context.kernel.compute
  local near = load.place and stage.neighbours[load.place]
  if source.way and source.way.fan then
    return M.fan_value(source.way, load, state.level, near, stage,
      context.names.rows)
  end
  local at = source.kind == "own" and "mine"
    or ("%s(%s)"):format(M.place_call(state, source.way), near_words(stage,
      source.way, near, context.names.rows))
  local array
  if source.kind == "handed" then
    local handed = state.handed[load.buffer]
    array = ("shared->%s[%s]"):format(handed.name,
      M.turn(context.names.axis[state.level], handed.levels))
  else
    local streams = source.kind == "own" and stage.own
      or source.way.list.streams
    local stream = lists.find(streams, "buffer", load.buffer)
    array = ("%s->%s%s"):format(M.level_name(load.offset[state.level] or 0),
      stream.member, stream.slots and ("[%s]"):format(near.slot
        or context.names.rows.variable(near.loop)) or "")
  end
  return access.element(array, at, field.type, compute)
end

-- The condition that a neighbour is missing, by the places that a stage has;
-- nil where it has none.
function M.absent(stage, name, rows)
  local near = stage.neighbours[name]
  local way = tile_rows.way_to(stage, near)
  return way and ("quern_missing(%s)"):format(near_words(stage, way, near,
    rows))
end

-- ---------------------------------------------------------------------------
-- The form of the tiles, for those who make them

local function name_of(list, item)
  for i, other in ipairs(list) do
    if other == item then return i - 1 end
  end
  return -1
end

-- "0, 1, 2, 3, .." of a fan, point by point.
function M.pattern(fan)
  local all = {}
  for i, row in ipairs(fan.number) do all[i] = table.concat(row, ", ") end
  return table.concat(all, ", ")
end

-- Slots that are not simply the first: "{ 0, 2 }", or nil.
local function slots_of(step)
  for i, slot in ipairs(step.slots) do
    if slot ~= i - 1 then return table.concat(step.slots, ", ") end
  end
end

local function way_row(state, way, prefix, tables, slots)
  local steps = {}
  for i, step in ipairs(way.steps) do
    local listed, name = slots_of(step), "NULL"
    if listed then
      name = ("%s_slots_%d"):format(prefix, #slots + 1)
      slots[#slots + 1] = ("static const int %s[] = { %s };"):format(name,
        listed)
    end
    steps[i] = ("{ %d, %d, %s }"):format(tables[step.table], step.count, name)
  end
  return ("{ %d, %d, %d, %d, { %s } },"):format(
    name_of(state.stages, way.stage), name_of(state.stages, way.to),
    name_of(state.lists, way.list), #steps,
    steps[1] and table.concat(steps, ", ") or "{ 0, 0, NULL }")
end

-- The initialisers of struct quern_tile_form: { threads, words, stages, lists,
-- ways, slots = lines }. `prefix`: of names.
function M.form(state, prefix)
  local position, tables = {}, {}
  for i, axis in ipairs(state.lowered.axes) do position[axis] = i - 1 end
  for i, of in ipairs(state.lowered.tables) do tables[of.name] = i - 1 end
  local form = { threads = state.threads, words = state.words,
    strips = state.strips, stages = {}, lists = {}, ways = {}, slots = {} }
  form.fans = {}
  for i, stage in ipairs(state.stages) do
    local name = stage.fan and ("%s_fan_%d"):format(prefix, i)
    form.stages[i] = ("{ %d, %d, %d, %s },"):format(position[stage.domain],
      stage.each, stage.pitch, name and "&" .. name or "NULL")
    form.fans[#form.fans + 1] = name and { name = name,
      way = name_of(state.ways, stage.fan.way), count = stage.fan.count,
      centres = table.concat(stage.fan.centres, ", "),
      number = M.pattern(stage.fan) }
  end
  for i, list in ipairs(state.lists) do
    form.lists[i] = ("{ %d, %d, %d },"):format(position[list.domain],
      list.each, list.bytes)
  end
  for i, way in ipairs(state.ways) do
    form.ways[i] = way_row(state, way, prefix, tables, form.slots)
  end
  return form
end

return M
