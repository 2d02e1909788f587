-- Who asks for what: which requests of the command line, or of a record,
-- concern a block, and which all regions of a kernel together.

local lists = require "gen.list"
local shaped = require "gen.schedule.shaped"
local together = require "gen.schedule.together"

local M = {}

-- What a record of `quern tune` says for a block, or nil.
local function tuned(kernel, block, options)
  for _, request in ipairs(options.tuned or {}) do
    if request.kernel == kernel.name and request.region == block.region then
      return request
    end
  end
end

-- Requests of shapes that make one step, then of those that make several: the
-- first plan of a block makes one, that of `default` where no other does.
local function ordered(list, default)
  local single, several = {}, {}
  for _, request in ipairs(list) do
    table.insert(shaped.shape(request.name).steps and several or single,
      request)
  end
  if #single == 0 then single[1] = default end
  return lists.append(single, several)
end

-- Is a request for one launch of all regions?
local function is_together(request)
  return not request.region and together.asked(request.params)
end

-- The requests that concern a block alone, those for its region first.
function M.own(block, options)
  local list = {}
  for _, request in ipairs(options.shapes or {}) do
    if request.region and request.region == block.region then
      list[#list + 1] = request
    end
  end
  for _, request in ipairs(options.shapes or {}) do
    if not request.region and not is_together(request) then
      list[#list + 1] = request
    end
  end
  return list
end

-- The same, else what a record says, else the default shape.
function M.of_block(kernel, block, options)
  return ordered(M.own(block, options), tuned(kernel, block, options)
    or { name = shaped.default(options.backend, kernel), params = {} })
end

-- The requests for one launch of all regions of a kernel; where none is made
-- and no block has one of its own, what a record says.
function M.of_regions(kernel, options, alone)
  local list = {}
  for _, request in ipairs(options.shapes or {}) do
    if is_together(request) then list[#list + 1] = request end
  end
  if list[1] or alone or kernel.chain then return list end
  local request = tuned(kernel, {}, options)
  return { request and together.asked(request.params) and request or nil }
end

-- What is asked of a chain, else what a record says; the reference of one is
-- one kernel always.
function M.of_chain(kernel, options)
  local list = lists.joined(options.shapes or {}, {})
  if #list == 0 and not kernel.why then
    list[1] = tuned(kernel, kernel.blocks[1], options)
  end
  if options.backend == "reference" and not kernel.why then
    list[#list + 1] = { name = "reference", params = {} }
  end
  return list
end

return M
