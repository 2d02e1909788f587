-- Shapes for specifications at random: all that some block of one takes, in
-- blocks that break the sizes, with whatever else they can be given.

local drawing = require "tests.draw"
local driver = require "gen.driver"
local lists = require "gen.list"
local schedule = require "gen.schedule"

local M = {}

-- By shape and number of axes.
local BLOCKS = { blocked = { "5", "7x2", "5x7x3" }, gmem = { "7", "7x3", "16x2x2" },
                 st_tma = { nil, nil, "4x4" }, semi = { nil, "4", "4x5" }, st_reg_fixed = { nil, "6", "6x5" },
                 st_reg_shft = { nil, "7", "7x3" }, st_smem = { nil, "5", "5x4" },
                 smem_eta_1 = { "5", "7x3", "3x5x2" }, smem_u = { "5", "5x4", "3x5x2" },
                 smem_eta_3 = { "5", "7x3", "5x4x3" } }

-- What else a shape can be given, some seeds do.
local function more(name, seed)
  if name == "st_tma" then return { rows = tostring(1 + seed % 2), stages = "1", chunk = "5" } end
  if not name:find "^st_" and name ~= "semi" then return {} end
  local semi = name == "semi"
  return { chunk = "5", spare = tostring(seed // 2 % 2), stages = not semi and seed % 4 == 2 and "2" or nil,
           vec = ({ [0] = "2", "4" })[seed % 5] }
end

-- Beside gmem.
M.NAMES = { "st_reg_fixed", "st_reg_shft", "smem_u", "st_smem", "semi", "smem_eta_1", "smem_eta_3", "st_tma" }

-- `rank` nil: in the blocks that it takes by itself.
function M.shape(name, rank, seed)
  local params = more(name, seed)
  params.block = rank and BLOCKS[name][rank]
  if rank == 3 and params.chunk and name ~= "semi" then params.rows = params.rows or tostring(1 + seed % 3) end
  return { name = name, params = params }
end

-- The shapes that some block of a specification takes, gmem first.
function M.applicable(options, rank, seed)
  local state, problems = driver.run { root = options.root, spec = options.spec, set = {}, shapes = {},
    backend = "simt", fp = options.fp, arch = options.arch, out = options.out, stop_after = "lower" }
  assert(state, problems and problems[1].message)
  local applies, list = {}, { M.shape("gmem", rank, seed) }
  for _, row in ipairs(schedule.list(state.lowered, options)) do
    applies[row.shape] = applies[row.shape] or row.applies
  end
  for _, name in ipairs(M.NAMES) do
    if applies[name] then list[#list + 1] = M.shape(name, rank, seed) end
  end
  return list
end

-- Blocks that leave threads over, beside those that `settings` of a shape offer.
local SMALL = { gmem = { { 7 }, { 7, 3 }, { 7, 3, 2 } }, blocked = { { 5 }, { 7, 2 }, { 5, 7, 3 } },
  inlined = { [2] = { 7, 3 } }, kloop = { [2] = { 3, 2 } }, folded = { { 32 } }, staged = { { 32 } } }

-- Of each parameter that a shape has for a block one value of those worth trying.
local function drawn_params(draw, name, lowered, kernel, options)
  local shape = require("gen.schedule." .. name)
  local params, block = {}, kernel.blocks[1]
  for _, setting in ipairs(shape.settings and shape.settings(lowered, kernel, block, options) or {}) do
    local values = lists.copy(setting.choices or { setting.default })
    if setting.name == "block" then values[#values + 1] = (SMALL[name] or {})[#setting.default] end
    params[setting.name] = table.concat(draw.one(values), "x")
  end
  if kernel.chain and #kernel.stages > 2 and not shape.whole then
    params.fused = draw.one { tostring(#kernel.stages), ("1x"):rep(#kernel.stages - 2) .. "2" }
  end
  return params
end

-- Every shape that some kernel or chain of a specification on a mesh takes, with
-- what is drawn for the first that does.
function M.on_meshes(options, seed)
  local state, problems = driver.run { root = options.root, spec = options.spec, set = {}, shapes = {},
    backend = options.backend, fp = options.fp, arch = options.arch, out = options.out, stop_after = "lower" }
  assert(state, problems and problems[1].message)
  local draw, list, seen, named = drawing.new(seed), {}, {}, lists.by_name(lists.joined(state.lowered.kernels,
    state.lowered.fused or {}))
  for _, row in ipairs(schedule.list(state.lowered, options)) do
    local wanted = not options.kernels or lists.contains(options.kernels, row.kernel)
    if row.applies and wanted and not seen[row.shape] then
      seen[row.shape] = true
      list[#list + 1] = { name = row.shape, params = drawn_params(draw, row.shape, state.lowered, named[row.kernel],
        options) }
    end
  end
  return list
end

-- gmem and `most` of the others, from a place on that the seed says.
function M.drawn(shapes, seed, most)
  local list, others = { shapes[1] }, #shapes - 1
  for i = 1, math.min(most, others) do list[i + 1] = shapes[2 + (seed + i) % others] end
  return list
end

-- Takes out the shape that `problem` says does not apply in blocks of that size.
local function without(shapes, problem)
  for i, asked in ipairs(shapes) do
    if problem:find(asked.name .. ": ", 1, true) then return table.remove(shapes, i) end
  end
end

-- What try(options) makes, without the shapes that have a reason; or nil and a problem.
function M.served(options, try)
  local made, problem = try(options)
  while not made and without(options.shapes, problem) do made, problem = try(options) end
  return made, problem
end

return M
