-- The cache of what was compiled: entries under the checksum of all that they
-- were made of. They appear by rename, after their own checksum, so several
-- processes can share the folder, and a torn entry is made again.

local lfs = require "lfs"

local shell = require "gen.shell"

local M = {}

-- Where it is: in the output folder, or where QUERN_CACHE says.
function M.folder(options)
  local named = options.cache or os.getenv "QUERN_CACHE"
  if not named or named == "" then return options.out .. "/cache" end
  return named:find "^/" and named or lfs.currentdir() .. "/" .. named
end

-- The key of a text. Leaves the text in the folder.
function M.key(folder, text)
  shell.write(folder .. "/recipe", text)
  local well, sum = shell.run("cd " .. shell.quote(folder)
    .. " && sha256sum < recipe")
  assert(well, sum)
  return sum:match("^%x+"):sub(1, 32)
end

local function checksum(path)
  local well, sum = shell.run("cksum < " .. shell.quote(path))
  return well and sum
end

-- Whether the entry is there, whole.
function M.is_kept(entry)
  local file = io.open(entry .. ".sum", "rb")
  if not file then return false end
  local sum = file:read("a")
  file:close()
  return sum ~= "" and checksum(entry) == sum
end

-- Moves what was built to its entry. The checksum is in place before it, so a
-- reader never trusts less than the whole.
function M.publish(built, entry)
  local sum = checksum(built)
  if not sum then return nil, "no shared object came of\n" end
  shell.write(built .. ".sum", sum)
  assert(os.rename(built .. ".sum", entry .. ".sum"))
  assert(os.rename(built, entry))
  return entry
end

return M
