-- The numbers that formulas compare a field with: data at random meet them
-- too, as where(k == 0.5, ..) would else be decided one way for ever.

local lists = require "gen.list"

local M = {}

M.MOST = 4                      -- QUERN_MAX_EDGES of runtime/abi.h

local function number(node)
  return node.kind == "num" and tonumber(node.n) / tonumber(node.d) or nil
end

-- Adds a number inside of a field's range; its ends are drawn anyway.
local function add(list, range, value)
  local low, high = range[1], range[2]
  if #list < M.MOST and value > low and value < high
     and not lists.contains(list, value) then
    list[#list + 1] = value
  end
end

-- { field = its numbers, in the order of the model's nodes }.
function M.of(model)
  local edges = {}
  for _, node in ipairs(model.nodes) do
    for i = 1, node.kind == "compare" and 2 or 0 do
      local side, other = model.nodes[node.args[i]],
        model.nodes[node.args[3 - i]]
      local value = number(other)
      if side.kind == "read" and value then
        edges[side.field] = edges[side.field] or {}
        add(edges[side.field], model.fields[side.field].range, value)
      end
    end
  end
  return edges
end

return M
