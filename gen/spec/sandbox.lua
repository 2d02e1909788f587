-- Runs a spec: in its own environment, under budgets that it cannot catch.
-- The count hook fires on every instruction: one instruction can double a
-- string, so a coarser hook lets a short loop take gigabytes.

local M = {}

M.INSTRUCTIONS = 10000000
M.MEGABYTES = 256
M.SECONDS = 5

-- The meter of one run: `hook` counts, `charge(n)` counts n at once.
local function new_meter()
  local used, allowed = 0, M.INSTRUCTIONS
  local count, clock = collectgarbage, os.clock
  count()                       -- what is garbage now is not the spec's
  local memory = count "count" + M.MEGABYTES * 1024
  local time = clock() + M.SECONDS
  local meter = {}

  local function stop(what)
    debug.sethook()
    meter.exceeded = what
    error(what, 0)
  end

  local function look_closer()
    if used > allowed then
      stop(string.format("the spec ran for more than %d instructions", allowed))
    elseif clock() > time then
      stop(string.format("the spec ran for more than %s s", M.SECONDS))
    elseif count "count" > memory then
      count()
      if count "count" > memory then
        stop(string.format("the spec used more than %d MB", M.MEGABYTES))
      end
    end
  end

  function meter.hook()
    used = used + 1
    if used & 127 == 0 or count "count" > memory then look_closer() end
  end

  function meter.charge(n)
    used = used + n
    look_closer()
  end

  return meter
end

M.new_meter = new_meter

-- Runs `f` unmetered, from within a metered run.
function M.unmetered(meter, f, ...)
  debug.sethook()
  local result = f(...)
  debug.sethook(meter.hook, "", 1)
  return result
end

-- The innermost line of a spec that is running, and the number of its source;
-- chunks are named "=1", "=2".
function M.running_line(level)
  level = level + 1
  while true do
    local info = debug.getinfo(level, "Sl")
    if not info then return nil end
    local number = string.match(info.source, "^=(%d+)$")
    if number and info.currentline > 0 then
      return info.currentline, tonumber(number)
    end
    level = level + 1
  end
end

-- Modules whose errors are those of the spec that called them.
local LIBRARY = { ["spec/library"] = true, ["spec/safe"] = true,
                  ["spec/strings"] = true, ["spec/tables"] = true }

-- The sentence of a Lua error; second and third: the number of the source and
-- the line, where Lua's message has them. `bug`: it is not the spec's.
local function sentence(message)
  local kind = type(message)
  if kind == "number" then return tostring(message) end
  if kind ~= "string" then
    return "the spec raised an error that is no text, but "
      .. (kind == "nil" and kind or "a " .. kind)
  end
  local number, line, rest = string.match(message, "^(%d+):(%d+): (.*)$")
  if string.find(message, "C stack overflow", 1, true) then
    return "the spec nests too deeply", tonumber(number), tonumber(line)
  elseif string.find(message, "stack overflow", 1, true) then
    return "the spec calls functions too deeply"
  elseif number then return rest, tonumber(number), tonumber(line) end
  local file
  file, rest = string.match(message, "^[^\n]*gen/(.-)%.lua:%d+: (.*)$")
  return rest or message, nil, nil, file ~= nil and not LIBRARY[file]
end

-- What went wrong, from Lua's message and the stack at that moment.
local function failure(message)
  debug.sethook()
  local line, number = M.running_line(2)
  local text, n, l, bug = sentence(message)
  return { source = n or number or 1, line = l or line, message = text,
           bug = bug and debug.traceback(message, 2) or nil }
end

-- A chunk of a spec, or nil and a failure.
function M.compile(text, number, environment)
  local chunk, message = load(text, "=" .. number, "t", environment)
  if chunk then return chunk end
  return nil, failure(message)
end

-- Runs a compiled spec; nil, or what went wrong. While it runs, string methods
-- are those of the spec's own library.
function M.run(chunk, meter, string_library)
  local methods = getmetatable ""
  local saved = methods.__index
  methods.__index = string_library
  local ok, problem = xpcall(function()
    debug.sethook(meter.hook, "", 1)
    chunk()
    debug.sethook()
  end, failure)
  debug.sethook()
  methods.__index = saved
  if ok then return nil end
  if type(problem) == "table" and problem.bug then error(problem.bug, 0) end
  if type(problem) == "table" then return problem end
  return { source = 1, message = tostring(problem) }   -- no memory
end

return M
