-- Pass 1, load: runs the spec in a closed environment and collects its
-- declarations with their positions.

local declare = require "gen.spec.declare"
local diag = require "gen.diag"
local dump = require "gen.dump"
local hash = require "gen.spec.hash"
local headers = require "gen.headers"
local locate = require "gen.spec.locate"
local names = require "gen.spec.names"
local namespace = require "gen.spec.namespace"
local schema = require "gen.spec.schema"
local session = require "gen.spec.session"

local M = {}

-- Part of every hash: a new number makes every generated file stale.
M.GENERATOR = "quern 1"

-- The word in quotes that a Lua message names, where it stands on its line.
local function failure_position(source, failure)
  if not failure.line then return { source = source } end
  local pos = diag.line_position(source, failure.line)
  local _, _, text = diag.place(pos)
  local start = pos.offset - (#string.match(text, "^[ \t]*"))
  for word in string.gmatch(failure.message, "'([^']+)'") do
    local from = 1
    while true do
      local first, last = string.find(text, word, from, true)
      if not first then break end
      local whole = not string.find(text, "^[%w_]", last + 1)
        and not string.find(string.sub(text, first - 1, first), "^[%w_][%w_]")
      if first == 1 or whole then
        return { source = source, offset = start + first - 1 }
      end
      from = last + 1
    end
  end
  return pos
end

local function report_failures(run, report)
  for _, failure in ipairs(run.failures) do
    local source = run.sources[failure.source]
    report(diag.new(failure_position(source, failure), "%s", failure.message))
  end
end

local function report_problem(call, item, finder, report)
  local problem = call.problem
  if not problem then return end
  local pos = item and item.key_pos[problem.key] or finder.pos
  if call.kind == "include" and item then
    pos = { source = item.keys.text.source, offset = item.keys.text.offset }
  end
  report(diag.new(pos, "%s", problem.message))
end

-- `--set` of a param that the spec does not have.
local function check_set(run, params, report)
  local known, wanted = {}, {}
  for i, p in ipairs(params) do known[i], known[p.name] = p.name, true end
  for name in next, run.set or {} do
    if not known[name] then wanted[#wanted + 1] = name end
  end
  table.sort(wanted)
  for _, name in ipairs(wanted) do
    local near = diag.hint(name, known)
    if near == "" and #known > 0 then
      near = "; its params: " .. table.concat(known, ", ")
    end
    report(diag.new({ source = run.sources[1] },
                    "--set %s: the spec has no such param%s", name, near))
  end
end

local function add_param(params, call, item)
  if not item or not item.names[1] then return end
  local name, pos = item.names[1].name, item.names[1].pos
  params[#params + 1] = { name = name, value = call.value,
                          short = item.keys.short or name, pos = pos }
end

-- Every call as an item, in order; what two sources declare in the same words
-- is one declaration.
local function read_calls(run, report)
  local items, params, scans, seen = {}, {}, {}, {}
  local space = namespace.new(report)
  for _, call in ipairs(run.calls) do
    local finder = locate.new(scans, run.sources[call.source], call)
    local words = call.kind .. dump.text { call.argument }
    local before = seen[words]
    if not before or before == call.source then
      seen[words] = call.source
      local item = declare.item(call, finder, report)
      report_problem(call, item, finder, report)
      if item and call.kind ~= "include" then
        namespace.add(space, item)
        if call.kind == "param" then add_param(params, call, item)
        else items[#items + 1] = item end
      end
    end
  end
  return items, params
end

local function check_short(params, report)
  for _, p in ipairs(params) do
    if p.short ~= "" and not string.find(p.short, "^%a[%w_]*$") then
      report(diag.new(p.pos, "short: found '%s', wanted a name or \"\"",
                      p.short))
    end
  end
end

local function has_precision(items)
  for _, item in ipairs(items) do
    if item.kind == "precision" then return true end
  end
  return false
end

local function hash_of(name, run, params)
  local parts = { M.GENERATOR, name }
  for _, source in ipairs(run.sources) do parts[#parts + 1] = source.text end
  for _, p in ipairs(params) do
    parts[#parts + 1] = p.name .. "=" .. dump.text(p.value)
  end
  return hash.of(parts)
end

-- The spec's name is its file's.
local function spec_name(path, source, report)
  local name = string.gsub(string.match(path, "[^/]*$"), "%.lua$", "")
  local problem = names.problem(name)
  if headers[string.lower(name) .. ".h"] then
    problem = string.format("'%s' is a header that all specs share", name)
  end
  if problem then
    report(diag.new({ source = source }, "the spec is named after its file: %s",
                    problem))
  end
  return name
end

-- The declarations of the spec `options.spec`, or nil and diagnostics.
function M.load(options)
  local problems = {}
  local function report(d) problems[#problems + 1] = d end
  local run, problem = session.run(options.spec, options.set)
  if not run then
    return nil, { diag.new({ source = { name = options.spec, text = "" } },
                           "%s", problem) }
  end
  local name = spec_name(options.spec, run.sources[1], report)
  local items, params = {}, {}
  if not run.meter.exceeded then items, params = read_calls(run, report) end
  report_failures(run, report)
  check_short(params, report)
  if #run.failures == 0 then
    check_set(run, params, report)
    if not has_precision(items) then
      report(diag.new({ source = run.sources[1], offset = 1 },
                      "the spec declares no precision"))
    end
  end
  if #problems > 0 then return nil, problems end
  return { name = name, file = options.spec, sources = run.sources,
           hash = hash_of(name, run, params), params = params, items = items }
end

M.constructors = schema.names

return M
