-- What stands in brackets and behind `in`: shifts, places and sets.

local names = require "gen.spec.names"
local state = require "gen.formula.state"

local M = {}

local LARGEST_SHIFT = 1000000

local function is_name(word)
  return word ~= nil and string.find(word, "^%a") ~= nil
    and not names.is_word[word] and not names.is_function[word]
end

M.is_name = is_name

-- A name; `wanted` says what for.
function M.name(s, wanted)
  local word = state.peek(s)
  if not is_name(word) then state.fail(s, wanted) end
  if #word > names.LONGEST then
    state.fail_at(state.pos(s), "%s", names.problem(word))
  end
  return state.next(s)
end

function M.whole(s, wanted)
  local word = state.peek(s)
  if not word or not string.find(word, "^%d+$") then state.fail(s, wanted) end
  local value = math.tointeger(tonumber(word))
  if not value or value > LARGEST_SHIFT then
    state.fail_at(state.pos(s), "%s is too large; at most %d is allowed", word,
                  LARGEST_SHIFT)
  end
  state.next(s)
  return value
end

local place

local function slot(s)
  if string.find(state.peek(s) or "", "^%d") then
    local pos = state.pos(s)
    return { kind = "whole", n = M.whole(s, "a slot: a whole number"),
             pos = pos }
  end
  return place(s, "a slot: a whole number or a name")
end

-- name [ "(" slot [ "," slot ] ")" ]
function place(s, wanted)
  local node = { kind = "place", pos = state.pos(s), name = M.name(s, wanted) }
  if state.take(s, "(") then
    state.enter(s)
    node.args = { slot(s) }
    if state.take(s, ",") then node.args[2] = slot(s) end
    state.expect(s, ")", node.args[2] and "')'" or "',' or ')'")
    state.leave(s)
  end
  return node
end

-- whole [ "/" "2" ], in lowest terms
local function distance(s, node)
  node.n, node.d = M.whole(s, "a whole number or a param"), 1
  if state.take(s, "/") then
    if state.peek(s) ~= "2" then
      state.fail(s, "2: shifts are whole or half points")
    end
    state.next(s)
    if node.n % 2 == 0 then node.n = node.n // 2 else node.d = 2 end
  end
  return node
end

-- axis [ ( "+" | "-" ) ( whole [ "/" "2" ] | param ) ] | place
local function shift(s)
  local sign = state.peek(s, 1)
  if sign ~= "+" and sign ~= "-" then
    return place(s, "an axis or a place")
  end
  local pos = state.pos(s)
  local node = { kind = "shift", pos = pos, name = M.name(s, "an axis"),
                 sign = sign == "+" and 1 or -1 }
  state.next(s)
  if is_name(state.peek(s)) then
    node.param = state.next(s)
    return node
  end
  return distance(s, node)
end

-- The shifts of an index, behind its `[`.
function M.shifts(s)
  local list = { shift(s) }
  while state.take(s, ",") do list[#list + 1] = shift(s) end
  state.expect(s, "]", "',' or ']'")
  return list
end

local function axis_list(s)
  local set = { kind = "axis_list", pos = state.pos(s), names = {} }
  state.expect(s, "(")
  repeat
    local pos = state.pos(s)
    set.names[#set.names + 1] = { name = M.name(s, "an axis"), pos = pos }
  until not state.take(s, ",")
  state.expect(s, ")", "',' or ')'")
  return set
end

-- "axes" | "(" axis { "," axis } ")" | place
function M.set(s)
  if state.peek(s) == "axes" then
    local pos = state.pos(s)
    state.next(s)
    return { kind = "axes", pos = pos }
  elseif state.peek(s) == "(" then
    return axis_list(s)
  end
  return place(s, "'axes', axes in brackets, a table or a list")
end

return M
