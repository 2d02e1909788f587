-- Tiles of a mesh that C turns: where points are contiguous, eight levels of
-- what a piece of a tile reads are copied side by side, so that neighbours are
-- vectors of levels. Which blocks that can be done to, and what it moves.

local entries = require "gen.entries"
local lists = require "gen.list"
local space = require "gen.schedule.space"

local M = {}

-- Points of a piece, at most; of a piece that are turned at once; bytes of all
-- copies, as a second cache of 2 MB holds them beside the rest: with half of
-- them pieces are smaller, and node_gradient of specs/ocean_mesh.lua takes a
-- fifth longer; of ragged rows, entries that a piece has room for, for each of
-- its points.
M.PIECE, M.GROUP, M.BYTES, M.ROW = 8192, 16, 1048576, 8

local SIZE = { double = 8, float = 4, int = 4 }
local BESIDE, MOST_LINES = 8, 1024

-- Slots of a ragged row, as meshes of triangles have them.
local RAGGED = 6

-- Why a load or store of a field that changes with the level cannot be turned,
-- or nil; `near`: the neighbour at which it is, or nil; `does`: "reads".
local function unfit(lowered, field, at, near, axes, does)
  local of = near and lists.find(lowered.tables, "name", near.table)
  if at.offset and (at.offset[axes[2].name] or 0) ~= 0 then
    return ("%s %s at another level"):format(does, field.name)
  elseif field.axes[1] == axes[2].name and field.axes[2] then
    return ("%s %s, whose levels are contiguous"):format(does, field.name)
  elseif not SIZE[field.type] then
    return ("%s %s, which has elements of 2 bytes"):format(does, field.name)
  elseif field.packed then
    return ("%s %s, which is interleaved with others"):format(does, field.name)
  elseif near and (near.row or of.affine) then
    return ("reads %s %s"):format(field.name, of.affine
      and "along an affine table" or "at neighbours of neighbours")
  elseif #field.axes > 2 then
    return ("%s %s, which has values of slots at each level"):format(does,
      field.name)
  end
end

-- Notes one more buffer of a list of { buffer, field, bytes }.
local function note(list, buffer, field)
  if not lists.find(list, "buffer", buffer) then
    list[#list + 1] = { buffer = buffer, field = field,
                        bytes = SIZE[field.type] }
  end
end

local function domain_of(turned, of)
  local domain = lists.find(turned.domains, "name", of.to)
  if not domain then
    domain = { name = of.to, fields = {} }
    table.insert(turned.domains, domain)
  end
  return domain
end

-- How many neighbours one stands for: one, or all slots of its loop.
local function slots(near, of)
  return near.slot and 1 or of.count or RAGGED
end

-- Notes a load: at a neighbour, at the point, or (nil) at the level alone.
local function add_load(turned, load, field, near, of)
  if near then
    local domain = domain_of(turned, of)
    note(domain.fields, load.buffer, field)
    if not lists.find(turned.tables, "table", of) then
      table.insert(turned.tables, { table = of, domain = domain })
    end
    turned.gathered = turned.gathered + slots(near, of)
  elseif #field.axes == 2 then
    note(turned.here, load.buffer, field)
  end
end

-- What neighbours have of the points' own domain, points have too.
local function add_own(turned, domain)
  local here = {}
  for _, one in ipairs(turned.here) do
    local near = domain and lists.find(domain.fields, "buffer", one.buffer)
    if near then domain.own = true else here[#here + 1] = one end
  end
  turned.here = here
end

local function add_lines(turned, compute)
  for _, domain in ipairs(turned.domains) do
    local bytes = #domain.fields * SIZE[compute]
    domain.lines = math.min(MOST_LINES,
      M.BYTES // #turned.domains // (BESIDE * BESIDE * bytes))
  end
end

-- Why no block of this kernel can be turned, or nil.
local function unfit_kernel(lowered, kernel, block, axes)
  local spaces = lowered.model.spaces
  if kernel.chain then return "is a chain" end
  if not kernel.domain or #axes ~= 2
     or spaces[axes[1].name].kind ~= "domain"
     or spaces[axes[2].name].kind ~= "level" then
    return "wants a kernel on points that are contiguous, and levels"
  elseif kernel.colours or block.edge or block.regular then
    return "wants a kernel that updates all points at once"
  end
end

-- What turning the tiles of a block takes: { domains = { { name, fields = {
-- { buffer, field, bytes }.. }, lines = that a piece may read, own = are points
-- read there themselves }.. }, tables = { { table, domain }.. }, here = { like
-- fields, read at the point and nowhere else }, stores = { like fields },
-- gathered = values that a point reads at neighbours }; nil and why not.
function M.of(lowered, kernel, block)
  local axes = space.axes(lowered, block)
  local why = unfit_kernel(lowered, kernel, block, axes)
  if why then return nil, why end
  local near = entries.neighbours(block)
  local turned = { domains = {}, tables = {}, here = {}, stores = {},
                   gathered = 0 }
  for _, load in ipairs(block.loads) do
    local field = space.field(lowered, load.field)
    if lists.contains(field.axes, axes[2].name) then
      local at = near[load.place]
      why = unfit(lowered, field, load, at, axes, "reads")
      if why then return nil, why end
      add_load(turned, load, field, at,
        at and lists.find(lowered.tables, "name", at.table))
    end
  end
  for _, store in ipairs(block.stores) do
    local field = space.field(lowered, store.field)
    why = unfit(lowered, field, store, nil, axes, "stores")
    if why then return nil, why end
    note(turned.stores, store.buffer, field)
  end
  if #turned.domains == 0 then return nil, "reads nothing at neighbours" end
  add_own(turned, lists.find(turned.domains, "name", axes[1].name))
  add_lines(turned, kernel.compute)
  return turned
end

-- Values that are moved of each point: its own, there and back.
function M.own(turned) return #turned.here + #turned.stores end

-- Values that are moved in all, as many neighbours as points.
local function moved(turned)
  local count = M.own(turned)
  for _, domain in ipairs(turned.domains) do count = count + #domain.fields end
  return count
end

-- Is it likely to be faster, with as many neighbours in all as points? As
-- quern_turning_pays of quern_turned.h says, which asks again of a mesh.
function M.pays(turned) return 3 * moved(turned) <= 2 * turned.gathered end

-- Whether the tiles of a block are turned by default, and why, in a few words.
function M.verdict(lowered, kernel, block)
  local turned, why = M.of(lowered, kernel, block)
  if not turned then return "not turned: it " .. why end
  return ("%sturned: a point gathers %d values at neighbours, %d are moved "
    .. "instead"):format(M.pays(turned) and "" or "not ", turned.gathered,
      moved(turned))
end

-- Names that the template uses itself.
M.NAMES = { "near", "lower", "upper", "points", "first", "count", "whole" }

-- For the head of a kernel's file: why.
function M.notes(turned)
  local lists_of = {}
  for i, domain in ipairs(turned.domains) do
    lists_of[i] = ("%d of each %s"):format(#domain.fields, domain.name)
  end
  return { ("turned     8 levels side by side: %d values of a point at its "
    .. "neighbours are not gathered,"):format(turned.gathered),
    ("           but %s that is read and %d of each point are moved")
    :format(table.concat(lists_of, ", "), M.own(turned)) }
end

return M
