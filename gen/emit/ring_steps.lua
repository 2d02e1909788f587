-- The steps of a walk of st_tma: where a value is, how windows are primed and
-- go on, what is read beside them, where results go.

local access = require "gen.c.access"
local block_lines = require "gen.c.block"
local lists = require "gen.list"
local ring = require "gen.c.ring"
local rings = require "gen.emit.rings"
local sums = require "gen.emit.sums"

local M = {}

-- How floats are divided: each quotient whole, or all of a row the short way
-- first, and the long way where that was not enough for one of them.
local WHOLE = { quotient = "quern_quotient" }
local SHORT = { quotient = "quern_short_quotient", inverse = "quern_inverse",
                odd = "odd" }
local LONG = { inverse = "quern_inverse" }

-- Where a load's value is: in the window, in a row, or read at the point.
function M.places(w, divide)
  local axes, context = w.axes, w.context
  local function text_of(load)
    local field = context.by_name[load.field]
    local function of(array, shift)
      return access.element(array, ring.element(shift), field.type,
        context.kernel.compute)
    end
    local stream = rings.find(w.streams, load.buffer)
    if not stream then return of(rings.find(w.points, load.buffer).here, 0) end
    local x, y, z = load.offset[axes[1].name] or 0,
      load.offset[axes[2].name] or 0, load.offset[axes[3].name] or 0
    if x == 0 and y == 0 then return of(stream.window[z] .. "[j]", 0) end
    local row = stream.by_key[z * 1000 + y]
    return of(row.name, x + row.below)
  end
  return { width = 76, register = text_of, divide = divide or nil,
    target = function(store) return access.at(w.result[store.buffer], "e") end }
end

-- The line that reads the newest place of a window.
local function newest_line(s, w)
  if s.front then return ring.read_front(s, w.points_slot) end
  return ring.read_window(s, s.high, ring.slot(s, s.high, w.axes,
    w.context.names))
end

-- Windows: their declarations, how they are primed and how they go on.
local function add_windows(values, w)
  local declared, behind, priming, advance, newest = {}, {}, {}, {}, {}
  for _, s in ipairs(w.streams) do
    for r = s.low, s.high do
      local later = r < s.high
      declared[#declared + 1] = ("%s %s[%d][%d] = {};"):format(
        access.type(s.type), s.window[r], w.rows, w.vector)
      if later then
        advance[#advance + 1] = ("quern_copy(%s, %s);"):format(s.window[r],
          s.window[r + 1])
        if r < s.first or s.front then
          behind[#behind + 1] = ring.behind_line(s, r, w.context)
        end
      end
    end
    for r = s.first, s.newest - 1 do
      local slot = tostring(r - s.first)
      priming[#priming + 1] = ("quern_barrier_wait(&s.%s[%s], 0);"):format(
        s.full, slot)
      if r >= s.low and r < s.high and not s.front then
        priming[#priming + 1] = ("for (int j = 0; j < %d; j++)"):format(w.rows)
        priming[#priming + 1] = "    " .. ring.read_window({
          window = { [r] = s.window[r + 1] }, ring = s.ring, reach = s.reach,
          margin = s.margin, column = s.column }, r, slot)
      end
    end
    if s.low <= s.high then
      newest[#newest + 1] = newest_line(s, w)
    end
  end
  values.windows, values.window = declared, declared[1] and declared or nil
  values.behind, values.priming = behind, priming
  values.advance, values.newest = advance, newest
end

-- The lines that read rows of planes.
local function add_row_lines(w)
  for _, s in ipairs(w.streams) do
    for _, row in ipairs(s.rows) do
      row.line = ring.row_line(s, row, ring.slot(s, row.at[2], w.axes,
        w.context.names), w.vector)
    end
  end
end

-- The lines that read what is read at the points alone.
local function add_point_lines(w)
  for _, p in ipairs(w.points) do
    p.line = not p.front and ("const quern_row<%s, %d> %s(&%s);"):format(
      access.type(p.type), w.vector, p.here,
      ring.in_plane(p, w.points_slot, 0, 0)) or nil
  end
end

-- What is read of `list` and not known yet.
local function lines_of(list, known)
  local lines = {}
  for _, row in ipairs(list) do
    lines[#lines + 1] = not known[row] and row.line or nil
  end
  return lines
end

-- What is read at the points alone.
function M.point_reads(w)
  add_point_lines(w)
  return lines_of(w.points, {})
end

-- Where results go.
function M.add_results(values, w)
  local results, writes, names = {}, {}, w.context.names
  for i, store in ipairs(w.context.block.stores) do
    local field = w.context.by_name[store.field]
    results[i] = ("%s %s[%d];"):format(access.type(field.type),
      w.result[store.buffer], w.vector)
    writes[i] = ("quern_write(&%s[%s + j * %s], %s, %s, %s);"):format(
      names.array[store.buffer], names.at[field.name],
      names.stride[field.name][w.axes[2].name], w.result[store.buffer],
      w.from, w.to)
  end
  values.results, values.writes = results, writes
end

-- The code of a point: some of a block's, with names of values.
function M.body(w, block, names, divide)
  local context = w.context
  return block_lines.join(block_lines.lines(context.lowered, context.kernel,
    block, names or context.names, M.places(w, divide)))
end

-- The code of a point where sums are split.
function M.whole_body(w, block) return M.body(w, block, nil, WHOLE) end

local function has_quotient(e)
  if e.op == "div" and not (e[1].op == "literal" and e[1].n == e[1].d) then
    return true
  end
  for _, child in ipairs(e) do
    if has_quotient(child) then return true end
  end
  return false
end

-- Whether a block of floats has quotients that are not of 1.
local function divides(w, block)
  if w.context.kernel.compute ~= "float" then return false end
  for _, entry in ipairs(block.code) do
    if entry.value and has_quotient(entry.value) then return true end
  end
  for _, store in ipairs(block.stores) do
    if has_quotient(store.value) then return true end
  end
  return false
end

-- The code of a point, and that of the long way: of shells, whose registers are
-- few, quotients are whole.
local function add_body(values, w, block, names)
  local short = not w.walk.thin and SHORT or WHOLE
  values.body = M.body(w, block, names, short)
  values.long_body = short.odd and divides(w, block)
    and M.body(w, block, names, LONG) or false
end

-- What a load of a block is in that has to be read first, if it is not in the
-- window, by its id.
local function rows_by_id(w, block)
  local list = {}
  for _, load in ipairs(block.loads) do
    local stream = rings.find(w.streams, load.buffer)
    local x, y, z = load.offset[w.axes[1].name] or 0,
      load.offset[w.axes[2].name] or 0, load.offset[w.axes[3].name] or 0
    if not stream then
      list[load.id] = rings.find(w.points, load.buffer)
    elseif x ~= 0 or y ~= 0 then
      list[load.id] = stream.by_key[z * 1000 + y]
    end
  end
  return list
end

-- The long sums of the block in parts, and the rest of its code.
local function add_code(values, w)
  local context, block, made = w.context, w.context.block, {}
  local names = setmetatable({ value = function(name)
    return context.names.value(name) .. (made[name] and "[e]" or "")
  end }, { __index = context.names })
  local rows, parts = rows_by_id(w, block), sums.new()
  local style = block_lines.style(context.kernel, block, names, M.places(w))
  local list, rest = sums.split(parts, block, context.names,
    function(id) return rows[id] end, style, made)
  for i, sum in ipairs(list) do
    list[i] = { comment = sum.comment or context.names.value(sum.name),
      declared = ("%s %s[%d];"):format(context.kernel.compute, sum.name,
      w.vector) }
  end
  values.sums, values.parts, values.reads = list, sums.view(parts), {}
  for _, s in ipairs(w.streams) do
    lists.append(values.reads, lines_of(s.rows, parts.known))
  end
  lists.append(values.reads, lines_of(w.points, parts.known))
  add_body(values, w, { loads = block.loads, code = rest,
    stores = block.stores, neighbours = block.neighbours }, names)
end

-- Adds all of it for one walk.
function M.add(values, w)
  add_windows(values, w)
  add_row_lines(w)
  add_point_lines(w)
  M.add_results(values, w)
  add_code(values, w)
end

return M
