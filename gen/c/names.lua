-- The names of one kernel's file: what the spec named, as C spells it, and
-- what is derived from it. Spec names come first, so that those of ours yield.

local access = require "gen.c.access"
local rows = require "gen.c.rows"
local words = require "gen.c.words"

local M = {}

-- Claims the names of the arrays, strides, coordinates and host values.
-- names.array[u_prev], .stride[u][y], .at[u], .lower[x], .upper[x], .axis[x],
-- .host[dt]; names.value(name) for code, given out as asked for. The stride
-- along the first axis is "" for 1, a number where names interleave. `kept`:
-- names that the shape's template uses itself. Of tables, and of `handed`:
-- gen/c/rows.lua.
function M.new(lowered, arrays, block, axes, kept, handed)
  local claim = words.scope()
  for _, name in ipairs(kept or {}) do claim(name) end
  local names = { claim = claim, array = {}, stride = {}, at = {}, lower = {},
                  upper = {}, axis = {}, host = {}, load = {}, power = {} }
  for _, array in ipairs(arrays) do
    names.array[array.buffer] = claim(array.buffer)
  end
  for _, axis in ipairs(axes) do names.axis[axis.name] = claim(axis.name) end
  for _, host in ipairs(block.host) do
    names.host[host.name] = claim(host.name)
  end
  for _, field in ipairs(lowered.fields) do
    local strides = {}
    for i, axis in ipairs(field.axes) do
      strides[axis] = i == 1 and access.step(field)
        or claim(field.name .. "_" .. axis)
    end
    names.stride[field.name] = strides
    names.at[field.name] = claim(field.name .. "_at")
  end
  for _, axis in ipairs(axes) do
    names.lower[axis.name] = claim(axis.name .. "_begin")
    names.upper[axis.name] = claim(axis.name .. "_end")
  end
  local values = {}
  names.value = function(name)
    values[name] = values[name] or claim(name)
    return values[name]
  end
  rows.claim(names, lowered, block, handed)
  return names
end

return M
