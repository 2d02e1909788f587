-- What stands in for the device, parsed once for each compiler and its flags
-- and kept in the cache: reading the text is a third of what compiling a kernel
-- takes. A compiler that finds nothing there, or what it cannot use, reads it.

local shell = require "gen.shell"

local M = {}

-- In the runtime's folder; `FIRST .. ".gch"` is what it becomes.
M.FIRST = "simt/first.h"

local KEPT = 8          -- in a cache, at 18 MB each

local function folder_of(key) return "simt." .. key end

-- The words that have a compiler, in a folder of the cache, begin with what is
-- there under a key. They go before its other flags.
function M.words(key)
  return { "-I../" .. folder_of(key), "-include", M.FIRST }
end

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

-- Sees to it that the cache has an entry, which `command` makes in a folder of
-- it, as first.gch. Gives whether a compiler could; it appears by rename.
function M.keep(cache, key, folder, command)
  local place = ("%s/%s/%s.gch"):format(cache, folder_of(key), M.FIRST)
  if exists(place) then return true end
  local made = folder .. "/first.gch"
  if not shell.run("cd " .. shell.quote(folder) .. " && " .. command) then
    return false
  end
  assert(shell.run("mkdir -p " .. shell.quote(place:match("^(.*)/"))))
  assert(os.rename(made, place))
  prune(cache)
  return true
end

return M
