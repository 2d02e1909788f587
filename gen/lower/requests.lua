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
-- rows are. Scalars that come with a request are fields on `request`.

local diag = require "gen.diag"
local lists = require "gen.list"
local walk = require "gen.model.walk"

local M = {}

-- ---------------------------------------------------------------------------
-- A model that grows

local function union(a, b)
  local list = lists.copy(a)
  for _, item in ipairs(b) do
    if not lists.contains(list, item) then list[#list + 1] = item end
  end
  table.sort(list)
  return list
end

local function copied(record)
  local out = {}
  for key, value in next, record do out[key] = value end
  return out
end

local KINDS = { "spaces", "scalars", "fields", "tables", "lists" }

-- The model, with lists and nodes of its own.
local function grown(model)
  local out = copied(model)
  out.order = {}
  for _, kind in ipairs(KINDS) do
    out[kind] = copied(model[kind])
    out.order[kind] = lists.copy(model.order[kind])
  end
  out.nodes, out.kernels = copied(model.nodes), {}
  return out
end

-- state = { model, problems, taken = { [name] = what it is in the spec } }.
-- Enters something under a name, once; the name must not be the spec's.
local function enter(state, kind, name, pos, made)
  if state.model[kind][name] and not state.taken[name] then return end
  if state.taken[name] then
    table.insert(state.problems, diag.new(pos, "requests make %s of their own: "
      .. "the spec has one", name))
    return
  end
  made.pos = pos
  state.model[kind][name] = made
  table.insert(state.model.order[kind], name)
end

local function enter_domain(state, name, pos)
  enter(state, "spaces", name, pos,
    { kind = "domain", rank = #state.model.order.spaces + 1 })
end

local function enter_table(state, name, pos, from, to, ragged)
  enter(state, "tables", name, pos, { from = from, to = to, affine = false,
    contiguous = "row", ragged = ragged, count = not ragged and 1 or nil })
end

local function enter_field(state, name, pos, domain, like)
  enter(state, "fields", name, pos, { name = name, type = like.type,
    range = like.range, on = { domain }, domain = domain, at = {}, axes = {},
    boundary = {}, buffers = 1, constant = false, extra = {}, halo = {},
    levels = { 0 }, role = "inout", temporary = false, timed = false })
end

-- ---------------------------------------------------------------------------
-- Nodes, as they are of an item

local function add(state, node)
  local nodes = state.model.nodes
  nodes[#nodes + 1] = node
  return #nodes
end

-- What a node depends on, from its children.
local function settle(state, node)
  local free, slots = node.free, {}
  if #walk.children(node) > 0 then free = {} end
  for _, id in ipairs(walk.children(node)) do
    local child = state.model.nodes[id]
    free = union(free, child.free)
    slots = union(slots, child.slots or {})
  end
  node.free, node.slots = free, #slots > 0 and slots or nil
  return node
end

-- block = { list = name, item = its domain, of = of its points, map, point,
-- request }. A place in one of its tables, once.
local function own_place(state, block, which, pos)
  block[which] = block[which] or add(state, { kind = "place", slot = 0,
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
    enter_table(state, node.list, state.model.lists[node.list].pos, "request",
      state.model.lists[node.list].of, true)
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
      made.slots = union(made.slots, state.model.nodes[made.over].slots or {})
    elseif made then
      settle(state, made)
    end
    block.map[id] = made and add(state, made) or id
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
  enter_domain(state, block.item, of.pos)
  enter_table(state, list .. "_point", of.pos, block.item, of.of, false)
  enter_table(state, list .. "_request", of.pos, block.item, "request", false)
  enter_table(state, list .. "_items", of.pos, of.of, block.item, true)
  rewrite(state, block, walk.roots(source))
  local assign = {}
  for i, a in ipairs(source.assign) do
    enter_field(state, part_name(a, list), a.pos, block.item,
      model.fields[a.field])
    assign[i] = { field = part_name(a, list), level = 0, add = false,
      value = block.map[a.value], pos = a.pos }
  end
  local kernel = kernel_of(request, ("%s_%s"):format(request.name, list),
    block.item, assign, source.reads)
  kernel.items = list .. "_request"
  return kernel
end

-- A sum over the items of a point.
local function reduce(state, row, slot, body, pos)
  return add(state, settle(state, { kind = "reduce", fn = "sum", over = row,
    slot = slot, body = body, type = "real", pos = pos }))
end

-- { one more than what there was }, or what the items' says where there is one.
local function total(state, a, sum, count)
  local old = add(state, { kind = "read", field = a.field, level = 0,
    shift = {}, free = { state.model.fields[a.field].domain }, type = "real",
    pos = a.pos })
  if a.add then
    return add(state, settle(state, { kind = "add", args = { old, sum },
      type = "real", pos = a.pos }))
  end
  local zero = add(state, { kind = "num", n = "0", d = "1", type = "real",
    free = {}, pos = a.pos })
  local some = add(state, settle(state, { kind = "compare", op = ">",
    args = { count, zero }, type = "bool", pos = a.pos }))
  return add(state, settle(state, { kind = "select",
    args = { some, sum, old }, type = "real", pos = a.pos }))
end

local function sums(state, request, source)
  local of, list = state.model.lists[source.list], source.list
  local names, assign = {}, {}
  local row = add(state, { kind = "place", table = list .. "_items",
    free = { of.of }, pos = request.pos })
  local slot = add(state, { kind = "slot", over = row, depth = 0,
    free = { of.of }, pos = request.pos })
  state.model.nodes[slot].slots = { slot }
  local item = add(state, settle(state, { kind = "place", bound = slot,
    table = list .. "_items", pos = request.pos }))
  local one = add(state, { kind = "num", n = "1", d = "1", type = "real",
    free = {}, pos = request.pos })
  for i, a in ipairs(source.assign) do
    local part = add(state, settle(state, { kind = "read", level = 0,
      field = part_name(a, list), shift = {}, place = item, type = "real",
      pos = a.pos }))
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
    table.insert(state.model.kernels, parts(state, request, source))
    table.insert(state.model.kernels, sums(state, request, source))
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
      enter_field(state, name, scalar.pos, "request", { type =
        scalar.type == "int" and "int" or model.storage, range = scalar.range })
    else
      kept[#kept + 1] = name
    end
  end
  model.order.scalars = kept
end

local function names_taken(model)
  local taken = {}
  for _, kind in ipairs(KINDS) do
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
function M.unfolded(model)
  local first = first_request(model)
  if not first then return model end
  local state = { model = grown(model), problems = {},
    taken = names_taken(model) }
  enter_domain(state, "request", first.pos)
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
