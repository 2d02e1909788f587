-- What is done with lists everywhere.

local M = {}

-- Adds the items of `more` to the end of `list`, and returns that.
function M.append(list, more)
  return table.move(more, 1, #more, #list + 1, list)
end

-- A list of the items of both.
function M.joined(a, b)
  local list = table.move(a, 1, #a, 1, {})
  M.append(list, b)
  return list
end

-- A table with the keys and values of another.
function M.copy(from)
  local to = {}
  for key, value in pairs(from) do -- any order
    to[key] = value
  end
  return to
end

-- The first item whose `key` is `value`, or nil.
function M.find(list, key, value)
  for _, item in ipairs(list) do
    if item[key] == value then return item end
  end
end

-- Where an item is, from 1, or nil.
function M.index(list, wanted)
  for i, item in ipairs(list) do
    if item == wanted then return i end
  end
end

-- Has one of the items something under the key?
function M.any(list, key)
  for _, item in ipairs(list) do
    if item[key] then return true end
  end
  return false
end

-- The items by their names, each the last that is called so.
function M.by_name(list)
  local map = {}
  for _, item in ipairs(list) do map[item.name] = item end
  return map
end

function M.contains(list, wanted)
  return M.index(list, wanted) ~= nil
end

return M
