-- `quern explain --resources`: what each kernel takes of a multiprocessor, as
-- the assembler says, and how many of its blocks that leaves room for.

local compile = require "gen.compile"
local device = require "gen.schedule.device"
local driver = require "gen.driver"
local helpers = require "gen.schedule.helpers"
local outcome = require "gen.command.outcome"
local ptxas = require "gen.ptxas"
local targets = require "gen.command.targets"
local text_table = require "gen.command.table"

local M = {}

local HEADINGS = { "kernel", "for", "offsets", "bound by", "registers",
  "spilled", "shared", "threads", "blocks", "occupancy", "ptxas ms" }
local WORDS = 4                 -- columns of words, before those of numbers

-- What is launched by a name: the plan, or that of its walks which has boxes
-- thin along the axis that the kernel's namespace is called after.
local function launched(kernel, plan)
  for _, walk in ipairs(plan.walks or {}) do
    if not walk.thin or kernel.space == "thin_" .. walk.thin then
      return walk
    end
  end
  return plan
end

-- What a block of a kernel takes: the shared memory of its own text, or what
-- its launch asks for.
local function use_of(kernel, plans)
  for _, plan in ipairs(helpers.all(plans)) do
    if kernel.name == plan.name .. "_kernel" then
      local own = launched(kernel, plan)
      return { threads = own.threads, registers = kernel.registers,
               shared = math.max(kernel.shared, own.shared or 0) }
    elseif plan.setup and kernel.name == plan.name .. "_setup" then
      return { threads = plan.setup.threads, registers = kernel.registers,
               shared = kernel.shared }
    elseif kernel.name == plan.name .. "_edge" then
      return { threads = plan.edge.threads, registers = kernel.registers,
               shared = kernel.shared }
    end
  end
  error("no plan of kernel " .. kernel.name)
end

local function called(kernel)
  return kernel.space and kernel.space .. "::" .. kernel.name or kernel.name
end

local function row(kernel, use)
  local room = device.occupancy(kernel.arch, use)
  return { called(kernel), kernel.arch, kernel.bits and kernel.bits .. " bits"
      or "-", table.concat(room.binds, ", "), kernel.registers,
    kernel.stores + kernel.loads, use.shared, use.threads, room.blocks,
    ("%.0f %%"):format(100 * room.share),
    kernel.milliseconds and ("%.0f"):format(kernel.milliseconds) or "-" }
end

local SPILLS = "%s, offsets of %s, %s: spills %d bytes (%d stored, %d loaded)"

-- What the kernels of one backend take, as rows of texts, and the sentences
-- about those that spill.
local function survey(list, plans)
  local rows, spills = { HEADINGS }, {}
  for _, source in ipairs(list) do
    for _, kernel in ipairs(ptxas.read(source.said)) do
      local cells = row(kernel, use_of(kernel, plans))
      for i, cell in ipairs(cells) do cells[i] = tostring(cell) end
      rows[#rows + 1] = cells
      if kernel.stores + kernel.loads > 0 then
        spills[#spills + 1] = SPILLS:format(cells[1], cells[3], kernel.arch,
          kernel.stores + kernel.loads, kernel.stores, kernel.loads)
      end
    end
  end
  return rows, spills
end

local function report(target)
  target.stop_after, target.resources = "emit", true
  local state, problems = driver.run(target)
  if not state then return outcome.refused(problems) end
  local list, problem = compile.attempts(state.files, target)
  if not list then return 3, problem end
  local rows, spills = survey(list, state.plans)
  print "\nresources"
  text_table.print(rows, "  ", WORDS)
  if target.fail_on and spills[1] then
    return 3, table.concat(spills, "\n")
  end
  return 0
end

-- For the one backend whose compiler can tell.
function M.run(options)
  for _, backend in ipairs(options.backends) do
    if backend ~= "cuda" then
      return 2, ("quern: --resources: ptxas knows them, wanted backend cuda, "
        .. "found %s"):format(backend)
    end
  end
  return targets.run(options, report)
end

return M
