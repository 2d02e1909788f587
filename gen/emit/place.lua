-- Loads and stores that go straight to the arrays.

local access = require "gen.c.access"
local rows = require "gen.c.rows"
local text = require "gen.c.text"

local M = {}

-- For gen/c/block.lua.
function M.direct(context)
  local names = context.names
  local function place(at)
    local field = context.by_name[at.field]
    if context.kernel.domain and (at.place or next(at.offset or {})) then
      return rows.element(field, at, names)
    end
    return text.place(context.by_name[at.field], at.offset or {}, names)
  end
  return {
    register = function() return nil end,
    named = function(load)
      return access.is_small(context.by_name[load.field].type)
    end,
    element = function(load)
      return access.element(names.array[load.buffer], place(load),
        context.by_name[load.field].type, context.kernel.compute)
    end,
    target = function(store)
      if store.adds then
        return access.at(names.array[store.buffer],
          rows.led(context.block, store.adds, names.rows))
      end
      return access.at(names.array[store.buffer], place(store))
    end,
  }
end

return M
