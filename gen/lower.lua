-- lower: from the model's formulas to one tree of operations per block, which
-- every shape and backend renders; that is why their bits agree.
--
-- The way: gen/lower/requests (kernels on meshes from now on), refuse (what
-- waits for later), expand (shifts and applies
-- go; linear, stencil, weight and offset are its mathematics, pool its store),
-- code and host (names and multiply-adds; names and wanted), faces, facts,
-- linearity and count (what shapes ask).

local axes_of = require "gen.lower.axes"
local chained = require "gen.lower.chained"
local code = require "gen.lower.code"
local count = require "gen.lower.count"
local dropped = require "gen.lower.dropped"
local extent = require "gen.extent"
local expand = require "gen.lower.expand"
local faces = require "gen.lower.faces"
local facts = require "gen.lower.facts"
local folded = require "gen.lower.folded"
local fused = require "gen.lower.fused"
local halo_of = require "gen.lower.halo"
local linearity = require "gen.lower.linearity"
local names_of = require "gen.lower.names"
local offset_of = require "gen.lower.offset"
local only = require "gen.lower.only"
local packed = require "gen.lower.packed"
local refuse = require "gen.lower.refuse"
local requests = require "gen.lower.requests"
local rows = require "gen.lower.rows"
local sought = require "gen.lower.sought"

local M = {}

-- One per buffer, oldest level first. With a buffer less than levels the next
-- level has none of its own: it takes the oldest one's place.
local function stored_levels(field)
  local stored = {}
  for i = 1, field.buffers do
    local level = field.levels[i]
    stored[i] = { level = level, name = names_of.of_level(field.name, level) }
  end
  return stored
end

local function lower_field(model, field, handed)
  local axes = axes_of.of_field(model, field)
  return { name = field.name, type = field.type, axes = axes,
    levels = field.levels, buffers = field.buffers, range = field.range,
    at = field.at, extra = rows.extra(model, field),
    boundary = faces.of_field(field), reach = offset_of.no_reach(axes),
    halo = halo_of.of_field(field), stored = stored_levels(field),
    domain = field.domain, table = field.table,
    only = only.of_field(model, field), packed = packed.of_field(field),
    temporary = field.temporary or handed[field.name] or nil,
    constant = field.constant or nil }
end

-- Spacings first, then as declared.
local function lower_scalars(model)
  local list = {}
  for _, spacings in ipairs { true, false } do
    for _, name in ipairs(model.order.scalars) do
      local scalar = model.scalars[name]
      if (scalar.spacing or false) == spacings then
        list[#list + 1] = { name = name, type = scalar.type,
          range = scalar.range, spacing = scalar.spacing }
      end
    end
  end
  return list
end

-- buffer(field, level): the name of the array that holds the level.
local function buffer_of(fields)
  local names = {}
  for _, field in ipairs(fields) do
    local own = {}
    for _, stored in ipairs(field.stored) do own[stored.level] = stored.name end
    names[field.name] = own
    names[field.name].oldest = field.stored[1].name
  end
  return function(name, level)
    return names[name][level] or names[name].oldest
  end
end

-- `adds`: the table that leads to the point that the value is added to.
local function lower_stores(state, assign, values)
  local stores = {}
  for i, a in ipairs(assign) do
    stores[i] = { field = a.field, level = a.level or 0,
      buffer = state.buffer(a.field, a.level or 0), value = values[i],
      adds = a.adds and state.model.nodes[a.adds].table }
  end
  return stores
end

-- What a result is called that is used further on.
local function name_results(ctx, assign)
  for i, a in ipairs(assign) do
    local level = a.level or 0
    local name = names_of.of_level(a.field, level)
    ctx.pool.nodes[ctx.values[i]].result = level == 0 and name .. "_new"
      or name
  end
end

-- Each result is computed where its target lies.
local function roots_of(state, assign)
  local roots, ids = {}, {}
  for i, a in ipairs(assign) do
    local at = state.model.fields[a.field].at
    roots[i] = { value = a.value, place = offset_of.add(state.axes, at, {}) }
    ids[i] = a.value
  end
  return roots, ids
end

-- compose: the composed tables to read through, if any.
local function lower_block(state, kernel, source, compose)
  local model = state.model
  local roots, ids = roots_of(state, source.assign)
  local ctx = expand.block(model, state.axes, roots, state.fp == "unfused",
    kernel, compose)
  name_results(ctx, source.assign)
  local made = code.build(ctx, names_of.new(model, state.fields),
    state.buffer, state.fp == "strict")
  local block = { region = source.region, axes = kernel.space,
    extra = kernel.extra, least = kernel.least, loads = made.loads,
    host = made.host, neighbours = made.neighbours, code = made.code,
    stores = lower_stores(state, source.assign, made.values) }
  block.tables = kernel.domain and rows.tables(model, block)
  sought.mark(model, block)
  block.stencils = facts.stencils(made)
  block.edge, block.faces = faces.of_block(ctx, made, state.fields,
    kernel.extra)
  block.images = faces.images(state.fields, source.reads, kernel.extra)
  block.invariant = facts.invariant(model, made, ids,
    kernel.space)
  block.linear = kernel.domain and rows.linear(ctx.values)
    or linearity.of(made, ctx.values)
  block.reach = facts.reach(model, made)
  block.counts = count.block(model, block, kernel.sweep)
  block.folded = kernel.domain and not compose
    and folded.of_block(model, kernel, source, block) or nil
  return block
end

-- An offset, from the last point of the field for a high one, without what a
-- boundary answers; levels have no halo.
local function into_halo(model, kernel, field, offset, high)
  local halo = {}
  for _, axis in ipairs(field.axes) do
    local sides, n = field.boundary[axis] or {}, offset[axis] or 0
    n = high and math.max(n + extent.past(kernel, field, axis), 0)
      or math.min(n, 0)
    local side = n < 0 and sides.low or n > 0 and sides.high
    local stored = not side and axes_of.has_halo(model, axis)
    halo[axis] = stored and n or nil
  end
  return halo
end

-- The halo is as wide as the formulas read it. (The kernel may read less: taps
-- can cancel. The reference does not see that.)
local function widen(model, kernel, fields, reads)
  for _, field in ipairs(fields) do
    for _, read in ipairs(reads) do
      if read.field == field.name then
        offset_of.widen(field.axes, field.reach,
          into_halo(model, kernel, field, read.lo, false))
        offset_of.widen(field.axes, field.reach,
          into_halo(model, kernel, field, read.hi, true))
      end
    end
  end
end

-- A chain whose composed tables lead to neighbours of neighbours once; nil
-- where none does.
local function compressed(state, kernel, block)
  local made = lower_block(state, kernel, kernel.blocks[1],
    rows.composed(state.model))
  made.regular, made.near_regular = rows.regular(made)
  made.tables = rows.united(state.model, made.tables, block.tables)
  return (made.regular[1] or made.near_regular[1]) and made or nil
end

local function lower_kernel(state, kernel)
  local blocks = {}
  for i, source in ipairs(kernel.blocks) do
    blocks[i] = lower_block(state, kernel, source)
    widen(state.model, kernel, state.fields, source.reads)
  end
  return { name = kernel.name, pos = kernel.pos, blocks = blocks,
    chain = kernel.chain, source = kernel.chain and kernel or nil,
    stages = kernel.stages,
    kind = kernel.kind, domain = kernel.domain, setup = kernel.setup,
    colours = kernel.colours, items = kernel.items, adds = kernel.adds,
    way = kernel.way,
    sweep = kernel.sweep, compute = kernel.compute or state.model.compute }
end

local function lower_chains(state, chains)
  local list = {}
  for i, chain in ipairs(chains) do
    list[i] = chain.why and chain or lower_kernel(state, chain)
    list[i].compressed = not chain.why
      and compressed(state, chain, list[i].blocks[1]) or nil
  end
  return list
end

local function lower_fields(model)
  local fields, handed = {}, dropped.names(model)
  for i, name in ipairs(model.order.fields) do
    fields[i] = lower_field(model, model.fields[name], handed)
  end
  return fields
end

-- What is refused, of each kind only where none came before: chains are looked
-- at in models that can be lowered.
local function refusals(model)
  local list = refuse.check(model)
  if #list == 0 then list = chained.problems(model) end
  if #list == 0 then list = dropped.problems(model) end
  if #list > 0 then return list end
  local fields = lower_fields(model)
  return halo_of.problems(model, fields), fields
end

-- lowered, as gen/README.md has it, or nil, diagnostics.
function M.apply(built, options)
  local model, problems = requests.unfolded(built, options)
  if not model then return nil, problems end
  local refused, fields = refusals(model)
  if #refused > 0 then return nil, refused end
  local state = { model = model, axes = axes_of.of_model(model),
    fp = options.fp or "strict", fields = fields, buffer = buffer_of(fields) }
  local kernels = {}
  for i, kernel in ipairs(model.kernels) do
    kernels[i] = lower_kernel(state, kernel)
  end
  local chains = lower_chains(state, fused.kernels(model, state.buffer))
  local pieces = lower_chains(state, fused.pieces(model, state.buffer))
  packed.share_reach(fields)
  return { model = model, axes = state.axes, fp = state.fp,
    instance = model.instance,
    storage = model.storage, compute = model.compute, fields = fields,
    tables = rows.list(model),
    scalars = lower_scalars(model), kernels = kernels, step = model.step,
    chains = model.chains, fused = chains, pieces = pieces }
end

return M
