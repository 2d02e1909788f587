-- tiled: sums of requests. A block serves one request, which it finds in the
-- prefix sums of their blocks. Its threads are so many items of the request by
-- as many parts of what they are summed over as there are threads for, and read
-- that together, a tile at a time, into shared memory.

local entries = require "gen.entries"
local limits = require "gen.schedule.limits"
local lists = require "gen.list"
local precision = require "gen.model.precision"
local setting = require "gen.schedule.setting"

local NAME = "tiled"
local M = { backends = { "cuda", "simt" }, meshes = true, grids = false,
  adds = true }

local BYTES = precision.BYTES

-- block: as many items as a block has at most, by the least number of parts;
-- threads: of a multiprocessor, for which registers must do; 0: as many as the
-- compiler leaves room for. In double what is given up has to be stored.
function M.settings(_, kernel)
  local threads = kernel.compute == "double" and 0 or 1536
  return { { name = "block", default = { 16, 8 },
             choices = { { 8, 4 }, { 8, 8 }, { 16, 4 }, { 16, 8 }, { 16, 16 },
                         { 32, 4 }, { 32, 8 } } },
           { name = "threads", default = { threads }, least = 0, most = 2048,
             choices = { { 0 }, { 1024 }, { 1536 } } } }
end

local function reads_one_of(e, names)
  if e.op == "value" and names[e.name] then return true end
  for _, child in ipairs(e) do
    if reads_one_of(child, names) then return true end
  end
end

-- Why a loop cannot go through a tile, or nil. `summed`: names that wait for
-- the sums of loops before it.
local function unfit(entry, kernel, block, summed)
  local row = lists.find(block.neighbours, "name", entry.loop.row)
  if not row or row.table ~= kernel.items then
    return ("%s: sums over lists of requests, %s is a table"):format(NAME,
      entry.loop.table)
  end
  for _, inner in ipairs(entry.code) do
    if inner.loop then
      return ("%s: a sum over %s stands in one over %s"):format(NAME,
        inner.loop.table, entry.loop.table)
    end
  end
  for _, of in ipairs(lists.joined(entry.code, entry.sums)) do
    if reads_one_of(of.value, summed) then
      return ("%s: a sum over %s reads another sum"):format(NAME,
        entry.loop.table)
    end
  end
end

-- { loops, before = statements that wait for no loop, after = those that do },
-- or nil and a sentence.
local function parts_of(kernel, block)
  local parts, summed = { loops = {}, before = {}, after = {} }, {}
  for _, entry in ipairs(block.code) do
    if entry.loop then
      local why = unfit(entry, kernel, block, summed)
      if why then return nil, why end
      table.insert(parts.loops, entry)
      for _, of in ipairs(entry.sums) do summed[of.name] = true end
    else
      local waits = reads_one_of(entry.value, summed)
      table.insert(waits and parts.after or parts.before, entry)
      summed[entry.name] = waits
    end
  end
  if #parts.loops > 0 then return parts end
  return nil, ("%s: kernel %s has no sum over a list"):format(NAME, kernel.name)
end

function M.applies(_, kernel, block)
  if not kernel.items then
    return nil, ("%s: kernel %s is not of a request's items"):format(NAME,
      kernel.name)
  end
  local parts, why = parts_of(kernel, block)
  return parts and true, why
end

-- The neighbours of a loop that its code compares with the item's point.
local function compared(entry)
  local names, list = {}, {}
  entries.each({ entry }, function(of)
    entries.compared(of.value, function(name) names[name] = true end)
  end)
  for _, near in ipairs(entry.neighbours) do
    list[#list + 1] = names[near.name] and { near = near.name,
      member = near.name } or nil
  end
  return list
end

-- What an entry of a list has in a tile: loads that change with its slot, and
-- the numbers of points that are compared.
local function staged(block, entry)
  local list, buffers = compared(entry), {}
  for _, load in ipairs(block.loads) do
    if load.loop == entry.loop.slot then
      list[#list + 1] = { load = load }
      buffers[load.buffer] = (buffers[load.buffer] or 0) + 1
    end
  end
  for _, value in ipairs(list) do
    local load = value.load
    value.member = not load and value.member
      or buffers[load.buffer] == 1 and load.buffer or load.name
  end
  return list
end

-- An entry is read at once: up to 16 bytes.
local function align(bytes) return bytes > 8 and 16 or bytes > 4 and 8 or 4 end

local function bytes_of(values, size)
  local bytes = 0
  for _, value in ipairs(values) do
    bytes = bytes + (value.load and size or BYTES.float)
  end
  return bytes
end

local function add_tiles(parts, kernel, block, threads)
  local size, sums = BYTES[kernel.compute], 0
  parts.tiles, parts.bytes = {}, 0
  for i, entry in ipairs(parts.loops) do
    local values = staged(block, entry)
    local bytes = bytes_of(values, size)
    parts.tiles[i] = { entry = entry, values = values, align = align(bytes) }
    parts.bytes = parts.bytes
      + -(-bytes // align(bytes)) * align(bytes) * threads
    sums = sums + #entry.sums
  end
  parts.bytes = parts.bytes + sums * threads * size + BYTES.int
  parts.sums = sums
  return parts
end

-- The block as a kernel knows it that has found its request: no table leads
-- there.
local function served(kernel, block)
  local own = lists.copy(block)
  own.tables, own.neighbours = {}, {}
  for _, name in ipairs(block.tables) do
    table.insert(own.tables, name ~= kernel.items and name or nil)
  end
  for i, near in ipairs(block.neighbours) do
    own.neighbours[i] = near.table == kernel.items and { name = near.name,
      table = near.table, slot = near.slot, given = "own.request" } or near
  end
  return own
end

function M.plan(lowered, kernel, block, options, values)
  local size = values.block
  local threads, problem = limits.threads(NAME, size)
  if not threads then return nil, problem end
  local parts = add_tiles(parts_of(kernel, block), kernel, block, threads)
  local fits, why = limits.shared(NAME, parts.bytes)
  if not fits then return nil, why end
  return {
    name = setting.plan_name(lowered, kernel, block, NAME,
      M.settings(lowered, kernel), values),
    template = "tiled.cu", block_size = { threads }, threads = threads,
    block = served(kernel, block), reading = parts,
    shares = { table = kernel.items, items = size[1] },
    resident = limits.resident(values.threads[1], threads, options.arch),
    tile = { threads }, margin = { 0 },
    kept = { "thread", "own", "firsts", "requests", "first", "last", "columns",
             "inverse", "depth", "x", "y", "tile", "count", "n", "at", "end",
             "part", "left", "half", "other", "found" },
    notes = { ("per block  %d threads, up to %d items of a request, %d bytes "
      .. "of shared memory"):format(threads, size[1], parts.bytes) },
  }
end

return M
