-- Threads with several points each along the second axis: what belongs to a
-- point stands in arrays, what is done for it in a loop over j. The text of a
-- single point stays as it is: the loop begins with the point's own names for
-- what the first point has.
--
-- With points side by side too each of these is a vector, whose elements a loop
-- inside goes through, over e: gen/c/vectors.lua.
--
-- A context has rows = { count, pitch = from one point to the next, shadows,
-- vec = elements of a vector, own = "[j]", what stands behind the name of a
-- point or vector, each = "[j][e]", behind that of a value }; with count = 1
-- and vec = 1 these are "", and there is nothing of all this.

local text = require "gen.c.text"
local lists = require "gen.list"

local M = {}

-- The name as a word of its own, not as a member of another.
local function word(name)
  return "%f[%w_.]" .. name .. "%f[^%w_]"
end

-- "j * 8 * u_y"
local function times(pitch, stride)
  return "j" .. (pitch > 1 and " * " .. pitch or "")
    .. (stride ~= "" and " * " .. stride or "")
end

local function shadow(names, type, name, step)
  return { type = type, name = name, first = names.claim(name .. "_first"),
    step = " + " .. step, word = word(name) }
end

-- The rows of a plan whose axes and fields are named already: next to each
-- other, or `apart` as far as the block has threads.
function M.new(context, apart)
  local count, vec = context.plan.rows or 1, context.plan.vec or 1
  local element = vec > 1 and "[e]" or ""
  if count == 1 then
    return { count = 1, vec = vec, own = "", each = element, shadows = {} }
  end
  local names, axis = context.names, context.axes[2].name
  local pitch = apart and context.plan.block_size[2] or 1
  local list = { shadow(names, "index_t", names.axis[axis], times(pitch, "")) }
  for _, field in ipairs(context.fields) do
    local stride = names.stride[field.name][axis]
    if stride then
      list[#list + 1] = shadow(names, "index_t", names.at[field.name],
        times(pitch, stride))
    end
  end
  return { count = count, pitch = pitch, vec = vec, own = "[j]",
           each = "[j]" .. element, shadows = list }
end

-- Adds the place of a thread in the planes of a stream, named by now.
function M.add_place(context, stream)
  local rows, place = context.rows, stream.place[2]
  if rows.count == 1 or not place then return end
  for _, known in ipairs(rows.shadows) do
    if known.name == place then return end
  end
  rows.shadows[#rows.shadows + 1] = shadow(context.names, "int", place,
    times(rows.pitch, ""))
end

-- Lines that speak of the first point of a thread.
function M.first(context, lines)
  if context.rows.count == 1 then return lines end
  local out = {}
  for i, line in ipairs(lines) do
    for _, s in ipairs(context.rows.shadows) do
      line = line:gsub(s.word, s.first)
    end
    out[i] = line
  end
  return out
end

-- The same where a thread's number stands for its first point's.
function M.placed(context, lines)
  local rows, out = context.rows, {}
  for i, line in ipairs(M.first(context, lines)) do
    if rows.count > 1 and rows.pitch == 1 then
      line = line:gsub("threadIdx%.y", "threadIdx.y * " .. rows.count)
    end
    out[i] = rows.vec == 1 and line
      or line:gsub("threadIdx%.x", "threadIdx.x * " .. rows.vec)
  end
  return out
end

-- Whether the name stands in lines, not in a comment alone.
local function uses(lines, pattern)
  for _, line in ipairs(lines) do
    if line:gsub("/%*.*", ""):find(pattern) then return true end
  end
  return false
end

-- Lines that do something for one point, as a loop over all of a thread.
function M.loop(context, lines)
  local rows = context.rows
  if rows.count == 1 or #lines == 0 then return lines end
  local out = { "#pragma unroll",
    ("for (int j = 0; j < %d; j++) {"):format(rows.count) }
  for _, s in ipairs(rows.shadows) do
    if uses(lines, s.word) then
      out[#out + 1] = ("    const %s %s = %s%s;"):format(s.type, s.name,
        s.first, s.step)
    end
  end
  lists.append(out, text.indented(lines))
  out[#out + 1] = "}"
  return out
end

-- Lines that do something for one value, as a loop over a vector.
function M.elements(context, lines)
  if context.rows.vec == 1 or #lines == 0 then return lines end
  local out = { "#pragma unroll",
    ("for (int e = 0; e < %d; e++) {"):format(context.rows.vec) }
  lists.append(out, text.indented(lines))
  out[#out + 1] = "}"
  return out
end

-- Lines for the points that are there; `condition`, if it has no name.
function M.inside(context, lines, condition)
  local out = { ("if (%s) {"):format(condition
    or "inside" .. context.rows.own) }
  lists.append(out, text.indented(lines))
  out[#out + 1] = "}"
  return out
end

-- The same where a thread's number stands for the point's.
local function numbered(context, lines)
  local out = {}
  for i, line in ipairs(lines) do
    out[i] = line:gsub("threadIdx%.y", "threadIdx.y * " .. context.rows.count
      .. " + j")
  end
  return M.loop(context, out)
end

-- "float behind1[2], current[2];" for names with or without "[j]".
local function declared(type, names, count)
  local items = {}
  for i, name in ipairs(names) do
    items[i] = ("%s[%d]"):format(name:gsub("%[j%]", ""), count)
  end
  return text.declaration(type, items)
end

-- Rows of a table of declarations, { "const float u_here", " = ..;" } or
-- { "float u_3, u_4;" }, all of one type: the lines of the declarations, those
-- that give the values. `join(rows)` makes lines of rows.
function M.split(context, rows, join)
  if context.rows.count == 1 or #rows == 0 then return {}, join(rows) end
  local names, values, type = {}, {}, nil
  for _, row in ipairs(rows) do
    local declaration = row[1]:gsub("^const ", ""):gsub(";$", "")
    type = declaration:match("^%S+")
    for name in declaration:sub(#type + 2):gmatch("[^, ]+") do
      name = name:gsub("%[j%]", "")
      names[#names + 1] = name
      values[#values + 1] = row[2] and { name .. "[j]", row[2] } or nil
    end
  end
  return declared(type, names, context.rows.count),
    numbered(context, join(values))
end

return M
