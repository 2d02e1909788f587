-- Where things stand in a spec's source: an LPeg scan into words, strings and
-- signs (comments skipped), and in it the constructor calls with what is
-- inside their brackets. A scan never fails: what is no Lua is a sign.

local lpeg = require "lpeg"
local P, R, S, C, Cc, Cg, Cmt, Cp, Ct =
  lpeg.P, lpeg.R, lpeg.S, lpeg.C, lpeg.Cc, lpeg.Cg, lpeg.Cmt, lpeg.Cp, lpeg.Ct

local M = {}

-- ---------------------------------------------------------------------------
-- Tokens: { kind = "name"|"string"|"sign", text, at = offset }; a string's
-- text is nil where it has escapes, and `at` is that of its first character.

-- Matches a long bracket; yields the offset of its text and the text.
local long_bracket = Cmt("[" * C(P"="^0) * "[" * P"\n"^-1,
  function(subject, after, equals)
    local close = "]" .. equals .. "]"
    local first, last = string.find(subject, close, after, true)
    if not first then return false end
    return last + 1, after, string.sub(subject, after, first - 1)
  end)

local function short_string(quote)
  local plain = P(1) - S("\\\n" .. quote)
  local escape = P"\\" * P(1)
  local whole = Cp() * C(plain^0) * quote
  local escaped = Cp() * Cc(false) * (plain + escape)^0 * quote
  return quote * (whole + escaped)
end

local any_string = long_bracket + short_string '"' + short_string "'"
local letter = R("az", "AZ") + "_"
local word = letter * (letter + R"09")^0
local numeral = R"09" * (letter + R"09" + "." + S"eE" * S"+-")^0
local comment = "--" * (long_bracket / 0 + (1 - P"\n")^0)
local space = S" \t\r\n\f\v" + comment
local sign = P"==" + P".." + P"::" + P"<=" + P">=" + P"~=" + P(1)

local function token(kind, pattern)
  return Ct(Cg(Cc(kind), "kind") * Cg(Cp(), "at") * Cg(C(pattern), "text"))
end

local string_token = any_string / function(at, text)
  return { kind = "string", at = at, text = text or nil }
end

local tokens = Ct((space + string_token + token("name", word)
  + token("number", numeral) + token("sign", sign))^0)

-- ---------------------------------------------------------------------------
-- Calls

local CLOSING = { ["{"] = "}", ["("] = ")", ["["] = "]" }
local OPENING = { ["}"] = true, [")"] = true, ["]"] = true }

-- For every opening bracket the index of the one that closes it.
local function matching(list)
  local close, stack = {}, {}
  for i, t in ipairs(list) do
    if t.kind == "sign" and CLOSING[t.text] then
      stack[#stack + 1] = i
    elseif t.kind == "sign" and OPENING[t.text] and #stack > 0 then
      close[table.remove(stack)] = i
    end
  end
  return close
end

local function is_sign(t, text)
  return t ~= nil and t.kind == "sign" and t.text == text
end

-- The keys and items directly inside a bracket: key = index of its token;
-- items = the set of indices of the strings that stand as items.
local function contents(list, close, open)
  local keys, items, i = {}, {}, open + 1
  local last = close[open] or #list + 1
  while i < last do
    local t = list[i]
    if t.kind == "name" and is_sign(list[i + 1], "=") then
      keys[t.text], i = keys[t.text] or i, i + 1
    elseif t.kind == "string" and not is_sign(list[i - 1], "=") then
      items[i] = true
    elseif t.kind == "sign" and CLOSING[t.text] and close[i] then
      i = close[i]
    end
    i = i + 1
  end
  return keys, items
end

-- The call whose name is token i, if it is one.
local function call_at(list, close, i)
  local before, after = list[i - 1], list[i + 1]
  if is_sign(before, ".") or is_sign(before, ":") or not after then
    return nil
  end
  local call = { at = list[i].at, first = i + 1, last = i + 1, keys = {},
                 items = {} }
  if after.kind == "string" then return call end
  if not is_sign(after, "(") and not is_sign(after, "{") then return nil end
  call.last = close[i + 1] or #list
  local open = i + 1
  if after.text == "(" and is_sign(list[i + 2], "{") then open = i + 2 end
  call.keys, call.items = contents(list, close, open)
  return call
end

local function add(calls, kind, line, call)
  local key = kind .. ":" .. line
  local list = calls[key] or {}
  if list[#list] ~= call then list[#list + 1] = call end
  calls[key] = list
end

-- For every text the indices of the tokens that are strings; of those that
-- are words: strings, or keys.
local function index(list)
  local strings, words = {}, {}
  for i, t in ipairs(list) do
    local text, is_string = t.text, t.kind == "string" and t.text ~= nil
    if is_string then
      strings[text] = strings[text] or {}
      table.insert(strings[text], i)
    end
    if is_string or t.kind == "name" and is_sign(list[i + 1], "=") then
      words[text] = words[text] or {}
      table.insert(words[text], i)
    end
  end
  return strings, words
end

-- The scan of a source: `tokens`, and `calls["field:12"]` = those that begin
-- on line 12. `is_constructor` is a set of names; `line_of(offset)`.
function M.scan(text, is_constructor, line_of)
  local list = tokens:match(text)
  local close, calls = matching(list), {}
  for i, t in ipairs(list) do
    if t.kind == "name" and is_constructor[t.text] then
      local call = call_at(list, close, i)
      if call then
        add(calls, t.text, line_of(t.at), call)
        add(calls, t.text, line_of(list[i + 1].at), call)
      end
    end
  end
  local strings, words = index(list)
  return { tokens = list, calls = calls, strings = strings, words = words }
end

-- The first of these indices from `first` to `last`; nil if there is none.
local function first_within(indices, first, last)
  local low, high = 1, indices and #indices or 0
  while low <= high do
    local middle = (low + high) // 2
    if indices[middle] < first then low = middle + 1
    else high = middle - 1 end
  end
  local found = indices and indices[low]
  return found and found <= last and found or nil
end

-- The index of the first string with this text among the tokens from `first`
-- to `last`; nil if there is none.
function M.find_string(scan, text, first, last)
  return first_within(scan.strings[text], first, last)
end

-- The same, for a string or a key.
function M.find_word(scan, text, first, last)
  return first_within(scan.words[text], first, last)
end

return M
