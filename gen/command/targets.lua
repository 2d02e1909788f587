-- The backends that a command is about, one after the other.

local schedule = require "gen.schedule"

local M = {}

-- The shapes asked for without those that other backends are meant with.
local function shapes_for(options, backend)
  local list = {}
  for _, shape in ipairs(options.shapes) do
    if schedule.serves(shape.name, { backend })
       or not schedule.serves(shape.name, options.backends) then
      list[#list + 1] = shape
    end
  end
  return list
end

-- Options for each backend asked for: passes take one at a time.
function M.of(options)
  local list = {}
  for i, backend in ipairs(options.backends) do
    local target = {}
    for key, value in pairs(options) do target[key] = value end -- any order
    target.backend, target.shapes = backend, shapes_for(options, backend)
    list[i] = target
  end
  return list
end

-- Runs `command` for each backend. Gives the largest exit code, and what was
-- said on the way.
function M.run(options, command)
  local worst, texts = 0, {}
  for _, target in ipairs(M.of(options)) do
    local status, text = command(target)
    worst = math.max(worst, status)
    if text then texts[#texts + 1] = (text:gsub("\n$", "")) end
  end
  return worst, texts[1] and table.concat(texts, "\n")
end

return M
