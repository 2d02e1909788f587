-- The texts of a kernel that serves several regions.

local params = require "gen.c.params"
local text = require "gen.c.text"
local vectors = require "gen.c.vectors"
local words = require "gen.c.words"

local M = {}

-- The namespace of a region: a name that no function of C has.
function M.space(region) return "region_" .. region end

-- The blocks of a box along each of a grid's three axes, lines.
function M.blocks(part, arrays, rank)
  local lines = text.tiles(rank, "TILE")
  if (part.vec or 1) > 1 then
    lines[1] = vectors.tiles({ arrays = arrays },
      { [arrays[1].buffer] = "a->" .. words.name(arrays[1].buffer) })
  end
  for i = 1, 3 do lines[i] = (lines[i] or "1") .. (i < 3 and "," or "") end
  return lines
end

-- The names of a kernel, with arrays as the box of a block sees them.
function M.seen(arrays, names)
  local seen = {}
  for _, array in ipairs(arrays) do
    local only, name = array.field.only, names.array[array.buffer]
    local stride = only and names.stride[array.field.name][only.axis]
    if stride then
      seen[array.buffer] = ("%s - (index_t)box.skipped%s"):format(name,
        stride == "" and "" or " * " .. stride)
    end
  end
  return setmetatable({ array = setmetatable(seen, { __index = names.array }) },
    { __index = names })
end

-- The lines that say where the box of a block begins and ends.
function M.ends(axes, names)
  local lines = params.bounds(axes, names, "box")
  for i, line in ipairs(lines) do lines[i] = "const " .. line end
  return lines
end

-- "region_a::fits_32_bits(a) && ..".
function M.fit(spaces)
  local terms = {}
  for i, space in ipairs(spaces) do
    terms[i] = space .. "::fits_32_bits(a)"
  end
  return table.concat(terms, " && ")
end

return M
