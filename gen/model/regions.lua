-- Regions: model.regions, in order of priority. A bound is a tree of
-- { kind = "number", n, d } | { kind = "scalar", name } | { kind = "n" } |
-- { kind = "add"|"sub"|"mul", left, right } | { kind = "neg", arg }: params
-- are numbers, and what is numbers alone is one number.

local diag = require "gen.diag"
local names = require "gen.model.names"
local number = require "gen.model.number"
local rational = require "gen.rational"

local M = {}

local function literal(value)
  local n, d = rational.to_text(value)
  return { kind = "number", n = n, d = d }
end

local function value_of(tree)
  return tree.kind == "number" and rational.new(tree.n, tree.d) or nil
end

local bound

local OF = {}                   -- kind of tree -> its bound, or nil

function OF.number(_, tree)
  return { kind = "number", n = tree.n, d = tree.d }
end

local function bound_name(b, tree, entity)
  if entity.kind == "param" and type(entity.value) == "number" then
    return literal(number.exact(entity.value))
  elseif entity.kind == "scalar" then
    b.used[tree.name] = true
    if b.model.scalars[tree.name].type == "int" then
      return { kind = "scalar", name = tree.name }
    end
    return b.report(tree.pos, "'%s' is no whole number, wanted a scalar of "
      .. "type \"int\"", tree.name)
  end
  return b.report(tree.pos, "'%s' is %s; bounds are made of n, numbers, "
    .. "params and int scalars", tree.name, names.WORDS[entity.kind])
end

function OF.name(b, tree)
  local entity = b.names[tree.name]
  if tree.name == "n" and not entity then return { kind = "n" } end
  if tree.level or not entity or entity.kind == "absent" then
    return b.report(tree.pos, "'%s' is not declared; bounds are made of n, "
      .. "numbers, params and int scalars%s", tree.name,
      diag.hint(tree.name, names.of(b, "param", "scalar")))
  end
  return bound_name(b, tree, entity)
end

function OF.neg(b, tree)
  local arg = bound(b, tree.arg)
  local value = arg and value_of(arg)
  if value then return literal(rational.neg(value)) end
  return arg and { kind = "neg", arg = arg }
end

local FOLD = { add = rational.add, sub = rational.sub, mul = rational.mul,
  div = rational.div }

local function binary(b, tree)
  local left, right = bound(b, tree.left), bound(b, tree.right)
  if not left or not right then return nil end
  local x, y = value_of(left), value_of(right)
  if tree.kind == "div" and (not x or not y or rational.is_zero(y)) then
    return b.report(tree.pos, "a bound divides numbers and params only")
  end
  if x and y then return literal(FOLD[tree.kind](x, y)) end
  return { kind = tree.kind, left = left, right = right }
end
OF.add, OF.sub, OF.mul, OF.div = binary, binary, binary, binary

function bound(b, tree)
  local of = OF[tree.kind]
  if of then return of(b, tree) end
  return b.report(tree.pos, "bounds are made of n, numbers, params and int "
    .. "scalars with + - *")
end

-- True if nothing of the tree is a fraction.
local function is_whole(tree)
  if tree.kind == "number" then return tree.d == "1" end
  for _, part in ipairs { tree.left or tree.arg, tree.right } do
    if not is_whole(part) then return false end
  end
  return true
end

local function bound_of(b, text, wanted)
  local tree = bound(b, text.tree)
  local value = tree and value_of(tree)
  if value and wanted == "width" and rational.sign(value) < 0 then
    return b.report(text.tree.pos, "found %s, wanted a width from 0",
      rational.show(value))
  end
  if tree and not is_whole(tree) then
    b.report(text.tree.pos, "found a fraction, wanted a whole %s", wanted)
    return nil
  end
  return tree
end

local function sorted_keys(t)
  local keys = {}
  for key in next, t do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

-- A shell lies along grid axes; ranges are of axes, levels and domains.
local function is_space(b, item, axis, pos)
  local entity = b.names[axis]
  local kind = entity and entity.kind
  if kind == "absent" then return false end
  if not item.keys.shell and (kind == "level" or kind == "domain") then
    return true
  end
  return names.get(b, axis, pos, "axis") ~= nil
end

-- { axis = { low, high } } of the axes given.
local function pairs_of(b, item, given, wanted)
  local out, count, problems = {}, 0, #b.problems
  for _, axis in ipairs(sorted_keys(given)) do
    local pos = item.key_pos[axis] or item.key_pos.shell or item.pos
    if is_space(b, item, axis, pos) then
      local low = bound_of(b, given[axis][1], wanted)
      local high = bound_of(b, given[axis][2], wanted)
      out[axis] = { low, high }
      count = count + 1
    end
  end
  if count == 0 and #b.problems == problems then
    b.report(item.pos, "the region names no axis that there is")
  end
  return out
end

local function shell_of(b, item)
  local shell = item.keys.shell
  if shell.kind ~= "text" then
    return pairs_of(b, item, shell, "width")
  end
  local width, out = bound_of(b, shell, "width"), {}
  if #b.model.axes == 0 then
    b.report(item.key_pos.shell, "a shell lies on the faces of a grid, and "
      .. "there is none")
  end
  for _, axis in ipairs(b.model.axes) do out[axis] = { width, width } end
  return out
end

local function region(b, item)
  local name, keys = item.names[1], item.keys
  local made = { name = name.name, pos = name.pos, rest = keys.rest }
  if keys.shell then made.shell = shell_of(b, item) end
  if keys.ranges then made.ranges = pairs_of(b, item, keys.ranges, "bound") end
  b.model.regions[#b.model.regions + 1] = made
  b.regions[name.name] = made
end

function M.build(b)
  b.model.regions, b.regions = {}, {}
  for _, item in ipairs(b.decls.items) do
    if item.kind == "region" then region(b, item) end
  end
end

-- The axes that a region speaks of, in the spec's order; none: the rest.
function M.axes(b, region_of)
  local list = {}
  local parts = region_of.shell or region_of.ranges or {}
  for _, name in ipairs(b.model.order.spaces) do
    if parts[name] then list[#list + 1] = name end
  end
  return list
end

return M
