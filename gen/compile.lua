-- Compiles what emit rendered into one shared object, kept under the output
-- folder by a key of everything that decides its bytes: texts, flags, compiler,
-- processor. Entries appear by rename, after their checksum, so that several
-- processes can share the folder and a torn entry is built again.

local shell = require "gen.shell"

local M = {}

local function tool(variable, default)
  local value = os.getenv(variable)
  return value and value ~= "" and value or default
end

-- How kernels are compiled for each backend; everything else is plain C. Under
-- QUERN_QUICK=1, for those who compile to test, less is optimised. No value
-- depends on errno or traps, but choices between quotients are vectorised only
-- where these may change.
local COMPILERS = {
  c = { variable = "CC", default = "gcc", off = "-ffp-contract=off",
        fast = "-ffp-contract=fast",
        flags = { "-std=c11", "-O3", "-march=native", "-fopenmp",
                  "-fno-math-errno", "-fno-trapping-math", "-fPIC" },
        quick = "-Og" },
  reference = { variable = "CC", default = "gcc", off = "-ffp-contract=off",
                fast = "-ffp-contract=off",
                flags = { "-std=c11", "-O1", "-fPIC" } },
  simt = { variable = "CXX", default = "g++", off = "-ffp-contract=off",
           fast = "-ffp-contract=fast",
           flags = { "-x", "c++", "-std=c++17", "-O2", "-march=native",
                     "-fopenmp", "-fPIC" },
           quick = "-Og",
           detect = { "-x", "c++", "-std=c++17", "-Og", "-march=native",
                      "-fPIC", "-DSIMT_DETECT", "-fsanitize=kernel-address,"
                      .. "bounds,signed-integer-overflow",
                      "--param", "asan-globals=1" },
           casts = "-fsanitize=alignment" },
  cuda = { variable = "NVCC", default = "nvcc", off = "-fmad=false",
           fast = "-fmad=true",
           flags = { "-O3", "-std=c++17", "-Xcompiler", "-fPIC" },
           talkative = "-Xptxas=-v" },
}
local PLAIN = { variable = "CC", default = "gcc", off = "-ffp-contract=off",
                fast = "-ffp-contract=off",
                flags = { "-std=c11", "-O1", "-fPIC" }, quick = "-O0" }

-- Machine code for each architecture of "sm_80,sm_90", and a text that later
-- processors can translate.
local function add_architectures(words, arch)
  local last
  for number in arch:gmatch("sm_(%w+)") do
    words[#words + 1] = ("-gencode=arch=compute_%s,code=sm_%s")
      :format(number, number)
    last = number
  end
  words[#words + 1] = ("-gencode=arch=compute_%s,code=compute_%s")
    :format(last, last)
end

-- Only what a cast points to can be misaligned, and looking for it costs a
-- third of the compiler's time.
local function has_casts(files)
  for _, file in ipairs(files) do
    if file.text:find("reinterpret_cast", 1, true) then return true end
  end
  return false
end

local function flags_of(compiler, options, casts)
  local base = options.detect and compiler.detect or compiler.flags
  local flags = table.move(base, 1, #base, 1, {})
  if casts and options.detect then flags[#flags + 1] = compiler.casts end
  flags[#flags + 1] = options.fp == "fast" and compiler.fast or compiler.off
  if compiler.variable == "NVCC" then
    add_architectures(flags, options.arch)
  elseif compiler.variable == "CXX" then
    flags[#flags + 1] = "-I" .. options.root .. "/runtime"
  end
  return flags
end

-- The flags that kernels are compiled with, as a list of words.
function M.flags(options)
  return flags_of(COMPILERS[options.backend], options)
end

-- The kernels' compiler for sources in CUDA or, without a device, C.
local function compiler_of(path, backend)
  if backend == "c" or backend == "reference" or path:find("%.cu$") then
    return COMPILERS[backend]
  end
  return PLAIN
end

local function words_of(compiler, options, casts)
  local words = flags_of(compiler, options, casts)
  if os.getenv "QUERN_QUICK" == "1" and not options.detect then
    words[#words + 1] = compiler.quick
  end
  return words
end

local function compile_command(path, options, casts)
  local compiler = compiler_of(path, options.backend)
  local words = words_of(compiler, options, casts)
  if options.resources then words[#words + 1] = compiler.talkative end
  for _, word in ipairs { "-c", path, "-o", path .. ".o" } do
    words[#words + 1] = word
  end
  return shell.command(tool(compiler.variable, compiler.default), words)
end

local function link_command(sources, options)
  local compiler = COMPILERS[options.backend]
  local words = { "-shared", "-o", "module.so" }
  if options.backend == "cuda" then add_architectures(words, options.arch) end
  for _, path in ipairs(sources) do words[#words + 1] = path .. ".o" end
  if options.backend == "c" or options.backend == "simt" then
    words[#words + 1] = "-fopenmp"
  end
  words[#words + 1] = "-lm"
  return shell.command(tool(compiler.variable, compiler.default), words)
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

local function commands_of(sources, options, casts)
  local commands = {}
  for i, path in ipairs(sources) do
    commands[i] = compile_command(path, options, casts)
  end
  return commands, link_command(sources, options)
end

local identities = {}

-- What a compiler is: its version and, for the host's, what -march=native
-- means on this processor. Asked once per process.
local function identity(compiler)
  local program = tool(compiler.variable, compiler.default)
  if identities[program] then return identities[program] end
  local command = compiler.variable == "NVCC" and program .. " --version"
    or program .. " -march=native -### -E -x c /dev/null"
  local well, output = shell.run(command)
  if not well then
    return nil, ("%s: cannot be run (set %s)\n%s")
      :format(program, compiler.variable, output)
  end
  identities[program] = output
  return output
end

-- The kernels' compiler and its flags, as one text: what was measured holds for
-- these alone. Nil and a sentence where there is no compiler.
function M.recipe(options)
  local compiler = COMPILERS[options.backend]
  local text, problem = identity(compiler)
  if not text then return nil, problem end
  return table.concat(words_of(compiler, options), " ") .. "\n" .. text
end

-- What stands in for the device is compiled into every simt module.
local function simt_texts(options)
  local well, sums = shell.run("cd " .. shell.quote(options.root .. "/runtime")
    .. " && cat simt.h simt/*.h | cksum")
  assert(well, sums)
  return sums
end

local function identities_of(sources, options)
  local texts = { options.backend == "simt" and simt_texts(options) or "" }
  for _, path in ipairs(sources) do
    local text, problem = identity(compiler_of(path, options.backend))
    if not text then return nil, problem end
    texts[#texts + 1] = text
  end
  return table.concat(texts)
end

-- Fills the build folder and gives the key of what it would become.
local function prepare(folder, files, recipe)
  local parts = { recipe }
  for _, file in ipairs(files) do
    shell.write(folder .. "/" .. file.path:match("[^/]+$"), file.text)
    parts[#parts + 1] = ("%s %d\n"):format(file.path, #file.text)
    parts[#parts + 1] = file.text
  end
  shell.write(folder .. "/recipe", table.concat(parts))
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
local function is_kept(entry)
  local file = io.open(entry .. ".sum", "rb")
  if not file then return false end
  local sum = file:read("a")
  file:close()
  return sum ~= "" and checksum(entry) == sum
end

-- Runs the commands in the folder, a few at a time. Gives nil and what the
-- first one that failed said.
local function run_all(folder, commands)
  local jobs = tonumber(os.getenv("QUERN_JOBS")) or 2
  local enter = "cd " .. shell.quote(folder) .. " && "
  local problem
  for first = 1, #commands, jobs do
    local last = math.min(first + jobs - 1, #commands)
    local started = {}
    for i = first, last do started[i] = shell.start(enter .. commands[i]) end
    for i = first, last do
      local well, output = shell.finish(started[i])
      if not well then problem = problem or commands[i] .. "\n" .. output end
    end
    if problem then return nil, problem end
  end
  return true
end

-- The checksum is in place before the entry, so a reader never trusts less
-- than the whole.
local function publish(folder, entry)
  local built = folder .. "/module.so"
  local sum = checksum(built)
  if not sum then return nil, "no shared object came of\n" end
  shell.write(folder .. "/module.sum", sum)
  assert(os.rename(folder .. "/module.sum", entry .. ".sum"))
  assert(os.rename(built, entry))
  return entry
end

local function build(folder, files, options)
  local sources = sources_of(files)
  local compiles, link = commands_of(sources, options, has_casts(files))
  local identified, problem = identities_of(sources, options)
  if not identified then return nil, problem end
  local recipe = table.concat(compiles, "\n") .. "\n" .. link .. identified
  local key = prepare(folder, files, recipe)
  local entry = ("%s/cache/%s.so"):format(options.out, key)
  if is_kept(entry) then return entry end
  local well, path
  well, problem = run_all(folder, compiles)
  if not well then return nil, problem end
  well, problem = run_all(folder, { link })
  if not well then return nil, problem end
  path, problem = publish(folder, entry)
  if not path then return nil, problem .. link end
  return path
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
  local found, missing = identity(COMPILERS[options.backend])
  if not found then return nil, missing end
  local well, folder = shell.run("mktemp -d")
  if not well then return nil, folder end
  folder = folder:gsub("\n$", "")
  for _, file in ipairs(files) do
    shell.write(folder .. "/" .. file.path:match("[^/]+$"), file.text)
  end
  local list, problem = {}, nil
  for i, path in ipairs(sources_of(files)) do
    local seconds, said = seconds_of(folder, compile_command(path, options))
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
  local cache = shell.quote(options.out .. "/cache")
  local well, folder = shell.run("mkdir -p " .. cache .. " && mktemp -d "
    .. cache .. "/build.XXXXXX")
  if not well then return nil, folder end
  folder = folder:gsub("\n$", "")
  local path, problem = build(folder, files, options)
  shell.run("rm -rf " .. shell.quote(folder))
  return path, problem
end

return M
