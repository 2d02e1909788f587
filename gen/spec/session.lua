-- One run of a spec: its constructors only note what they were called with
-- and where; everything is checked afterwards, unmetered.

local diag = require "gen.diag"
local library = require "gen.spec.library"
local param = require "gen.spec.param"
local sandbox = require "gen.spec.sandbox"
local schema = require "gen.spec.schema"

local M = {}

local LARGEST = 1 << 20         -- bytes of a spec
local DEEPEST = 8               -- tables in tables handed to a constructor
local MOST = 100000             -- values handed to all constructors

-- The text of a file with line ends as Lua has them, or nil and a sentence.
local function read_file(path)
  local file = io.open(path, "rb")
  local text = file and file:read(LARGEST + 1)
  if file and not text and file:seek("end") == 0 then text = "" end
  if file then file:close() end
  if not text then return nil, string.format("cannot read '%s'", path) end
  if #text > LARGEST then
    return nil, string.format("'%s' is longer than %d bytes", path, LARGEST)
  end
  return (string.gsub(text, "\r\n?", "\n"))
end

-- Adds a source; its chunk is named by its number.
local function add_source(session, name, text)
  local source = { name = name, text = text }
  session.sources[#session.sources + 1] = source
  session.number_of[name] = #session.sources
  return source
end

-- A copy of a constructor's argument, as it is now. Second: how many values.
local function snapshot(value, depth, count, meter)
  if type(value) ~= "table" then return value, count + 1 end
  if depth > DEEPEST then
    error("a constructor takes tables at most " .. DEEPEST .. " deep", 0)
  end
  local copy = {}
  for key, item in next, value do
    if type(key) == "table" or type(key) == "function" then
      error("found a key that is a " .. type(key) .. ", wanted a name", 0)
    elseif count > MOST then
      meter.exceeded = true
      error("the spec declares more than " .. MOST .. " values", 0)
    end
    copy[key], count = snapshot(item, depth + 1, count, meter)
  end
  return copy, count
end

-- Notes a call; returns the note.
local function note(session, kind, argument)
  local line, number = sandbox.running_line(1)
  local copy, count = snapshot(argument, 1, session.values, session.meter)
  local call = { kind = kind, argument = copy, line = line or 1,
                 source = number or 1, count = count - session.values }
  session.values = count
  session.calls[#session.calls + 1] = call
  return call
end

local function constructor(session, kind)
  return function(...)
    local call = sandbox.unmetered(session.meter, note, session, kind, (...))
    call.given = select("#", ...)
    session.meter.charge(call.count)
  end
end

-- The keys of a param that are of their type.
local function typed_keys(argument)
  local keys = {}
  for key, wanted in next, schema.constructors.param.keys do
    local value = argument[key]
    if value ~= nil and wanted.accept(value) then keys[key] = value end
  end
  return keys
end

local function note_param(session, argument)
  local call = note(session, "param", argument)
  if type(call.argument) ~= "table" then call.value = 1 return call end
  local keys, name = typed_keys(call.argument), call.argument[1]
  if type(name) ~= "string" then name = "?" end
  if keys.default == nil then
    call.value = keys.min or keys.values and keys.values[1] or 1
    return call
  end
  call.value, call.problem = param.value(name, keys, session.set)
  return call
end

local function param_constructor(session)
  return function(argument)
    return sandbox.unmetered(session.meter, note_param, session,
                             argument).value
  end
end

-- The path of an included file, or nil and a sentence.
local function include_path(from, name)
  if type(name) ~= "string" then
    return nil, "include: wanted the name of a file"
  end
  local inside = not string.find(name, "^/")
    and not string.find(name, "[\\%z]")
    and not string.find("/" .. name .. "/", "/%.%.?/")
    and not string.find("/" .. name .. "/", "//", 1, true)
  if not inside then
    return nil, string.format(
      "include: found '%s', wanted a file in this folder or below it", name)
  end
  return (string.match(from, "^.*/") or "") .. name
end

-- The chunk of an included file; nil if it was there before or is at fault.
local function open_include(session, name)
  local call = note(session, "include", name)
  local from = session.sources[call.source]
  local path, problem = include_path(from.name, name)
  local text
  if path and session.number_of[path] then return nil end
  if path then text, problem = read_file(path) end
  if not text then
    call.problem = { message = problem }
    return nil
  end
  add_source(session, path, text)
  local chunk, failure =
    sandbox.compile(text, #session.sources, session.environment)
  if not chunk then session.failures[#session.failures + 1] = failure end
  return chunk
end

local function include_constructor(session)
  return function(name)
    local chunk = sandbox.unmetered(session.meter, open_include, session, name)
    if chunk then chunk() end
  end
end

-- The names a spec sees; a name it does not have is an error.
local function new_environment(session)
  local names = library.new(session.meter.charge)
  for _, kind in ipairs(schema.names) do
    names[kind] = constructor(session, kind)
  end
  names.param = param_constructor(session)
  names.include = include_constructor(session)
  session.string_library = names.string
  local known = {}
  for name in next, names do known[#known + 1] = name end
  table.sort(known)
  setmetatable(names, { __index = function(_, name)
    local hint = sandbox.unmetered(session.meter, diag.hint, tostring(name),
                                   known)
    error("unknown name '" .. tostring(name) .. "'" .. hint, 0)
  end })
  return setmetatable({}, { __index = names, __newindex = function(env, name)
    error("found an assignment to '" .. tostring(name)
          .. "', which is not declared: wanted 'local'", 0)
    return env
  end, __metatable = false })
end

-- Runs the spec in a file. The session: `sources`, `calls` = { kind, argument,
-- line, source = number, value, problem }, `failures` = { source, line,
-- message }. Or nil and a sentence if there is no such file.
function M.run(path, set)
  local text, problem = read_file(path)
  if not text then return nil, problem end
  local session = { sources = {}, number_of = {}, calls = {}, values = 0,
                    failures = {}, set = set, meter = sandbox.new_meter() }
  add_source(session, path, text)
  session.environment = new_environment(session)
  local chunk, failure = sandbox.compile(text, 1, session.environment)
  if chunk then
    failure = sandbox.run(chunk, session.meter, session.string_library)
  end
  if failure then table.insert(session.failures, failure) end
  return session
end

return M
