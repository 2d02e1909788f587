-- Neighbour tables and lists: model.tables, model.lists.

local names = require "gen.model.names"
local number = require "gen.model.number"

local M = {}

-- True if a row of the table can lack a neighbour.
function M.can_skip(table)
  return table.skip ~= nil or table.ragged or table.may_skip or false
end

-- The tables that one is composed of, each where the one before leads; nil
-- where that is reported.
local function parts_of(b, through, pos)
  local parts = {}
  for i, name in ipairs(through) do
    parts[i] = names.get(b, name, pos, "table") or nil
    if not parts[i] then return nil end
  end
  for _, e in ipairs(parts) do
    if e.item.keys.through or e.item.keys.ragged then
      return b.report(pos, "'%s' is %s, wanted a table with a fixed count that "
        .. "is not composed itself", e.name,
        e.item.keys.through and "composed" or "ragged")
    end
  end
  for i = 2, #parts do
    local before, next = parts[i - 1], parts[i]
    if before.item.keys.to ~= next.item.keys.from then
      return b.report(pos, "'%s' leads to %s, but '%s' starts at %s",
        before.name, before.item.keys.to, next.name, next.item.keys.from)
    end
  end
  return parts
end

local function composed(b, item, keys)
  local parts = parts_of(b, keys.through, item.key_pos.through)
  if not parts then return nil end
  local skips = false
  for _, e in ipairs(parts) do skips = skips or e.item.keys.skip ~= nil end
  return { from = parts[1].item.keys.from, to = parts[#parts].item.keys.to,
    through = keys.through, pattern = keys.pattern, count = keys.count,
    ragged = false, affine = false, contiguous = keys.contiguous or "row",
    may_skip = skips, t1 = parts[1].item.keys, t2 = parts[2].item.keys }
end

-- A target that no slot leads to would have no entry.
local function check_targets(b, pos, made)
  local named = {}
  for _, row in ipairs(made.pattern) do
    for _, target in ipairs(row) do named[target] = true end
  end
  for target = 0, made.count - 1 do
    if not named[target] then
      return b.report(pos, "the pattern does not name target %d, and the "
        .. "count is %d", target, made.count)
    end
  end
end

-- pattern[i][j]: the target, from 0, that slot j of slot i is.
local function check_pattern(b, item, made)
  local pattern, pos = made.pattern, item.key_pos.pattern
  if #pattern ~= made.t1.count then
    return b.report(pos, "the pattern has %s, wanted %d: the slots of '%s'",
      number.count(#pattern, "row"), made.t1.count, made.through[1])
  end
  for i, row in ipairs(pattern) do
    if #row ~= made.t2.count then
      return b.report(pos, "row %d of the pattern has %s, wanted %d: the slots "
        .. "of '%s'", i, number.count(#row, "target"), made.t2.count,
        made.through[2])
    end
    for _, target in ipairs(row) do
      if target >= made.count then
        return b.report(pos, "the pattern names target %d, but the count is "
          .. "%d: targets are 0 to %d", target, made.count, made.count - 1)
      end
    end
  end
  check_targets(b, pos, made)
end

local function plain(b, item, keys)
  for _, key in ipairs { "from", "to" } do
    if not names.get(b, keys[key], item.key_pos[key], "domain") then
      return nil
    end
  end
  return { from = keys.from, to = keys.to, count = keys.count,
    ragged = keys.ragged or false, skip = keys.skip,
    affine = keys.affine or false, contiguous = keys.contiguous or "row" }
end

local function neighbours(b, item)
  local keys = item.keys
  local made
  if keys.through then
    made = composed(b, item, keys)
    if made and made.pattern then check_pattern(b, item, made) end
  else
    made = plain(b, item, keys)
  end
  for _, name in ipairs(item.names) do
    local order = b.model.order.tables
    order[#order + 1] = name.name
    local copy = {}
    for key, value in next, made or {} do copy[key] = value end
    copy.t1, copy.t2, copy.pos = nil, nil, name.pos
    b.model.tables[name.name] = made and copy or nil
  end
end

local function list(b, item)
  if not names.get(b, item.keys.of, item.key_pos.of, "domain") then return end
  for _, name in ipairs(item.names) do
    local order = b.model.order.lists
    order[#order + 1] = name.name
    b.model.lists[name.name] = { of = item.keys.of, pos = name.pos }
  end
end

function M.build(b)
  b.model.tables, b.model.lists = {}, {}
  for _, item in ipairs(b.decls.items) do
    if item.kind == "neighbours" then neighbours(b, item) end
    if item.kind == "list" then list(b, item) end
  end
end

return M
