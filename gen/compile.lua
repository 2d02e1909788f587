-- Compiles what emit rendered into one shared object, kept in a cache by a key
-- of everything that decides its bytes: texts, flags, compiler, processor.

local headers = require "gen.compile.headers"
local lists = require "gen.list"
local shell = require "gen.shell"
local store = require "gen.compile.store"

local M = {}

local function tool(variable, default)
  local value = os.getenv(variable)
  return value and value ~= "" and value or default
end

-- For those who compile to test. The second has gcc leave no upper halves of
-- vector registers in use, which below -O2 it does; every SSE instruction that
-- runs afterwards, as of quern-run, would wait for them: 25 times as slow.
local QUICK = { "-Og", "-fexpensive-optimizations" }

-- How kernels are compiled for each backend; all else is plain C. QUERN_QUICK=1
-- adds `quick`. No value depends on errno or traps, but choices between
-- quotients are vectorised only where these may change. Under the detectors
-- most of the time is theirs: they are optimised (`rest`), kernels are not.
local COMPILERS = {
  c = { variable = "CC", default = "gcc", off = "-ffp-contract=off",
        fast = "-ffp-contract=fast",
        flags = { "-std=c11", "-O3", "-march=native", "-fopenmp",
                  "-fno-math-errno", "-fno-trapping-math", "-fPIC" },
        quick = { "-O0", QUICK[2] } },
  reference = { variable = "CC", default = "gcc", off = "-ffp-contract=off",
                fast = "-ffp-contract=off",
                flags = { "-std=c11", "-O1", "-fPIC" }, quick = { "-O0" } },
  simt = { variable = "CXX", default = "g++", off = "-ffp-contract=off",
           fast = "-ffp-contract=fast",
           flags = { "-x", "c++", "-std=c++17", "-O2", "-march=native",
                     "-fopenmp", "-fPIC" },
           quick = QUICK,
           detect = { "-x", "c++", "-std=c++17", "-O0",
                      "-fexpensive-optimizations", "-march=native", "-fPIC",
                      "-DSIMT_DETECT", "-DSIMT_KERNELS",
                      "-fsanitize=kernel-address,bounds,"
                      .. "signed-integer-overflow",
                      "--param", "asan-globals=1" },
           rest = { "-x", "c++", "-std=c++17", "-O2", "-march=native",
                    "-ffp-contract=off", "-fPIC", "-DSIMT_DETECT" },
           casts = "-fsanitize=alignment" },
  cuda = { variable = "NVCC", default = "nvcc", off = "-fmad=false",
           fast = "-fmad=true",
           flags = { "-O3", "-std=c++17", "-Xcompiler", "-fPIC" },
           talkative = "-Xptxas=-v" },
}
local PLAIN = { variable = "CC", default = "gcc", off = "-ffp-contract=off",
                fast = "-ffp-contract=off",
                flags = { "-std=c11", "-O1", "-fPIC" }, quick = { "-O0" } }

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

-- `detect` is asked for together with the reference, which has no detectors.
local function detects(options)
  return options.backend == "simt" and options.detect
end

local function flags_of(compiler, options, casts)
  local detect = detects(options) and compiler.detect
  local base = detect or compiler.flags
  local flags = table.move(base, 1, #base, 1, {})
  if casts and detect then flags[#flags + 1] = compiler.casts end
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

-- The flags that a source is compiled with here and now. `shipped`: as ever.
local function words_of(compiler, options, casts)
  local words = flags_of(compiler, options, casts)
  local quick = os.getenv "QUERN_QUICK" == "1" and not options.shipped
  if quick and not (detects(options) and compiler.detect) then
    lists.append(words, compiler.quick or {})
  end
  return words
end

-- `first`: words that go before the flags of the kernels' compiler.
local function compile_command(path, options, casts, first)
  local compiler = compiler_of(path, options.backend)
  local words = words_of(compiler, options, casts)
  if options.resources then words[#words + 1] = compiler.talkative end
  if compiler == COMPILERS.simt then
    words = lists.joined(first or {}, words)
  end
  lists.append(words, { "-c", path, "-o", path .. ".o" })
  return shell.command(tool(compiler.variable, compiler.default), words)
end

-- Compiles what the detectors' kernels share, in the build folder.
local function rest_command(options)
  local compiler = COMPILERS.simt
  local words = lists.joined(compiler.rest, { "-c",
    options.root .. "/runtime/" .. headers.REST, "-o", headers.REST_OBJECT })
  return shell.command(tool(compiler.variable, compiler.default), words)
end

local function link_command(sources, options)
  local compiler = COMPILERS[options.backend]
  local words = { "-shared", "-o", "module.so" }
  if options.backend == "cuda" then add_architectures(words, options.arch) end
  for _, path in ipairs(sources) do words[#words + 1] = path .. ".o" end
  if detects(options) then words[#words + 1] = headers.REST_OBJECT end
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

local function compile_commands(sources, options, casts, first)
  local commands = {}
  for i, path in ipairs(sources) do
    commands[i] = compile_command(path, options, casts, first)
  end
  return commands
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
    .. " && cat simt.h simt/* | cksum")
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
  return store.key(folder, table.concat(parts))
end

-- Parses what kernels begin with, in the build folder.
local function first_command(options, casts)
  local compiler = COMPILERS.simt
  local words = lists.append(words_of(compiler, options, casts),
    { "-x", "c++-header", "-c", options.root .. "/runtime/" .. headers.FIRST,
      "-o", headers.FIRST_OBJECT })
  return shell.command(tool(compiler.variable, compiler.default), words)
end

-- Gives the words by which kernels for simt begin with what is parsed already,
-- none where there is no such thing; what else they need is in the folder then.
local function stand_in(folder, options, casts)
  if options.backend ~= "simt" then return nil end
  local commands = { first_command(options, casts),
                     detects(options) and rest_command(options) or nil }
  local key = store.key(folder, table.concat(commands, "\n")
    .. identity(COMPILERS.simt) .. simt_texts(options))
  return headers.fetch(store.folder(options), key, folder, commands)
end

local function build(folder, files, options)
  local sources = sources_of(files)
  local casts = has_casts(files)
  local compiles = compile_commands(sources, options, casts)
  local link = link_command(sources, options)
  local identified, problem = identities_of(sources, options)
  if not identified then return nil, problem end
  local recipe = table.concat(compiles, "\n") .. "\n" .. link .. identified
  local key = prepare(folder, files, recipe)
  local entry = ("%s/%s.so"):format(store.folder(options), key)
  if store.is_kept(entry) then return entry end
  compiles = compile_commands(sources, options, casts,
    stand_in(folder, options, casts))
  local well, path
  well, problem = shell.all(folder, compiles)
  if not well then return nil, problem end
  well, problem = shell.all(folder, { link })
  if not well then return nil, problem end
  path, problem = store.publish(folder .. "/module.so", entry)
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
