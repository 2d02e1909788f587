-- together=1: one launch for all regions of a kernel. Its blocks are those of
-- each region's boxes one after the other, and the number of a block says which
-- box it works on, and so the code of which region.
--
-- The plan has `parts`, the plans of the regions, all of the same threads; a
-- region that the shape does not apply to is a part of the default shape. Its
-- block is what all regions have together, with `parts` = their blocks, in
-- which one host value has one name.

local count = require "gen.lower.count"
local dump = require "gen.dump"
local lists = require "gen.list"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"

local M = {}

local SETTING = { name = "together", default = { 0 }, least = 0, most = 1,
                  choices = { { 0 }, { 1 } } }

-- What the texts of a part call their own: where its shared memory is, and the
-- place of its block among those of a box.
local KEPT = { "s", "block", "shared_planes", "dynamic_shared" }

-- Has a kernel regions that one launch can be for?
local function has_regions(kernel)
  return kernel.blocks[1] ~= nil and kernel.blocks[1].region ~= nil
    and not (kernel.domain or kernel.chain)
end

-- Does a request ask for it?
function M.asked(params)
  return params ~= nil and params.together ~= nil and params.together ~= "0"
end

-- The settings of a shape for a block, and this one, where it can be asked for.
function M.settings(shape, kernel, settings)
  if not (shape.together and has_regions(kernel)) then return settings end
  return lists.joined(settings, { SETTING })
end

-- Settings without this one.
function M.without(settings)
  local list = {}
  for _, param in ipairs(settings) do
    list[#list + 1] = param.name ~= SETTING.name and param or nil
  end
  return list
end

-- ---------------------------------------------------------------------------
-- One name for each host value

-- A copy in which hosts have other names.
local function renamed(value, names)
  if type(value) ~= "table" then return value end
  local copy = {}
  for key, item in pairs(value) do -- any order
    copy[key] = key == "pos" and item or renamed(item, names)
  end
  if value.op == "host" then copy.name = names[value.name] end
  return copy
end

-- What of a block has hosts in it.
local WITH_HOSTS = { "code", "stores", "faces", "stencils" }

-- The block with its hosts as they are called in `all`, where those that are
-- not there are added. known: name by text; taken: names.
local function shared_hosts(block, all, known, taken)
  local names, hosts, same = {}, {}, true
  for i, host in ipairs(block.host) do
    local value = renamed(host.value, names)
    local key = dump.text(value)
    if not known[key] then
      local name = host.name
      while taken[name] do name = name .. "_" .. block.region end
      known[key], taken[name] = name, true
      all[#all + 1] = { name = name, value = value, comment = host.comment }
    end
    names[host.name] = known[key]
    same = same and known[key] == host.name
    hosts[i] = { name = known[key], value = value, comment = host.comment }
  end
  if same then return block end
  local copy = lists.copy(block)
  copy.host = hosts
  for _, key in ipairs(WITH_HOSTS) do copy[key] = renamed(block[key], names) end
  return copy
end

-- What a point costs at most.
local function counts_of(lowered, whole)
  local counts = count.block(lowered.model, whole)
  counts.flops, counts.bytes = 0, 0
  for _, part in ipairs(whole.parts) do
    counts.flops = math.max(counts.flops, part.counts.flops)
    counts.bytes = math.max(counts.bytes, part.counts.bytes)
  end
  return counts
end

-- What is read and written, by whichever region.
local function whole_of(lowered, kernel)
  local first = kernel.blocks[1]
  local whole = { axes = first.axes, extra = first.extra, loads = {},
    code = {}, stores = {}, host = {}, neighbours = {}, parts = {} }
  local known, taken = {}, {}
  for i, block in ipairs(kernel.blocks) do
    local part = shared_hosts(block, whole.host, known, taken)
    whole.parts[i] = part
    for _, key in ipairs { "loads", "code", "stores" } do
      lists.append(whole[key], part[key])
    end
  end
  whole.counts = counts_of(lowered, whole)
  return whole
end

-- The block of all regions of a kernel, always the same.
local known = setmetatable({}, { __mode = "k" })
function M.whole(lowered, kernel)
  known[kernel] = known[kernel] or whole_of(lowered, kernel)
  return known[kernel]
end

-- ---------------------------------------------------------------------------
-- Whom it serves

-- The block whose defaults all parts have: the first that `applies(block)`, a
-- shell before others, as what is slow there costs most; or nil and why the
-- first is none.
function M.leading(lowered, whole, applies)
  local found, reason
  for _, block in ipairs(whole.parts) do
    local well, why = applies(block)
    local shell = space.in_shell(lowered, block)
    if well and shell then return block end
    found, reason = found or well and block, reason or why
  end
  return found or nil, reason
end

-- Why no shape has such a launch of a kernel, as the end of a sentence, or nil.
local function unserved(kernel)
  local name = kernel.name
  if kernel.domain then
    return ("kernel %s runs over a mesh, one launch for all regions is over a "
      .. "grid"):format(name)
  elseif not has_regions(kernel) then
    return ("kernel %s has no regions"):format(name)
  elseif kernel.colours or kernel.sweep then
    return ("updates all points of kernel %s at once, they have an order")
      :format(name)
  end
end

-- Why a shape has none: a sentence, or nil.
function M.problem(name, shape, kernel)
  local why = unserved(kernel) or not shape.together
    and ("this shape launches each region of kernel %s by itself"):format(
      kernel.name)
  return why and ("%s: together=1: %s"):format(name, why) or nil
end

-- Whether some shape may have one.
function M.serves(kernel)
  return not kernel.chain and unserved(kernel) == nil
end

-- Why a request for one region is none for all of them.
function M.single(name, kernel)
  return ("%s: together=1: one launch for all regions of kernel %s is asked "
    .. "for without a region"):format(name, kernel.name)
end

-- ---------------------------------------------------------------------------
-- The plan

-- The plan of a region as a part of others.
function M.part(plan, block, kernel, shape, options)
  plan.shape, plan.backend, plan.kernel = shape, options.backend, kernel
  plan.block, plan.region, plan.part = block, block.region, true
  plan.kept = lists.joined(plan.kept or {}, KEPT)
  if plan.tiles then plan.dynamic = true end
  return plan
end

-- The threads along each axis, of a block with more axes too.
local function threads_of(plan)
  local size = { 1, 1, 1 }
  return table.concat(table.move(plan.block_size, 1, #plan.block_size, 1,
    size), "x")
end

local function largest(parts, key)
  local most = 0
  for _, part in ipairs(parts) do most = math.max(most, part[key] or 0) end
  return most
end

-- The plan of all regions from those of each; or nil and a sentence.
function M.plan(name, lowered, kernel, whole, parts, settings, values)
  local first = parts[1]
  for _, part in ipairs(parts) do
    if threads_of(part) ~= threads_of(first) then
      return nil, ("%s: together=1: %s has blocks of %s threads, %s of %s")
        :format(name, first.region, threads_of(first), part.region,
        threads_of(part))
    end
  end
  return { name = setting.plan_name(lowered, kernel, whole, name, settings,
      values), template = "together.cu", view = "together", parts = parts,
    block = whole, block_size = first.block_size, threads = first.threads,
    tile = first.tile, stages = largest(parts, "stages"),
    vec = largest(parts, "vec"), shared = largest(parts, "shared"),
    notes = {} }
end

return M
