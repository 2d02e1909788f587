-- Whole texts: blocks of assignments, definitions, colour forms, and single
-- expressions. Line ends mean nothing: a statement ends where its expression
-- cannot go on.

local expression = require "gen.formula.expression"
local lex = require "gen.formula.lex"
local place = require "gen.formula.place"
local state = require "gen.formula.state"

local M = {}

-- target ( "=" | "+=" ) expr
local function assignment(s)
  local pos = state.pos(s)
  local node = { kind = "assign", pos = pos,
                 name = place.name(s, s.goes_on or "a field or a local") }
  node.level = expression.level(s)
  if state.take(s, "+=") then
    node.add = true
  else
    state.expect(s, "=", "'=' or '+='")
  end
  node.value = expression.parse(s)
  return node
end

local function parameters(s)
  if not state.take(s, "(") then return nil end
  local list = {}
  repeat
    local pos = state.pos(s)
    list[#list + 1] = { name = place.name(s, "the name of a parameter"),
                        pos = pos }
  until not state.take(s, ",")
  state.expect(s, ")", "',' or ')'")
  return list
end

-- name [ "(" name { "," name } ")" ] "=" expr
local function definition(s)
  local pos = state.pos(s)
  local node = { kind = "definition", pos = pos,
                 name = place.name(s, s.goes_on or "the name of a definition") }
  node.params = parameters(s)
  state.expect(s, "=", node.params and "'='" or "'(' or '='")
  node.value = expression.parse(s)
  return node
end

-- One statement after the other, up to the end of the text.
local function sequence(s, statement)
  local list = {}
  repeat
    list[#list + 1] = statement(s)
    s.goes_on = "an operator or a new statement"
  until not state.peek(s)
  return list
end

-- [ "-" ] ( whole [ "*" axis ] | axis ), added to the form
local function term(s, form, sign)
  if state.take(s, "-") then sign = -sign end
  local coefficient = 1
  if string.find(state.peek(s) or "", "^%d") then
    coefficient = place.whole(s, "a whole number")
    if not state.take(s, "*") then
      form.constant = form.constant + sign * coefficient
      return
    end
  end
  local pos = state.pos(s)
  form.terms[#form.terms + 1] = { axis = place.name(s, "an axis"), pos = pos,
                                  coefficient = sign * coefficient }
end

local function terms(s, form)
  term(s, form, 1)
  while state.peek(s) == "+" or state.peek(s) == "-" do
    term(s, form, state.next(s) == "+" and 1 or -1)
  end
end

-- ( axis | "(" term { ("+" | "-") term } ")" ) "%" whole
local function colours(s)
  local form = { kind = "colours", pos = state.pos(s), terms = {},
                 constant = 0 }
  if state.take(s, "(") then
    terms(s, form)
    state.expect(s, ")", "'+', '-' or ')'")
  else
    term(s, form, 1)
  end
  state.expect(s, "%", "'%' and a number; a sum before it needs brackets")
  local pos = state.pos(s)
  form.modulus = place.whole(s, "the number of colours")
  if form.modulus < 1 then
    state.fail_at(pos, "found 0, wanted at least one colour")
  end
  return form
end

local READ = {
  block = function(s) return "statements", sequence(s, assignment) end,
  definitions = function(s) return "definitions", sequence(s, definition) end,
  form = function(s) return "form", colours(s) end,
  expression = function(s) return "tree", expression.parse(s) end,
}

local function read(text, what)
  local s = state.new(text)
  if #s.lexemes > lex.MOST then
    state.fail_at(state.pos(s, lex.MOST),
                  "the formula has more than %d words and signs", lex.MOST)
  end
  local key, value = READ[what](s)
  if state.peek(s) then
    state.fail(s, "an operator or the end of the formula")
  end
  text[key] = value
  return true
end

-- Completes a text, read as "block", "definitions", "form" or "expression";
-- true, or nil and a diagnostic.
function M.complete(text, what)
  return state.attempt(read, text, what)
end

return M
