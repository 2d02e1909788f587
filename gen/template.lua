-- The template engine: text that reads like what comes out of it.
--
-- A line whose first non-blank is `%` is one line of Lua; `$name` and
-- `${expr}` insert a value, `$$` is a dollar, all else is copied. Every
-- template line becomes exactly one Lua line under the template's own name, so
-- Lua's own messages carry the template's line. Strict: undefined and unused
-- values and raw floats are errors, and an error here is a bug in Quern.

local M = {}

local ROOT = package.searchpath("gen.template", package.path)
  :match("^(.*)gen/template%.lua$")

local LIBRARY = { ipairs = ipairs }

local function read(name)
  local file = assert(io.open(ROOT .. "templates/" .. name .. ".tpl", "rb"))
  local text = file:read("a")
  file:close()
  return text
end

-- One template line as a list: literal, expression, literal, .., literal.
local function pieces(line)
  local list, literal, at = {}, {}, 1
  while true do
    local dollar = line:find("$", at, true)
    literal[#literal + 1] = line:sub(at, (dollar or 0) - 1)
    if not dollar then break end
    local name = line:match("^[%a_][%w_]*", dollar + 1)
    local braced = line:match("^%b{}", dollar + 1)
    if line:sub(dollar + 1, dollar + 1) == "$" then
      literal[#literal + 1] = "$"
      at = dollar + 2
    elseif name or braced then
      list[#list + 1] = table.concat(literal)
      list[#list + 1] = name or braced:sub(2, -2)
      literal, at = {}, dollar + 1 + #(name or braced)
    else
      error("a lone '$': write '$$', '$name' or '${expression}'", 0)
    end
  end
  list[#list + 1] = table.concat(literal)
  return list
end

-- One template line as one line of Lua.
local function translate(line)
  local indent, code = line:match("^(%s*)%%(.*)$")
  if code then
    local included = code:match("^%s*include%f[%W](.*)$")
    return included and ("_include(%q, %s)"):format(indent, included) or code
  end
  local list = pieces(line)
  for i, piece in ipairs(list) do
    list[i] = i % 2 == 1 and ("%q"):format(piece) or "(" .. piece .. ")"
  end
  return ("_put{n=%d,%s}"):format(#list, table.concat(list, ","))
end

local function compile(name, text)
  local lines = {}
  for line in (text:gsub("\n$", "") .. "\n"):gmatch("(.-)\n") do
    local well, code = pcall(translate, line)
    if not well then
      error(("templates/%s.tpl:%d: %s"):format(name, #lines + 1, code), 0)
    end
    lines[#lines + 1] = code
  end
  return table.concat(lines, "\n")
end

-- The Lua of a template's file, which is read once a process.
local codes = {}
local function code_of(name)
  codes[name] = codes[name] or compile(name, read(name))
  return codes[name]
end

-- A value as text whose further lines start at the given column. A list is
-- lines; nil, booleans and floats are errors of the line that inserts them.
local function inserted(value, column)
  local kind = math.type(value) or type(value)
  if kind == "table" then
    value = table.concat(value, "\n")
  elseif kind == "integer" then
    value = tostring(value)
  elseif kind ~= "string" then
    error(("cannot insert a %s"):format(kind), 4)
  end
  return (value:gsub("\n", "\n" .. (" "):rep(column)))
end

-- Appends one line; a line that is nothing but an empty list is left out.
local function put(out, indent, parts)
  if parts.n == 3 and type(parts[2]) == "table" and #parts[2] == 0
     and not (parts[1] .. parts[3]):find("%S") then
    return
  end
  local line = indent .. parts[1]
  for i = 2, parts.n, 2 do
    local column = #line:match("[^\n]*$")
    line = line .. inserted(parts[i], column) .. parts[i + 1]
  end
  out[#out + 1] = (line:gsub("[ \t]+%f[\n\0]", ""))
end

local run

-- What a template sees: its values, the library, and nothing else.
local function environment(state, indent, values)
  local env = {
    _put = function(parts) put(state.out, indent, parts) end,
    _include = function(inner, name, more)
      run(state, indent .. inner, name,
        more and setmetatable(more, { __index = values }) or values)
    end,
  }
  return setmetatable(env, { __index = function(_, key)
    local value = values[key]
    if value == nil then value = LIBRARY[key] end
    if value == nil then
      error(("undefined value '%s'"):format(key), 2)
    end
    state.used[key] = true
    return value
  end })
end

function run(state, indent, name, values, text)
  local code = text and compile(name, text) or code_of(name)
  local env = environment(state, indent, values)
  local chunk, problem = load(code, "@templates/" .. name .. ".tpl", "t", env)
  if not chunk then error(problem, 0) end
  chunk()
end

-- Every value given must have been asked for.
local function check_used(name, values, used)
  local unused = {}
  for key in pairs(values) do -- any order
    if not used[key] then unused[#unused + 1] = key end
  end
  table.sort(unused)
  if unused[1] then
    error(("templates/%s.tpl: unused value '%s'"):format(name,
      table.concat(unused, "', '")), 0)
  end
end

-- The text of template `name` with `values`; `text` replaces the file's (for
-- tests). Errors are of the form templates/NAME.tpl:LINE: message.
function M.render(name, values, text)
  local state = { out = {}, used = {} }
  run(state, "", name, values, text)
  check_used(name, values, state.used)
  return table.concat(state.out, "\n") .. "\n"
end

return M
