-- Which specifications and params the sweeps try. QUERN_LONG tries all radii.

local M = {}

local LONG = os.getenv("QUERN_LONG") and os.getenv("QUERN_LONG") ~= ""
local GMEM, STREAMED = { name = "gmem", params = {} }, { name = "st_reg_shft", params = {} }
-- Of the tensor unit's blocks those that are used have hundreds of threads: in the long sweeps.
local TENSOR = { name = "st_tma", params = LONG and {} or { block = "8x4", stages = "1", chunk = "9" } }
local SHARED = { name = "st_smem", params = {} }
local BOTH = { c = {}, simt = { GMEM, STREAMED } }
local THREE = { c = {}, simt = { GMEM, STREAMED, TENSOR } }
-- Every shape that walks, of a star.
local WALKS = { c = {}, simt = { GMEM, STREAMED, TENSOR, SHARED, { name = "st_reg_fixed", params = {} } } }
-- And of one with the same weights on both sides.
local SEMI = { name = "semi", params = {} }
local SYMMETRIC = { c = {}, simt = { WALKS.simt[1], WALKS.simt[2], WALKS.simt[3], WALKS.simt[4], WALKS.simt[5], SEMI } }
-- Few threads, whose rings have only the planes that are read beside the thread's own column, or
-- whose sums are split.
local LATE = { simt = {} }
for i, late in ipairs { "1", "0" } do
  LATE.simt[i] = { name = "st_tma", params = { block = "8x4", rows = "2", stages = "1", chunk = "9", late = late,
                   scatter = late == "1" and "0" or "1" } }
end
-- The same beside what else walks, with few threads, which have several points side by side where they can: for
-- the short sweeps.
local FEW = { st_smem = { block = "8x4", chunk = "9", vec = "2" }, semi = { block = "4x4", chunk = "9", vec = "4" },
              st_reg_fixed = { block = "4x4", chunk = "9", vec = "4" },
              st_tma = { block = "8x4", chunk = "9", scatter = "1" } }
local LIGHT = { simt = { GMEM } }
for i, name in ipairs { "st_smem", "st_reg_fixed", "semi", "st_tma" } do
  LIGHT.simt[i] = { name = name, region = not LONG and "inner" or nil,        -- heat_faces, in the long ones, has none
                    params = FEW[name] }
end
-- A shell in every shape that walks; in tiles: add_tiles.
local SHELL = { simt = {} }
local THIN = { st_smem = FEW.st_smem, st_reg_fixed = FEW.st_reg_fixed, st_tma = { block = "8x4", narrow = "4x8" },
               semi = { block = "4x4", chunk = "9" } }
for i, name in ipairs { "st_smem", "st_reg_fixed", "st_tma", "semi" } do
  SHELL.simt[i] = { name = name, region = "pml", params = THIN[name] }
end
-- A spare plane, in few threads.
local SPARE = { simt = { { name = "semi", region = "inner", params = { block = "4x4", chunk = "9", spare = "1" } } } }
-- And of one beside a box.
local CROSSED = { c = {}, simt = { GMEM, STREAMED, TENSOR, SHARED, SEMI } }
local FLAT = { c = {}, simt = { GMEM } }
-- Slabs in every shape that they can have, in blocks that break them.
local SLABS = { c = {}, simt = { GMEM, { name = "smem_u", params = { block = "16x4x2" } } } }
for i, name in ipairs { "st_reg_shft", "st_reg_fixed", "st_smem" } do
  SLABS.simt[i + 2] = { name = name, params = { block = "16x4", chunk = "3" } }
end
-- In gmem what cannot be streamed.
local ALONE = { c = {}, simt = { STREAMED } }
local BOX = { c = {}, simt = LONG and { GMEM, TENSOR, SHARED } or { TENSOR, SHARED } }
-- On simt only in the long sweeps: others have all that is special in them.
local HOST = { c = {}, simt = LONG and { GMEM } }
-- Blocks larger than any extent of the sweep, along each axis.
local LARGE = { c = {}, simt = {
  { name = "gmem", params = { block = "256x2x1" } }, { name = "gmem", params = { block = "2x256x1" } },
  { name = "gmem", params = { block = "4x4x64" } } } }

-- Threads with several points side by side.
local function vectors(count, more)
  local params = { block = "8x4", chunk = "9", vec = tostring(count) }
  for name, value in pairs(more or {}) do params[name] = value end
  return { name = "st_reg_shft", params = params }
end

-- Radius 0, of all axes and of one. (Shapes that have nothing to share then say so; no shipped spec can have radius
-- 0, as a derivative of no order has no weights.)
local POINTWISE = { c = {}, simt = { GMEM, vectors(4) } }

local PLAIN_TILES = { GMEM, vectors(4), { name = "smem_u", params = { block = "16x4x2" } } }
local UNSPLIT = { block = "8x4", chunk = "9" }

local function flat(...)
  local list = { c = {}, simt = LONG and table.move(PLAIN_TILES, 1, 3, 1, {}) or {} }
  for _, name in ipairs { ... } do
    list.simt[#list.simt + 1] = { name = name, params = name == "st_tma" and UNSPLIT or FEW[name] }
  end
  return list
end
local FLAT_TILES = flat("st_smem", "st_tma")
local FLAT_WALKS = flat("st_smem", "st_tma", "st_reg_fixed", "semi")

-- The same of every shape that can have them: of any form, of a star, of one with the same weights on both sides.
local OF_BOX, OF_STAR = { "st_smem" }, { "st_smem", "st_reg_fixed", "st_reg_shft" }
local OF_EVEN = { "st_smem", "st_reg_fixed", "st_reg_shft", "semi" }
local OF_WIDE = { "st_reg_shft", "st_reg_fixed", "semi" }       -- whose planes are too many

local function vectors_of(names, rank)
  local list = { c = {}, simt = {} }
  for i, name in ipairs(names) do
    local shape = vectors(i == 2 and 2 or 4, rank == 2 and { block = "8" } or {})
    shape.name, list.simt[i] = name, shape
  end
  return list
end

local function adder(list, backend)
  return function(spec, shapes, ...)
    if not shapes[backend] then return {} end
    list[#list + 1] = { spec = spec:find("/") and spec or "specs/" .. spec .. ".lua",
                        shapes = shapes[backend], ... }
    return list[#list]
  end
end

local function add_all(add)
  for radius = 1, 16 do
    for _, storage in ipairs { "type=float", "type=double" } do
      -- The planes of doubles are too many at large radii.
      local wide = storage == "type=double" and radius
      local shapes = (not wide or wide <= 12) and SYMMETRIC or wide <= 14 and THREE or BOTH
      add("laplace", shapes, "radius=" .. radius, storage)
      add("laplace", LATE, "radius=" .. radius, storage).few = true
      add("acoustic_iso", shapes, "radius=" .. radius, storage)
      add("acoustic_iso", FLAT, "dims=2", "radius=" .. radius, storage)
      add("acoustic_iso", vectors_of(radius <= 10 and OF_EVEN or OF_WIDE), "radius=" .. radius, storage).few = true
      add("acoustic_iso", vectors_of(OF_EVEN, 2), "dims=2", "radius=" .. radius, storage).few = true
      add("wave2d", FLAT, "radius=" .. radius, storage)
    end
  end
  for _, storage in ipairs { "type=float", "type=double" } do
    add("heat", SYMMETRIC, storage)
    add("box27", BOX, storage)
    add("heat", vectors_of(OF_EVEN), storage).few = true
    for _, spec in ipairs { "elastic", "maxwell", "advection_upwind" } do
      add(spec, vectors_of(OF_STAR), storage).few = true
    end
    add("box27", vectors_of(OF_BOX), storage).few = true
    add("tti", vectors_of(OF_BOX), "radius=2", storage).few = true
    add("weights", THREE, storage)
    add("advection_upwind", THREE, storage)
    add("diffusion_variable", THREE, storage)
    add("acoustic_density", THREE, "radius=2", storage)
    add("acoustic_passive", THREE, "radius=2", storage)
    add("acoustic_passive", FLAT, "dims=2", storage)
    add("elastic", WALKS, storage)
    add("maxwell", THREE, storage)
    add("maxwell", THREE, "layer=cpml", storage)
    add("shallow_water", BOTH, storage)
    add("lbm_d3q19", storage == "type=float" and THREE or BOTH, storage)
    add("lbm_d3q19", FLAT, "faces=periodic", storage)
    for _, radius in ipairs { "1", "2", "4", "8" } do
      add("tti", radius == "8" and BOTH or CROSSED, "radius=" .. radius, storage)
      add("tti", radius == "8" and THREE or WALKS, "mixed=stored", "faces=periodic", "radius=" .. radius, storage)
    end
    for _, along in ipairs { "xy", "xz", "yz" } do
      local shapes = along == "xy" and FLAT_TILES or FLAT_WALKS
      add("tests/runtime/specs/flat.lua", shapes, "along=" .. along, storage).few = true
    end
    add("tests/runtime/specs/pointwise.lua", POINTWISE, storage)
    add("tests/runtime/specs/functions.lua", FLAT, storage)
    add("tests/runtime/specs/rules.lua", FLAT, storage).never = "rules.lua:19:10:"      -- of what is no number
  end
end

-- `few`: kernels that take long try each length along one axis only.
-- `least`: the extent below which images are too small.
-- `never`: where a choice stands that no data takes.
local FACES, PLACES = "tests/runtime/specs/faces.lua", "tests/runtime/specs/faces_places.lua"

local function add_faces(add)
  add(FACES, HOST, "dims=1", "type=double").least = 2
  add(FACES, HOST, "dims=2").least = 2
  add(FACES, ALONE).least = 2
  add(PLACES, ALONE, "type=double").least = 3
  add("heat_faces", LONG and THREE or { c = {}, simt = { GMEM, TENSOR } }, "radius=1")
  if LONG then add("heat_faces", LIGHT, "radius=1").few = true end
  add("heat_faces", HOST, "dims=2", "radius=3", "type=double").least = 3
end

-- In the layer as emitted and streamed; beside it in every shape.
local function in_regions(shapes)
  local list = { GMEM, vectors(4) }
  for i = 3, #shapes do
    list[i] = { name = shapes[i].name, region = "inner", params = shapes[i].params }
  end
  return { c = {}, simt = list }
end

-- What the long sweeps have as well.
local function add_always(add)
  add("acoustic_iso", SHELL, "radius=1").few = true
  add("acoustic_iso", SPARE, "radius=1", "type=double").few = true
end

local function add_some(add)
  add("acoustic_iso", in_regions(THREE.simt), "radius=4")
  add("acoustic_iso", LIGHT, "radius=4").few = true
  add("acoustic_iso", HOST, "dims=2", "radius=2", "type=double")
  add("laplace", { c = {}, simt = { GMEM, vectors(2, { rows = "1", stages = "0" }) } }, "radius=1",
    "type=double").few = true
  add("laplace", LATE, "radius=3").few = true
  add("laplace", HOST, "radius=8", "type=double")
  add("laplace", LONG and BOTH or HOST, "radius=16").few = true
  add("heat", FLAT)
  add("box27", BOX, "type=double")
  add("weights", HOST).few = true
  add("wave2d", FLAT)
  add("advection_upwind", BOTH, "type=double")
  add("diffusion_variable", FLAT)
  add("acoustic_density", BOTH, "radius=2", "type=double")
  add("acoustic_density", HOST, "radius=2", "faces=free").least = 4
  add("acoustic_passive", HOST, "dims=2", "radius=2").few = true
  -- Rings with a halo along x beside rings without: both begin with a sector.
  local thin = { name = "st_tma", region = "pml", params = THIN.st_tma }
  local rings = add("acoustic_passive", { simt = { thin } }, "radius=2")
  rings.few, rings.kernels = true, { "step" }
  add("elastic", { c = {}, simt = { vectors(4) } })
  add("maxwell", FLAT, "layer=cpml").kernels = { "electric", "magnetic", "magnetic_z" }
  add("shallow_water", FLAT)
  add("lbm_d3q19", HOST).few = true
  add("tti", { c = {}, simt = { { name = "st_smem", params = FEW.st_smem } } }, "radius=1").few = true
  add("tests/runtime/specs/flat.lua", FLAT_TILES).few = true
  add("tests/runtime/specs/pointwise.lua", POINTWISE, "type=double")
end

-- Tiles in shared memory, as a launch has them by itself and in blocks that are narrower than the
-- halo, as wide, and no cubes.
local ORDERS = "tests/runtime/specs/orders.lua"

local function tiled(shapes, blocks)
  local list = {}
  for _, block in ipairs(blocks or { false }) do
    for _, shape in ipairs(shapes) do
      list[#list + 1] = { name = shape, params = { block = block or nil } }
    end
  end
  return { simt = list }
end

local HIGHEST = { "smem_u" }
local EVERY_TILE = { "smem_u", "smem_eta_1", "smem_eta_3" }

local function add_all_tiles(add)
  for _, radius in ipairs { 1, 2, 3, 4, 5, 6, 7, 8, 16 } do
    for _, storage in ipairs(radius < 16 and { "type=float", "type=double" } or { "type=float" }) do
      local shapes = tiled(radius > 1 and EVERY_TILE or HIGHEST)
      add("acoustic_iso", shapes, "radius=" .. radius, storage).few = true
      add("acoustic_iso", shapes, "dims=2", "radius=" .. radius, storage).few = true
      add("laplace", tiled(HIGHEST), "radius=" .. radius, storage).few = true
    end
  end
  for _, storage in ipairs { "type=float", "type=double" } do
    for _, spec in ipairs { "heat", "box27", "maxwell" } do add(spec, tiled(HIGHEST), storage) end
    for _, radius in ipairs { "1", "2", "4", "8" } do
      add("tti", tiled(HIGHEST), "radius=" .. radius, storage).few = true
    end
    add("elastic", tiled(EVERY_TILE), storage).few = true
    add("heat_faces", tiled(HIGHEST), "radius=2", storage).least = 2
    add(ORDERS, tiled(EVERY_TILE, { "32", "3", "6", "1" }), "dims=1", storage).few = true
    add(ORDERS, tiled(EVERY_TILE, { "32x8", "3x5", "6x6", "2x7" }), "dims=2", storage).few = true
    add(ORDERS, tiled(EVERY_TILE, { "32x4x4", "3x5x2", "6x6x6", "2x7x3" }), storage).few = true
  end
  add("mixed_precision", tiled(HIGHEST), "type=half")
  add("tests/runtime/specs/packed.lua", tiled(HIGHEST), "dims=3").few = true
end

local function add_tiles(add)
  if LONG then return add_all_tiles(add) end
  -- A block wider than its halos, as wide, and narrower.
  local shapes = { { name = "smem_u", params = { block = "16x8x2" } } }
  for i, name in ipairs { "smem_eta_1", "smem_eta_3" } do
    shapes[i + 1] = { name = name, region = "pml", params = {} }
  end
  add("acoustic_iso", { simt = shapes }, "radius=4").few = true
  add("box27", tiled(HIGHEST)).few = true
  add("heat_faces", tiled(HIGHEST), "radius=1").few = true
  local case = add(ORDERS, tiled({ "smem_eta_1" }, { "3x5x2" }), "type=double")
  case.few, case.kernels = true, { "stairs" }
end

-- Columns: levels as axes, in several orders, beside as many axes of the grid;
-- fields with points more than layers; temporaries; sweeps. On simt what ships.
local LEVELS, INTERFACES = "tests/runtime/specs/levels.lua", "tests/runtime/specs/interfaces.lua"
local CHAIN, SWEEP = "tests/runtime/specs/chain.lua", "tests/runtime/specs/sweep.lua"
local COLUMN, LATER = { c = {}, simt = {} }, { c = LONG and {}, simt = LONG and { GMEM, STREAMED } }
local COLUMN_LATER = { c = {}, simt = LONG and {} }

local function add_levels(add)
  add("column", COLUMN).least = 2
  add("column", LONG and COLUMN or LATER, "type=float", "order=kxy").least = 2
  add(SWEEP, COLUMN_LATER).least = 1
  add(SWEEP, LONG and COLUMN or LATER, "type=float").least = 1
  add(LEVELS, HOST).least = 2
  add(LEVELS, LATER, "type=double").least = 2
  add(LEVELS, LATER, "dims=1", "type=double").least = 2
  add(LEVELS, LONG and FLAT or LATER, "dims=3").least = 2
  add(INTERFACES, HOST).least = 3
  add(INTERFACES, LATER, "type=float").least = 3
  add(CHAIN, LATER).least = 1
end

-- What runs in colours, on boxes and on rings.
local function add_colours(add)
  add("gauss_seidel", FLAT)
  add("gauss_seidel", HOST, "faces=periodic", "type=float").multiple = 2
  add("tests/runtime/specs/colours.lua", FLAT, "type=double").multiple = 5
end

-- Few digits, several types at once, and fields that interleave.
local STORAGE, PACKED = "tests/runtime/specs/storage.lua", "tests/runtime/specs/packed.lua"

local function add_storage(add)
  add("mixed_precision", BOTH, "type=half")
  add("wave2d", HOST, "radius=3", "type=bfloat16")
  add(STORAGE, FLAT, "dims=2").least = 2
  add(PACKED, ALONE, "dims=3")
  for _, storage in ipairs(LONG and { "float", "double", "half", "bfloat16" } or {}) do
    add("mixed_precision", BOTH, "type=" .. storage)
    add("wave2d", FLAT, "radius=3", "type=" .. storage)
    for dims = 1, 3 do add(PACKED, dims > 1 and BOTH or FLAT, "dims=" .. dims, "type=" .. storage) end
  end
  if LONG then
    add(STORAGE, FLAT, "dims=1").least = 2
    add(STORAGE, BOTH, "dims=3").least = 2
  end
end

-- One launch for all regions of a kernel: ranges, shells, what is left.
local REGIONS = "tests/runtime/specs/together.lua"

-- Shapes, with few threads along each of the axes.
local function together(rank, names)
  local list = { c = {}, simt = {} }
  for i, name in ipairs(names) do
    local walks = name:find("^st_") or name == "semi"
    local params = { together = "1", block = walks and (rank == 3 and "8x4" or "8") or rank == 3 and "8x4x2" or "8x4" }
    if walks then params.chunk, params.vec = "9", name ~= "semi" and i % 2 == 0 and "2" or "1" end
    list.simt[i] = { name = name, params = params }
  end
  return list
end

local OF_REGIONS = { "gmem", "st_smem", "smem_u", "st_reg_shft", "st_reg_fixed", "semi", "smem_eta_1", "smem_eta_3" }

local function add_together(add)
  if not LONG then
    add(REGIONS, together(2, { "st_smem" }), "type=double").few = true
    return
  end
  for _, storage in ipairs { "type=float", "type=double" } do
    for dims = 2, 3 do add(REGIONS, together(dims, OF_REGIONS), "dims=" .. dims, storage) end
    for _, radius in ipairs { 2, 4, 8 } do
      add("acoustic_iso", together(3, OF_REGIONS), "radius=" .. radius, storage).few = true
      add("acoustic_iso", together(2, OF_REGIONS), "dims=2", "radius=" .. radius, storage).few = true
    end
    add("acoustic_passive", together(3, OF_REGIONS), "radius=2", storage).few = true
    local slope = add("weights", together(3, { "gmem", "st_smem", "st_reg_shft", "smem_u" }), storage)
    slope.few, slope.kernels = true, { "slope" }
    add("tests/runtime/specs/only.lua", together(3, { "gmem", "smem_u" }), storage).few = true
    local cpml = add("maxwell", together(3, { "st_smem", "gmem" }), "layer=cpml", storage)
    cpml.few, cpml.kernels = true, { "electric_x", "magnetic_y", "electric_z" }
    local part = add(FACES, together(3, { "gmem", "st_smem", "smem_u" }), storage)
    part.least, part.kernels = 2, { "part" }
    local move = add(INTERFACES, together(3, { "st_smem", "gmem" }), storage)
    move.least, move.kernels = 3, { "move", "faces" }
  end
end

function M.list(backend)
  local list = {}
  local add = adder(list, backend)
  local every = LONG and add_all or add_some
  every(add)
  add_always(add)
  add_faces(add)
  add_tiles(add)
  add_levels(add)
  add("tests/runtime/specs/only.lua", LONG and SLABS or HOST).few = LONG
  add_colours(add)
  add("laplace", FLAT, "dims=1", "radius=2").few = true
  if LONG then add("laplace", FLAT, "dims=2", "radius=5", "type=double") end
  add("laplace", LARGE, "radius=2")
  add_storage(add)
  add_together(add)
  return list
end

return M
