-- Fields whose elements interleave: the names of one declaration.

local M = {}

-- { names, index of this one from 0 } of a packed field of the model, else nil.
function M.of_field(field)
  for i, name in ipairs(field.packed or {}) do
    if name == field.name then
      return { names = field.packed, index = i - 1 }
    end
  end
end

-- Gives each the halo of all that share its array: fields as lowered, in order
-- of declaration.
function M.share_reach(fields)
  for i, field in ipairs(fields) do
    local packed = field.packed or { names = { field.name }, index = 0 }
    local first = i - packed.index
    for k = first, first + #packed.names - 1 do
      for axis, reach in next, fields[k].reach do
        local own = field.reach[axis]
        own[1], own[2] = math.max(own[1], reach[1]), math.max(own[2], reach[2])
      end
    end
  end
end

return M
