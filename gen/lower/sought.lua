-- Which neighbours a block has to find. A value of a slot is there whatever
-- point the slot leads to, and of a row its number of slots may be all that
-- matters.

local M = {}

local function collect(block)
  local all = { near = {}, loops = {} }
  local function add(neighbours, code)
    for _, near in ipairs(neighbours) do
      all.near[near.name] = all.near[near.name] or {}
      table.insert(all.near[near.name], near)
    end
    for _, entry in ipairs(code) do
      if entry.loop then
        table.insert(all.loops, entry.loop)
        add(entry.neighbours, entry.code)
      end
    end
  end
  add(block.neighbours, block.code)
  return all
end

-- Marks the neighbours that nothing is read at, that are no row and may not be
-- missing: near.unsought = true.
function M.mark(model, block)
  local all, sought = collect(block), {}
  local function seek(name)
    if not name or sought[name] then return end
    sought[name] = true
    seek(all.near[name][1].row)
  end
  for _, load in ipairs(block.loads) do
    local near = load.place and all.near[load.place][1]
    if near and model.fields[load.field].table == near.table then
      seek(near.row)
    else
      seek(load.place)
    end
  end
  for _, loop in ipairs(all.loops) do
    if model.tables[loop.table].ragged then seek(loop.row) end
    seek(loop.guard)
  end
  for name, list in pairs(all.near) do -- any order
    for _, near in ipairs(list) do
      near.unsought = not sought[name] or nil
    end
  end
end

return M
