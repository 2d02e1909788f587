-- The functions by which an edge kernel reads beyond faces without a halo:
-- heads, calls, and the struct of what they need beside an index.

local access = require "gen.c.access"
local faces = require "gen.c.faces"
local words = require "gen.c.words"

local M = {}

-- In C++ one name means one struct in all files of a module.
M.DEVICE = { index = "index_t", cast = "(index_t)", on_device = true,
             tag = "%s_faces", type = "struct %s_faces<index_t>" }
M.HOST = { index = "int64_t", cast = "", on_device = false,
           tag = "edge", type = "struct edge" }

-- The arguments that say where a load is: "x - 1, y".
function M.index(load, field, names)
  local list = {}
  for i, axis in ipairs(field.axes) do
    list[i] = access.offset(names.axis[axis],
      { { load.offset[axis] or 0, "" } })
  end
  return table.concat(list, ", ")
end

-- The functions: { name, array, type, index = parameters, body }.
function M.readers(context, edge, how)
  local list, names = {}, context.names
  for i, face in ipairs(context.block.faces) do
    local field, index = context.by_name[face.field], {}
    for k, axis in ipairs(field.axes) do
      index[k] = ("%s %s"):format(how.index, names.axis[axis])
    end
    list[i] = { name = edge.reader[face.field], of = face.field,
      array = words.name(face.field), type = access.type(field.type),
      index = table.concat(index, ", "),
      body = faces.body(face, field, context.kernel.compute, names,
        { array = words.name(face.field), edge = "edge->", index = how.index,
          fp = context.lowered.fp }) }
  end
  return list
end

-- What the functions need: rows { type, name, value at launch }.
local function members(context, hosts, how)
  local rows, names = {}, context.names
  local function add(type, name, value)
    rows[#rows + 1] = { type = type, name = name, value = value }
  end
  for _, axis in ipairs(context.axes) do
    add(how.index, names.extent[axis.name],
      ("%sa->n[%d]"):format(how.cast, axis.index))
  end
  for _, face in ipairs(context.block.faces) do
    local field = context.by_name[face.field]
    for i = 2, #field.axes do
      add(how.index, names.stride[field.name][field.axes[i]],
        ("%sa->%s_stride[%d]"):format(how.cast, field.name, i - 1))
    end
  end
  for _, host in ipairs(hosts) do
    add(context.kernel.compute, names.host[host.name], names.host[host.name])
  end
  return rows
end

local MOST_A_LINE = 5

-- The rows in runs of one type, short enough for a line each.
local function runs(rows)
  local list = {}
  for _, row in ipairs(rows) do
    local run = list[#list]
    if not run or run.type ~= row.type or #run.names == MOST_A_LINE then
      run = { type = row.type, names = {}, values = {} }
      list[#list + 1] = run
    end
    table.insert(run.names, row.name)
    table.insert(run.values, row.value)
  end
  return list
end

-- "index_t x_n, y_n;" for each run, and its values at launch. hosts: what the
-- faces add.
function M.members(context, hosts, how)
  local lines, values = {}, {}
  for i, run in ipairs(runs(members(context, hosts, how))) do
    lines[i] = ("%s %s;"):format(run.type, table.concat(run.names, ", "))
    values[i] = table.concat(run.values, ", ") .. ","
  end
  return lines, values
end

return M
