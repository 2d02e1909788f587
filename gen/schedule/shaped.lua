-- One shape for one block: which there are, what it can be told, and its plan.

local chain = require "gen.schedule.chain"
local setting = require "gen.schedule.setting"
local split = require "gen.schedule.split"
local together = require "gen.schedule.together"

local M = {}

local SHAPES = { "gmem", "kloop", "inlined", "inlined_compressed",
                 "inlined_cached", "staged", "folded", "folded_staged",
                 "tiled", "smem_u", "smem_eta_3", "smem_eta_1", "semi",
                 "st_smem", "st_reg_shft", "st_reg_fixed", "st_tma",
                 "temporal", "blocked", "column", "reference" }
local DEFAULT = { cuda = "gmem", simt = "gmem", c = "blocked",
                  reference = "reference" }

-- The shape of a kernel that nobody asked another for.
function M.default(backend, kernel)
  return kernel.sweep and backend ~= "reference" and "column"
    or DEFAULT[backend]
end

-- What a shape is: see gen/schedule.lua.
function M.shape(name) return require("gen.schedule." .. name) end

local function serves(shape, backend)
  for _, name in ipairs(M.shape(shape).backends) do
    if name == backend then return true end
  end
  return false
end

-- Whether there is such a shape, and it renders for one of the backends.
function M.serves(name, backends)
  for _, shape in ipairs(SHAPES) do
    if shape == name then
      for _, backend in ipairs(backends) do
        if serves(name, backend) then return true end
      end
    end
  end
  return false
end

-- The names of the backend's shapes, the default first.
function M.names(backend)
  local list = { DEFAULT[backend] }
  for _, name in ipairs(SHAPES) do
    if serves(name, backend) and name ~= DEFAULT[backend] then
      list[#list + 1] = name
    end
  end
  return list
end

-- The settings of a shape (optional for it) that applies to a block, or nil and
-- a sentence: why it does not, or which param it does not know.
function M.settings(name, params, lowered, kernel, block, options)
  local shape = M.shape(name)
  local unfit = chain.problem(name, shape, kernel)
  if unfit then return nil, unfit end
  local settings = shape.settings
    and shape.settings(lowered, kernel, block, options) or {}
  settings = together.settings(shape, kernel, settings)
  local unknown = setting.unknown(name, settings, params)
  -- A shape that does not apply may have no settings at all.
  if unknown and settings[1] then return nil, unknown end
  if kernel.domain and not shape.meshes then
    return nil, ("%s: kernel %s runs over a mesh, this shape over a grid")
      :format(name, kernel.name)
  end
  if kernel.adds and not shape.adds then
    return nil, ("%s: kernel %s adds to points that others add to, gmem and "
      .. "tiled can do that"):format(name, kernel.name)
  end
  local well, why = shape.applies(lowered, kernel, block, options)
  if not well then return nil, why end
  if unknown then return nil, unknown end
  return settings
end

-- The plan of one kernel, or of a chain as one, or nil and a sentence.
local function plan_whole(name, params, lowered, kernel, block, options)
  local settings, why = M.settings(name, params, lowered, kernel, block,
    options)
  if not settings then return nil, why end
  local values, wrong = setting.read(name, settings, params)
  if not values then return nil, wrong end
  if values.together and values.together[1] > 0 then
    return nil, together.single(name, kernel)
  end
  local shape = M.shape(name)
  local made, problem = shape.plan(lowered, kernel, block, options, values)
  if not made then return nil, problem end
  made.shape, made.backend, made.params = name, options.backend, values
  made.kernel, made.block = kernel, made.block or block
  made.region = block.region
  return made
end

-- The plan of a chain in pieces, or nil and a sentence.
local function split_plan(name, fused, params, lowered, kernel, block, options)
  local pieces, whole, why = split.pieces(name, fused, params, lowered, kernel)
  if not pieces then return nil, why end
  if #pieces == 1 then
    return plan_whole(name, whole, lowered, kernel, block, options)
  end
  local list = {}
  for i, piece in ipairs(pieces) do
    list[i], why = plan_whole(name, whole, lowered, piece, piece.blocks[1],
      options)
    if not list[i] and not piece.chain then
      list[i], why = plan_whole(M.default(options.backend, piece), {}, lowered,
        piece, piece.blocks[1], options)
    end
    if not list[i] then return nil, why end
  end
  local made
  made, why = split.plan(name, fused, lowered, kernel, block, list)
  if not made then return nil, why end
  made.shape, made.backend, made.params = name, options.backend, params
  made.kernel, made.block = kernel, block
  return made
end

-- One plan, with `helpers`, those that it launches, if there are any; or nil
-- and a sentence.
function M.plan(name, params, lowered, kernel, block, options)
  local asked = kernel.chain and not kernel.why and params.fused
  local fused = asked or split.default(kernel, M.shape(name))
  if fused then
    local made, why = split_plan(name, fused, params, lowered, kernel, block,
      options)
    if made or asked then return made, why end
  end
  return plan_whole(name, params, lowered, kernel, block, options)
end

-- The default shape's values, in blocks of as many threads.
local function default_values(name, values, lowered, kernel, block, options)
  local settings = M.shape(name).settings(lowered, kernel, block, options)
  local size = { table.unpack(values.block) }
  for i = #size + 1, math.min(#block.axes, 3) do size[i] = 1 end
  return setting.read(name, settings, { block = table.concat(size, "x") })
end

-- The plan of one region, with these values or, where the shape does not
-- apply, of the default shape.
local function part_of(name, values, lowered, kernel, block, options)
  local own = values
  if not M.shape(name).applies(lowered, kernel, block, options) then
    local wrong
    name = M.default(options.backend, kernel)
    own, wrong = default_values(name, values, lowered, kernel, block, options)
    if not own then return nil, wrong end
  end
  local made, why = M.shape(name).plan(lowered, kernel, block, options, own)
  if not made then return nil, why end
  return together.part(made, block, kernel, name, options)
end

-- The settings of a shape for all regions of a kernel together, or nil and a
-- sentence.
function M.together_settings(name, params, lowered, kernel, options)
  local why = together.problem(name, M.shape(name), kernel)
  if why then return nil, why end
  local leading, reason = together.leading(lowered,
    together.whole(lowered, kernel), function(block)
      return M.shape(name).applies(lowered, kernel, block, options)
    end)
  if not leading then return nil, reason end
  return M.settings(name, params, lowered, kernel, leading, options)
end

-- One plan for all regions of a kernel, or nil and a sentence.
function M.together(name, params, lowered, kernel, options)
  local settings, why = M.together_settings(name, params, lowered, kernel,
    options)
  if not settings then return nil, why end
  local values, wrong = setting.read(name, settings, params)
  if not values then return nil, wrong end
  local whole, parts = together.whole(lowered, kernel), {}
  for i, block in ipairs(whole.parts) do
    parts[i], why = part_of(name, values, lowered, kernel, block, options)
    if not parts[i] then return nil, why end
  end
  local join = M.shape(name).join or together.plan
  local made, problem = join(name, lowered, kernel, whole, parts, settings,
    values)
  if not made then return nil, problem end
  made.shape, made.backend, made.params = name, options.backend, values
  made.kernel = kernel
  return made
end

return M
