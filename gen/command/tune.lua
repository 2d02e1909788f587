-- `quern tune`: which shape and which parameters are the fastest here. Three
-- parts, of which the second needs no Lua: prepare a folder of compiled
-- candidates, run them, record what was found.

local apply = require "gen.tune.apply"
local candidates = require "gen.tune.candidates"
local check = require "gen.command.check"
local compile = require "gen.compile"
local diag = require "gen.diag"
local driver = require "gen.driver"
local folder = require "gen.tune.folder"
local keep = require "gen.tune.keep"
local lfs = require "lfs"
local mesh = require "gen.tune.mesh"
local outcome = require "gen.command.outcome"
local record = require "gen.tune.record"
local scalars = require "gen.command.scalars"
local shell = require "gen.shell"
local sizes = require "gen.command.sizes"

local M = {}

local function say(text, ...) print(text:format(...)) end

-- Why each candidate that is left out is: of a plan, or of the params that
-- make none, or of a shape.
local function say_dropped(task)
  for _, candidate in ipairs(task.dropped) do
    local about = candidate.plan and candidate.plan.name .. ": "
      or candidate.params and apply.shape_text(candidate.shape,
        candidate.params) .. ": " or ""
    say("  not tried  %s%s", about, candidate.why)
  end
end

local function say_tasks(tasks)
  for _, task in ipairs(tasks) do
    local region = task.block.region
    if #task.list > 0 then
      say("%s%s: %d to try, %d not", task.kernel.name, region and ", " .. region
        or "", #task.list, #task.dropped)
      say_dropped(task)
    end
  end
end

-- The keys of tune.json that are not the candidates', or nil, an exit code and
-- a text.
local function plan_of(state, options, size, where)
  local lowered = state.lowered
  local given, problem = scalars.choose(options, state.model)
  if not given then return nil, 2, problem end
  local carried
  carried, problem = mesh.carry(options, where)
  if not carried then return nil, 2, problem end
  local recipe
  recipe, problem = compile.recipe(options)
  if not recipe then return nil, 3, problem end
  return { instance = lowered.instance, spec = lowered.model.hash,
    backend = options.backend, fp = options.fp,
    arch = options.backend == "cuda" and options.arch or "",
    compiler = record.compiler(recipe), context = check.context(options),
    size = size, scalars = given, align = options.align,
    mesh = carried.mesh, check_mesh = carried.check_mesh,
    pattern = carried.pattern,
    check_size = sizes.tune(lowered), repeats = options.repeats }
end

-- The extents that candidates are timed at; nil and a text.
local function size_of(options, lowered)
  local list, problem = sizes.choose(options, lowered, "bench")
  if not list then return nil, problem end
  return mesh.size(options, lowered, list[1])
end

-- What the command line says of the shapes is judged by the schedule; of a
-- chain that no shape is asked for all are tried.
local function lowered_state(options)
  options.stop_after, options.searching = "schedule", true
  return driver.run(options)
end

-- Tells of each module that is compiled, and how long the rest may take.
local function compiling()
  local started = os.time()
  return function(name, count, done, total)
    local left = done > 0
      and (os.time() - started) * (total - done) / done // 1 | 0
    say("compile  %3d of %d%s  %s, %d", done, total, left
      and (" %3d:%02d left"):format(left // 60, left % 60)
      or (" "):rep(12), name, count)
  end
end

-- The folder that was named, or one of the instance's own.
local function folder_of(lowered, options)
  return options.prepare or ("%s/tune/%s_%s"):format(options.out,
    lowered.instance, options.backend)
end

-- The command line of now, to be said again from any folder.
local function command_again(options)
  local words = { table.unpack(options.words) }
  words[#words + 1] = "--make"
  return ("sh -c %s quern"):format(shell.quote(("cd %s && exec %s \"$1\"")
    :format(shell.quote(lfs.currentdir()),
      shell.command(shell.quote(options.root .. "/gen/quern"), words))))
end

-- What a folder's modules come from: where all of them are wanted, all at once;
-- else each when its turn comes.
local function how_of(options)
  if options.prepare or options.most == "all" then
    return { say = compiling() }
  end
  return { command = command_again(options) }
end

-- Fills the folder. Gives it, or nil, an exit code and a text.
local function prepare(options)
  local state, problems = lowered_state(options)
  if not state then return nil, outcome.refused(problems) end
  local where = folder_of(state.lowered, options)
  local size, problem = size_of(options, state.lowered)
  if not size then return nil, 2, problem end
  local plan, status, text = plan_of(state, options, size, where)
  if not plan then return nil, status, text end
  local tasks = candidates.list(state.lowered, options, size)
  say_tasks(tasks)
  local well
  well, status, text = folder.prepare(where, plan, tasks, state.lowered,
    options, how_of(options))
  if well then return where end
  if type(text) == "table" then return nil, outcome.refused(text) end
  return nil, status, text
end

-- Compiles one candidate of the folder, whose `make` asks for it.
local function make(options)
  local state, problems = lowered_state(options)
  if not state then return outcome.refused(problems) end
  local lowered = state.lowered
  local size, problem = size_of(options, lowered)
  if not size then return 2, problem end
  for _, task in ipairs(candidates.list(lowered, options, size)) do
    for _, candidate in ipairs(task.list) do
      if candidate.plan.name == options.make then
        local well, status, text = folder.make(folder_of(lowered, options),
          candidate, lowered, options)
        if well then return 0 end
        return status, type(text) == "table" and diag.format(text) or text
      end
    end
  end
  return 2, ("quern: no candidate %s"):format(options.make)
end

local function run(where, options)
  local words = { "--tune", where }
  if options.most then
    words[3], words[4] = "--most", tostring(options.most)
  end
  return shell.show(shell.command(shell.quote(options.root
    .. "/out/runtime/quern-run"), words))
end

-- The fastest answers by device, in the order of the devices' names, each with
-- its candidate and the names of those that were timed.
local function fastest(task, results)
  local of, devices, known = {}, {}, {}
  for _, candidate in ipairs(task.candidates) do
    known[candidate.name] = candidate
  end
  for _, answer in ipairs(results) do
    local candidate = known[answer.kernel]
    local best = of[answer.device]
    if candidate and answer.status == "ok" then
      if not best then
        best = { timed = {}, answer = answer, candidate = candidate }
        of[answer.device], devices[#devices + 1] = best, answer.device
      end
      best.timed[#best.timed + 1] = candidate.name
      if answer.median < best.answer.median then
        best.answer, best.candidate = answer, candidate
      end
    end
  end
  table.sort(devices)
  for i, device in ipairs(devices) do devices[i] = of[device] end
  return devices
end

local function record_of(plan, task, best)
  local answer, candidate = best.answer, best.candidate
  return { format = record.FORMAT, instance = plan.instance, spec = plan.spec,
    kernel = task.kernel, region = task.region, backend = plan.backend,
    fp = plan.fp, arch = plan.arch, compiler = plan.compiler,
    device = answer.device, size_class = record.size_class(plan.size),
    mesh = plan.pattern,
    size = plan.size, scalars = plan.scalars, align = plan.align,
    plan = candidate.name, shape = candidate.shape, params = candidate.params,
    source = candidate.source, median = answer.median, ratio = answer.ratio,
    points_per_second = answer.points_per_second, timed = #best.timed,
    candidates = #task.candidates }
end

-- Writes one record, where none of a faster plan stands. Gives nil, or a text.
local function write_record(to, new, timed, options)
  local old = record.read(to .. "/" .. record.name(new))
  if keep.stands(old, new, timed, options) then
    say("kept    %s\n        %s, %.3g Gpoint/s, which was not tried now",
      to .. "/" .. record.name(new), apply.shape_text(old.shape, old.params),
      old.points_per_second / 1e9)
    return nil
  end
  local path, problem = record.write(to, new)
  if not path then return "quern: " .. problem end
  say("record  %s\n        %s, %.3g ms", path, apply.shape_text(new.shape,
    new.params), new.median * 1e3)
end

-- Writes the records of what was measured in a folder.
local function write_records(where, plan, options)
  local results, to = folder.results(where, plan), apply.folder(options)
  local found = false
  for _, task in ipairs(plan.tasks) do
    for _, best in ipairs(fastest(task, results)) do
      found = true
      local problem = write_record(to, record_of(plan, task, best), best.timed,
        options)
      if problem then return 2, problem end
    end
  end
  if found then return 0 end
  return 3, ("quern: nothing was measured in %s: run %s/run"):format(where,
    where)
end

local NO_FOLDER = "quern: %s is no folder that quern tune prepared"
local OTHER = "quern: %s was prepared from %s, not from %s (%s)"
local CHANGED = "quern: %s was prepared from another text of %s (%s), or by "
  .. "another Quern"

-- Writes the records of a folder that was prepared before, if it was from the
-- specification of now.
local function record_folder(where, options)
  local plan = folder.read(where)
  if not plan then return 2, NO_FOLDER:format(where) end
  options.stop_after = "lower"
  local state, problems = driver.run(options)
  if not state then return outcome.refused(problems) end
  local instance = state.lowered.instance
  if plan.instance ~= instance then
    return 2, OTHER:format(where, plan.instance, instance, options.spec)
  elseif plan.spec ~= state.lowered.model.hash then
    return 2, CHANGED:format(where, options.spec, instance)
  end
  return write_records(where, plan, options)
end

function M.run(options)
  if #options.backends > 1 then
    return 2, "quern: tune is about one --backend at a time"
  elseif #options.sizes > 1 then
    return 2, "quern: tune is about one --size at a time"
  end
  if options.record then return record_folder(options.record, options) end
  if options.make then return make(options) end
  local problem = not options.prepare and check.no_device(options)
  if problem then return 3, problem end
  local where, status, text = prepare(options)
  if not where then return status, text end
  if options.prepare then return 0 end
  status = run(where, options)
  if status > 0 then return status end
  return write_records(where, folder.read(where), options)
end

return M
