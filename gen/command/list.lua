-- `quern list`: what a specification declares, and which shapes its kernels
-- can take.

local driver = require "gen.driver"
local lists = require "gen.list"
local outcome = require "gen.command.outcome"
local schedule = require "gen.schedule"
local text_table = require "gen.command.table"

local M = {}

local function section(title, rows)
  if #rows == 0 then return end
  print("\n" .. title)
  text_table.print(rows, "  ")
end

local function range(of)
  return of and ("%g to %g"):format(of[1], of[2]) or ""
end

local function params(model)
  local rows = {}
  for i, param in ipairs(model.params) do
    rows[i] = { param.name, tostring(param.value) }
  end
  return rows
end

local function scalars(model)
  local rows = {}
  for i, name in ipairs(model.order.scalars) do
    local scalar = model.scalars[name]
    rows[i] = { name, scalar.type,
                scalar.spacing and "spacing" or range(scalar.range) }
  end
  return rows
end

local function levels(field)
  if #field.levels < 2 then return "" end
  return ("levels %s, %d buffers"):format(table.concat(field.levels, " "),
    field.buffers)
end

local function fields(model)
  local rows = {}
  for i, name in ipairs(model.order.fields) do
    local field = model.fields[name]
    rows[i] = { name, field.type, table.concat(field.on, " "), field.role,
                range(field.range), levels(field),
                field.only and "only " .. field.only or "" }
  end
  return rows
end

local function kernels(model)
  local rows = {}
  for i, kernel in ipairs(model.kernels) do
    local regions = {}
    for j, block in ipairs(kernel.blocks) do regions[j] = block.region end
    rows[i] = { kernel.name, kernel.setup and "setup" or kernel.kind,
                #regions > 0 and "in " .. table.concat(regions, ", ") or "" }
  end
  return rows
end

-- The plan by default, and what else its shape can be told.
local function described(entry)
  return entry.plan .. (entry.params ~= "" and "  " .. entry.params or "")
end

-- "32x4 64x2", those that `tune` tries of any kernel, as they are first met.
local function values(param, known)
  local words = {}
  for _, value in ipairs(lists.joined({ param.default },
      param.choices or {})) do
    local word = table.concat(value, "x")
    if not known[word] then words[#words + 1] = word end
    known[word] = true
  end
  return table.concat(words, " ")
end

local function bounds(param)
  local least, most = param.least or 1, param.most
  return param.bounds or most and ("%d to %d"):format(least, most)
    or #param.default > 1 and "any" or ("from %d"):format(least)
end

-- Adds what one kernel's shape can be told to the rows of that shape.
local function add_settings(rows, entry)
  for _, param in ipairs(entry.settings) do
    local row = lists.find(rows, 2, param.name)
    if not row then
      row = { entry.shape, param.name, bounds(param), "", known = {} }
      rows[#rows + 1] = row
    end
    local more = values(param, row.known)
    row[4] = row[4] .. (row[4] ~= "" and more ~= "" and " " or "") .. more
  end
end

-- What each shape that applies somewhere can be told.
local function params_of(entries)
  local shapes, all = {}, {}
  for _, entry in ipairs(entries) do
    local of = lists.find(shapes, "shape", entry.shape)
    if entry.settings and not of then
      of = { shape = entry.shape, rows = {} }
      shapes[#shapes + 1] = of
    end
    if entry.settings then add_settings(of.rows, entry) end
  end
  for _, of in ipairs(shapes) do lists.append(all, of.rows) end
  return all
end

local function shapes(entries)
  local rows = {}
  for i, entry in ipairs(entries) do
    local applies = entry.applies and (entry.default and "default" or "yes")
    rows[i] = { entry.kernel, entry.region or "", entry.shape,
                applies or "no", entry.plan and described(entry)
                  or entry.why or "" }
  end
  return rows
end

function M.run(options)
  options.stop_after = "lower"
  local state, problems = driver.run(options)
  if not state then return outcome.refused(problems) end
  local model = state.model
  print(state.lowered.instance)
  section("params", params(model))
  section("scalars", scalars(model))
  section("fields", fields(model))
  section("kernels", kernels(model))
  local entries = schedule.list(state.lowered, options)
  section("shapes, backend " .. options.backend, shapes(entries))
  section("what they can be told, and values that `tune` tries",
    params_of(entries))
  return 0
end

return M
