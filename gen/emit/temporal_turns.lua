-- What temporal keeps from turn to turn: rings of planes in shared memory, who
-- fills them, and the columns of both steps in registers.

local access = require "gen.c.access"
local lists = require "gen.list"
local ring = require "gen.c.ring"
local rings = require "gen.emit.rings"
local temporal = require "gen.c.temporal"

local M = {}

-- Rings: what fills them first and later.
local function add_fulls(values, w)
  local wide, fulls = w.wide[3], {}
  for i, b in ipairs(w.rings) do
    local array = rings.find(w.context.arrays, b.buffer)
    local planes = b == w.stream and 2 or 1     -- in widths, on either side
    local lag = b == w.stream and wide or b.lag
    local first = b == w.stream and 0 or 2 * wide
    local corner = { temporal.corner(b, array, w.axes, w.tile,
      { 0, planes * w.wide[2], planes * wide }) }
    fulls[i] = { name = b.full, slots = b.slots, more = 2 * planes * wide,
      start = temporal.fetch(b, "i", corner, w.tile, "i", 0),
      refill_when = ("p >= %d && p + %d < planes + %d"):format(first + lag,
        b.slots, 2 * planes * wide + first + lag),
      refill = temporal.fetch(b, lag > 0 and b.back or b.slot, corner, w.tile,
        "p", b.slots - first - lag) }
    w.before = math.max(w.before or 0, array.reach[w.axes[1].name][1])
  end
  values.fulls = fulls
end

-- Slots and windows: how they start and go on.
local function add_turns(values, w)
  local counters, onward, later = {}, {}, {}
  values.here, values.middle_waits = {}, {}
  for i, b in ipairs(w.rings) do
    counters[i] = ("int %s = 0, %s = 0;"):format(b.slot, b.phase)
    lists.append(i == 1 and onward or later, temporal.onward(b.slot, b.slots,
      b.phase))
    local wait = ("quern_barrier_wait(&s.%s[%s], %s);"):format(b.full, b.slot,
      b.phase)
    if i == 1 then values.wait = wait
    else table.insert(values.middle_waits, wait) end
    local lag = i == 1 and w.wide[3] or b.lag
    if lag > 0 then
      table.insert(values.here, ("const int %s = %s;"):format(b.back,
        temporal.back(b, lag)))
    end
  end
  counters[#counters + 1] = "int middle_slot = 0;"
  table.insert(values.here, ("const int %s = %s;"):format(w.middle.back,
    temporal.back(w.middle, w.wide[3])))
  lists.append(later, temporal.onward("middle_slot", w.middle.slots))
  later[#later + 1] = ("%s += %s;"):format(w.names.at[w.field.name],
    w.names.stride[w.field.name][w.axes[3].name])
  values.counters, values.onward, values.middle_onward = counters, onward,
    later
end

-- Columns: what is ahead of a point is in the ring still.
local function add_windows(values, w)
  local lay, m = w.lay, w.middle
  values.windows, values.advance, values.middle_advance = {}, {}, {}
  for _, one in ipairs { { w.stream.window, values.advance },
                         { m.window, values.middle_advance } } do
    local window, advance = one[1], one[2]
    for r = -w.wide[3], w.top do
      table.insert(values.windows, temporal.points(w.stream.type, window[r],
        lay) .. " = {};")
      if r < w.top then
        table.insert(advance, ("quern_copy(%s, %s);"):format(window[r],
          window[r + 1]))
      end
    end
  end
  local slot = w.plan.held and w.stream.slot or w.stream.back
  values.newest = temporal.read(w.stream.window[w.top], temporal.in_plane(
    w.stream.ring, slot, w.wide[2], w.stream.margin[1], true))
  values.held = w.plan.held or false
  values.middle_newest = (values.reread or not values.held) and temporal.read(
    m.window[0], temporal.in_plane(m.ring, m.back, lay.pad, lay.sides, true))
    or nil
end

-- The structure of shared memory.
local function add_shared(values, w)
  values.shared, values.streams, values.points = {}, w.rings, false
  local barriers = {}
  for i, b in ipairs(w.rings) do
    values.shared[i] = { type = access.type(b.type),
      extents = ring.extents(b.size), ring = b.ring, slots = b.slots }
    b.bytes = ("sizeof s.%s[slot].at"):format(b.ring)
    barriers[i] = ("%s[%d]"):format(b.full, b.slots)
  end
  table.insert(values.shared, { type = access.type(w.stream.type),
    extents = ring.extents(w.lay.middle), ring = w.middle.ring,
    slots = w.middle.slots })
  values.barriers = table.concat(barriers, ", ")
  values.lockstep = false
end

function M.add(values, w)
  add_fulls(values, w)
  add_turns(values, w)
  add_windows(values, w)
  add_shared(values, w)
end

return M
