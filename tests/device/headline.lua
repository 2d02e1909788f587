-- The kernels of the table "What is reached" of RESULTS.md, for the kit's
-- `run headline`. Each case is a module, all of whose kernels are validated
-- before any is timed:
--   { spec, set, shapes, rows = { { what, asked, size, kernel, scalars,
--     align }.. } }
-- `kernel`: a part of the name of one kernel; "step": all that a step launches.
-- `asked`: what is aimed at, as it is printed; nil: it is reported alone.

local values = require "gen.command.values"

local list = {}

local CUBE, SLAB = { 512, 512, 512 }, { 1024, 1024, 512 }

-- Shapes as on the command line.
local function case(spec, set, shapes, rows)
  list[#list + 1] = { spec = spec:find("/") and spec or "specs/" .. spec
    .. ".lua", set = set, shapes = assert(values.each(shapes, values.shape)),
    rows = rows }
end

-- The interior of the wave equation is the whole domain where its layer has a
-- width of 0.
local function inner(what, asked, size)
  return { what, asked, size, kernel = "_inner_", scalars = { width = 0 } }
end

-- Radius, and what is asked for at both sizes.
for _, one in ipairs { { 4, "90 %, 94 % wanted", "90 %" }, { 1, "90 %", "90 %" },
    { 2, "90 %", "90 %" }, { 3, "90 %", "90 %" }, { 5 },
    { 6, "90 %", "90 %" }, { 7 }, { 8, "78 %", "78 %" }, { 12 }, { 16 } } do
  local radius, cube, slab = one[1], one[2], one[3]
  local rows = { inner(("radius %d, interior"):format(radius), cube, CUBE) }
  rows[2] = cube and inner("the same", slab, SLAB) or nil
  case("acoustic_iso", { radius = ("%d"):format(radius) }, { "st_tma" }, rows)
end
case("acoustic_iso", { type = "double" }, { "st_tma" },
  { inner("radius 4, double", "85 %", CUBE) })

-- Shells of 27 points, rows aligned where the interior starts.
local function layers(what, asked, n, kernel)
  return { what, asked, { n, n, n }, kernel = kernel, align = 27,
           scalars = { width = 27 } }
end
case("acoustic_iso", {}, { "st_tma" }, {
  layers("whole step with layers of 27", "185 Gpoint/s", 566, "step"),
  layers("  its interior", nil, 566, "_inner_"),
  layers("  its shell", nil, 566, "_pml_"),
  layers("whole step with layers of 27", "205 Gpoint/s", 1000, "step"),
  layers("  its interior", nil, 1000, "_inner_"),
  layers("  its shell", nil, 1000, "_pml_") })
-- A block that `quern tune` tries for that size.
case("acoustic_iso", {}, { "inner:st_tma", "pml:st_tma:block=32x14" }, {
  layers("  the step, its shell in 32x14", "205 Gpoint/s", 1000, "step") })

-- The paper's shapes: Gpoint/s of the kernel that was published.
for _, shape in ipairs { { "gmem", 129 }, { "smem_u", 117 }, { "semi", 84 },
    { "st_smem", 84 }, { "st_reg_shft", 68 }, { "st_reg_fixed", 82 } } do
  case("acoustic_iso", {}, { shape[1] }, { layers(("interior, %s"):format(
    shape[1]), ("%d Gpoint/s"):format(shape[2]), 566, "_inner_") })
end

-- Two steps in one sweep, beside one step.
local TWICE = { "st_tma", "temporal", "temporal:halos=1" }
local function twice(what, asked)
  return { { what, nil, CUBE, kernel = "_st_tma_" },
    { "  two steps at once", asked, CUBE, kernel = "_temporal_[%dx]+$" },
    { "  two, one halo for both", asked, CUBE, kernel = "_halos1$" } }
end
local TEMPORAL = "tests/runtime/specs/temporal.lua"
case("heat", {}, TWICE, twice("heat", "160 %"))
case("heat", { radius = "2" }, TWICE, twice("heat, radius 2", "beyond 100 %"))
case(TEMPORAL, { equation = "plain" }, TWICE,
  twice("heat without a source", "160 %"))
for _, radius in ipairs { "1", "2", "4" } do
  case(TEMPORAL, { equation = "wave", radius = radius }, TWICE,
    twice("waves, radius " .. radius, radius ~= "4" and "beyond 100 %" or nil))
end

for _, one in ipairs { { "elastic", "velocity", "stress" }, { "laplace", "apply" },
    { "box27", "apply" }, { "maxwell", "electric", "magnetic" },
    { "acoustic_density", "step" }, { "tti", "advance" } } do
  local rows = {}
  for i = 2, #one do
    rows[i - 1] = { ("%s, %s"):format(one[1], one[i]), nil,
      one[1] == "tti" and { 512, 512, 256 } or CUBE, kernel = "_" .. one[i] .. "_st" }
  end
  case(one[1], {}, { "st_tma" }, rows)
end

return list
