-- What temporal has beyond the points of a launch: the halo of the middle step,
-- its own or the same one in both.

local temporal = require "gen.c.temporal"
local text = require "gen.c.text"

local M = {}

-- Where the middle step has a halo of its own: what is outside of the box comes
-- from its array, straight to the ring, some planes ahead; in planes outside by
-- way of registers.
local function add_own_halo(values, w)
  local lay, m, names = w.lay, w.middle, w.names
  local sent, newest = lay.sent, w.field.stored[#w.field.stored].name
  local stride = names.stride[w.field.name][w.axes[2].name]
  values.outside_comment = "The middle step of points outside is what its "
    .. "array holds."
  local function from(planes)
    return ("&%s[%s]"):format(names.array[newest], text.place(w.field,
      { [w.axes[3].name] = planes }, names))
  end
  local function send(slot, planes)
    return temporal.call(("quern_send_for<%d, %d>"):format(lay.rows,
      lay.vector), { "outside", "&" .. temporal.in_plane(m.ring, slot, lay.pad,
      lay.sides), tostring(lay.middle[1]), from(planes), stride }, 80)
  end
  for i = 1, sent do values.sent_first[i] = send(tostring(i - 1), i - 1) end
  values.send_when, values.sent = "outside != 0", sent
  if sent > 0 then
    values.send_when = ("outside != 0 && p + %d < planes + %d"):format(sent,
      4 * w.wide[3])
  end
  values.send = send(temporal.back(m, sent > 0 and m.slots - sent or 0), sent)
  values.recall = temporal.call("quern_recall", { w.made, from(0), stride,
    "box", w.x, w.y }, 76)
  values.reread = w.plan.held
  values.due = not values.reread and (sent > 0
    and { ("quern_fetch_wait<%d>();"):format(sent - 1) }
    or { "quern_fetch_close();", "quern_fetch_wait<0>();" })
end

function M.add(values, w)
  local lay, m, own = w.lay, w.middle, not w.plan.alike
  values.own_halo, values.reread, values.due, values.sent_first = own, false,
    false, {}
  values.outside = ("const unsigned outside = works ? quern_outside<%d, %d>("
    .. "box, %s, %s, reach) : 0;"):format(lay.rows, lay.vector, w.x, w.y)
  if own then
    add_own_halo(values, w)
  else
    values.outside_comment = "Points outside stay as they are: their levels "
      .. "are the same."
    values.stay = ("quern_stay(%s, %s, in_planes ? outside : ~0u);"):format(
      w.made, w.stream.window[0])
  end
  values.hand_on = temporal.call("quern_hand_on", { "&" .. temporal.in_plane(
    m.ring, m.slot, lay.pad, lay.sides), tostring(lay.middle[1]), w.made,
    own and "outside" or "0u" }, 76)
end

return M
