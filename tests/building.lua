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

local show

local function show_all(model_of, ids)
  local words = {}
  for i, id in ipairs(ids) do words[i] = show(model_of, id) end
  return table.concat(words, " ")
end

-- "x-1 y+1/2" of a shift in half points.
local function show_shift(model_of, shift)
  local words = {}
  for _, axis in ipairs(model_of.order.spaces) do
    local n = shift[axis]
    if n then
      words[#words + 1] = ("%s%s%d%s"):format(axis, n < 0 and "-" or "+",
        n % 2 == 0 and math.abs(n) // 2 or math.abs(n), n % 2 == 0 and ""
        or "/2")
    end
  end
  return table.concat(words, " ")
end

local SHOW = {
  num = function(_, n) return n.d == "1" and n.n or n.n .. "/" .. n.d end,
  scalar = function(_, n) return n.name end,
  read = function(m, n)
    local shift = show_shift(m, n.shift)
    local place = n.place and "@" .. show(m, n.place) or ""
    return n.field .. (n.level ~= 0 and "." .. n.level or "") .. place
      .. (shift ~= "" and "[" .. shift .. "]" or "")
  end,
  place = function(m, n)
    local slot = n.slot or n.bound and show(m, n.bound)
    return (n.table or n.list) .. "(" .. (n.row and show(m, n.row) .. " " or "")
      .. (slot or "") .. ")"
  end,
  slot = function(_, n) return "slot" .. n.depth end,
  shift = function(m, n)
    return "[" .. show_shift(m, n.by) .. "](" .. show(m, n.arg) .. ")"
  end,
  apply = function(m, n)
    local words = {}
    for i, tap in ipairs(n.taps) do
      words[i] = show_shift(m, tap.shift) .. ":" .. show(m, tap.w)
    end
    return n.name .. "{" .. table.concat(words, ", ") .. "}("
      .. show(m, n.arg) .. ")"
  end,
  reduce = function(m, n)
    return ("%s(%s: %s)"):format(n.fn, show(m, n.over), show(m, n.body))
  end,
  pow = function(m, n) return show(m, n.args[1]) .. "^" .. n.exponent end,
}

-- An expression of a model as text: operators in front.
function show(model_of, id)
  local node = model_of.nodes[id]
  if SHOW[node.kind] then return SHOW[node.kind](model_of, node) end
  return ("(%s %s)"):format(node.fn or node.op or node.kind,
    show_all(model_of, node.args))
end
M.show = show

-- The value of an assignment, as text: of the last kernel's last one.
function M.value(model_of)
  local kernel = model_of.kernels[#model_of.kernels]
  local block = kernel.blocks[#kernel.blocks]
  return show(model_of, block.assign[#block.assign].value)
end

-- Asserts what build says of a spec, with line, column, source line and caret:
-- entries = "line:column: message", in the order printed.
function M.refused(text, entries)
  local built, problems = M.build(text)
  assert.is_nil(built)
  assert.are.equal(specs.expected(text, entries), specs.printed(problems))
end

return M
