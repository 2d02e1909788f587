-- What the tests of lower share: specs as text and readable expressions.
-- (tests/lowering_values.lua has their numbers.)

local driver = require "gen.driver"

local M = {}

-- Runs the passes up to lower on a spec given as text; options are added.
function M.run(text, options)
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  local all = { spec = path, set = {}, stop_after = "lower", fp = "strict" }
  for key, value in pairs(options or {}) do all[key] = value end
  local well, state, problems = pcall(driver.run, all)
  os.remove(path)
  assert(well, state)
  return state, problems
end

local function sentences(problems)
  local list = {}
  for i, problem in ipairs(problems or {}) do list[i] = problem.message end
  return table.concat(list, "\n")
end

function M.lower(text, options)
  local state, problems = M.run(text, options)
  if not state then error(sentences(problems), 2) end
  return state.lowered
end

-- The messages of what is refused, one a line.
function M.refused(text, options)
  local state, problems = M.run(text, options)
  return not state and sentences(problems) or nil, problems
end

-- ---------------------------------------------------------------------------
-- Readable text

local SIGN = { add = " + ", sub = " - ", mul = "*", div = "/" }

-- As text: every operation of two in brackets.
function M.show(e, loads)
  if e.op == "literal" then
    return e.d == "1" and e.n or e.n .. "/" .. e.d
  elseif e.op == "load" then
    return loads[e.id].name
  elseif e.name then
    return e.name
  end
  local args = {}
  for i, below in ipairs(e) do args[i] = M.show(below, loads) end
  if e.op == "pow" then return args[1] .. "^" .. e.exponent end
  if SIGN[e.op] then return "(" .. table.concat(args, SIGN[e.op]) .. ")" end
  if e.op == "neg" then return "-" .. args[1] end
  return ("%s(%s)"):format(e.fn or e.cmp or e.op, table.concat(args, ", "))
end

-- A block as lines: host, code, stores.
function M.lines(block)
  local lines = {}
  local function add(what, name, value)
    lines[#lines + 1] = ("%s %s = %s"):format(what, name,
      M.show(value, block.loads))
  end
  for _, entry in ipairs(block.host) do add("host", entry.name, entry.value) end
  for _, entry in ipairs(block.code) do add("code", entry.name, entry.value) end
  for _, s in ipairs(block.stores) do add("store", s.buffer, s.value) end
  return lines
end

function M.text(block)
  return table.concat(M.lines(block), "\n")
end

-- Calls visit(e) for every expression of a block's code and stores.
function M.each(block, visit)
  local function walk(e)
    visit(e)
    for _, below in ipairs(e) do walk(below) end
  end
  for _, entry in ipairs(block.code) do walk(entry.value) end
  for _, s in ipairs(block.stores) do walk(s.value) end
end

return M
