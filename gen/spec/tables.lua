-- The table library of a spec, and `pairs`. The loops are Lua, so that the
-- budget counts them; what C does at once is capped.

local safe = require "gen.spec.safe"
local fail, check_table = safe.fail, safe.check_table

local M = {}

local function merge(from, to, low, middle, high, less)
  local i, j = low, middle + 1
  for k = low, high do
    if j > high or (i <= middle and not less(from[j], from[i])) then
      to[k], i = from[i], i + 1
    else
      to[k], j = from[j], j + 1
    end
  end
end

-- A stable merge sort; whatever the comparison says, it ends.
local function sort(list, less)
  less = less or function(a, b) return a < b end
  local n, from, to, width = #list, list, {}, 1
  while width < n do
    for low = 1, n, 2 * width do
      merge(from, to, low, math.min(low + width - 1, n),
            math.min(low + 2 * width - 1, n), less)
    end
    from, to, width = to, from, 2 * width
  end
  if from ~= list then for i = 1, n do list[i] = from[i] end end
end

local RANK = { number = 1, string = 2, boolean = 3 }

local function key_before(a, b)
  local ra, rb = RANK[type(a)], RANK[type(b)]
  if ra ~= rb then return ra < rb end
  if ra == 3 then return not a and b end
  return a < b
end

-- pairs in the order of the keys: numbers, strings, false, true.
function M.pairs(t)
  check_table(t, "pairs")
  local keys = {}
  for key in next, t do
    if not RANK[type(key)] then
      fail("pairs: a key that is a " .. type(key) .. " has no order")
    end
    keys[#keys + 1] = key
  end
  sort(keys, key_before)
  local i = 0
  return function()
    local key
    repeat
      i = i + 1
      key = keys[i]
    until key == nil or t[key] ~= nil
    return key, t[key]
  end
end

local function concat(charge, list, separator, i, j)
  check_table(list, "concat")
  separator = separator or ""
  local total = 0
  for k = i or 1, j or #list do
    local kind = type(list[k])
    if kind ~= "string" and kind ~= "number" then
      fail("concat: item " .. k .. " is " .. safe.article(kind)
           .. ", no string")
    end
    total = total + #tostring(list[k]) + #separator
    safe.check_length(total, 16 * safe.LONGEST, "concat")
  end
  charge(total // 64)
  return table.concat(list, separator, i, j)
end

local function insert(list, ...)
  check_table(list, "insert")
  local n = #list + 1
  if select("#", ...) == 1 then
    list[n] = ...
    return
  end
  local at, value = ...
  if math.type(at) ~= "integer" or at < 1 or at > n then
    fail("insert: position out of bounds")
  end
  for i = n, at + 1, -1 do list[i] = list[i - 1] end
  list[at] = value
end

local function remove(list, at)
  check_table(list, "remove")
  local n = #list
  if at == nil then at = n end
  if n == 0 and at == 0 then return nil end
  if math.type(at) ~= "integer" or at < 1 or at > n + 1 then
    fail("remove: position out of bounds")
  end
  local value = list[at]
  for i = at, n - 1 do list[i] = list[i + 1] end
  if at <= n then list[n] = nil end
  return value
end

local function unpack(list, i, j)
  check_table(list, "unpack")
  i, j = i or 1, j or #list
  safe.check_number(j - i + 1, "unpack")
  return table.unpack(list, i, j)
end

-- A fresh table library.
function M.new(charge)
  return {
    concat = function(...) return concat(charge, ...) end,
    insert = insert, remove = remove, pack = table.pack, unpack = unpack,
    sort = function(list, less) sort(check_table(list, "sort"), less) end }
end

return M
