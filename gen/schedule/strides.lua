-- Access by strides: a plan parameter of shapes for meshes. Rows of a table
-- that are of one kind lead as far ahead as each other, slot by slot; kernels
-- are given the distances and read no entries there.

local M = {}

local SETTING = { name = "strides", default = { 0 }, least = 0, most = 64,
                  choices = { { 0 }, { 8 } } }

-- The names of the tables that a block reads at the row of its own point, as
-- arrays of entries.
function M.tables(lowered, block)
  local own, list = {}, {}
  local function add(near) own[near.table] = own[near.table] or not near.row end
  local function walk(nears, code)
    for _, near in ipairs(nears) do add(near) end
    for _, entry in ipairs(code) do
      if entry.loop then walk(entry.neighbours, entry.code) end
    end
  end
  walk(block.neighbours or {}, block.code)
  for _, of in ipairs(lowered.tables or {}) do
    if own[of.name] and not of.affine and not of.ragged then
      list[#list + 1] = of.name
    end
  end
  return list
end

-- The parameter: how many kinds of rows are told apart at most, 0: none; nil
-- where a block reads no such table.
function M.setting(lowered, kernel, block)
  return kernel.domain and #M.tables(lowered, block) > 0 and SETTING or nil
end

-- Adds to a plan what its values ask for: strides = { kinds = their number,
-- tables = names }, and says so.
function M.add(plan, lowered, block, values)
  local kinds = values.strides and values.strides[1] or 0
  if kinds == 0 then return plan end
  plan.strides = { kinds = kinds, tables = M.tables(lowered, block) }
  table.insert(plan.notes, ("by strides %s in rows of %s"):format(
    table.concat(plan.strides.tables, ", "), kinds == 1 and "the usual kind"
      or "the " .. kinds .. " usual kinds"))
  return plan
end

return M
