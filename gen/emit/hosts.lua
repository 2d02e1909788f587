-- Which values of the host a piece of a block uses, in the block's order, with
-- all that they are made of.

local face_values = require "gen.emit.face_values"
local host = require "gen.c.host"

local M = {}

local function mark(e, used)
  if e.op == "host" then used[e.name] = true end
  for _, child in ipairs(e) do mark(child, used) end
end

-- The hosts of `block` that are in `used`, and those that they need.
local function closed(block, used)
  for i = #block.host, 1, -1 do
    local entry = block.host[i]
    if used[entry.name] then mark(entry.value, used) end
  end
  local list = {}
  for _, entry in ipairs(block.host) do
    list[#list + 1] = used[entry.name] and entry or nil
  end
  return list
end

-- What code and stores use.
function M.code(block)
  if not block.faces then return block.host end
  local used = {}
  for _, entry in ipairs(block.code) do mark(entry.value, used) end
  for _, store in ipairs(block.stores) do mark(store.value, used) end
  return closed(block, used)
end

-- What faces add, by itself.
function M.faces(block)
  local used, list = {}, {}
  for _, e in ipairs(face_values.list(block)) do mark(e, used) end
  for _, entry in ipairs(block.host) do
    list[#list + 1] = used[entry.name] and entry or nil
  end
  return list
end

-- The lines of a launcher that compute them.
function M.lines(context, list)
  return host.lines(context.lowered, context.kernel, list, context.names)
end

return M
