-- Axes, levels, domains, and scalars: model.spaces, model.scalars,
-- model.axes, and the defaults of both.

local number = require "gen.model.number"
local rational = require "gen.rational"

local M = {}

M.MOST = 16                     -- axes, levels and domains of one spec

local function add_space(b, entity)
  local model, order = b.model, b.model.order.spaces
  order[#order + 1] = entity.name
  model.spaces[entity.name] = { kind = entity.kind, rank = #order }
  if entity.kind == "axis" then model.axes[#model.axes + 1] = entity.name end
  if entity.kind ~= "domain" then b.axes[#b.axes + 1] = entity.name end
  if #order == M.MOST + 1 then
    b.report(entity.pos, "'%s' is one too many: at most %d axes, levels and "
      .. "domains", entity.name, M.MOST)
  end
end

local function add_scalar(b, name, scalar)
  local order = b.model.order.scalars
  if b.model.scalars[name] then return end
  order[#order + 1] = name
  scalar.pos = b.names[name].pos
  b.model.scalars[name] = scalar
end

-- A spacing: the name of a scalar, or { n, d }.
local function spacing_of(b, item, i)
  local spacing = (item.keys.spacing or {})[i]
  if not spacing then return nil end
  if type(spacing) == "string" then
    add_scalar(b, spacing, { type = "double", range = { 0.5, 1.5 },
      spacing = true })
    return spacing
  end
  local n, d = rational.to_text(number.exact(spacing))
  return { n = n, d = d }
end

local function grid(b, item)
  for i = 1, item.keys.dims or #item.names do
    b.model.spaces[item.names[i].name].spacing = spacing_of(b, item, i)
  end
end

local SCALAR_RANGE = { int = { 0, 4 }, double = { 0.5, 1.5 } }

local function scalar(b, item)
  local keys = item.keys
  local type = keys.type or "double"
  for _, name in ipairs(item.names) do
    add_scalar(b, name.name, { type = type, per = keys.per or "launch",
      range = keys.range or SCALAR_RANGE[type] })
  end
end

function M.build(b)
  b.model.spaces, b.model.scalars, b.model.axes = {}, {}, {}
  b.axes = {}                   -- grid axes, then levels: what shifts can name
  for _, entity in ipairs(b.entities) do
    if entity.kind == "axis" then add_space(b, entity) end
  end
  for _, entity in ipairs(b.entities) do
    if entity.kind == "level" or entity.kind == "domain" then
      add_space(b, entity)
    end
  end
  for _, item in ipairs(b.decls.items) do
    if item.kind == "grid" then grid(b, item) end
  end
  for _, item in ipairs(b.decls.items) do
    if item.kind == "scalar" then scalar(b, item) end
  end
end

return M
