-- For tests of build: specs from texts to models, and what is refused of them.

local assert = require "luassert"
local model = require "gen.model"
local specs = require "tests.specs"

local M = {}

-- Starts of specs, so that each test shows only what it is about.
M.GRID = [[
precision { "float" }
grid { "x", "y", spacing = { "hx", "hy" } }
]]
M.COLUMN = [[
precision { "float" }
grid { "x" }
levels { "k" }
]]
M.MESH = [[
precision { "float" }
domain { "v", "e" }
neighbours { "v2e", from = "v", to = "e", count = 6, skip = -1 }
neighbours { "e2v", from = "e", to = "v", count = 2 }
field { "p", on = { "v" } }
field { "q", on = { "e" } }
]]
M.LISTS = [[
precision { "float" }
domain { "p", "c" }
list { "a", "b", of = "p" }
list { "far", of = "c" }
field { "m", "f", on = { "p" } }
field { "q", on = { "c" } }
]]

-- The model of a text, or nil and diagnostics.
function M.build(text, set)
  local decls, problems = specs.parse(text, set)
  if not decls then error(specs.printed(problems), 2) end
  return model.build(decls)
end

-- The model of a text that is right.
function M.model(text, set)
  local built, problems = M.build(text, set)
  if not built then error(specs.printed(problems), 2) end
  return built
end

-- Asserts what build says of a spec, with line, column, source line and caret:
-- entries = "line:column: message", in the order printed.
function M.refused(text, entries)
  local built, problems = M.build(text)
  assert.is_nil(built)
  assert.are.equal(specs.expected(text, entries), specs.printed(problems))
end

return M
