-- Writes what emit rendered: only what changed, each file whole or not at all,
-- many processes at once.
--
-- A manifest beside the files, <instance>.files, names what belongs to the
-- instance, so that the next run removes what is stale. The depfile names what
-- the files depend on, for Make, with an empty rule for each so that a
-- dependency may vanish.

local diag = require "gen.diag"
local headers = require "gen.headers"
local lfs = require "lfs"

local M = {}

local function refused(fmt, ...)
  return nil, { diag.new(nil, fmt, ...) }
end

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read("a")
  file:close()
  return text
end

-- Makes a folder and those above it; nil and a sentence if it cannot be. Others
-- may make it at any moment.
local function make_folder(path)
  local found = path == "" and "directory" or lfs.attributes(path, "mode")
  if found == "directory" then return true end
  if found then return nil, path .. " is not a folder" end
  local above = path:match("^(.*)/[^/]*$")
  if above then
    local well, why = make_folder(above)
    if not well then return nil, why end
  end
  local made, why = lfs.mkdir(path)
  if made or lfs.attributes(path, "mode") == "directory" then return true end
  return nil, ("cannot make folder %s: %s"):format(path, why)
end

-- Writes text unless the file has it already: true if it was written, false
-- if not, nil and a sentence if it cannot be. `token` tells processes apart.
local function update(path, text, token)
  if read(path) == text then return false end
  local temporary = path .. token
  local file, why = io.open(temporary, "wb")
  if not file then return nil, "cannot write " .. why end
  local well = file:write(text)
  well = file:close() and well
  if well then well, why = os.rename(temporary, path) end
  if well then return true end
  os.remove(temporary)
  return nil, ("cannot write %s: %s"):format(path, why or "no space?")
end

-- Publishes one file in a folder that may not be there yet, whole or not at
-- all: true, or nil and a sentence.
function M.publish(path, text)
  local well, why = make_folder(path:match("^(.*)/[^/]*$") or "")
  if not well then return nil, why end
  local unique = os.tmpname()           -- ours alone while it exists
  local written, problem = update(path, text, "." .. unique:match("[^/]+$"))
  os.remove(unique)
  if written == nil then return nil, problem end
  return true
end

-- The files of one instance in one folder as a manifest: path and names; the
-- headers that all instances share belong to none.
local function manifest_of(files, folder, instance)
  local names = {}
  for _, file in ipairs(files) do
    local where, name = file.path:match("^(.-)([^/]+)$")
    if where == folder and not headers[name] then names[#names + 1] = name end
  end
  table.sort(names)
  return { path = folder .. instance .. ".files", folder = folder,
           instance = instance, names = names,
           text = table.concat(names, "\n") .. "\n" }
end

-- One for each backend's folder.
local function manifests_of(files)
  local list = {}
  for _, file in ipairs(files) do
    local folder, instance = file.path:match("^(.-)([^/]+)_module%.c$")
    if folder then list[#list + 1] = manifest_of(files, folder, instance) end
  end
  return list
end

-- Removes what the last manifest names and this one does not. Only names that
-- an instance can have are believed.
local function remove_stale(out, manifest)
  local kept = {}
  for _, name in ipairs(manifest.names) do kept[name] = true end
  for name in (read(out .. manifest.path) or ""):gmatch("[^\n]+") do
    local ours = name:sub(1, #manifest.instance) == manifest.instance
    if ours and not kept[name] and name:match("^[%w_.]+$") then
      os.remove(out .. manifest.folder .. name)
    end
  end
end

local function escaped(path)
  return (path:gsub("[ #]", "\\%0"):gsub("%$", "$$"))
end

-- "targets: sources", then an empty rule for each source.
local function depfile_text(out, files, sources)
  local targets, needs, rules = {}, {}, {}
  for i, file in ipairs(files) do targets[i] = escaped(out .. file.path) end
  for i, source in ipairs(sources) do
    needs[i] = escaped(source.name)
    rules[i] = needs[i] .. ":\n"
  end
  return ("%s: %s\n\n%s"):format(table.concat(targets, " \\\n  "),
    table.concat(needs, " \\\n  "), table.concat(rules, "\n"))
end

-- All files, then the manifests (so that what they name is there), then the
-- depfile.
local function all_texts(out, files, manifests, options, sources)
  local list = {}
  for i, file in ipairs(files) do
    list[i] = { path = out .. file.path, text = file.text }
  end
  for _, manifest in ipairs(manifests) do
    list[#list + 1] = { path = out .. manifest.path, text = manifest.text,
                        manifest = manifest }
  end
  if options.depfile then
    list[#list + 1] = { path = options.depfile,
      text = depfile_text(out, files, sources or {}) }
  end
  return list
end

local function write_all(list, out, token)
  local changed = {}
  for _, item in ipairs(list) do
    local well, why = make_folder(item.path:match("^(.*)/[^/]*$") or "")
    if not well then return refused("%s", why) end
    if item.manifest then remove_stale(out, item.manifest) end
    local written, problem = update(item.path, item.text, token)
    if written == nil then return refused("%s", problem) end
    if written then changed[#changed + 1] = item.path end
  end
  return changed
end

-- The paths that changed, or nil and diagnostics about the output place.
function M.write(files, options, sources)
  local out = (options.out or "out"):gsub("([^/])/*$", "%1/")
  local unique = os.tmpname()           -- ours alone while it exists
  local changed, problems = write_all(
    all_texts(out, files, manifests_of(files), options, sources), out,
    "." .. unique:match("[^/]+$") .. ".tmp")
  os.remove(unique)
  return changed, problems
end

return M
