-- The parameters of a CUDA kernel: arrays, strides, bounds, colours, host
-- values; how
-- the launcher fills them, and how the kernel finds its point.

local access = require "gen.c.access"
local kinds = require "gen.c.kinds"
local statement = require "gen.c.statement"
local words = require "gen.c.words"
local lists = require "gen.list"

local M = {}

-- "index_t u_y, index_t u_z" for the strides of a field that are not 1.
local function stride_names(field, names)
  local list = {}
  for i = 2, #field.axes do
    list[#list + 1] = names.stride[field.name][field.axes[i]]
  end
  return list
end

local function pointer(array, names)
  return ("%s%s *__restrict__ %s"):format(array.written and "" or "const ",
    access.type(array.field.type), names.array[array.buffer])
end

local function with(prefix, list)
  local out = {}
  for i, name in ipairs(list) do out[i] = prefix .. name end
  return out
end

-- Lists joined by commas, one list a line, the last without.
local function comma_lines(groups)
  local lines = {}
  for _, group in ipairs(groups) do
    if #group > 0 then lines[#lines + 1] = table.concat(group, ", ") .. "," end
  end
  if #lines > 0 then lines[#lines] = lines[#lines]:sub(1, -2) end
  return lines
end

-- Groups of at most `size` items.
local function chunks(list, size)
  local out = {}
  for i = 1, #list, size do
    out[#out + 1] = table.move(list, i, math.min(i + size - 1, #list), 1, {})
  end
  return out
end

-- The lines of the parameters of arrays and their strides.
function M.array_parameters(arrays, fields, names)
  local groups = {}
  for _, array in ipairs(arrays) do
    groups[#groups + 1] = { pointer(array, names) }
  end
  for _, field in ipairs(fields) do
    groups[#groups + 1] = with("index_t ", stride_names(field, names))
  end
  return comma_lines(groups)
end

local function bounds(axes, names)
  local list = {}
  for i, axis in ipairs(axes) do
    list[i] = { names.lower[axis.name], names.upper[axis.name] }
  end
  return list
end

local function spelled(hosts, names)
  local list = {}
  for i, host in ipairs(hosts) do list[i] = names.host[host.name] end
  return list
end

-- The lines before the parameter list: of a kernel, or of a function that
-- updates the points of a region, one block of them.
function M.entry(plan)
  if plan.part then
    return { "static __device__ __forceinline__ void update(",
             "    const dim3 block," }
  end
  return { ("__global__ void __launch_bounds__(%d)"):format(plan.threads),
           plan.name .. "_kernel(" }
end

-- The lines of the parameter list.
function M.parameters(kernel, hosts, arrays, fields, axes, names)
  local groups = {}
  for _, array in ipairs(arrays) do
    groups[#groups + 1] = { pointer(array, names) }
  end
  for _, field in ipairs(fields) do
    groups[#groups + 1] = with("index_t ", stride_names(field, names))
  end
  for _, part in ipairs(names.rows.handed) do
    groups[#groups + 1] = { part.struct
      and ("const __grid_constant__ %s %s"):format(part.struct, part.name)
      or part.type and ("const %s *__restrict__ %s"):format(part.type,
        part.name) or "index_t " .. part.name }
  end
  for _, pair in ipairs(bounds(axes, names)) do
    groups[#groups + 1] = with("index_t ", pair)
  end
  groups[#groups + 1] = with("index_t ", names.colour)
  lists.append(groups,
    chunks(with(kernel.compute .. " ", spelled(hosts, names)), 5))
  return comma_lines(groups)
end

-- Arrays and their strides, lists of names.
local function array_groups(prefix, arrays, fields, names)
  local groups, pointers = {}, {}
  for i, array in ipairs(arrays) do pointers[i] = names.array[array.buffer] end
  lists.append(groups, chunks(with(prefix, pointers), 6))
  for _, field in ipairs(fields) do
    groups[#groups + 1] = with(prefix, stride_names(field, names))
  end
  return groups
end

-- What is handed to a kernel, each name behind `prefix`, in the order of its
-- parameters.
local function handed(prefix, hosts, arrays, fields, axes, names)
  local groups = array_groups(prefix, arrays, fields, names)
  local tables = {}
  for i, part in ipairs(names.rows.handed) do
    tables[i] = prefix .. part.name
  end
  lists.append(groups, chunks(tables, 6))
  local ends = {}
  for _, pair in ipairs(bounds(axes, names)) do
    lists.append(ends, with(prefix, pair))
  end
  groups[#groups + 1] = ends
  groups[#groups + 1] = with(prefix, names.colour)
  lists.append(groups, chunks(with(prefix, spelled(hosts, names)), 6))
  return comma_lines(groups)
end

-- The lines of the argument array, in the same order.
function M.addresses(...) return handed("&", ...) end

-- The same names, for a function with the parameters of the kernel.
function M.names(...) return handed("", ...) end

-- The names for array_parameters.
function M.array_names(arrays, fields, names)
  return comma_lines(array_groups("", arrays, fields, names))
end

-- "index_t u_y = .., u_z = ..;" from { name, text } pairs.
local function index_row(items)
  local row = {}
  for i, pair in ipairs(items) do
    row[i] = (i == 1 and "index_t " or "") .. pair[1] .. " = (index_t)"
      .. pair[2] .. (i < #items and ", " or ";")
  end
  return row
end

-- The launcher's copies of arrays and strides, to take the addresses of.
function M.locals(arrays, fields, names)
  local pointers, strides = {}, {}
  for i, array in ipairs(arrays) do
    pointers[i] = { ("%s *%s"):format(access.type(array.field.type),
      names.array[array.buffer]), (" = a->%s;"):format(
      words.name(array.buffer)) }
  end
  for _, field in ipairs(fields) do
    local row = {}
    for i, name in ipairs(stride_names(field, names)) do
      row[i] = { name, ("a->%s_stride[%d]"):format(field.name, i) }
    end
    strides[#strides + 1] = row[1] and index_row(row)
  end
  for _, part in ipairs(names.rows.handed) do
    if part.type then
      pointers[#pointers + 1] = { ("const %s *%s"):format(part.type,
        part.name), (" = a->%s;"):format(part.member) }
    elseif not part.struct then
      strides[#strides + 1] = index_row { { part.name, "a->" .. part.member } }
    end
  end
  local lines = statement.columns(pointers)
  lists.append(lines, statement.columns(strides))
  return lists.append(lines, kinds.copies(names))
end

-- Where a box begins and ends along each axis, to take the addresses of; `box`:
-- its text.
function M.bounds(axes, names, box)
  local rows = {}
  for i, axis in ipairs(axes) do
    rows[i] = index_row {
      { names.lower[axis.name], ("%s.lower[%d]"):format(box, i - 1) },
      { names.upper[axis.name], ("%s.upper[%d]"):format(box, i - 1) } }
  end
  return statement.columns(rows)
end

return M
