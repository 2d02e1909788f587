-- The folder that `quern tune` prepares: modules of candidates, what they are
-- (tune.json), and what it takes to time them where there is no Lua. One that
-- has them all can be carried to another machine; one that stays here makes
-- each when its turn comes.
--
--   modules/<instance>_<kernel>[_<region>]_<shape>.so   all of a shape, or
--   modules/<plan>.so, make                    one, and what makes it
--   modules/<instance>_reference.so            what they are compared with
--   quern-run, quern_device_*.so, lib/, run    what runs them
--   tune.json        written last: a folder that has it is whole
--   results.jsonl    what a run measured, a line each

local compile = require "gen.compile"
local driver = require "gen.driver"
local emit = require "gen.emit"
local hash = require "gen.spec.hash"
local json = require "gen.json"
local output = require "gen.output"
local runner = require "gen.runner"
local schedule = require "gen.schedule"
local shell = require "gen.shell"
local source = require "gen.tune.source"

local M = { FORMAT = 1 }

-- Of a search: a tenth of what there is, but as many as tell something.
local SHARE, FEWEST = 10, 12

local function run(command)
  local well, text = shell.run(command)
  if not well then return nil, text end
  return text
end

-- Copies a file to its place in the folder, by rename.
local function copy(from, folder, name)
  local to = shell.quote(folder .. "/" .. name)
  return run(("cp %s %s.$$ && mv %s.$$ %s"):format(shell.quote(from), to, to,
    to))
end

-- The candidates of a task by shape, in order: { shape, list }..
local function by_shape(task)
  local groups, of = {}, {}
  for _, candidate in ipairs(task.list) do
    local group = of[candidate.shape]
    if not group then
      group = { shape = candidate.shape }
      of[candidate.shape], groups[#groups + 1] = group, group
    end
    group[#group + 1] = candidate
  end
  return groups
end

local function title(task, lowered)
  local parts = { lowered.instance, task.kernel.name, task.block.region }
  return table.concat(parts, "_")
end

-- Gives each candidate the hash of its text: what was measured is that text.
local function hash_texts(group, files)
  for _, candidate in ipairs(group) do
    candidate.source = source.of(candidate.plan, files)
  end
end

-- The texts of the candidates of one shape, or nil and diagnostics.
local function render(group, lowered, options)
  local plans = {}
  for i, candidate in ipairs(group) do plans[i] = candidate.plan end
  local files, problems = emit.render(plans, lowered, options)
  if files then hash_texts(group, files) end
  return files, problems
end

-- Compiles texts into a module of the folder. Gives true, or nil, an exit code
-- and what was wrong.
local function make_module(files, module, options, folder)
  local path, problem = compile.module(files, options)
  if not path then return nil, 3, problem end
  local well
  well, problem = copy(path, folder, module)
  if not well then return nil, 2, problem end
  return true
end

local function module_of(name) return "modules/" .. name .. ".so" end

local function groups_of(tasks, lowered)
  local groups = {}
  for _, task in ipairs(tasks) do
    for _, group in ipairs(by_shape(task)) do
      group.name = title(task, lowered) .. "_" .. group.shape
      groups[#groups + 1] = group
    end
  end
  return groups
end

-- The modules of all groups; before each, `say(name, count, done, total)` is
-- told how many candidates are in it, were compiled before, and there are.
local function make_modules(groups, lowered, options, folder, say)
  local done, total = 0, 0
  for _, group in ipairs(groups) do total = total + #group end
  for _, group in ipairs(groups) do
    say(group.name, #group, done, total)
    local files, problems = render(group, lowered, options)
    if not files then return nil, 1, problems end
    local well, status, problem = make_module(files, module_of(group.name),
      options, folder)
    if not well then return nil, status, problem end
    for _, candidate in ipairs(group) do
      candidate.module = module_of(group.name)
    end
    done = done + #group
  end
  return true
end

-- A module for each candidate, made by a command that is told its name.
local function leave_modules(groups, lowered, options, folder, command)
  for _, group in ipairs(groups) do
    local files, problems = render(group, lowered, options)
    if not files then return nil, 1, problems end
    for _, candidate in ipairs(group) do
      candidate.module = module_of(candidate.plan.name)
    end
  end
  shell.write(folder .. "/make", ("#!/bin/sh\nexec %s \"$1\"\n"):format(
    command))
  return run("chmod +x " .. shell.quote(folder .. "/make"))
end

-- Makes the module of one candidate. Gives true, or nil, an exit code and what
-- was wrong.
function M.make(folder, candidate, lowered, options)
  local files, problems = emit.render({ candidate.plan }, lowered, options)
  if not files then return nil, 1, problems end
  return make_module(files, module_of(candidate.plan.name), options, folder)
end

-- The plans that are to be timed.
local function plans_of(tasks)
  local list = {}
  for _, task in ipairs(tasks) do
    for _, candidate in ipairs(task.list) do
      list[#list + 1] = candidate.plan
    end
  end
  return list
end

local function make_reference(tasks, lowered, options, folder)
  local target = {}
  for key, value in pairs(options) do target[key] = value end -- any order
  target.backend, target.stop_after = "reference", "emit"
  target.shapes = schedule.oracles(plans_of(tasks))
  local state, problems = driver.run(target)
  if not state then return nil, 1, problems end
  local name = module_of(lowered.instance .. "_reference")
  local well, status, problem = make_module(state.files, name, target, folder)
  if not well then return nil, status, problem end
  return name
end

-- The libraries that quern-run may not find elsewhere.
local CARRY = [[
  ldd %s | sed -n 's/.*=> \(.*\(jansson\|gomp\)[^ ]*\).*/\1/p' |
  while read -r path; do cp "$path" %s/; done]]

local function carry_runtime(options, folder)
  local program, problem = runner.program(options)
  if not program then return nil, problem end
  local beside = program:match("^(.*)/")
  local names = { { program, "quern-run" },
                  { options.root .. "/gen/tune/run.sh", "run" } }
  if options.backend == "simt" or options.backend == "cuda" then
    local device = ("quern_device_%s.so"):format(options.backend)
    names[#names + 1] = { beside .. "/" .. device, device }
  end
  for _, pair in ipairs(names) do
    local well, why = copy(pair[1], folder, pair[2])
    if not well then return nil, why end
  end
  return run(CARRY:format(shell.quote(program), shell.quote(folder .. "/lib")))
end

local function candidate_entry(candidate)
  return { name = candidate.plan.name, shape = candidate.shape,
    params = candidate.params, module = candidate.module,
    source = candidate.source, cost = candidate.cost }
end

local function task_entry(task)
  local list = {}
  for i, candidate in ipairs(task.list) do
    list[i] = candidate_entry(candidate)
  end
  local most = math.max((#list + SHARE - 1) // SHARE, math.min(FEWEST, #list))
  return { kernel = task.kernel.name, region = task.block.region,
    candidates = list, most = most }
end

-- How many of each task a run tries that is not told so itself.
local function limit(tasks, most)
  for _, task in ipairs(tasks) do
    local count = #task.candidates
    task.most = most == "all" and count or math.min(most or task.most, count)
  end
end

-- Everything that a run and a record need to know; `id` tells results of this
-- folder from those of another, however many were asked for. Gives what prepare
-- gives.
local function write_plan(plan, tasks, folder, most)
  plan.format, plan.tasks = M.FORMAT, {}
  for _, task in ipairs(tasks) do
    if #task.list > 0 then
      plan.tasks[#plan.tasks + 1] = task_entry(task)
    end
  end
  plan.id = hash.of { json.encode(plan) }
  limit(plan.tasks, most)
  local well, problem = output.publish(folder .. "/tune.json",
    json.encode(plan) .. "\n")
  if well then return true end
  return nil, 2, "quern: " .. problem
end

-- An empty folder, but for what was measured in it.
local function empty(folder)
  local well, problem = run(("mkdir -p %s && cd %s && rm -rf tune.json "
    .. "make modules lib && mkdir modules lib"):format(shell.quote(folder),
    shell.quote(folder)))
  if well then return true end
  return nil, 2, ("quern: cannot make folder %s: %s"):format(folder, problem)
end

-- Fills the folder: with all modules, where `how.say` is told of each, or with
-- `how.command`, which makes one. `plan` has the keys of tune.json but for
-- tasks, reference, format and id. Gives true, or nil, an exit code, and
-- diagnostics or a text.
function M.prepare(folder, plan, tasks, lowered, options, how)
  local well, status, problems = empty(folder)
  if not well then return nil, status, problems end
  plan.reference, status, problems = make_reference(tasks, lowered, options,
    folder)
  if not plan.reference then return nil, status, problems end
  local groups = groups_of(tasks, lowered)
  if how.command then
    well, status, problems = leave_modules(groups, lowered, options, folder,
      how.command)
  else
    well, status, problems = make_modules(groups, lowered, options, folder,
      how.say)
  end
  if not well then return nil, status, problems end
  local problem
  well, problem = carry_runtime(options, folder)
  if not well then return nil, 3, problem end
  return write_plan(plan, tasks, folder, options.most)
end

-- What tune.json of a folder says, or nil.
function M.read(folder)
  local file = io.open(folder .. "/tune.json", "rb")
  if not file then return nil end
  local plan = json.decode(file:read("a"))
  file:close()
  if type(plan) == "table" and plan.format == M.FORMAT then return plan end
end

-- The answers of its runs: { device, status, kernel, median, .. }.., as they
-- came; of other folders and cut short: none.
function M.results(folder, plan)
  local list = {}
  local file = io.open(folder .. "/results.jsonl", "rb")
  for line in file and file:lines("L") or function() end do
    local answer = line:sub(-1) == "\n" and json.decode(line)
    if type(answer) == "table" and answer.id == plan.id then
      list[#list + 1] = answer
    end
  end
  if file then file:close() end
  return list
end

return M
