-- blocked: C with OpenMP over tiles, SIMD along the contiguous axis.

local choices = require "gen.schedule.choices"
local edge = require "gen.schedule.edge"
local kloop = require "gen.schedule.kloop"
local limits = require "gen.schedule.limits"
local lists = require "gen.list"
local setting = require "gen.schedule.setting"
local space = require "gen.schedule.space"
local turned = require "gen.schedule.turned"

local M = { backends = { "c" }, meshes = true }

-- At most. 16 rows of 512 floats and the planes around them, 9 at radius 4,
-- stay in a cache of 1 MB, and a plane at a tile's face is read twice: halving
-- either number costs up to 10 %, doubling it gains nothing and idles threads.
local BLOCK = { { 1024 }, { 512, 4 }, { 512, 16, 16 }, { 512, 8, 8, 1 } }

-- Of a mesh, points side by side with levels behind them: what is the same at
-- all levels, 100 bytes a point and more, stays in a cache of 1 MB.
local MESH = { { 2048 }, { 2048, 128 }, { 512, 16, 16 }, { 512, 8, 8, 1 } }

-- Of tiles that are turned: what lies around one is copied for it too.
local TURNED = { 4096, 128 }

-- Of a list of requests, whose items go through rows of hundreds: a batch may
-- have no more than a few thousand of them, for all threads.
local ITEMS = { 64 }

-- `turns`: tiles are turned.
local function default(lowered, kernel, block, turns)
  local rank = #space.axes(lowered, block)
  if not kernel.domain then return BLOCK[rank] end
  local items = lowered.model.spaces.request and kloop.ragged(lowered, block)
  if turns then return TURNED end
  return rank == 1 and items and ITEMS or MESH[rank]
end

-- Is at least half of what a chain loads the same at all levels?
local function loads_the_same(lowered, kernel, block, level)
  if not kernel.chain then return false end
  local same = 0
  for _, load in ipairs(block.loads) do
    local field = space.field(lowered, load.field)
    same = same + (lists.contains(field.axes, level) and 0 or 1)
  end
  return 2 * same >= #block.loads
end

-- Where points of a mesh are contiguous and levels behind them, how many levels
-- of a point are computed at once: what is the same at all levels is fetched
-- once for them, and rows of any length, which gcc does not vectorise, are gone
-- through once. 4 are faster than 2 and one by one, but where most of what is
-- read differs from level to level.
-- `made`: what turning tiles takes, or nil.
local function levels(lowered, kernel, block, made)
  local axes, spaces = space.axes(lowered, block), lowered.model.spaces
  if not kernel.domain or #axes ~= 2 or block.regular
     or spaces[axes[2].name].kind ~= "level" then
    return nil
  end
  local several = made or kloop.ragged(lowered, block)
    or loads_the_same(lowered, kernel, block, axes[2].name)
  return { name = "levels", least = 1, most = 16,
    default = { several and 4 or 1 }, choices = { { 1 }, { 2 }, { 4 } } }
end

-- Whether tiles are turned: where it is likely to be faster they are; `made`:
-- what that takes, or nil.
local function turning_of(made, turns)
  return { name = "turned", least = 0, most = 1,
    default = { turns and 1 or 0 },
    choices = made and { { 0 }, { 1 } } or { { 0 } } }
end

function M.settings(lowered, kernel, block)
  local rank = #space.axes(lowered, block)
  local made = turned.of(lowered, kernel, block)
  local turns = made and turned.pays(made)
  local settings = { { name = "block",
    default = default(lowered, kernel, block, turns),
    choices = (kernel.domain and choices.MESH or choices.TILES)[rank] } }
  settings[#settings + 1] = levels(lowered, kernel, block, made)
  if kernel.domain and not kernel.chain and #block.axes == 2 then
    settings[#settings + 1] = turning_of(made, turns)
  end
  return settings
end

function M.applies(lowered, kernel, block)
  local why = limits.unordered("blocked", kernel)
  if why then return nil, why end
  local rank = #space.axes(lowered, block)
  if BLOCK[rank] then return true end
  return nil, ("blocked: needs 1 to 4 axes, this kernel has %d"):format(rank)
end

-- What a plan needs to turn its tiles, false where it does not; nil and why it
-- cannot.
local function turning(lowered, kernel, block, values)
  if (values.turned or { 0 })[1] == 0 then return false end
  local made, why = turned.of(lowered, kernel, block)
  if not made then return nil, ("blocked: turned=1 %s"):format(why) end
  return made
end

-- `name`: of a shape that is the same for chains.
function M.plan(lowered, kernel, block, _, values, name)
  local size = values.block
  local made, why = turning(lowered, kernel, block, values)
  if why then return nil, why end
  local kept = kernel.domain and { "regular" } or nil
  return edge.with({ kept = made and lists.append(kept, turned.NAMES) or kept,
    turned = made or nil,
    name = setting.plan_name(lowered, kernel, block, name or "blocked",
      M.settings(lowered, kernel, block), values),
    template = "blocked.c", tile = size,
    levels = values.levels and values.levels[1] or 1,
    notes = lists.append({ ("per tile   %s points"):format(table.concat(size,
      "x")) }, made and turned.notes(made) or {}),
  }, lowered, block)
end

return M
