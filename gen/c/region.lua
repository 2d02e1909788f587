-- Regions to C: bounds as int64_t expressions over extents and whole scalars.

local words = require "gen.c.words"

local M = {}

local BINARY = { add = { "+", 1 }, sub = { "-", 1 },
                 mul = { "*", 2 }, div = { "/", 2 } }

-- The text of a bound; `extent` is the text of n along its axis.
local function text(bound, extent)
  if bound.kind == "number" then
    return tostring(bound.n) .. (bound.d and bound.d ~= "1" and bound.d ~= 1
      and " / " .. bound.d or ""), 2
  elseif bound.kind == "n" then
    return extent, 3
  elseif bound.kind == "scalar" or bound.kind == "name" then
    return "a->" .. words.name(bound.name), 3
  elseif bound.kind == "neg" then
    return "-" .. (text(bound.arg, extent)), 1
  end
  local operator, strength = table.unpack(BINARY[bound.kind])
  local left, ls = text(bound.left, extent)
  local right, rs = text(bound.right, extent)
  if ls < strength then left = "(" .. left .. ")" end
  if rs <= strength then right = "(" .. right .. ")" end
  return left .. " " .. operator .. " " .. right, strength
end

M.bound = function(bound, extent) return (text(bound, extent)) end

-- The box that a shell leaves free along an axis, from widths at both ends.
function M.hollow(low, high, extent)
  return M.bound(low, extent), M.bound({ kind = "sub", left = { kind = "n" },
    right = high }, extent)
end

-- Adds the names of the scalars in a bound to a set.
function M.scalars(bound, seen)
  if bound.kind == "scalar" or bound.kind == "name" then
    seen[bound.name] = true
  end
  for _, key in ipairs { "left", "right", "arg" } do
    if bound[key] then M.scalars(bound[key], seen) end
  end
end

-- "lower" and "upper" of the box that a region leaves free (shell) or covers
-- (ranges), along one axis: `extent` is n, `all` the points of a kernel that
-- has extra ones.
function M.limits(region, axis, extent, all)
  local pair = (region.shell or region.ranges)[axis]
  if not pair then return "0", all end
  if region.shell then return M.hollow(pair[1], pair[2], extent) end
  return M.bound(pair[1], extent), M.bound(pair[2], extent)
end

return M
