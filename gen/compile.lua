-- Compiles what emit rendered into one shared object, kept in a cache by a key
-- of everything that decides its bytes: texts, flags, compiler, processor.

local joined = require "gen.c.joined"
local lists = require "gen.list"
local recipes = require "gen.compile.recipes"
local shared = require "gen.compile.shared"
local shell = require "gen.shell"
local store = require "gen.compile.store"

local M = {}

-- The flags that kernels are compiled with, as a list of words.
function M.flags(options)
  return recipes.flags(recipes.compiler(options), options)
end

-- `first`: words that go before the flags of the kernels' compiler.
local function compile_command(path, options, casts, first)
  local compiler = recipes.compiler_of(path, options.backend)
  local words = recipes.words(compiler, options, casts)
  if options.resources then words[#words + 1] = compiler.talkative end
  if compiler == recipes.compiler(options) then
    words = lists.joined(first, words)
    lists.append(words, shared.words(compiler, options))
  end
  lists.append(words, { "-c", path, "-o", path .. ".o" })
  return recipes.command(compiler, words)
end

-- `objects`: those that it shares with others.
local function link_command(sources, options, objects)
  local words = { "-shared", "-o", "module.so" }
  if options.backend == "cuda" then
    recipes.add_architectures(words, options.arch)
  end
  for _, path in ipairs(sources) do words[#words + 1] = path .. ".o" end
  lists.append(words, objects)
  lists.append(words, recipes.libraries(options))
  return recipes.command(recipes.compiler(options), words)
end

-- The sources among the files, as they lie in the build folder, in order.
local function sources_of(files)
  local sources = {}
  for _, file in ipairs(files) do
    if file.path:find("%.cu$") or file.path:find("%.c$") then
      sources[#sources + 1] = file.path:match("[^/]+$")
    end
  end
  return sources
end

local function compile_commands(sources, options, casts, first)
  local commands = {}
  for i, path in ipairs(sources) do
    commands[i] = compile_command(path, options, casts, first)
  end
  return commands
end

-- The kernels' compiler and its flags, as one text: what was measured holds for
-- these alone. Nil and a sentence where there is no compiler.
function M.recipe(options)
  local compiler = recipes.compiler(options)
  local text, problem = recipes.identity(compiler)
  if not text then return nil, problem end
  return table.concat(recipes.words(compiler, options), " ") .. "\n" .. text
end

local function identities_of(sources, options)
  local texts = { options.backend == "simt" and shared.simt_texts(options)
    or "" }
  for _, path in ipairs(sources) do
    local text, problem = recipes.identity(recipes.compiler_of(path,
      options.backend))
    if not text then return nil, problem end
    texts[#texts + 1] = text
  end
  return table.concat(texts)
end

-- All commands that make a module, as one text, and what the compilers are;
-- nil and a sentence where there is none.
local function recipe_of(sources, objects, options, casts)
  local identified, problem = identities_of(sources, options)
  if not identified then return nil, problem end
  local commands = compile_commands(sources, options, casts, {})
  for _, object in ipairs(objects) do
    commands[#commands + 1] = object.command
  end
  commands[#commands + 1] = link_command(sources, options, {})
  return table.concat(commands, "\n") .. identified
end

-- Fills the build folder and gives the key of what it would become.
local function prepare(folder, files, recipe)
  local parts = { recipe }
  for _, file in ipairs(files) do
    shell.write(folder .. "/" .. file.path:match("[^/]+$"), file.text)
    parts[#parts + 1] = ("%s %d\n"):format(file.path, #file.text)
    parts[#parts + 1] = file.text
  end
  return store.key(folder, table.concat(parts))
end

-- Compiles and links in a folder that has the files; `module.so` is there then.
local function make(folder, sources, objects, options, casts)
  local paths, problem = shared.kept(objects, folder, options)
  if not paths then return nil, problem end
  local well
  well, problem = shell.all(folder, compile_commands(sources, options, casts,
    shared.parsed(folder, options, casts)))
  if not well then return nil, problem end
  return shell.all(folder, { link_command(sources, options, paths) })
end

local function build(folder, files, options)
  local sources, casts = sources_of(files), recipes.has_casts(files)
  if recipes.joins(recipes.compiler(options), options) then
    files, sources = joined.files(files)
  end
  local objects = shared.objects(files, options)
  local recipe, problem = recipe_of(sources, objects, options, casts)
  if not recipe then return nil, problem end
  local key = prepare(folder, files, recipe)
  local entry = ("%s/%s.so"):format(store.folder(options), key)
  if store.is_kept(entry) then return entry end
  local well, path
  well, problem = make(folder, sources, objects, options, casts)
  if not well then return nil, problem end
  path, problem = store.publish(folder .. "/module.so", entry)
  if path then return path end
  return nil, problem .. link_command(sources, options, {})
end

local MINUTES = "(%d+)m([%d.]+)s%s+(%d+)m([%d.]+)s%s*$"

-- What one command took of a processor and what it said, or nil and that.
local function seconds_of(folder, command)
  local well, output = shell.run("cd " .. shell.quote(folder) .. " && "
    .. command .. " && times")
  if not well then return nil, command .. "\n" .. output end
  local user_m, user_s, system_m, system_s = output:match(MINUTES)
  return 60 * (user_m + system_m) + user_s + system_s, output
end

-- Compiles each source, and keeps nothing. Gives { { path, seconds (of a
-- processor), said = what the compiler did }.. }, or nil and what went wrong.
function M.attempts(files, options)
  local found, missing = recipes.identity(recipes.compiler(options))
  if not found then return nil, missing end
  local well, folder = shell.run("mktemp -d")
  if not well then return nil, folder end
  folder = folder:gsub("\n$", "")
  for _, file in ipairs(files) do
    shell.write(folder .. "/" .. file.path:match("[^/]+$"), file.text)
  end
  local list, problem = {}, nil
  for i, path in ipairs(sources_of(files)) do
    local command = compile_command(path, options, false, {})
    local seconds, said = seconds_of(folder, command)
    list[i] = { path = path, seconds = seconds, said = said }
    if not seconds then problem = problem or said end
  end
  shell.run("rm -rf " .. shell.quote(folder))
  if problem then return nil, problem end
  return list
end

-- Makes the shared object of one instance. Gives its path, or nil and the
-- command that failed with what it said.
function M.module(files, options)
  local cache = shell.quote(store.folder(options))
  local well, folder = shell.run("mkdir -p " .. cache .. " && mktemp -d "
    .. cache .. "/build.XXXXXX")
  if not well then return nil, folder end
  folder = folder:gsub("\n$", "")
  local path, problem = build(folder, files, options)
  shell.run("rm -rf " .. shell.quote(folder))
  return path, problem
end

return M
