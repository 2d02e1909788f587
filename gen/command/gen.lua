-- `quern gen`: writes the kernels of a specification.

local apply = require "gen.tune.apply"
local lfs = require "lfs"
local outcome = require "gen.command.outcome"
local output = require "gen.output"
local targets = require "gen.command.targets"

local M = {}

local function timing(name, seconds)
  io.stderr:write(("%-9s %7.1f ms\n"):format(name, seconds * 1e3))
end

-- What is written for all backends, and the spec's sources: nil and
-- diagnostics when one of them refuses.
local function render(options)
  local files, sources = {}, nil
  for _, target in ipairs(targets.of(options)) do
    local state, notes = apply.run(target)
    if not state then return nil, notes end
    for _, note in ipairs(notes) do io.stderr:write(note, "\n") end
    table.move(state.files, 1, #state.files, #files + 1, files)
    sources = state.decls.sources
  end
  return files, sources
end

-- A folder of records that was named must be there.
local function no_folder(options)
  local folder = options.tuned_folder
  if folder and lfs.attributes(folder, "mode") ~= "directory" then
    return ("quern: --tuned %s: no such folder"):format(folder)
  end
end

function M.run(options)
  local problem = no_folder(options)
  if problem then return 2, problem end
  if options.timing then options.timing = timing end
  local files, sources = render(options)
  if not files then return outcome.refused(sources) end
  local started = os.clock()
  local changed, problems = output.write(files, options, sources)
  if not changed then return outcome.refused(problems) end
  if options.timing then timing("write", os.clock() - started) end
  for _, path in ipairs(changed) do print(path) end
  return 0
end

return M
