-- The values of templates/folded_staged.cu.tpl.

local c = require "gen.c.staged"
local cuda = require "gen.emit.cuda"
local folded = require "gen.emit.folded"
local lists = require "gen.list"
local tiles = require "gen.emit.tiles"

local M = {}

-- The stream of an input in the list of its domain, and that list; else the one
-- that each thread copies for its own points.
local function stream_of(state, domain, input)
  local list = lists.find(state.lists, "domain", domain)
  local stream = list and lists.find(list.streams, "buffer", input.buffer)
  if stream then return stream, list end
  return lists.find(state.stages[1].own, "buffer", input.buffer)
end

-- What an input is at a neighbour, from shared memory.
local function element(state, context, input)
  local stream, list = stream_of(state, input.group.domain, input)
  local text = ("%s->%s[%s]"):format(c.level_name(input.offset), stream.member,
    list and "at" or "mine")
  local compute = context.kernel.compute
  return stream.type == compute and text or ("(%s)%s"):format(compute, text)
end

-- Which levels are read: { { name, back }.. }.
local function levels_of(state, inputs)
  local known, list = {}, {}
  for _, input in ipairs(inputs) do
    if not known[input.offset] then
      list[#list + 1] = { name = c.level_name(input.offset),
        back = state.ahead + state.newest - input.offset }
    end
    known[input.offset] = true
  end
  return list
end

-- Adds where the neighbours of each group are found in the tile: in the list of
-- their domain; of the points themselves, which no list has, nowhere.
local function add_places(values, plan)
  local state = plan.tiling
  values.seeks = false
  for i, group in ipairs(plan.block.folded.groups) do
    local view, held, at_list = values.groups[i], true, nil
    for k, input in ipairs(group.inputs) do
      local _, list = stream_of(state, group.domain, input)
      view.inputs[k].own = not list
      held, at_list = held and not list, at_list or list
    end
    view.own = held
    values.seeks = values.seeks or not held
    view.place = held and "0" or ("place_in(words + %d, %d, found[%d + (slot < "
      .. "met[%d] ? slot : 0)])"):format(at_list.word * plan.threads,
      at_list.each * plan.threads, group.first, i - 1)
  end
end

local function add_tile(values, context, plan)
  local state, names = plan.tiling, context.names
  local stage = state.stages[1]
  stage.array = names.claim(stage.domain .. "_of")
  values.points, values.each, values.word = stage.array, stage.each, stage.word
  values.words, values.slots_ahead, values.ahead = state.words, state.slots,
    state.ahead
  values.newest = state.ahead + state.newest
  values.before = state.slots - 1
  values.members, values.lists, values.copies = state.members, {}, {}
  for i, list in ipairs(state.lists) do
    list.array = names.claim(list.domain .. "_copied")
    values.lists[i] = { array = list.array, each = list.each,
      word = list.word }
    lists.append(values.copies, c.copies(state, list.streams, list.array,
      list.each, names))
  end
  lists.append(values.copies, c.copies(state, stage.own, stage.array,
    stage.each, names))
  values.mine = #stage.own > 0
  values.here = levels_of(state, plan.block.folded.inputs)
end

function M.view(plan, lowered)
  local state = plan.tiling
  c.claim(state)
  local values, context = cuda.view(plan, lowered)
  local members = tiles.add_launch(values, plan, lowered)
  local words, stage = (plan.block.folded.slots + 1) // 2, state.stages[1]
  folded.add(values, context, plan, {
    level = context.names.axis[plan.level], of = "", near_rows = words,
    pitch = ("a->%s * %d"):format(members.count, stage.each * plan.threads),
    near_count = "folded_of(a).pitch",
    tiled = { words = state.words, each = stage.each, word = stage.word,
      near_words = words, tiles = members.tiles, count = members.count },
    element = function(input) return element(state, context, input) end })
  add_tile(values, context, plan)
  add_places(values, plan)
  values.near_words = words
  cuda.add_dynamic(values)
  values.dynamic = nil
  return values
end

return M
