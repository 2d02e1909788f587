-- Fills a folder with every shipped kernel, compiled for a GPU, and all that is
-- needed to try them there without Lua: quern-run, its libraries, the requests.
--   lua5.4 tests/device/kit.lua OUT ARCH [SPEC..] [headline] [published]
-- With names of specifications: those alone; with a word of the script: what it
-- needs.

package.path = "./?.lua;" .. package.path
local cjson = require "cjson"
local check = require "gen.command.check"
local driver = require "gen.driver"
local functions = require "tests.functions"
local headline = require "tests.device.headline"
local launches = require "gen.emit.launches"
local lists = require "gen.list"
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local shell = require "gen.shell"
local sizes = require "gen.command.sizes"

local out, arch = arg[1] or "out/device", arg[2] or "sm_90"

local AWKWARD = {
  [1] = { { 1 }, { 130 }, { 4097 }, { 1 << 20 } },
  [2] = { { 1, 1 }, { 130, 7 }, { 7, 130 }, { 513, 259 }, { 1024, 1024 } },
  [3] = { { 1, 1, 1 }, { 7, 13, 17 }, { 130, 33, 17 }, { 17, 130, 33 },
          { 33, 17, 130 }, { 63, 65, 64 }, { 257, 129, 65 } },
}
-- Of kernels whose reference is slow.
local FEW = { { 7, 13, 17 }, { 65, 33, 17 } }
-- Before the headline is timed.
local HEADLINE = { { 131, 66, 37 }, { 9, 11, 10 } }
-- Large enough to keep every multiprocessor busy; the reference takes seconds.
local LARGE = { { 512, 512, 100 } }
local SANITIZED = { [1] = { { 130 }, { 17 } }, [2] = { { 65, 33 }, { 11, 9 } },
                    [3] = { { 65, 33, 17 }, { 9, 11, 10 } } }
local TIMED = { [1] = { { 1 << 28 } }, [2] = { { 16384, 16384 } }, [3] = { { 566, 566, 566 } } }

-- Meshes, and levels on them: those of the paper are timed, with 230,400 and
-- 916,992 edges; what is validated beside them has its tables drawn.
local MESHES = { validate = { "torus:70x64", "plane:31x29", "icosahedron:R2B2" }, sanitize = { "plane:7x6" },
                 bench = { "torus:480x160", "torus:597x512" } }
local LEVELS = { validate = 19, sanitize = 5, bench = 80 }
local ON_MESHES = { "kloop", "inlined", "inlined_compressed", "staged", "folded" }

-- The shapes that update all points at once.
local UNORDERED = { "gmem", "smem_u", "smem_eta_3", "smem_eta_1", "semi", "st_smem", "st_reg_shft",
                    "st_reg_fixed", "st_tma" }
local TYPES, SMALL = { "float", "double" }, { "half", "bfloat16" }
local NONE = { false }          -- a specification without that param
local EVERY = { "float", "double", "half", "bfloat16" }

local function cases()
  local list = {}
  local function add(spec, set, types, few)
    for _, storage in ipairs(types or TYPES) do
      local path = spec:find("/") and spec or "specs/" .. spec
      local case = { spec = path .. ".lua", set = { type = storage or nil } }
      -- As wide as the layer of the published case; as layers of light are.
      case.scalars = spec == "acoustic_iso" and { width = 27 } or set.layer == "cpml" and { width = 10 } or nil
      case.few = few
      for name, value in pairs(set) do case.set[name] = value end -- any order
      list[#list + 1] = case
    end
  end
  for _, radius in ipairs { "1", "2", "4", "8" } do
    add("acoustic_iso", { radius = radius })
  end
  add("acoustic_iso", { radius = "4", dims = "2" })
  for _, dims in ipairs { "1", "2", "3" } do add("laplace", { dims = dims }) end
  add("laplace", { radius = "16" })
  for _, spec in ipairs { "heat", "box27", "wave2d", "advection_upwind",
                          "diffusion_variable", "acoustic_density",
                          "acoustic_passive", "elastic",
                          "heat_faces", "lbm_d3q19", "maxwell", "shallow_water",
                          "tti", "weights" } do
    add(spec, {})
  end
  add("mixed_precision", {}, EVERY)
  add("wave2d", {}, SMALL)
  add("tests/runtime/specs/packed", { dims = "3" }, { "float", "half" })
  add("tests/runtime/specs/orders", {})
  add("tests/runtime/specs/storage", { dims = "3" }, NONE)
  for _, spec in ipairs { "functions", "rules" } do
    add("tests/runtime/specs/" .. spec, {})
  end
  add("tests/runtime/specs/temporal", { equation = "wave" })
  add("tests/runtime/specs/temporal", { equation = "wave", radius = "2" })
  add("maxwell", { layer = "cpml" })
  add("gauss_seidel", {})
  add("gauss_seidel", { faces = "periodic" })
  add("column", { order = "xyk" })
  add("column", { order = "kxy" })
  for _, spec in ipairs { "levels", "interfaces", "chain", "sweep" } do
    add("tests/runtime/specs/" .. spec, {})
  end
  add("acoustic_density", { faces = "free" })
  add("elastic", { faces = "periodic" })
  add("heat_faces", { dims = "2", radius = "4" })
  add("lbm_d3q19", { faces = "periodic" })
  add("tti", { mixed = "stored" })
  for _, contiguous in ipairs { "horizontal", "k" } do
    add("icon", { contiguous = contiguous })
  end
  add("ocean_mesh", {}, NONE)
  add("tests/runtime/specs/mesh", {}, NONE)
  add("tti", { radius = "8" }, nil, FEW)
  add("tti", { mixed = "stored", radius = "8" }, nil, FEW)
  return list
end

local function options_for(case, shapes)
  return { root = quern.root, spec = case.spec, set = case.set, shapes = shapes,
           backend = "cuda", fp = "strict", arch = arch, out = "out",
           device = 0, seed = 1 }
end

-- What walks and points can be told beside their block, for acoustic_iso.
local TOLD = {
  { name = "gmem", params = { block = "64x2x2", rows = "2" } },
  { name = "st_smem", params = { block = "32x8", stages = "0", vec = "1", spare = "1" } },
  { name = "st_smem", params = { block = "32x8", stages = "1", vec = "1", rows = "2" } },
  { name = "st_smem", params = { block = "16x8", stages = "1", vec = "2" } },
  { name = "st_reg_shft", params = { block = "64x8", stages = "0", vec = "1", rows = "1" } },
  { name = "st_reg_shft", params = { block = "64x4", stages = "1", vec = "1", rows = "2" } },
  { name = "st_reg_shft", params = { block = "32x4", stages = "1", vec = "2", rows = "2" } },
  { name = "st_reg_fixed", params = { block = "32x8", stages = "2", vec = "1" } },
  { name = "semi", params = { block = "32x4", vec = "4" } },
  { name = "st_tma", params = { block = "32x16", rows = "1", scatter = "1" } },
  { name = "gmem", params = { together = "1" } },
  { name = "st_reg_shft", params = { together = "1" } },
  { name = "st_smem", params = { together = "1" } },
}

-- The same of icon's.
local TOLD_ON_MESHES = {
  { name = "gmem", params = { strides = "8" } },
  { name = "kloop", params = { strides = "8" } },
  { name = "inlined_compressed", params = { strides = "8" } },
}

-- Every shape that applies to some part of the specification.
local function shapes_for(case)
  local shapes, asked = {}, {}
  for i, name in ipairs(lists.joined(lists.joined(UNORDERED, { "column", "temporal" }), ON_MESHES)) do
    asked[i] = { name = name, params = {} }
  end
  asked[#asked + 1] = { name = "temporal", params = { halos = "1" } }
  if case.spec:find("acoustic_iso") then lists.append(asked, TOLD) end
  if case.spec:find("icon") then lists.append(asked, TOLD_ON_MESHES) end
  for _, shape in ipairs(asked) do
    local options = options_for(case, { shape })
    options.stop_after = "schedule"
    if driver.run(options) then shapes[#shapes + 1] = shape end
  end
  return shapes
end

local function run(command)
  local well, output = shell.run(command)
  if not well then error(command .. "\n" .. output, 0) end
  return output
end

local function copy(from, to)
  run(("cp %s %s"):format(shell.quote(from), shell.quote(out .. "/" .. to)))
end

local lines = { validate = {}, bench = {}, sanitize = {}, headline_check = {}, headline = {} }
local titles = {}               -- of each line of headline: what it is, and what is asked for

local function ask(kind, made, list, options, change)
  for _, request in ipairs(check.requests(made, list, options)) do
    change(request)
    table.insert(lines[kind], cjson.encode(request))
  end
end

local function make(case, shapes)
  local options = options_for(case, shapes)
  local made, _, problem = modules.make(options)
  if not made then error(problem, 0) end
  return made, options
end

-- A module without what only a linker needs.
local function copy_module(from, to)
  copy(from, to)
  run("strip " .. shell.quote(out .. "/" .. to))
end

local function timed(request)
  request["do"], request.repeats = "bench", 20
  request.reference, request.seed = nil, nil
end

-- The requests of kernels on meshes.
local function ask_on_meshes(made, options, is_shipped)
  local lowered = made.state.lowered
  ask("validate", made, sizes.choose({ sizes = {} }, lowered, "check"), options, function() end)
  for kind, levels in pairs(LEVELS) do -- any order: each has a file of its own
    local size = {}
    for i in ipairs(lowered.axes) do size[i] = levels end
    for _, mesh in ipairs((kind ~= "bench" or is_shipped) and MESHES[kind] or {}) do
      options.mesh = mesh
      ask(kind, made, { size }, options, kind == "bench" and timed or function() end)
    end
  end
end

local function add(case)
  print("  kit  " .. case.spec)
  local made, options = make(case, shapes_for(case))
  local instance = made.state.lowered.instance
  local rank = #made.state.lowered.axes
  local name = ("modules/%s.so"):format(instance)
  local reference = ("modules/%s_reference.so"):format(instance)
  copy_module(made.module, name)
  copy_module(made.reference, reference)
  made.module, made.reference = name, reference
  if #made.state.lowered.tables > 0 then
    ask_on_meshes(made, options, not case.spec:find("^tests/"))
    return
  end
  ask("validate", made, sizes.fitting(case.few or AWKWARD[rank], made.state.lowered), options,
    function() end)
  if instance == "acoustic_iso_r4_d3_float" or instance == "laplace_r1_d3_float" then
    ask("validate", made, LARGE, options, function() end)
  end
  ask("sanitize", made, SANITIZED[rank], options, function() end)
  if case.spec:find("^tests/") then return end
  ask("bench", made, TIMED[rank], options, function(request)
    timed(request)
    request.scalars = case.scalars
    -- Rows are on 256 bytes where the inner region starts.
    request.align = case.spec:find("acoustic_iso") and case.scalars.width or nil
  end)
end

-- The one kernel of a row, or all that a step launches.
local function kernel_of(row, made)
  local plans = made.state.plans
  if row.kernel == "step" then return assert(launches.of_step(plans, made.state.lowered)) end
  for _, plan in ipairs(plans) do
    if plan.name:find(row.kernel) then return plan.name end
  end
  error(("no kernel %s of %s"):format(row.kernel, made.state.lowered.instance), 0)
end

-- One module of the headline: its rows, after all of its kernels.
local function add_headline(case, index)
  print("  kit  headline " .. case.spec)
  local made, options = make(case, case.shapes)
  local name = ("modules/headline_%d"):format(index)
  copy_module(made.module, name .. ".so")
  copy_module(made.reference, name .. "_reference.so")
  made.module, made.reference = name .. ".so", name .. "_reference.so"
  ask("headline_check", made, HEADLINE, options, function() end)
  for _, row in ipairs(case.rows) do
    table.insert(titles, row[1] .. "\t" .. (row[2] or ""))
    table.insert(lines.headline, cjson.encode { ["do"] = "bench", context = check.context(options),
      module = made.module, kernel = kernel_of(row, made), size = row[3], scalars = row.scalars,
      align = row.align, repeats = 7 })
  end
end

-- The published case steps through one shape at a time.
local function add_published()
  for _, shape in ipairs(UNORDERED) do
    local made = make({ spec = "specs/acoustic_iso.lua", set = {} }, { { name = shape, params = {} } })
    copy_module(made.module, ("modules/published_%s.so"):format(shape))
  end
end

local function add_program(sources, name)
  run(("%s -std=c11 -O2 -ffp-contract=off %s -o %s out/runtime/libquern.a "
    .. "-fopenmp -ldl -lm"):format(os.getenv("CC") or "gcc", sources,
    shell.quote(out .. "/" .. name)))
end

-- A program of its own for the device.
local function add_device_program(source, name)
  run(shell.command(os.getenv("NVCC") or "nvcc", { "-std=c++17", "-O3", "-fmad=false", "-arch=" .. arch, "-Itemplates",
    "-Xcompiler", "-fopenmp,-static-libstdc++,-static-libgcc", source, "-o", out .. "/" .. name }))
end

local function write(path, text)
  local file = assert(io.open(out .. "/" .. path, "wb"))
  file:write(text)
  file:close()
end

local function libraries()
  for path in run("ldd out/runtime/quern-run"):gmatch("=> (%S+)") do
    if path:find("jansson") or path:find("gomp") then copy(path, "lib/") end
  end
end

local function is_wanted(word) return not arg[3] or lists.contains(arg, word) end

run("rm -rf " .. shell.quote(out))
run("mkdir -p " .. shell.quote(out .. "/modules") .. " " .. shell.quote(out .. "/lib"))
for _, case in ipairs(cases()) do
  if is_wanted(case.spec:match("([^/]*)%.lua$")) then add(case) end
end
for i, case in ipairs(is_wanted "headline" and headline or {}) do add_headline(case, i) end
for kind, list in pairs(lines) do               -- any order: each has a file of its own
  write(kind .. ".requests", table.concat(list, "\n") .. (list[1] and "\n" or ""))
end
write("headline.rows", table.concat(titles, "\n") .. "\n")
copy("out/runtime/quern-run", "quern-run")
copy("out/runtime/quern_device_cuda.so", "quern_device_cuda.so")
libraries()
copy("tests/device/run.sh", "run")
if is_wanted "published" then add_published() end
add_program("tests/runtime/published_quern.c", "published")
add_program("tests/device/fields.c", "fields")
add_device_program("tests/device/types.cu", "types")
add_device_program("tests/device/quotients.cu", "quotients")
add_program("tests/runtime/functions*.c", "functions")
for _, storage in ipairs(TYPES) do
  write(storage .. ".bounds", functions.bounds("cuda", storage))
end
io.write(run("du -sh " .. shell.quote(out)))
