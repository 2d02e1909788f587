-- What the parser knows while it reads one text: the words, where it stands,
-- how deep it is. The first thing that cannot be raises a diagnostic (a
-- table), which `attempt` catches: nothing else is ever caught.

local diag = require "gen.diag"
local lex = require "gen.formula.lex"

local M = {}

M.DEEPEST = 200                 -- nested brackets

function M.new(text)
  local lexemes, places = lex.tokens(text.text)
  return { source = text.source, base = text.offset - 1, lexemes = lexemes,
           places = places, at = 1, depth = 0 }
end

-- The position of token `i` (of the next one).
function M.pos(s, i)
  return { source = s.source, offset = s.base + s.places[i or s.at] }
end

-- The next word, nil at the end; and the one after `ahead` more.
function M.peek(s, ahead)
  return s.lexemes[s.at + (ahead or 0)]
end

function M.next(s)
  local word = s.lexemes[s.at]
  s.at = s.at + 1
  return word
end

function M.fail_at(pos, ...)
  error(diag.new(pos, ...), 0)
end

-- How a word is named in a message.
function M.found(s, i)
  local word = s.lexemes[i or s.at]
  if not word then return "the end of the formula" end
  if string.find(word, "^[\0-\31\127-\255]") then
    return string.format("the byte 0x%02x", string.byte(word))
  end
  return "'" .. word .. "'"
end

function M.fail(s, wanted)
  return M.fail_at(M.pos(s), "found %s, wanted %s", M.found(s), wanted)
end

function M.take(s, word)
  if s.lexemes[s.at] ~= word then return false end
  s.at = s.at + 1
  return true
end

function M.expect(s, word, wanted)
  if not M.take(s, word) then M.fail(s, wanted or "'" .. word .. "'") end
end

function M.enter(s)
  s.depth = s.depth + 1
  if s.depth > M.DEEPEST then
    M.fail_at(M.pos(s), "the formula nests more than %d deep", M.DEEPEST)
  end
end

function M.leave(s)
  s.depth = s.depth - 1
end

-- f(...), or nil and the diagnostic that it raised.
function M.attempt(f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  if type(result) ~= "table" or not result.message then error(result, 0) end
  return nil, result
end

return M
