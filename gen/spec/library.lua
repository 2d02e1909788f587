-- What a spec can call besides the constructors: parts of Lua's own library.
-- Nothing here loops for long inside C: the loops are Lua, which the budget
-- counts instruction by instruction, or are capped and charged for. This code
-- runs while the string metatable is the spec's: it uses no string methods.

local safe = require "gen.spec.safe"
local strings = require "gen.spec.strings"
local tables = require "gen.spec.tables"

local M = {}

local function copy_of_math()
  local out = {}
  for name, value in next, math do out[name] = value end
  out.random, out.randomseed = nil, nil
  return out
end

-- A library whose unknown members are errors.
local function strict(members, name)
  local function unknown(_, key)
    safe.fail(name .. " has no '" .. safe.show(key) .. "' in a spec")
  end
  return setmetatable(members, { __metatable = false, __index = unknown })
end

-- Fresh libraries for one spec.
function M.new(charge)
  return {
    ipairs = ipairs, pairs = tables.pairs, type = type, tonumber = tonumber,
    tostring = function(value) return safe.show(value) end, select = select,
    assert = assert, error = safe.raise, math = strict(copy_of_math(), "math"),
    string = strict(strings.new(charge), "string"),
    table = strict(tables.new(charge), "table"),
    fill = function(...) return strings.fill(charge, ...) end }
end

return M
