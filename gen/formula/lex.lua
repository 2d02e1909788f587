-- The words and signs of a formula.

local lpeg = require "lpeg"
local P, R, S, C, Cp, Ct = lpeg.P, lpeg.R, lpeg.S, lpeg.C, lpeg.Cp, lpeg.Ct

local M = {}

M.MOST = 50000                  -- words and signs of one formula

local digit = R"09"
local letter = R("az", "AZ")
local name = letter * (letter + digit + "_")^0
local exponent = S"eE" * S"+-"^-1 * digit^1
local numeral = digit^1 * ("." * digit^1)^-1 * exponent^-1
local comment = "--" * (1 - P"\n")^0
local space = (S" \t\r\n\f\v" + comment)^0
local two = P"+=" + P"==" + P"!=" + P"<=" + P">="
local other = P(1) * R"\128\191"^0
-- What begins like a number but goes on, as in `2x`, is one wrong word.
local run_on = numeral * (letter + digit + "_" + P"." * #(letter + digit))^1
local token = Cp() * C(run_on + numeral + name + two + other)
local tokens = space * Ct((token * space)^0)

-- lexemes = { text.. }, places = { offset in the text.. } with one more place,
-- that of the end.
function M.tokens(text)
  local flat = tokens:match(text)
  local lexemes, places = {}, {}
  for i = 1, #flat, 2 do
    places[#places + 1], lexemes[#lexemes + 1] = flat[i], flat[i + 1]
  end
  local n = #lexemes
  places[n + 1] = n > 0 and places[n] + #lexemes[n] or 1
  return lexemes, places
end

return M
