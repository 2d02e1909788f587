-- Proofs of specifications by the physics that they are about: each runs on the
-- reference as kernels (oracle_step.c) and on the kernels of the CPU, and on
-- specifications that are wrong, which it must refuse.

local diag = require "gen.diag"
local driver = require "gen.driver"
local joined = require "gen.c.joined"
local quern = require "tests.quern"
local shared = require "gen.compile.shared"
local shell = require "gen.shell"
local store = require "gen.compile.store"

local M = { LONG = os.getenv "QUERN_LONG" == "1" }

local CC = os.getenv "CC" or "gcc"
local folder = quern.folder()
local program = folder .. "/physics"
local number, modules = 0, 0

-- Says whether a test went well, with what was found.
function M.ok(well, name, why)
  number = number + 1
  print(("%s %d - %s"):format(well and "ok" or "not ok", number, name))
  if why then print("# " .. tostring(why):gsub("\n", "\n# ")) end
end

local function must(command)
  local well, output = shell.run(("cd %s && %s"):format(quern.root, command))
  assert(well, output)
end

-- How files become a module, by backend. The kernels of the CPU are optimised
-- where they run for long: to be compiled takes most of them longer than to run.
-- (gen/compile/recipes.lua says what CLEAN and ALONE are for.)
M.optimised = M.LONG and "-O1" or "-O0"

-- What proofs run on, mistakes on the first: the kernels of the CPU take a
-- fraction of the reference's time to run.
M.backends = { "c", "reference" }
local CLEAN = " -fexpensive-optimizations -march=native -ffp-contract=off -fopenmp "
local ALONE = "-nostdlib -lgcc"
local LINK = {}
local shared_objects = {}       -- by what decides them

-- The object of what kernels share, made once for all that have the same flags.
local function shared_object(header, compiler, at)
  local key = compiler.flags .. header.text
  if not shared_objects[key] then
    shared_objects[key] = at .. "/shared.o"
    must(("%s -I%s %s -fvisibility=hidden -include quern_launch.h -x c -c /dev/null -o %s")
      :format(compiler.command, at, shell.quote(shared.HERE), shared_objects[key]))
  end
  return shared_objects[key]
end

local function write(files, at)
  for _, file in ipairs(files) do
    quern.write(at .. "/" .. file.path:match "[^/]+$", file.text)
  end
end

-- A module of files, linked with more words: what is C in one source.
local function linked(files, at, flags, words)
  local compiler = { flags = flags, command = ("%s -std=c11 %s -fPIC"):format(CC, flags) }
  local all, names = joined.files(files)
  local command = { compiler.command, "-shared -I" .. at, shell.quote(shared.ELSEWHERE) }
  for _, name in ipairs(names) do command[#command + 1] = at .. "/" .. name end
  write(all, at)
  for _, file in ipairs(all) do
    if file.path:find "quern_launch.h$" then
      command[#command + 1] = shared_object(file, compiler, at)
    end
  end
  must(("%s -o %s/module.so %s"):format(table.concat(command, " "), at, words))
  return at .. "/module.so"
end

-- The reference as a module with kernels.
function LINK.reference(files, at)
  return linked(files, at, "-O0 -Dquern_module=oracle_module",
    folder .. "/oracle_step.o " .. ALONE .. " -Wl,-Bsymbolic")
end

function LINK.c(files, at)
  return linked(files, at, M.optimised .. CLEAN, ALONE)
end

-- Makes a mistake in generated files.
local function spoilt(files, wrong)
  local list, hits = {}, 0
  for i, file in ipairs(files) do
    local first, last = file.text:find(wrong[1], 1, true)
    local text = first and file.text:sub(1, first - 1) .. wrong[2] .. file.text:sub(last + 1)
    list[i], hits = { path = file.path, text = text or file.text }, hits + (first and 1 or 0)
  end
  assert(hits > 0, wrong[1])
  return list
end

-- GPU kernels run on the CPU; `load` opens their context for a file of this name.
function LINK.simt(files, at)
  write(files, at)
  must(("for f in %s/*.cu; do g++ -x c++ -std=c++17 -O1" .. CLEAN .. "-fPIC "
    .. "-Iruntime -c $f -o $f.o || exit 1; done"):format(at))
  local module = linked(files, at, "-O1", at .. "/*.cu.o -lstdc++ -fopenmp -lm")
  must(("mv %s %s/simt.so"):format(module, at))
  return at .. "/simt.so"
end

-- The text of a shipped spec; `wrong`: { text, other text } makes a mistake.
local function text_of(name, wrong)
  local text = quern.read(("specs/%s.lua"):format(name))
  if not wrong then return text end
  local first, last = text:find(wrong[1], 1, true)
  assert(first, name .. " has no " .. wrong[1])
  return text:sub(1, first - 1) .. wrong[2] .. text:sub(last + 1)
end

local function made(backend, name, set, wrong)
  modules = modules + 1
  local at = ("%s/%d"):format(folder, modules)
  local path = ("%s/%s.lua"):format(at, name)
  must("mkdir -p " .. at)
  local generated = wrong and wrong.generated
  quern.write(path, text_of(name, not generated and wrong or nil))
  local all = { type = "double" }
  for key, value in pairs(set) do all[key] = value end
  local state, problems = driver.run { root = quern.root, spec = path, set = all, shapes = {},
    backend = backend, fp = "strict", arch = "", out = at, stop_after = "emit" }
  assert(state, problems and diag.format(problems))
  return LINK[backend](generated and spoilt(state.files, wrong) or state.files, at)
end

local kept = {}         -- modules by all that makes them

local function make(backend, name, set, wrong)
  local words = {}
  for key, value in pairs(set) do words[#words + 1] = key .. "=" .. value end
  table.sort(words)
  for _, text in ipairs(wrong or {}) do words[#words + 1] = text end
  local key = table.concat({ backend, M.optimised, name, table.unpack(words) }, "\n")
  kept[key] = kept[key] or made(backend, name, set, wrong)
  return kept[key]
end

M.make = make

-- The numbers that a proof prints. One thread: the boxes are small.
function M.prove(words, module, ...)
  local list, rest = { program }, { ... }
  for word in words:gmatch "%S+" do list[#list + 1] = word end
  list[#list + 1] = module
  for _, value in ipairs(rest) do list[#list + 1] = tostring(value) end
  local command = {}
  for i, word in ipairs(list) do command[i] = shell.quote(word) end
  local well, output = shell.run("OMP_NUM_THREADS=1 QUERN_RUNTIME=out/runtime " .. table.concat(command, " "))
  assert(well, output)
  local numbers = {}
  for word in output:gmatch "%S+" do
    numbers[#numbers + 1] = tonumber(word) or word:find "inf" and math.huge or 0/0
  end
  return table.unpack(numbers)
end

function M.near(a, b) return math.abs(a - b) < 0.3 end

-- The order at which errors at two sizes fall.
function M.order(words, module, small, large)
  return math.log(M.prove(words, module, small) / M.prove(words, module, large))
    / math.log(large / small)
end

-- Runs one proof, holds(module), on a spec and on what is made wrong of it:
-- mutants = { { text, other text, "where ..." }, .. }, on the first backend; in
-- the files made of it where `generated`. One of them shows that a proof can fail;
-- the others are tried with QUERN_LONG=1.
-- `backends`: those that it is small enough for.
function M.proof(name, spec, set, holds, mutants, backends)
  backends = backends or M.backends
  for _, backend in ipairs(backends) do
    local well, why = holds(make(backend, spec, set))
    M.ok(well, ("%s: %s, %s"):format(spec, name, backend), why)
  end
  for i = 1, M.LONG and #mutants or math.min(1, #mutants) do
    local mutant = mutants[i]
    local still, why = holds(make(backends[1], spec, set, mutant))
    M.ok(not still, ("%s: %s is refused where %s"):format(spec, name, mutant[3]), why)
  end
end

-- Compiles the proofs, once for all tests of them.
function M.start()
  must "make -s all"
  local command = CC .. " -std=c11 -O1 -Iruntime -o %s tests/runtime/physics*.c "
    .. "out/runtime/libquern.a -fopenmp -ldl -lm"
  local _, sums = shell.run("cat tests/runtime/*.[ch] runtime/*.h out/runtime/libquern.a | cksum; "
    .. CC .. " --version")
  local entry = store.folder { out = "out/check" } .. "/physics." .. store.key(folder, command .. sums)
  if not store.is_kept(entry) then
    must(command:format(program))
    assert(store.publish(program, entry))
  end
  program = entry
  must(("%s -std=c11 -O2 -fPIC -Iruntime -c tests/runtime/oracle_step.c -o %s/oracle_step.o")
    :format(CC, folder))
end

function M.finish()
  print("1.." .. number)
  quern.remove(folder)
end

return M
