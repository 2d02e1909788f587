-- Asks quern-run: one JSON request a line in, one JSON answer a line out. Lua
-- never loads a module itself, so a kernel that crashes takes only quern-run
-- with it.

local lfs = require "lfs"

local shell = require "gen.shell"

local M = {}

-- What make leaves when all is built, and the folders of what that is built of.
local MADE = "/out/runtime/made"
local SOURCES = { "runtime", "runtime/simt", "templates" }

local function time_of(path)
  return lfs.attributes(path, "modification") or 0
end

-- Was all built after the last change of what it is built of? Then make, which
-- needs longer than many a kernel to say so, has nothing to do.
local function is_fresh(root)
  local made = time_of(root .. MADE)
  if time_of(root .. "/Makefile") >= made then return false end
  for _, folder in ipairs(SOURCES) do
    for name in lfs.dir(root .. "/" .. folder) do
      if not name:find "^%." and time_of(root .. "/" .. folder .. "/" .. name)
        >= made then return false end
    end
  end
  return true
end

-- The path of quern-run, built by make if it is not there or not fresh.
function M.program(options)
  local path = options.root .. "/out/runtime/quern-run"
  if time_of(path) > 0 and options.backend ~= "cuda"
    and is_fresh(options.root) then
    return path
  end
  local root = shell.quote(options.root)
  local make = ([[
    cd %s && { test ! -f Makefile || {
      if command -v flock >/dev/null; then flock Makefile make -s all
      else make -s all; fi; }; }]]):format(root)
  local well, output = shell.run(make)
  if not well then return nil, "quern-run cannot be built\n" .. output end
  return path
end

-- A module below the output folder, where quern-run runs: JSON is UTF-8, and
-- the folder's path need not be.
local function relative(path, options)
  local above = options.out .. "/"
  return path:sub(1, #above) == above and path:sub(#above + 1) or path
end

local function lines_of(cjson, requests, options)
  local lines = {}
  for i, request in ipairs(requests) do
    local sent = {}
    for key, value in pairs(request) do sent[key] = value end -- any order
    sent.module = request.module and relative(request.module, options)
    sent.reference = request.reference and relative(request.reference, options)
    lines[i] = cjson.encode(sent)
  end
  return table.concat(lines, "\n") .. "\n"
end

-- The answers among the lines; what else was said, a sanitizer's or the
-- loader's words, comes as one text.
local function answers_of(cjson, output)
  local answers, noise = {}, {}
  for line in output:gmatch("[^\n]+") do
    local well, answer = pcall(cjson.decode, line)
    if well then
      answers[#answers + 1] = answer
    else
      noise[#noise + 1] = line
    end
  end
  return answers, table.concat(noise, "\n")
end

-- Gives the answers, in the order of the requests, or nil and what went wrong.
function M.run(requests, options)
  local found, cjson = pcall(require, "cjson")
  if not found then
    return nil, "quern: needs lua-cjson; on Debian: apt-get install lua-cjson"
  end
  local path, problem = M.program(options)
  if not path then return nil, problem end
  local lines = lines_of(cjson, requests, options)
  local file = os.tmpname()
  shell.write(file, lines)
  local _, output = shell.run(("CDPATH= cd -- %s && %s < %s"):format(
    shell.quote(options.out), shell.quote(path), shell.quote(file)))
  os.remove(file)
  local answers, noise = answers_of(cjson, output)
  if #answers < #requests then
    return nil, ("quern-run stopped at request %d of %d\n%s")
      :format(#answers + 1, #requests, noise)
  end
  return answers
end

return M
