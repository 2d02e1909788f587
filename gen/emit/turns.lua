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

-- Who says that a warp reads the oldest planes no more, and to whom; who has
-- others take their place.
local function add_freed(values, w)
  local across = w.walk.block_size[1]
  local thread = across % 32 == 0 and "threadIdx.x"
    or ("(threadIdx.y * %d + threadIdx.x)"):format(across)
  values.freed, values.turns = w.freed, w.turns
  local newest = w.scatter and w.streams[1]
  values.turn = newest and newest.slot or w.points_slot
  values.turn_phase = newest and newest.phase or w.points_phase
  values.warps = w.fit and ("(%d * (int)blockDim.y + 31) / 32"):format(across)
    or (w.walk.threads + 31) // 32
  values.first_of_warp = across == 32 and "threadIdx.x == 0"
    or thread .. " % 32 == 0"
  values.in_first_warp = across == 32 and "threadIdx.y == 0"
    or ("threadIdx.y * %d + threadIdx.x < 32"):format(across)
end

-- Which steps are marks, in C: whether one is, its number, and how many there
-- are of some planes; every so many planes. Unrolled steps, of which the first
-- is `ahead` planes early, say it by their turn k, so that most of them have no
-- text for it: a round has as many marks as it has room for.
function M.marks(every, ahead)
  if not ahead then
    return { here = ("p %% %d == 0"):format(every), number = "p / " .. every,
      of = function(planes)
        return ("(%s + %d) / %d"):format(planes, every - 1, every)
      end }
  end
  local round = ahead + 1
  local each = round // every
  if each < 2 then
    return { here = "k == 0",
      number = ("(start + %d) / %d"):format(ahead, round),
      of = function(planes)
        return ("(%s + %d) / %d"):format(planes, 2 * ahead, round)
      end }
  end
  return { here = ("k %% %d == 0 && k < %d"):format(every, each * every),
    number = ("(start + %d) / %d * %d + k / %d"):format(ahead, round, each,
      every),
    of = function(planes)
      local steps = ("(%s + %d)"):format(planes, ahead)
      return ("%s / %d * %d + min(%s %% %d + %d, %d) / %d"):format(steps, round,
        each, steps, round, every - 1, each * every, every)
    end }
end

-- How walks are cut and launched, how blocks keep in step; false: not.
local function add_steps(values, w, plan, chunk)
  values.lockstep = plan.lockstep > 0 and plan.lockstep
  values.waves = plan.choose or plan.lockstep > 0
  values.longest = values.waves and "company.walk" or chunk
  if values.waves then values.choose = tostring(plan.choose) end
  if not values.lockstep then return end
  local marks = M.marks(plan.lockstep, w.scatter and w.scatter.ahead)
  values.own, values.mark_here, values.mark = w.own, marks.here, marks.number
  values.marks_of_block = marks.of "planes"
  values.marks_of_walk = marks.of "company.walk"
end

-- Adds all of it for one walk.
function M.add(values, w, plan)
  add_steps(values, w, plan, w.walk.tile[3])
  add_turns(values, w)
  add_freed(values, w)
end

return M
