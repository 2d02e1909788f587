-- How sources become objects: the compiler of each backend and its flags.

local lists = require "gen.list"
local shell = require "gen.shell"

local M = {}

local function program_of(compiler)
  local value = os.getenv(compiler.variable)
  return value and value ~= "" and value or compiler.default
end

-- For those who compile to test. The second has gcc leave no upper halves of
-- vector registers in use, which below -O2 it does; every SSE instruction that
-- runs afterwards, as of quern-run, would wait for them: 25 times as slow.
local QUICK = { "-Og", "-fexpensive-optimizations" }

-- How kernels are compiled for each backend; all else is plain C. QUERN_QUICK=1
-- adds `quick`. No value depends on errno or traps, but choices between
-- quotients are vectorised only where these may change. Under the detectors
-- most of the time is theirs: they are optimised (`rest`), kernels are not. To
-- test, what is undefined ends a kernel (`traps`): to say what and where would
-- take a third of the compiler's time.
local COMPILERS = {
  c = { variable = "CC", default = "gcc", off = "-ffp-contract=off",
        fast = "-ffp-contract=fast", language = "c",
        flags = { "-std=c11", "-O3", "-march=native", "-fopenmp",
                  "-fno-math-errno", "-fno-trapping-math", "-fPIC" },
        quick = { "-O0", QUICK[2] } },
  reference = { variable = "CC", default = "gcc", off = "-ffp-contract=off",
                fast = "-ffp-contract=off", language = "c",
                flags = { "-std=c11", "-O1", "-fPIC" }, quick = { "-O0" } },
  simt = { variable = "CXX", default = "g++", off = "-ffp-contract=off",
           fast = "-ffp-contract=fast", language = "c++",
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
           casts = "-fsanitize=alignment",
           traps = "-fsanitize-undefined-trap-on-error" },
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
function M.add_architectures(words, arch)
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
function M.has_casts(files)
  for _, file in ipairs(files) do
    if file.text:find("reinterpret_cast", 1, true) then return true end
  end
  return false
end

-- `detect` is asked for together with the reference, which has no detectors.
function M.detects(options)
  return options.backend == "simt" and options.detect
end

-- The compiler of the backend's kernels.
function M.compiler(options)
  return COMPILERS[options.backend]
end

-- The kernels' compiler for sources in CUDA or, without a device, C.
function M.compiler_of(path, backend)
  if backend == "c" or backend == "reference" or path:find("%.cu$") then
    return COMPILERS[backend]
  end
  return PLAIN
end

-- The flags of a compiler as it ships, as a list of words.
function M.flags(compiler, options, casts)
  local detect = M.detects(options) and compiler.detect
  local base = detect or compiler.flags
  local flags = table.move(base, 1, #base, 1, {})
  if casts and detect then flags[#flags + 1] = compiler.casts end
  flags[#flags + 1] = options.fp == "fast" and compiler.fast or compiler.off
  if compiler.variable == "NVCC" then
    M.add_architectures(flags, options.arch)
  elseif compiler.variable == "CXX" then
    flags[#flags + 1] = "-I" .. options.root .. "/runtime"
  end
  return flags
end

-- To test, and not as it ships?
local function is_for_test(options)
  return os.getenv "QUERN_QUICK" == "1" and not options.shipped
end

local function is_quick(compiler, options)
  return is_for_test(options) and not (M.detects(options) and compiler.detect)
end

-- The flags that a source is compiled with here and now. `shipped`: as ever.
function M.words(compiler, options, casts)
  local words = M.flags(compiler, options, casts)
  if is_quick(compiler, options) then
    lists.append(words, compiler.quick or {})
  elseif is_for_test(options) then
    words[#words + 1] = compiler.traps
  end
  return words
end

-- What a module is linked with beside its objects. To test: nothing that was
-- loaded with who loads it, as to look through libraries takes four fifths of a
-- linker's time.
function M.libraries(options)
  local compiler = M.compiler(options)
  if compiler.language and is_for_test(options) then
    return { "-nostdlib", "-lgcc" }
  end
  local threads = options.backend == "c" or options.backend == "simt"
  return threads and { "-fopenmp", "-lm" } or { "-lm" }
end

-- Are kernels compiled so that what they share (gen/compile/shared.lua) is
-- compiled once? Those that are optimised have their own, to be inlined.
function M.shares(compiler, options)
  return compiler.language ~= nil
    and (is_quick(compiler, options) or M.detects(options))
end

-- Is all that a module has in C compiled as one source (gen/c/joined.lua)?
function M.joins(compiler, options)
  return compiler.language == "c" and is_quick(compiler, options)
end

function M.command(compiler, words)
  return shell.command(program_of(compiler), words)
end

local identities = {}

-- What a compiler is: its version and, for the host's, what -march=native
-- means on this processor. Asked once per process.
function M.identity(compiler)
  local program = program_of(compiler)
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

return M
