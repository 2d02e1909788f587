-- Which neighbours a block has to find. A value of a slot is there whatever
-- point the slot leads to, and of a row its number of slots may be all that
-- matters.

local entries = require "gen.entries"
local lists = require "gen.list"

local M = {}

-- The neighbours and the loops of some code, { near = { [name] = one.. },
-- loops }.
local function collect(neighbours, code, all)
  for _, near in ipairs(neighbours) do all.near[near.name] = near end
  for _, entry in ipairs(code) do
    if entry.loop then
      table.insert(all.loops, entry.loop)
      collect(entry.neighbours, entry.code, all)
    end
  end
  return all
end

-- The names of what loads, loops and comparisons of places in the code want
-- found: { [name] = true }.
local function wanted(model, loads, loops, near, code)
  local found = {}
  local function seek(name)
    if not name or found[name] then return end
    found[name] = true
    seek(near[name].row)
  end
  for _, load in ipairs(loads) do
    local of = load.place and near[load.place]
    if of and model.fields[load.field].table == of.table then
      seek(of.row)
    else
      seek(load.place)
    end
  end
  for _, loop in ipairs(loops) do
    if model.tables[loop.table].ragged then seek(loop.row) end
    seek(loop.guard)
  end
  entries.each(code, function(entry)
    entries.compared(entry.value, seek)
  end)
  return found
end

local function mark(neighbours, found)
  for _, near in ipairs(neighbours) do
    near.unsought = not found[near.name] or nil
  end
end

-- Marks the neighbours at which nothing is read in their loop, that are no rows
-- and may not be missing: near.unsought = true.
function M.mark(model, block)
  local all = collect(block.neighbours, block.code, { near = {}, loops = {} })
  mark(block.neighbours, wanted(model, block.loads, all.loops, all.near,
    lists.joined(block.code, block.stores)))
  local function inside(code)
    for _, entry in ipairs(code) do
      if entry.loop then
        local used, loads = entries.loads { entry }, {}
        for _, load in ipairs(block.loads) do
          loads[#loads + 1] = used[load.id] and load or nil
        end
        local own = collect({}, { entry }, { near = {}, loops = {} })
        mark(entry.neighbours, wanted(model, loads, own.loops, all.near,
          { entry }))
        inside(entry.code)
      end
    end
  end
  inside(block.code)
end

return M
