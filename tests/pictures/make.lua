-- Draws specifications at work: generates and compiles the kernels of each
-- scene, runs them on a small problem, and writes FOLDER/<spec>.png.
--   lua5.4 tests/pictures/make.lua FOLDER [SPEC..]

package.path = "./?.lua;" .. package.path
local compile = require "gen.compile"
local diag = require "gen.diag"
local driver = require "gen.driver"
local quern = require "tests.quern"
local shell = require "gen.shell"

-- Every scene, and how its specification is set; in double if nothing is said.
local SCENES = {
  { "acoustic_iso", dims = "2" }, { "acoustic_density", dims = "2", faces = "free" },
  { "acoustic_passive", dims = "2" },
  { "elastic", faces = "periodic" }, { "maxwell" }, { "wave2d" },
  { "shallow_water" }, { "heat" }, { "heat_faces", dims = "2" },
  { "diffusion_variable" }, { "advection_upwind" },
  { "laplace", dims = "2" }, { "box27" }, { "gauss_seidel" },
  { "tti", mixed = "stored", faces = "periodic" }, { "lbm_d3q19" },
  { "mixed_precision", type = "bfloat16" }, { "column" }, { "weights" },
  { "icon" }, { "ocean_mesh", type = false }, { "md2d", type = false },
  { "nbody", type = false }, { "ewald", type = false },
}
local OUT = "out/pictures"

local function run(command)
  local well, output = shell.run(command)
  if not well then error(command .. "\n" .. output, 0) end
end

local function program()
  run("mkdir -p " .. OUT)
  run(("%s -std=c11 -O2 -ffp-contract=off -Iruntime $(pkg-config --cflags cairo) -o %s/picture "
    .. "tests/pictures/*.c examples/ewald/charges.c examples/md2d/box.c examples/nbody/galaxy.c examples/nbody/tree.c "
    .. "tests/runtime/physics_module.c tests/consumer/shot/image.c "
    .. "out/runtime/libquern.a $(pkg-config --libs cairo) -fopenmp -ldl -lm")
    :format(os.getenv "CC" or "gcc", OUT))
end

local function module_of(scene)
  local set = { type = "double" }
  for name, value in pairs(scene) do -- any order
    if name ~= 1 then set[name] = value or nil end
  end
  local options = { root = quern.root, spec = ("specs/%s.lua"):format(scene[1]), set = set,
    shapes = {}, backend = "c", fp = "strict", arch = "", out = OUT }
  local state, problems = driver.run(options)
  if not state then error(diag.format(problems), 0) end
  local path, problem = compile.module(state.files, options)
  if not path then error(problem, 0) end
  return path
end

-- One thread: the fields are small.
local function draw(scene, folder)
  local path = ("%s/%s.png"):format(folder, scene[1])
  run(shell.command("OMP_NUM_THREADS=1 " .. OUT .. "/picture", { scene[1], module_of(scene), path }))
  print("  draw " .. path)
end

local folder, wanted = arg[1], {}
for i = 2, #arg do wanted[arg[i]] = true end
program()
for _, scene in ipairs(SCENES) do
  if #arg == 1 or wanted[scene[1]] then draw(scene, folder) end
end
