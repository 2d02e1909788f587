-- What stands in for the device, parsed once for each compiler and its flags
-- and kept in the cache: reading the text is a third of what compiling a kernel
-- takes. A compiler that finds nothing there, or what it cannot use, reads it.
-- For the detectors also what all their kernels share, compiled once.

local shell = require "gen.shell"

local M = {}

-- In the runtime's folder, and what becomes of them in a build folder.
M.FIRST, M.FIRST_OBJECT = "simt/first.h", "first.gch"
M.REST, M.REST_OBJECT = "simt/rest.cpp", "rest.o"

local KEPT = 8          -- in a cache, at 18 MB each

local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

-- Removes all but the newest: who is about to use one reads the text instead.
local function prune(cache)
  shell.run(("cd %s && ls -dt simt.* | tail -n +%d | xargs rm -rf"):format(
    shell.quote(cache), KEPT + 1))
end

-- Moves what was made to its place in the cache.
local function publish(made, place)
  assert(shell.run("mkdir -p " .. shell.quote(place:match("^(.*)/"))))
  assert(os.rename(made, place))
end

-- Sees to it that the cache has what is parsed. Gives whether a compiler could.
local function keep(place, folder, command)
  if exists(place) then return true end
  if not shell.run("cd " .. shell.quote(folder) .. " && " .. command) then
    return false
  end
  publish(folder .. "/" .. M.FIRST_OBJECT, place)
  return true
end

-- Puts what is shared into the build folder, from the cache if it is there.
local function take(place, folder, command)
  local target = folder .. "/" .. M.REST_OBJECT
  local copy = ("cp %s %s"):format(shell.quote(place), shell.quote(target))
  if exists(place) and shell.run(copy) then return end
  if not shell.run("cd " .. shell.quote(folder) .. " && " .. command) then
    return
  end
  local made = target .. ".kept"
  assert(shell.run(("cp %s %s"):format(shell.quote(target),
    shell.quote(made))))
  publish(made, place)
end

-- Runs the commands, the first to parse and the second (nil: nothing is shared)
-- to compile, for what a cache has not under a key; it appears there by rename.
-- Gives the words that compilers in a folder of the cache have before their
-- other flags, or nil where nothing could be parsed.
function M.fetch(cache, key, folder, commands)
  local place = ("%s/simt.%s/"):format(cache, key)
  local first = place .. M.FIRST .. ".gch"
  local fresh = not exists(first)
  local parsed = keep(first, folder, commands[1])
  if commands[2] then take(place .. M.REST_OBJECT, folder, commands[2]) end
  if fresh then prune(cache) end
  if not parsed then return nil end
  return { "-I../simt." .. key, "-include", M.FIRST }
end

return M
