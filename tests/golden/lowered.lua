-- Hand-written `lowered` tables (gen/README.md), so that emit is tested by
-- itself: an acoustic wave with a PML of any radius and rank, heat, and small
-- odd ones.

local M = {}

local AXES = { "x", "y", "z" }

local function num(n, d) return { op = "literal", n = tostring(n),
  d = tostring(d or 1) } end
local function val(name) return { op = "value", name = name } end
local function host(name) return { op = "host", name = name } end
local function op(name, ...) return { op = name, ... } end

M.num, M.val, M.host, M.op = num, val, host, op

-- A block under construction: loads by field, buffer and offset, each once.
local function new_block(region)
  local block = { region = region, loads = {}, host = {}, code = {},
                  stores = {} }
  local ids = {}
  function block.load(field, level, buffer, offset)
    local name = buffer
    for _, axis in ipairs(AXES) do
      local at = offset and offset[axis] or 0
      if at ~= 0 then
        name = name .. "_" .. axis .. (at < 0 and "m" or "p") .. math.abs(at)
      end
    end
    if not ids[name] then
      ids[name] = #block.loads + 1
      block.loads[#block.loads + 1] = { id = ids[name], field = field,
        level = level, buffer = buffer, offset = offset or {}, name = name }
    end
    return { op = "load", id = ids[name] }
  end
  return block
end

M.new_block = new_block

local function finish(block, flops, reads, writes)
  block.load = nil
  block.counts = { flops = flops, reads = reads, writes = writes,
    loads = #block.loads, stores = #block.stores,
    bytes = 4 * (reads + writes) }
  return block
end

M.finish = finish

-- dd over all axes of a buffer: centre, then rings.
local function add_laplacian(block, rank, radius)
  local centre = block.load("u", 0, "u")
  block.host[#block.host + 1] = { name = "dd_0",
    value = op("div", num(-205, 72), op("mul", { op = "scalar",
      name = "hx" }, { op = "scalar", name = "hx" })) }
  local sum = op("mul", host "dd_0", centre)
  for r = 1, radius do
    for i = 1, rank do
      local axis = AXES[i]
      local w = ("dd_%s%d"):format(axis, r)
      block.host[#block.host + 1] = { name = w, value = op("div",
        num(8, 5 * r), { op = "pow", { op = "scalar", name = "h" .. axis },
          exponent = 2 }) }
      sum = op("fma", host(w), op("add",
        block.load("u", 0, "u", { [axis] = -r }),
        block.load("u", 0, "u", { [axis] = r })), sum)
    end
  end
  block.code[#block.code + 1] = { name = "lap", value = sum,
    comment = ("dd(u), %d taps"):format(2 * rank * radius + 1) }
end

local function inner_block(rank, radius, region)
  local block = new_block(region)
  add_laplacian(block, rank, radius)
  local u, prev = block.load("u", 0, "u"), block.load("u", -1, "u_prev")
  block.stores[1] = { field = "u", level = 1, buffer = "u_prev",
    value = op("fma", block.load("vp2dt2", 0, "vp2dt2"), val "lap",
      op("sub", op("mul", num(2), u), prev)) }
  return finish(block, 9 * radius + 5, 3, 1)
end

local function pml_block(rank, radius)
  local block = new_block("pml")
  add_laplacian(block, rank, radius)
  local u, prev = block.load("u", 0, "u"), block.load("u", -1, "u_prev")
  local eta, phi = block.load("eta", 0, "eta"), block.load("phi", 0, "phi")
  local sum
  for i = 1, rank do
    local axis = AXES[i]
    block.host[#block.host + 1] = { name = "d_" .. axis, value = op("div",
      num(1, 4), { op = "pow", { op = "scalar", name = "h" .. axis },
        exponent = 2 }) }
    local function slope(field)
      return op("sub", block.load(field, 0, field, { [axis] = 1 }),
        block.load(field, 0, field, { [axis] = -1 }))
    end
    local product = op("mul", host("d_" .. axis), slope "eta")
    sum = sum and op("fma", product, slope "u", sum)
      or op("mul", product, slope "u")
  end
  block.code[#block.code + 1] = { name = "grad", value = sum }
  local next_u = op("div", op("fma", block.load("vp2dt2", 0, "vp2dt2"),
    op("add", val "lap", phi), op("fma", op("fma", num(2), eta,
      op("sub", num(2), op("mul", eta, eta))), u, op("neg", prev))),
    op("add", num(1), op("mul", num(2), eta)))
  block.stores[1] = { field = "u", level = 1, buffer = "u_prev",
    value = next_u }
  block.stores[2] = { field = "phi", level = 1, buffer = "phi",
    value = op("div", op("sub", phi, val "grad"),
      op("add", num(1), eta)) }
  return finish(block, 9 * radius + 30, 5, 2)
end

local function field(name, rank, reach, stored, levels)
  local f = { name = name, type = "float", levels = levels or { 0 },
    axes = table.move(AXES, 1, rank, 1, {}), buffers = #stored,
    range = { -1, 1 }, reach = {}, at = {}, boundary = {},
    stored = stored }
  for i = 1, rank do f.reach[AXES[i]], f.at[AXES[i]] = { reach, reach }, 0 end
  return f
end

M.field = field

local function lowered_of(name, rank, fields, scalars, kernels, params)
  local axes = table.move(AXES, 1, rank, 1, {})
  local instance = name
  for _, p in ipairs(params or {}) do
    instance = instance .. "_" .. p.short .. p.value
  end
  local step = {}
  for i, kernel in ipairs(kernels) do
    step[i] = kernel.name
    for _, block in ipairs(kernel.blocks) do block.axes = axes end
  end
  return { fp = "strict", axes = axes, instance = instance, storage = "float",
    compute = "float", fields = fields, scalars = scalars, kernels = kernels,
    step = step, model = { nodes = {}, name = name, hash = "0123abcd", axes = axes,
      params = params or {}, regions = {}, fields = {}, scalars = {} } }
end

M.lowered_of = lowered_of

local function spacings(rank)
  local list = {}
  for i = 1, rank do
    list[i] = { name = "h" .. AXES[i], type = "double", range = { 0.5, 1.5 },
                spacing = true }
  end
  return list
end

-- An acoustic wave in `rank` dimensions, inner and pml.
function M.acoustic(radius, rank)
  rank = rank or 3
  local fields = {
    field("u", rank, radius, { { level = -1, name = "u_prev" },
      { level = 0, name = "u" } }, { -1, 0, 1 }),
    field("phi", rank, 0, { { level = 0, name = "phi" } }, { 0, 1 }),
    field("vp2dt2", rank, 0, { { level = 0, name = "vp2dt2" } }),
    field("eta", rank, 1, { { level = 0, name = "eta" } }),
  }
  local scalars = spacings(rank)
  scalars[#scalars + 1] = { name = "width", type = "int", range = { 0, 40 } }
  local lowered = lowered_of("acoustic_iso", rank, fields, scalars,
    { { name = "step", compute = "float", blocks = {
      pml_block(rank, radius), inner_block(rank, radius, "inner") } } },
    { { name = "radius", short = "r", value = radius },
      { name = "dims", short = "d", value = rank } })
  local width, shell = { kind = "scalar", name = "width" }, {}
  for i = 1, rank do shell[AXES[i]] = { width, width } end
  lowered.model.regions = { { name = "pml", shell = shell },
                            { name = "inner", rest = true } }
  return lowered
end

-- The inner equation alone, over the whole domain.
function M.wave(radius, rank)
  rank = rank or 3
  return lowered_of("wave", rank, {
    field("u", rank, radius, { { level = -1, name = "u_prev" },
      { level = 0, name = "u" } }, { -1, 0, 1 }),
    field("vp2dt2", rank, 0, { { level = 0, name = "vp2dt2" } }),
  }, spacings(rank), { { name = "step", compute = "float", blocks = {
    inner_block(rank, radius) } } },
    { { name = "radius", short = "r", value = radius } })
end

local function bound(b)
  if type(b) == "table" then return b end
  if type(b) == "number" then
    return { kind = "number", n = tostring(b), d = "1" }
  elseif b == "n" then return { kind = "n" } end
  return { kind = "scalar", name = b }
end

-- n - b
function M.from_end(b)
  return { kind = "sub", left = { kind = "n" }, right = bound(b) }
end

-- A kernel that adds the power of ten of its region's number to each point:
-- regions = { { name, shell|ranges|rest }.. } with bounds as whole numbers,
-- "n", names of whole scalars or trees. Priority as listed.
function M.regions(rank, regions)
  local blocks, power = {}, 1
  for i, region in ipairs(regions) do
    for _, limits in ipairs { region.shell or region.ranges } do
      for _, axis in ipairs(AXES) do
        local pair = limits[axis]
        if pair then limits[axis] = { bound(pair[1]), bound(pair[2]) } end
      end
    end
    local block = new_block(region.name)
    block.stores[1] = { field = "s", level = 0, buffer = "s",
      value = op("add", block.load("s", 0, "s"), num(power)) }
    blocks[i], power = finish(block, 1, 1, 1), power * 10
  end
  local lowered = lowered_of("regions", rank,
    { field("s", rank, 0, { { level = 0, name = "s" } }) },
    { { name = "w", type = "int", range = { 0, 4 } },
      { name = "v", type = "int", range = { 0, 4 } } },
    { { name = "mark", compute = "float", blocks = blocks } })
  lowered.model.regions = regions
  return lowered
end

return M
