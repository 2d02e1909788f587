-- The statements of a block's code, those inside of its loops too, for all that
-- ask something about each.

local M = {}

-- Calls visit(entry) for each that has a `value`, in order.
function M.each(code, visit)
  for _, entry in ipairs(code) do
    if entry.loop then
      M.each(entry.code, visit)
      for _, reduced in ipairs(entry.sums) do visit(reduced) end
      for _, array in ipairs(entry.arrays or {}) do visit(array) end
    else
      visit(entry)
    end
  end
end

-- The neighbours of a block by name, those inside of its loops too.
function M.neighbours(block)
  local found = {}
  local function add(neighbours, code)
    for _, near in ipairs(neighbours) do found[near.name] = near end
    for _, entry in ipairs(code) do
      if entry.loop then add(entry.neighbours, entry.code) end
    end
  end
  add(block.neighbours, block.code)
  return found
end

local function add_loads(e, found)
  if e.op == "load" then found[e.id] = true end
  for _, child in ipairs(e) do add_loads(child, found) end
end

-- The loads that statements use: { [id] = true }.
function M.loads(code)
  local found = {}
  M.each(code, function(entry) add_loads(entry.value, found) end)
  return found
end

-- Calls visit(name) for the neighbours that an expression compares.
function M.compared(e, visit)
  for _, name in ipairs(e.near or {}) do visit(name) end
  for _, child in ipairs(e) do M.compared(child, visit) end
end

-- They as one list.
function M.flat(code)
  local list = {}
  M.each(code, function(entry) list[#list + 1] = entry end)
  return list
end

return M
