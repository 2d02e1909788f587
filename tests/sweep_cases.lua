-- Which specifications and params the sweeps try. QUERN_LONG tries all radii.

local M = {}

local LONG = os.getenv("QUERN_LONG") and os.getenv("QUERN_LONG") ~= ""
local SHAPES = {
  c = {},
  simt = { { name = "gmem", params = {} }, { name = "st_reg_shft", params = {} } },
}
local FLAT = { simt = { { name = "gmem", params = {} } } }
-- Blocks larger than any extent of the sweep, along each axis.
local LARGE = {
  c = {},
  simt = { { name = "gmem", params = { block = "256x2x1" } },
           { name = "gmem", params = { block = "2x256x1" } },
           { name = "gmem", params = { block = "4x4x64" } } },
}

local function cases(backend)
  local list = {}
  local function add(spec, shapes, ...)
    list[#list + 1] = { spec = "specs/" .. spec .. ".lua", shapes = shapes[backend], ... }
  end
  return list, add
end

local function add_radii(add)
  local radii = { 1, 3, 8, 16 }
  if LONG then
    radii = {}
    for radius = 1, 16 do radii[radius] = radius end
  end
  for i, radius in ipairs(radii) do
    local storage = i % 2 == 0 and "type=double" or "type=float"
    add("laplace", SHAPES, "radius=" .. radius, storage)
    if LONG or radius ~= 16 then
      add("acoustic_iso", SHAPES, "radius=" .. radius, storage)
    end
  end
end

function M.list(backend)
  local list, add = cases(backend)
  add_radii(add)
  add("acoustic_iso", FLAT, "dims=2", "radius=4")
  add("laplace", FLAT, "dims=1", "radius=2")
  add("laplace", FLAT, "dims=2", "radius=5", "type=double")
  add("laplace", LARGE, "radius=2")
  for _, storage in ipairs { "type=float", "type=double" } do
    add("heat", SHAPES, storage)
    add("box27", SHAPES, storage)
    add("wave2d", FLAT, storage)
    add("advection_upwind", SHAPES, storage)
    add("diffusion_variable", SHAPES, storage)
  end
  for _, name in ipairs { "flat", "pointwise" } do
    list[#list + 1] = { spec = "tests/runtime/specs/" .. name .. ".lua",
                        shapes = FLAT[backend], "type=float" }
  end
  return list
end

return M
