-- From records to choices: which of the records of a folder holds for a block
-- that is generated now. A record counts where all of its key agrees; of
-- several sizes the largest, unless one was asked for; of several devices the
-- one that was named, or none.

local compile = require "gen.compile"
local lists = require "gen.list"
local mesh = require "gen.tune.mesh"
local record = require "gen.tune.record"
local schedule = require "gen.schedule"
local together = require "gen.schedule.together"

local M = {}

-- How far sums of points may be apart, by rounding alone.
local SAME = 0.001

local function points(size)
  local all = 1
  for _, n in ipairs(size) do all = all * n end
  return all
end

-- Why a record does not hold, as the end of a sentence; nil if it does.
local function fault(found, now)
  if found.spec ~= now.spec then
    return "is for another text or other params, or by another Quern"
  elseif found.fp ~= now.fp then
    return "is for --fp " .. found.fp
  elseif found.arch ~= now.arch then
    return "is for --arch " .. found.arch
  elseif now.device and found.device ~= now.device then
    return "is of " .. found.device
  elseif now.size_class and found.size_class ~= now.size_class then
    return "is for sizes near " .. found.size_class
  elseif now.mesh and found.mesh ~= now.mesh then
    return "is of " .. (found.mesh and "the mesh " .. found.mesh
      or "neighbours anywhere")
  elseif found.compiler ~= now.compiler() then
    return "is for another compiler or other flags"
  elseif not schedule.serves(found.shape, { now.backend }) then
    return ("is of the shape %s, which backend %s does not have"):format(
      found.shape, now.backend)
  end
end

-- Larger first, then by name: a total order.
local function before(a, b)
  local p, q = points(a.record.size), points(b.record.size)
  if p ~= q then return p > q end
  return a.path < b.path
end

-- Those that hold, the best first; what to say of the others.
local function sift(list, now)
  local fit, notes = {}, {}
  for _, entry in ipairs(list) do
    local why = fault(entry.record, now)
    if why then
      notes[#notes + 1] = ("%s %s"):format(entry.path, why)
    else
      fit[#fit + 1] = entry
    end
  end
  table.sort(fit, before)
  return fit, notes
end

local function several_devices(fit)
  local names, seen = {}, {}
  for _, entry in ipairs(fit) do
    local device = entry.record.device
    if not seen[device] then names[#names + 1] = device end
    seen[device] = true
  end
  if #names < 2 then return nil end
  table.sort(names)
  return ("records of %s hold: --for-device says which counts"):format(
    table.concat(names, " and "))
end

-- The entry of records that holds for a block, or nil; and what to say of
-- records that do not.
local function entry_for(folder, lowered, kernel, block, now, options)
  local list, torn = record.list(folder, lowered.instance, kernel.name,
    block.region, options.backend)
  local fit, notes = sift(list, now)
  for _, path in ipairs(torn) do
    notes[#notes + 1] = path .. " is no whole record"
  end
  local why = several_devices(fit)
  if why then return nil, { why } end
  return fit[1], notes
end

-- What the records have to agree with.
local function present(lowered, options)
  local compiler
  return { spec = lowered.model.hash, fp = options.fp,
    backend = options.backend,
    arch = options.backend == "cuda" and options.arch or "",
    device = options.for_device,
    size_class = options.sizes[1] and record.size_class(options.sizes[1]),
    mesh = mesh.pattern(options),
    -- Asked for once, and only where all else agrees.
    compiler = function()
      compiler = compiler or record.compiler(compile.recipe(options) or "")
      return compiler
    end }
end

-- What an entry of records asks for.
local function request_of(kernel, block, entry)
  local found = entry.record
  return { kernel = kernel.name, region = block.region, record = found,
    path = entry.path, name = found.shape, params = found.params }
end

-- The points that a record was timed with.
local function timed_points(found)
  return found.points_per_second * found.median
end

-- The time that the records of all regions say, if it is for what the record
-- `whole` is of: on the same device and, as the sum of their points says, with
-- regions as large; else nil.
local function time_of(own, whole)
  local seconds, all = 0, 0
  for _, request in ipairs(own) do
    local found = request.record
    if found.device ~= whole.device then return nil end
    seconds, all = seconds + found.median, all + timed_points(found)
  end
  local off = math.abs(all / timed_points(whole) - 1)
  return off < SAME and seconds or nil
end

-- The request for all regions of a kernel together, if its record says that it
-- takes less time than `own`, the requests of its blocks, or no block has a
-- record.
local function together_of(folder, lowered, kernel, own, now, options)
  if not together.serves(kernel) then return nil end
  local entry = entry_for(folder, lowered, kernel, {}, now, options)
  if not entry then return nil end
  local seconds = #own == 0 and math.huge
    or #own == #kernel.blocks and time_of(own, entry.record)
  return seconds and entry.record.median < seconds
    and request_of(kernel, {}, entry) or nil
end

-- What the records of a folder say for the blocks of a lowered spec: requests
-- { kernel, region, name, params, path, record }.., one without a region where
-- it is for all of a kernel together, and of blocks whose records
-- do not hold { kernel, region, why }.. .
function M.list(folder, lowered, options)
  local requests, misses = {}, {}
  local now = present(lowered, options)
  for _, kernel in ipairs(schedule.kernels(lowered, options) or {}) do
    local own = {}
    for _, block in ipairs(kernel.why and {} or kernel.blocks) do
      local entry, notes = entry_for(folder, lowered, kernel, block, now,
        options)
      if entry then
        own[#own + 1] = request_of(kernel, block, entry)
      elseif notes[1] then
        misses[#misses + 1] = { kernel = kernel.name, region = block.region,
          why = notes[1] }
      end
    end
    local whole = together_of(folder, lowered, kernel, own, now, options)
    lists.append(requests, whole and { whole } or own)
  end
  return requests, misses
end

return M
