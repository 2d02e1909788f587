-- Renders hand-written `lowered` tables and compiles what comes out, for tests.

local assert = require "luassert"
local emit = require "gen.emit"
local quern = require "tests.quern"
local schedule = require "gen.schedule"

local M = {}

function M.options(backend, shape, params)
  return { backend = backend, root = quern.root, arch = "sm_90",
    shapes = shape and { { name = shape, params = params or {} } } or {} }
end

function M.render(lowered, ...)
  local o = M.options(...)
  return assert(emit.render(assert(schedule.choose(lowered, o)), lowered, o))
end

function M.text_of(files, pattern)
  for _, file in ipairs(files) do
    if file.path:find(pattern) then return file.text end
  end
  error("no file like " .. pattern)
end

local function write(files, folder)
  for _, file in ipairs(files) do
    quern.write(folder .. "/" .. file.path:match("[^/]+$"), file.text)
  end
end

-- Writes instances into one folder and runs a command there.
function M.compiled(list, command)
  local folder = quern.folder()
  for _, files in ipairs(list) do write(files, folder) end
  local code, out, complaint = quern.shell(command, folder)
  quern.remove(folder)
  return code, out, complaint
end

function M.silent(list, command)
  local code, out, complaint = M.compiled(list, command)
  assert.equal("", out .. complaint)
  assert.equal(0, code)
end

return M
