#!/usr/bin/env lua5.4
-- Faults put into emitted kernels, one at a time: each must be found by the
-- detector that is for it, or by the comparison with the reference, and come
-- through the runtime as a sentence. So no barrier, halo load or guard of the
-- emitted text is there without a test that needs it.
package.path = "./?.lua;" .. package.path

local check = require "gen.command.check"
local compile = require "gen.compile"
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local runner = require "gen.runner"
require "tests.widths"

local LONG = os.getenv "QUERN_LONG" == "1"
local ORDER = "depends on the order of the threads"
local DUE = "that a piece is on its way to"
local FILL = "depends on shared memory that no thread has written"
local OUTSIDE = "outside every array"

-- What is undefined is said in the long form alone (gen/compile/recipes.lua).
local TRAP = os.getenv "QUERN_QUICK" == "1" and "the kernel crashed: Illegal instruction"
local MISALIGNED = TRAP or "a misaligned or null pointer"

-- What is replaced, by what (nil: nothing is), and what must be said of it;
-- `wrong`: only the comparison sees it; `long`: QUERN_LONG=1 tries it.
local STREAMED = {
  { "as emitted" },
  { "no barrier after the fill", "(\n +)__syncthreads%(%);(\n\n +if %(inside)", "%1;%2",
    ORDER },
  { "no barrier before the plane is used again",
    "(still read%. %*/\n +)__syncthreads%(%);", "%1;", ORDER, long = true },
  { "no halo below along x", "if %(x_below%)", "if (0)", FILL },
  { "no halo above along y", "if %(y_above%)", "if (0)", FILL, long = true },
  { "a read past the row", "plane%[ty%]%[tx %+ 2%]", "plane[ty][tx + 3]",
    TRAP or "index 68 in an array of type 'float [68]'" },
  { "a window that skips a plane", "behind1 = current;", "behind1 = front1;",
    wrong = true, long = true },
  { "a window that starts one plane late", "behind1 = near %? u%[u_at %- 2%*u_z%]",
    "behind1 = near ? u[u_at - u_z]", wrong = true, long = true },
  { "planes beyond the domain", "min%(first %+ 64, z_end%)",
    "first + 64", OUTSIDE },
  { "a block of 1088", "dim3%(64, 8%)", "dim3(64, 17)", "1088 threads in a block" },
}
-- A window whose values stay: five steps, each with its own roles.
local FIXED = {
  { "as emitted" },
  { "no barrier in the last step", "(Step 5 of 5.-)__syncthreads%(%);", "%1", ORDER },
  { "a value in the wrong place", "(\n +)u_0 = near", "%1u_1 = near", wrong = true, long = true },
  { "a role that does not rotate", "plane%[ty%]%[tx%] = u_3", "plane[ty][tx] = u_2", wrong = true, long = true },
  { "a walk beyond its end", "%+%+z == last", "++z == last + 1", wrong = true, long = true },
}

-- Four points side by side.
local VECTORS = {
  { "as emitted" },
  { "rows of a plane that are not aligned", "float plane%[8%]%[40%]", "float plane[8][41]", MISALIGNED },
  { "vectors that begin a point late", "x = x_start %+", "x = x_start + 1 +", MISALIGNED, long = true },
  { "points beyond the end of a row", "lap_u_result, from, to", "lap_u_result, from, 4", FILL, long = true },
  { "no halo above along x", "if %(x_above%)", "if (0)", FILL },
  { "a neighbour of the next", "u_row%[e %+ 5%]", "u_row[e + 6]", wrong = true, long = true },
}

-- Sums in two phases, two planes apart.
local SEMI = {
  { "as emitted" },
  { "no barrier after the fill", "(\n +)__syncthreads%(%);(\n\n +if %(inside)", "%1;%2", ORDER },
  { "no barrier before the plane is used again", "(still read%. %*/\n +)__syncthreads%(%);", "%1;", ORDER,
    long = true },
  { "a sum that waits a plane too long", "dd_u_0 = dd_u_1;", "dd_u_0 = dd_u_0;", wrong = true, long = true },
  { "a walk that begins with the first sum", "z = first %- 2;", "z = first - 1;", wrong = true, long = true },
  { "points before the chunk", "inside && z >= first", "inside", wrong = true, long = true },
}

-- All planes of a step in shared memory: five, as the walk is unrolled.
local SHARED = {
  { "as emitted" },
  { "no barrier after the fill", "(\n +)__syncthreads%(%);(\n\n +if %(inside)", "%1;%2", ORDER },
  { "no barrier before a plane is filled again", "(\n +)__syncthreads%(%);(\n +u_at)", "%1;%2", ORDER, long = true },
  { "a plane in the wrong place", "share_u%(s%.planes%[1%]", "share_u(s.planes[2]", wrong = true, long = true },
  { "a role that does not rotate", "s%.planes%[4%]%[ty%]%[tx %+ 1%]", "s.planes[3][ty][tx + 1]",
    wrong = true, long = true },
  { "a halo that is not filled", "col < 68;", "col < 64;", FILL, long = true },
  { "a first step that misses a plane", "p < 4;", "p < 3;", FILL, long = true },
  { "planes beyond the domain", "min%(first %+ 64, z_end%)", "first + 64", OUTSIDE, long = true },
  { "less memory than its planes", ", sizeof%(shared_planes%), stream", ", 5000, stream", "shared memory",
    long = true },
}
-- Two planes in turns, one barrier a step.
local SPARE = {
  { "as emitted" },
  { "no barrier", "__syncthreads%(%);", ";", ORDER },
  { "one plane for all steps", "now %^= 1;", "", ORDER, long = true },
}
-- Halos that are copied two steps ahead, two points a thread.
local AHEAD = {
  { "as emitted" },
  { "a wait for one group too few", "quern_fetch_wait<1>", "quern_fetch_wait<2>", DUE },
  { "a halo copied over one that is read", "next = now == 0 %? 2 : now %- 1", "next = now", DUE, long = true },
  { "a halo of the step before", "u_at %+ 2%*u_z %- 2%]", "u_at + u_z - 2]", wrong = true, long = true },
  { "a row in the place of the next", "ty = ty_first %+ j", "ty = ty_first", FILL, long = true },
  { "rows beyond the end", "inside%[j%] +=", "inside[j] = true; near[j] =", FILL, long = true },
  { "a first step without its halo", "u%[u_at %+ 64%]%);(.-)if %(first %+ 1", "u[u_at + 63]);%1if (first + 1",
    wrong = true, long = true },
}
-- All planes, copied one step ahead, two points a thread.
local PLANES_AHEAD = {
  { "as emitted" },
  { "no wait", "quern_fetch_wait<0>%(%);(\n +__sync)", "%1", DUE, long = true },
  { "no barrier", "__syncthreads%(%);", ";", ORDER, long = true },
  { "a plane copied over one that is read", "share_u%(s%.planes%[5%]", "share_u(s.planes[4]", "depends on" },
  { "a group that is not closed", "(u_z.-)quern_fetch_close%(%);(\n\n +for)", "%1%2", DUE, long = true },
}
-- A tile of the field of the highest order: blocks of 32x4x4, two points around.
local HIGHEST = {
  { "as emitted" },
  { "no barrier after the fill", "__syncthreads%(%);", ";", ORDER },
  { "no halo above along x", "if %(threadIdx%.x < 4%)", "if (threadIdx.x < 2)", FILL, long = true },
  { "no halo below along y", "threadIdx%.y < 2 %? 0 : 4", "4", FILL, long = true },
  { "points beyond the end that nobody shares", "if %(x < x_end %+ 2 &&", "if (x < x_end &&", FILL, long = true },
  { "a halo in the place of the next", "%[u_at %+ %(col %- tx%)%]", "[u_at + (col - tx) + 1]", wrong = true,
    long = true },
}
-- Tiles of the fields of lower order, one point around.
local BY_AXIS = {
  { "as emitted", long = true },
  { "no halo above along z", "if %(threadIdx%.z < 2%)", "if (threadIdx.z < 1)", FILL },
  { "no barrier after the fill", "__syncthreads%(%);", ";", ORDER, long = true },
}
local TILTED = {
  { "as emitted", long = true },
  { "a plane that nobody fetches", "if %(threadIdx%.x < 6%)", "if (threadIdx.x < 5)", FILL },
  { "half of the planes across y and z", "turn < 8;", "turn < 4;", FILL, long = true },
  { "planes across z where those across y are", "plane %- 4 %+", "plane - 2 +", FILL, long = true },
  { "no barrier after the fill", "__syncthreads%(%);", ";", ORDER, long = true },
}
local POINTWISE = {
  { "as emitted" },
  { "threads beyond the end of a row", "x >= x_end", "x < 0", wrong = true, long = true },
  { "threads beyond the last plane", "z >= z_end", "z < 0", wrong = true, long = true },
  { "an output in the place of its neighbour", "(lap_u%[lap_u_at)%]", "%1 / 2 * 2]",
    ORDER },
}
-- Three points a thread.
local ROWS = {
  { "as emitted" },
  { "rows beyond the end", "y < y_end && z < z_end%) {", "y < y_end + 1 && z < z_end) {", wrong = true },
  { "a row for another", "u_at_first %+ j", "u_at_first + 0", wrong = true, long = true },
}

-- A shell: boxes thin along each axis, each with a walk of its own.
local THIN = {
  { "as emitted", long = true },
  { "boxes that no walk takes", "thin_z_count > 0", "false", wrong = true, long = true },
  { "axes in the order of another walk", "ORDER%[3%] = { 0, 2, 1 }", "ORDER[3] = { 0, 1, 2 }", OUTSIDE,
    long = true },
  { "points of two tiles", "max%(box%.lower%[0%], [%w_]+%)", "box.lower[0]", wrong = true, long = true },
  { "copies that begin too late", "quern_shift_copies%(&boxes, 1", "quern_shift_copies(&boxes, 0", wrong = true,
    long = true },
  { "rows of threads that no plane is copied for", "lead, 24, 10%)", "lead, 24, 9)", "bytes", long = true },
}

-- Sums that are split, of planes that come two at a time; the points of a plane are completed one
-- plane after it has come.
local SCATTERED = {
  { "as emitted" },
  { "a plane that is read before it has come", "quern_barrier_wait%(&s%.t_full%[t_slot%], t_phase%);", "",
    "arrives at a barrier more often" },
  { "a plane that is refilled too early", "quern_barrier_wait%(&s%.freed%[t_slot%], t_phase%);", "",
    "wait at different barriers" },
  { "what belongs to the points a plane late", "if %(p >= 0%) {(%s+quern_barrier)", "if (p > 0) {%1",
    "arrives at a barrier more often", long = true },
  { "a sum for another", "dd_t_begun%[k%]", "dd_t_begun[(k + 1) %% 2]", wrong = true, long = true },
  { "a first plane from too far behind", "t_at %- t_z", "t_at - 2*t_z", wrong = true, long = true },
}

-- Blocks in step at every plane, in walks of four planes and of two: 102 blocks, in companies
-- of 48.
local STUCK, AWAY = "none can go on", "the device is full, others have not begun"
local IN_STEP = {
  { "as emitted" },
  { "a mark that nobody sets", "said = quern_mark_step%(&s%.own, p / 1%);", "said = 0;", STUCK, long = true },
  { "a company that is not resident", "resident, false%)", "1000, false)", AWAY },
  { "a member too many", "quern_join%(&s%.own, &in_step, company%);", "%0 s.own.members++;", STUCK, long = true },
  { "a short walk that leaves the others behind", "%(company%.walk %+ 0%) / 1", "planes", STUCK },
  { "a wait that is left out", "quern_await_step%(&s%.own, p / 1, said%);", ";", "before others of its company" },
  { "a mark too many", "%(planes %+ 0%) / 1", "planes - (planes < company.walk)", "others of its company",
    long = true },
}

-- Quotients that the short way cannot do.
local DIVIDED = {
  { "as emitted", long = true },
  { "quotients the short way alone", "if %(odd%)", "if (false)", wrong = true },
}

-- In colours, one launch for each.
local COLOURED = {
  { "as emitted" },
  { "every point in every pass", "%(colour %+ x_begin %+ y %+ z%) %% 2(%s+)%+ 2 %*", "0%1+ 1 *", ORDER },
  { "a face in every pass", " || %(x %+ y %+ z%) %% 2 != colour", "", ORDER, long = true },
  { "a neighbour of the same colour", "u%[u_at %+ 1%]", "u[u_at + 2]", ORDER, long = true },
  { "a pass twice", "colour = %(index_t%)pass", "colour = (index_t)0", wrong = true, long = true },
}

local function options_for(shape, out, other, params)
  if other then
    return { root = quern.root, spec = other.spec, set = other.set or {}, kernels = other.kernels,
             size = other.size, shapes = other.shapes or {}, backend = "simt", fp = "strict",
             arch = "sm_90", out = out, device = 0, seed = 1, detect = true, bits = 32 }
  end
  return { root = quern.root, spec = "specs/laplace.lua", set = { radius = "2" },
           shapes = { { name = shape, params = params or {} } }, backend = "simt", fp = "strict",
           arch = "sm_90", out = out, device = 0, seed = 1, detect = true, bits = 32 }
end

-- The files with the fault in the one .cu among them.
local function with_fault(files, mutant)
  if not mutant[2] then return files end
  local changed, count = {}, 0
  for i, file in ipairs(files) do
    local text, found = file.text, 0
    if file.path:find("%.cu$") then
      text, found = text:gsub(mutant[2], mutant[3])
    end
    changed[i] = { path = file.path, text = text }
    count = count + found
  end
  return count > 0 and changed
end

local function judge(mutant, answer)
  local problem = answer.problem or ""
  if mutant.wrong then return answer.status == "wrong" end
  if not mutant[2] then return answer.status == "ok" end
  return answer.status == "error" and problem:find(mutant[4], 1, true) ~= nil
end

-- Compiles one mutant and appends what is to be asked of it.
local function add(list, shape, mutant, made, options)
  local case = { name = shape .. ": " .. mutant[1], mutant = mutant }
  list[#list + 1] = case
  local files = with_fault(made.state.files, mutant)
  if not files then
    case.problem = "there is no " .. mutant[2]
    return
  end
  local module
  module, case.problem = compile.module(files, options)
  if not module then return end
  local requests = check.requests({ module = module, reference = made.reference,
    state = made.state }, { options.size or { 65, 9, 5 } }, options)
  case.request = requests[1]
  for _, request in ipairs(requests) do
    if request.kernel:find("_" .. shape .. "_", 1, true) then case.request = request end
  end
end

local function add_all(list, shape, mutants, out, other, params)
  local options = options_for(shape, out, other, params)
  local made, _, problem = modules.make(options)
  assert(made, problem)
  for _, mutant in ipairs(mutants) do
    if LONG or not mutant.long then add(list, shape, mutant, made, options) end
  end
end

-- Asks quern-run about every mutant that was compiled.
local function answer_all(list)
  local asked, requests = {}, {}
  for _, case in ipairs(list) do
    if case.request then
      asked[#asked + 1] = case
      requests[#asked] = case.request
    end
  end
  local answers = assert(runner.run(requests,
    { root = quern.root, out = "." }))
  for i, case in ipairs(asked) do case.answer = answers[i] end
end

local function report(number, case)
  local answer = case.answer
  local well = answer and judge(case.mutant, answer)
  print(("%s %d - %s"):format(well and "ok" or "not ok", number, case.name))
  if well then return end
  local remark = case.problem or answer.status .. ": " .. (answer.problem or "")
  print("# " .. remark:gsub("\n", "\n# "))
end

local folder = quern.folder()
local list = {}
-- One point a thread, nothing copied ahead.
local PLAIN = { block = "64x8", rows = "1", stages = "0", vec = "1" }
add_all(list, "st_reg_shft", STREAMED, folder, nil, PLAIN)
add_all(list, "st_reg_fixed", FIXED, folder, nil, PLAIN)
add_all(list, "st_reg_shft", VECTORS, folder, nil, { block = "8x4", rows = "1", stages = "0", vec = "4" })
add_all(list, "semi", SEMI, folder)
add_all(list, "st_smem", SHARED, folder, nil, { block = "64x8", stages = "0", vec = "1" })
local SPARED = { block = "64x8", rows = "1", stages = "0", vec = "1", spare = "1" }
if LONG then add_all(list, "st_reg_shft", SPARE, folder, nil, SPARED) end
add_all(list, "st_reg_shft", AHEAD, folder, nil, { block = "64x8", stages = "2", vec = "1", rows = "2" })
add_all(list, "st_smem", PLANES_AHEAD, folder, nil, { block = "64x8", stages = "1", vec = "1", rows = "2" })
add_all(list, "smem_u", HIGHEST, folder)
for _, lower in ipairs { { "smem_eta_3", BY_AXIS }, { "smem_eta_1", TILTED } } do
  local shape, mutants = table.unpack(lower)
  add_all(list, shape, mutants, folder, { spec = "tests/runtime/specs/orders.lua", kernels = { "planes" },
    shapes = { { name = shape, params = {} } } })
end
add_all(list, "gmem", POINTWISE, folder)
if LONG then add_all(list, "gmem", ROWS, folder, nil, { rows = "3" }) end
if LONG then
  add_all(list, "st_tma", THIN, folder, { spec = "specs/acoustic_iso.lua", set = { radius = "1" },
    shapes = { { name = "st_tma", region = "pml", params = { block = "8x4", narrow = "4x8" } } } })
end
add_all(list, "st_tma", SCATTERED, folder, { spec = "specs/heat.lua", shapes = { { name = "st_tma",
  params = { block = "16x4", rows = "2", stages = "1", chunk = "9", scatter = "1" } } } })
add_all(list, "st_tma", IN_STEP, folder, { spec = "specs/heat.lua", size = { 65, 65, 6 }, shapes = { {
  name = "st_tma", params = { block = "8x4", rows = "1", stages = "1", chunk = "4", lockstep = "1" } } } })
add_all(list, "st_tma", DIVIDED, folder, { spec = "tests/runtime/specs/quotients.lua", shapes = { { name = "st_tma",
  params = { block = "16x4", rows = "1" } } } })
add_all(list, "colours", COLOURED, folder,
  { spec = "specs/gauss_seidel.lua", kernels = { "red_black" } })
answer_all(list)
quern.remove(folder)
print("1.." .. #list)
for number, case in ipairs(list) do report(number, case) end
