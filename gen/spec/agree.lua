-- Keys that need or exclude each other, per constructor: what the types of
-- single keys cannot say. Each function returns nil, or a key (nil: the whole
-- declaration) and a sentence.

local diag = require "gen.diag"
local schema = require "gen.spec.schema"

local M = {}

function M.grid(keys, names)
  if keys.dims and keys.dims > #names then
    return "dims", string.format("found dims = %d, but %d %s", keys.dims,
      #names, #names == 1 and "axis is named" or "axes are named")
  elseif keys.spacing and #keys.spacing < (keys.dims or #names) then
    return "spacing", string.format("found %d spacings for %d axes",
                                    #keys.spacing, keys.dims or #names)
  elseif keys.spacing and #keys.spacing > #names then
    return "spacing", string.format("found %d spacings for %d axes",
                                    #keys.spacing, #names)
  end
  return nil
end

local function composed(keys)
  for _, key in ipairs { "from", "to", "ragged", "skip", "affine" } do
    if keys[key] ~= nil then
      return key, string.format("a table 'through' others has no '%s'", key)
    end
  end
  if not keys.count then
    return nil, "a table 'through' others wants 'count'"
  elseif keys.pattern and #keys.through > 2 then
    return "pattern", string.format("a pattern is of two tables, 'through' "
      .. "names %d", #keys.through)
  end
  return nil
end

function M.neighbours(keys)
  if keys.through then return composed(keys) end
  for _, key in ipairs { "from", "to" } do
    if not keys[key] then
      return nil, string.format("the table wants '%s'", key)
    end
  end
  if keys.pattern then
    return "pattern", "only a table 'through' others has a pattern"
  end
  if keys.affine and (keys.skip or keys.ragged) then
    local key = keys.skip and "skip" or "ragged"
    return key, string.format("an affine table has no '%s': its entries are "
      .. "base + a*row + b*slot", key)
  elseif keys.ragged and keys.count then
    return "count", "a ragged table has no 'count'"
  elseif not keys.ragged and not keys.count then
    return nil, "the table wants 'count', or ragged = true"
  end
  return nil
end

local function tap_operator(keys)
  for _, key in ipairs { "derivative", "order", "offsets", "weights",
                         "staggered" } do
    if keys[key] ~= nil then
      return key, string.format("an operator with 'taps' has no '%s'", key)
    end
  end
  return nil
end

function M.operator(keys)
  if keys.taps then return tap_operator(keys) end
  if not keys.derivative then
    return nil, "the operator wants 'derivative' or 'taps'"
  elseif keys.order and keys.offsets then
    return "offsets", "found both 'order' and 'offsets', wanted one of them"
  elseif not keys.order and not keys.offsets then
    return nil, "the operator wants 'order' or 'offsets'"
  elseif keys.weights and not keys.offsets then
    return "weights", "'weights' want 'offsets'"
  elseif keys.weights and #keys.weights ~= #keys.offsets then
    return "weights", string.format("found %d weights for %d offsets",
                                    #keys.weights, #keys.offsets)
  end
  return nil
end

function M.region(keys)
  local ways = (keys.shell and 1 or 0) + (keys.rest and 1 or 0)
    + (keys.ranges and 1 or 0)
  if ways ~= 1 then
    return nil, "the region wants 'shell', ranges of axes, or rest = true: "
      .. (ways == 0 and "none is given" or "one of them only")
  end
  return nil
end

local function blocks(keys)
  if #keys.blocks == 0 then return nil, "found no formula, wanted one" end
  local second = keys.blocks[2]
  if second and not keys.blocks[1].name then
    return second.name, string.format(
      "found '%s' beside a formula for all points, wanted one or the other%s",
      second.name, diag.hint(second.name, schema.kernel_words))
  end
  return nil
end

function M.kernel(keys)
  if keys.sweep and keys.colours then
    return "sweep", "found both 'sweep' and 'colours', wanted one of them"
  end
  return blocks(keys)
end

M.request = blocks

return M
