-- `quern list`: what a specification declares, and which shapes its kernels
-- can take.

local driver = require "gen.driver"
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

local function shapes(lowered, options)
  local rows = {}
  for i, entry in ipairs(schedule.list(lowered, options)) do
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
  section("shapes, backend " .. options.backend,
    shapes(state.lowered, options))
  return 0
end

return M
