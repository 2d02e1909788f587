-- Laws of build: names of locals mean nothing, a define is the expression that
-- it stands for, building again gives the same bytes.

local building = require "tests.building"
local dump = require "gen.dump"

local HEAD = building.GRID .. [[
field { "u", "v", "w" }
field { "px", on = { "x" } }
scalar { "s" }
operator { "dd", derivative = 2, order = 4 }
operator { "o", taps = { { 0, 0, 2 }, { 1, 1, "s" } } }
kernel { "all", [=[ v = px + s + dd(w, x) + o(w) ]=] }
]]

local LEAVES = { "v", "w", "px", "s", "2", "1/3", "0.5", "v[x-1]", "w[y+2]" }

-- A random expression, its sub-expressions kept in `parts`. Every operand is
-- in brackets, so that a part can stand for its text; none begins a product
-- (`(a*b)*c` is `a*b*c`, but a define in front keeps its own node).
local function random_expression(depth, parts)
  local text
  if depth == 0 then
    return LEAVES[math.random(#LEAVES)]
  end
  local function operand()
    return "(" .. random_expression(depth - 1, parts) .. ")"
  end
  local lot = math.random(9)
  if lot <= 2 then text = "s*" .. operand() .. "*" .. operand()
  elseif lot == 3 then text = "1 - " .. operand()
  elseif lot == 4 then text = operand() .. "/(2 + abs" .. operand() .. ")"
  elseif lot == 5 then text = "dd(" .. operand() .. ", y)"
  elseif lot == 6 then text = "o(" .. operand() .. ")"
  elseif lot == 7 then text = operand() .. "[x+1, y-1]"
  elseif lot == 8 then
    text = ("where(%s > %s, %s, 0)"):format(operand(), operand(), operand())
  else text = "2 + " .. operand() .. "^2" end
  parts[#parts + 1] = text
  return text
end

local function value(formula, more)
  return building.value(building.model(HEAD .. (more or "")
    .. 'kernel { "k", [=[ ' .. formula .. " ]=] }"))
end

-- The text with one of its parts, in brackets, replaced by `name`.
local function replaced(text, part, name)
  local first, last = text:find("(" .. part .. ")", 1, true)
  if not first then return nil end
  return text:sub(1, first - 1) .. name .. text:sub(last + 1)
end

-- The dump, without the folder that the spec was in.
local function text_of_model(model)
  return (dump.text(model):gsub("/tmp/[%w_]+/", ""))
end

local function each_random(f)
  math.randomseed(5)
  for _ = 1, 60 do
    local parts = {}
    local text = random_expression(math.random(2, 4), parts)
    local part = parts[math.random(#parts)]
    f(text, part)
  end
end

describe("build", function()
  it("makes a define the expression that it stands for", function()
    local count = 0
    each_random(function(text, part)
      local with = replaced(text, part, "part")
      if with then
        count = count + 1
        assert.equal(value("u = " .. text),
          value("u = " .. with, "define [=[ part = " .. part .. " ]=]\n"))
      end
    end)
    assert.is_true(count > 20)
  end)

  it("makes an argument the expression that it stands for", function()
    each_random(function(text, part)
      local with = replaced(text, part, "(f)")
      if with then
        assert.equal(value("u = " .. text), value("u = whole(" .. part .. ")",
          "define [=[ whole(f) = " .. with .. " ]=]\n"))
      end
    end)
  end)

  it("makes a local the expression that it stands for", function()
    each_random(function(text, part)
      local with = replaced(text, part, "part")
      if with then
        assert.equal(value("u = " .. text),
          value("part = " .. part .. "  u = " .. with))
      end
    end)
  end)

  it("changes nothing but hints when a local has another name", function()
    local function text_of(name)
      local model = building.model(HEAD .. ('kernel { "k", [=[ %s = v*w'
        .. "  u = dd(%s, x)/%s ]=] }"):format(name, name, name))
      for _, node in ipairs(model.nodes) do node.hint, node.pos = nil, nil end
      for _, kernel in ipairs(model.kernels) do
        kernel.blocks[1].assign[1].pos = nil
      end
      model.hash = nil                    -- of the spec's text
      return text_of_model(model)
    end
    assert.is_true(text_of "a1" == text_of "another")
  end)

  it("gives the same bytes again", function()
    local formula = {}
    each_random(function(text) formula[#formula + 1] = "(" .. text .. ")" end)
    local text = HEAD .. 'kernel { "k", [=[ u = '
      .. table.concat(formula, " + ") .. " ]=] }"
    assert.is_true(text_of_model(building.model(text))
      == text_of_model(building.model(text)))
  end)
end)
