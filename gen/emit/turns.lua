-- How the blocks of st_tma go on from step to step: slots of rings and their
-- phases, who frees a plane, who waits for whom.

local lists = require "gen.list"
local ring = require "gen.c.ring"

local M = {}

-- Slots and phases: how they start, what a step waits for, how they go on;
-- apart where sums are split: what a point waits for that is completed.
local function add_turns(values, w)
  local start, waits, onward = {}, {}, {}
  local function turn(slot, phase, full, count, first)
    start[#start + 1] = ("int %s = %d, %s = 0;"):format(slot, first, phase)
    waits[#waits + 1] = full and ("quern_barrier_wait(&s.%s[%s], %s);"):format(
      full, slot, phase)
    lists.append(onward, { ("if (++%s == %d) {"):format(slot, count),
      ("    %s = 0;"):format(slot), ("    %s ^= 1;"):format(phase), "}" })
  end
  for _, s in ipairs(w.streams) do
    s.oldest = ring.slot(s, s.first, w.axes, w.context.names)
    if not s.joined then
      turn(s.slot, s.phase, s.full, s.slots, s.newest - s.first)
    end
  end
  values.counters, values.waits, values.onward = start, waits, onward
  if w.scatter then
    waits, onward = {}, {}
    values.point_waits, values.point_onward = waits, onward
    if not w.points[1] then return end
  end
  turn(w.points_slot, w.points_phase, w.points[1] and w.points_full, w.turns, 0)
end

-- Who says that a warp reads the oldest planes no more, and to whom.
local function add_freed(values, w)
  local across = w.walk.block_size[1]
  local thread = across % 32 == 0 and "threadIdx.x"
    or ("(threadIdx.y * %d + threadIdx.x)"):format(across)
  values.freed, values.turns = w.freed, w.turns
  local newest = w.scatter and w.streams[1]
  values.turn = newest and newest.slot or w.points_slot
  values.turn_phase = newest and newest.phase or w.points_phase
  values.warps = (w.walk.threads + 31) // 32
  values.first_of_warp = across == 32 and "threadIdx.x == 0"
    or thread .. " % 32 == 0"
end

-- How walks are cut and launched, how blocks keep in step; false: not.
local function add_steps(values, w, plan, chunk)
  values.lockstep = plan.lockstep > 0 and plan.lockstep
  values.waves = plan.choose or plan.lockstep > 0
  values.longest = values.waves and "company.walk" or chunk
  if values.waves then values.choose = tostring(plan.choose) end
  if not values.lockstep then return end
  values.own = w.own
  local function marks(planes)
    return ("(%s + %d) / %d"):format(planes, plan.lockstep - 1, plan.lockstep)
  end
  values.marks_of_block = marks("planes")
  values.marks_of_walk = marks("company.walk")
end

-- Adds all of it for one walk.
function M.add(values, w, plan)
  add_steps(values, w, plan, w.walk.tile[3])
  add_turns(values, w)
  add_freed(values, w)
end

return M
