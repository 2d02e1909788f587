-- Requests, served in batches, as kernels on meshes: what every shape and
-- backend of those can do, it can do with these.
--
-- A batch is a domain, `request`. Of every list L that a formula is for, its
-- items are a domain of their own, L_item, with two tables, L_point (an item's
-- point) and L_request (the request that brought it); a list that is reduced
-- over is a ragged table L, a row for each request. What a request adds to a
-- field F for an item is the value of a field F_L there, assigned by the
-- kernel <request>_L; the kernel <request>_L_sum adds it up for each point,
-- over its row of the ragged table L_items: in order of submission, where the
-- rows are. Under --fp fast a kernel <request>_<L>_add does all of it at once:
-- each item adds to its point, in any order. Scalars that come with a request
-- are fields on `request`.

local grown = require "gen.lower.grown"
local lists = require "gen.list"
local walk = require "gen.model.walk"

local M = {}

-- ---------------------------------------------------------------------------
-- Nodes, as they are of an item

-- block = { list = name, item = its domain, of = of its points, map, point,
-- request }. A place in one of its tables, once.
local function own_place(state, block, which, pos)
  block[which] = block[which] or grown.add(state, { kind = "place", slot = 0,
    table = ("%s_%s"):format(block.list, which), free = { block.item },
    pos = pos })
  return block[which]
end

local MAKE = {}

function MAKE.place(state, block, node)
  local made = walk.mapped(node, block.map)
  if node.list then
    made.table, made.list = node.list, nil
    made.row = own_place(state, block, "request", node.pos)
    local of = state.model.lists[node.list]
    grown.enter_table(state, node.list, of.pos, "request", of.of, true)
    state.model.tables[node.list].nonempty =
      state.model.lists[node.list].nonempty
  elseif not node.row and state.model.tables[node.table].from == block.of then
    made.row = own_place(state, block, "point", node.pos)
  end
  return made
end

function MAKE.slot(state, block, node)
  local made = walk.mapped(node, block.map)
  made.slots = { #state.model.nodes + 1 }
  return made
end

function MAKE.read(state, block, node)
  local made = walk.mapped(node, block.map)
  if not node.place and state.model.fields[node.field].domain == block.of then
    made.place = own_place(state, block, "point", node.pos)
  end
  return made
end

function MAKE.scalar(state, block, node)
  local scalar = state.model.scalars[node.name]
  if not scalar or scalar.per ~= "request" then return nil end
  return { kind = "read", field = node.name, level = 0, shift = {},
    place = own_place(state, block, "request", node.pos), type = "real",
    pos = node.pos, hint = node.hint }
end

-- Are a neighbour and the item's own point one?
function MAKE.same(state, block, node)
  return { kind = "same", type = "bool", pos = node.pos, args = {
    block.map[node.args[1]], own_place(state, block, "point", node.pos) } }
end

local function changes(block, node)
  for _, id in ipairs(walk.children(node)) do
    if block.map[id] ~= id then return true end
  end
end

local function make(state, block, node)
  local kind = node.fn == "same" and "same" or node.kind
  if MAKE[kind] then return MAKE[kind](state, block, node) end
  return changes(block, node) and walk.mapped(node, block.map) or nil
end

-- The nodes below the roots, as they are of an item: block.map has their ids.
local function rewrite(state, block, roots)
  for _, id in ipairs(walk.reachable(state.model.nodes, roots)) do
    local made = make(state, block, state.model.nodes[id])
    if made and made.kind == "slot" then
      made.free = state.model.nodes[made.over].free
      made.slots = grown.union(made.slots,
        state.model.nodes[made.over].slots or {})
    elseif made then
      grown.settle(state, made)
    end
    block.map[id] = made and grown.add(state, made) or id
  end
end

-- ---------------------------------------------------------------------------
-- Kernels

local function kernel_of(request, name, domain, assign, reads)
  return { name = name, pos = request.pos, kind = "point", domain = domain,
    space = { domain }, extra = {}, least = {}, setup = false,
    compute = request.compute, blocks = { { assign = assign, reads = reads } } }
end

local function reads_of(names)
  local list = {}
  for i, name in ipairs(names) do
    list[i] = { field = name, level = 0, lo = {}, hi = {} }
  end
  return list
end

local function part_name(assign, list)
  return ("%s_%s"):format(assign.field, list)
end

-- What each item of a list adds, or is to be.
local function parts(state, request, source)
  local model, list = state.model, source.list
  local of = model.lists[list]
  local block = { list = list, item = list .. "_item", of = of.of, map = {} }
  grown.enter_domain(state, block.item, of.pos)
  grown.enter_table(state, list .. "_point", of.pos, block.item, of.of, false)
  grown.enter_table(state, list .. "_request", of.pos, block.item, "request",
    false)
  grown.enter_table(state, list .. "_items", of.pos, of.of, block.item, true)
  rewrite(state, block, walk.roots(source))
  local assign = {}
  for i, a in ipairs(source.assign) do
    grown.enter_field(state, part_name(a, list), a.pos, block.item,
      model.fields[a.field])
    assign[i] = { field = part_name(a, list), level = 0, add = false,
      value = block.map[a.value], pos = a.pos }
  end
  local kernel = kernel_of(request, ("%s_%s"):format(request.name, list),
    block.item, assign, source.reads)
  kernel.items = list .. "_request"
  return kernel, block
end

-- The same, added to the items' points: `adds` of an assignment is the place.
local function adding(state, request, source, items, block)
  local assign = {}
  for i, a in ipairs(source.assign) do
    assign[i] = { field = a.field, level = 0, add = true, pos = a.pos,
      value = block.map[a.value], adds = own_place(state, block, "point",
        a.pos) }
  end
  local kernel = kernel_of(request, items.name .. "_add", block.item, assign,
    source.reads)
  kernel.items, kernel.adds = items.items, true
  return kernel
end

-- Why no item adds to its point by itself, or nil.
local function in_order(state, request, source)
  local compute = request.compute or state.model.compute
  if state.fp ~= "fast" then
    return ("--fp %s keeps the order"):format(state.fp)
  elseif state.backend == "c" then
    return "atomics in C are loops that try again"
  end
  for _, a in ipairs(source.assign) do
    local type = state.model.fields[a.field].type
    if not a.add then return a.field .. " is set, not added to" end
    if type ~= compute then
      return ("%s is stored as %s and computed in %s"):format(a.field, type,
        compute)
    end
  end
end

-- A sum over the items of a point.
local function reduce(state, row, slot, body, pos)
  return grown.settled(state, { kind = "reduce", fn = "sum", over = row,
    slot = slot, body = body, type = "real", pos = pos })
end

-- { one more than what there was }, or what the items' says where there is one.
local function total(state, a, sum, count)
  local old = grown.add(state, { kind = "read", field = a.field, level = 0,
    shift = {}, free = { state.model.fields[a.field].domain }, type = "real",
    pos = a.pos })
  if a.add then
    return grown.settled(state, { kind = "add", args = { old, sum },
      type = "real", pos = a.pos })
  end
  local zero = grown.add(state, { kind = "num", n = "0", d = "1", type = "real",
    free = {}, pos = a.pos })
  local some = grown.settled(state, { kind = "compare", op = ">",
    args = { count, zero }, type = "bool", pos = a.pos })
  return grown.settled(state, { kind = "select",
    args = { some, sum, old }, type = "real", pos = a.pos })
end

local function sums(state, request, source)
  local of, list = state.model.lists[source.list], source.list
  local names, assign = {}, {}
  local row = grown.add(state, { kind = "place", table = list .. "_items",
    free = { of.of }, pos = request.pos })
  local slot = grown.add(state, { kind = "slot", over = row, depth = 0,
    free = { of.of }, pos = request.pos })
  state.model.nodes[slot].slots = { slot }
  local item = grown.settled(state, { kind = "place", bound = slot,
    table = list .. "_items", pos = request.pos })
  local one = grown.add(state, { kind = "num", n = "1", d = "1", type = "real",
    free = {}, pos = request.pos })
  for i, a in ipairs(source.assign) do
    local part = grown.settled(state, { kind = "read", level = 0,
      field = part_name(a, list), shift = {}, place = item, type = "real",
      pos = a.pos })
    local count = not a.add and reduce(state, row, slot, one, a.pos)
    local sum = reduce(state, row, slot, part, a.pos)
    assign[i] = { field = a.field, level = 0, add = false, pos = a.pos,
      value = total(state, a, sum, count) }
    lists.append(names, { part_name(a, list), a.field })
  end
  return kernel_of(request, ("%s_%s_sum"):format(request.name, list), of.of,
    assign, reads_of(names))
end

local function unfold(state, request)
  for _, source in ipairs(request.blocks) do
    local items, block = parts(state, request, source)
    local summing = sums(state, request, source)
    local why = in_order(state, request, source)
    lists.append(state.model.kernels, { items, summing })
    items.way = ("each item's part for %s to add in order of submission: %s")
      :format(summing.name, why or "for those who ask for that order")
    if not why then
      local all = adding(state, request, source, items, block)
      all.way = "atomics, in any order: --fp fast allows it"
      table.insert(state.model.kernels, all)
    end
  end
end

-- ---------------------------------------------------------------------------

-- Scalars that come with a request become fields.
local function move_scalars(state)
  local model, kept = state.model, {}
  for _, name in ipairs(model.order.scalars) do
    local scalar = model.scalars[name]
    if scalar.per == "request" then
      state.taken[name] = nil
      grown.enter_field(state, name, scalar.pos, "request", { type =
        scalar.type == "int" and "int" or model.storage, range = scalar.range })
    else
      kept[#kept + 1] = name
    end
  end
  model.order.scalars = kept
end

local function names_taken(model)
  local taken = {}
  for _, kind in ipairs(grown.KINDS) do
    for _, name in ipairs(model.order[kind]) do taken[name] = true end
  end
  for _, name in ipairs(model.order.lists) do taken[name] = nil end
  for _, kernel in ipairs(model.kernels) do taken[kernel.name] = true end
  return taken
end

local function first_request(model)
  for _, kernel in ipairs(model.kernels) do
    if kernel.kind == "request" then return kernel end
  end
end

-- A model without requests (the same, if it has none), or nil, diagnostics.
function M.unfolded(model, options)
  local first = first_request(model)
  if not first then return model end
  local state = { model = grown.new(model), problems = {},
    fp = options.fp or "strict", backend = options.backend,
    taken = names_taken(model) }
  grown.enter_domain(state, "request", first.pos)
  move_scalars(state)
  for _, kernel in ipairs(model.kernels) do
    if kernel.kind == "request" then
      unfold(state, kernel)
    else
      table.insert(state.model.kernels, kernel)
    end
  end
  if #state.problems > 0 then return nil, state.problems end
  return state.model
end

return M
