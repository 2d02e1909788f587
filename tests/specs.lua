-- For tests of the front end: specs from texts, and what is said about them.

local lfs = require "lfs"

local diag = require "gen.diag"
local formula = require "gen.formula"
local spec = require "gen.spec"

local M = {}

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

local function remove(folder, files)
  for name in pairs(files) do os.remove(folder .. "/" .. name) end
  for name in pairs(files) do
    local sub = name:match("^(.*)/")
    if sub then lfs.rmdir(folder .. "/" .. sub) end
  end
  assert(lfs.rmdir(folder))
end

-- Calls f(folder) with a temporary folder that holds `files` (name = text).
function M.with_files(files, f)
  local folder = os.tmpname()
  os.remove(folder)
  assert(lfs.mkdir(folder))
  for name, text in pairs(files) do
    local sub = name:match("^(.*)/")
    if sub then lfs.mkdir(folder .. "/" .. sub) end
    write(folder .. "/" .. name, text)
  end
  local results = table.pack(pcall(f, folder))
  remove(folder, files)
  assert(results[1], results[2])
  return table.unpack(results, 2, results.n)
end

-- decls or nil, diagnostics; of `s.lua` among the files (or of one text).
function M.load(files, set)
  if type(files) == "string" then files = { ["s.lua"] = files } end
  return M.with_files(files, function(folder)
    return spec.load { spec = folder .. "/s.lua", set = set }
  end)
end

function M.parse(files, set)
  local decls, problems = M.load(files, set)
  if not decls then return nil, problems end
  return formula.parse(decls)
end

-- What is printed, without the folder.
function M.printed(problems)
  return (diag.format(problems):gsub("/tmp/[%w_]+/", ""))
end

-- What must be printed for "line:column: message" entries about one text.
-- An entry without a number is about the file; "note: " needs no repetition.
function M.expected(text, entries)
  local lines, out = {}, {}
  for line in (text .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = line end
  for _, entry in ipairs(entries) do
    local line, column = entry:match("^(%d+):(%d+): ")
    if not line then
      out[#out + 1] = "s.lua: " .. entry .. "\n"
    else
      local source = lines[tonumber(line)] or ""
      local margin = source:sub(1, column - 1):gsub("[^\t]", " ")
      margin = margin .. (" "):rep(column - 1 - #margin)
      source = source:gsub("[^\t\32-\126\128-\255]", "?")
      out[#out + 1] = ("s.lua:%s\n    %s\n    %s^\n"):format(entry, source,
                                                              margin)
    end
  end
  return table.concat(out)
end

return M
