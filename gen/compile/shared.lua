-- What many modules share, made once and kept in the cache. For kernels that
-- are not optimised: objects that they are linked with. For those on simt: what
-- stands in for the device, parsed, which is a third of what compiling a kernel
-- takes; a compiler that finds none there, or none that it can use, reads it.

local recipes = require "gen.compile.recipes"
local lists = require "gen.list"
local shell = require "gen.shell"
local store = require "gen.compile.store"

local M = {}

-- In the runtime's folder: what simt's kernels begin with, and all of it that
-- is no kernel's own.
local FIRST, REST = "simt/first.h", "simt/rest.cpp"

-- Headers whose functions are compiled once, and what says so: to a kernel, and
-- to a header that is compiled by itself.
local HEADERS = { "quern_launch.h", "quern_mesh.h" }
M.ELSEWHERE = "-DQUERN_PRIVATE=extern inline __attribute__((gnu_inline))"
M.HERE = "-DQUERN_PRIVATE="

local MADE = "shared.o"
local KEPT = 8          -- of what is parsed in a cache, at 10 MB each

-- What stands in for the device is compiled into every simt module.
function M.simt_texts(options)
  local well, sums = shell.run("cd " .. shell.quote(options.root .. "/runtime")
    .. " && cat simt.h simt/* | cksum")
  assert(well, sums)
  return sums
end

-- ---------------------------------------------------------------------------
-- Objects

-- The flags by which a kernel does without functions that are compiled once.
function M.words(compiler, options)
  return recipes.shares(compiler, options) and { M.ELSEWHERE } or {}
end

-- The headers among the files whose functions are compiled once: their names,
-- and all their text.
local function headers_among(files)
  local names, texts = {}, {}
  for _, name in ipairs(HEADERS) do
    for _, file in ipairs(files) do
      if file.path:match "[^/]+$" == name then
        names[#names + 1], texts[#texts + 1] = name, file.text
      end
    end
  end
  return names, table.concat(texts)
end

-- How the functions of these headers are compiled.
local function functions(names, options)
  local compiler = recipes.compiler(options)
  local words = lists.append(recipes.words(compiler, options),
    { M.HERE, "-fvisibility=hidden" })
  for _, name in ipairs(names) do lists.append(words, { "-include", name }) end
  return recipes.command(compiler, lists.append(words,
    { "-x", compiler.language, "-c", "/dev/null", "-o", MADE }))
end

-- How all of simt that is no kernel's own is compiled.
local function rest(options)
  local compiler = recipes.compiler(options)
  return recipes.command(compiler, lists.joined(compiler.rest,
    { "-c", options.root .. "/runtime/" .. REST, "-o", MADE }))
end

-- The objects that a module of these files is linked with beside its own:
-- { command = .., text = what decides it but the command and its compiler }.
function M.objects(files, options)
  local list = {}
  local names, texts = headers_among(files)
  if #names > 0 and recipes.shares(recipes.compiler(options), options) then
    list[1] = { command = functions(names, options), text = texts }
  end
  if recipes.detects(options) then
    list[#list + 1] = { command = rest(options),
                        text = M.simt_texts(options) }
  end
  return list
end

local function make(folder, command, entry)
  local well, said = shell.run("cd " .. shell.quote(folder) .. " && "
    .. command)
  if not well then return nil, command .. "\n" .. said end
  local path, problem = store.publish(folder .. "/" .. MADE, entry)
  return path, problem and problem .. command
end

-- Sees to it that the cache has the objects, which are made in the build
-- folder. Gives their paths from there, or nil and what went wrong.
function M.kept(objects, folder, options)
  local paths = {}
  for i, object in ipairs(objects) do
    local key = store.key(folder, object.command .. "\n"
      .. recipes.identity(recipes.compiler(options)) .. object.text)
    local entry = ("%s/%s.o"):format(store.folder(options), key)
    if not store.is_kept(entry) then
      local path, problem = make(folder, object.command, entry)
      if not path then return nil, problem end
    end
    paths[i] = "../" .. key .. ".o"
  end
  return paths
end

-- ---------------------------------------------------------------------------
-- What is parsed

-- Removes all but the newest: who is about to use one reads the text instead.
local function prune(cache)
  shell.run(("cd %s && ls -dt simt.* | tail -n +%d | xargs rm -rf"):format(
    shell.quote(cache), KEPT + 1))
end

local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

-- Parses it in the build folder and moves it to its place in the cache. Gives
-- whether a compiler could.
local function parse(place, folder, command)
  local made = folder .. "/first.gch"
  if not shell.run(("cd %s && %s -o first.gch"):format(shell.quote(folder),
                                                      command)) then
    return false
  end
  assert(shell.run("mkdir -p " .. shell.quote(place:match("^(.*)/"))))
  assert(os.rename(made, place))
  return true
end

-- The words that compilers in a build folder have before their other flags, so
-- that they begin with what is parsed; none where there is no such thing.
function M.parsed(folder, options, casts)
  if options.backend ~= "simt" then return {} end
  local compiler = recipes.compiler(options)
  local command = recipes.command(compiler, lists.append(
    recipes.words(compiler, options, casts),
    { "-x", "c++-header", "-c", options.root .. "/runtime/" .. FIRST }))
  local name = "simt." .. store.key(folder, command
    .. recipes.identity(compiler) .. M.simt_texts(options))
  local cache = store.folder(options)
  local place = ("%s/%s/%s.gch"):format(cache, name, FIRST)
  if not exists(place) then
    if not parse(place, folder, command) then return {} end
    prune(cache)
  end
  return { "-I../" .. name, "-include", FIRST }
end

return M
