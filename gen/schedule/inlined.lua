-- inlined: a chain as one kernel, in which each point computes what earlier
-- stages would have handed on, wherever it needs that; no array in between.
-- Otherwise as blocked and gmem.

local M = { backends = { "cuda", "simt", "c" }, meshes = true, chains = true }

local function base(options)
  return require("gen.schedule." .. (options.backend == "c" and "blocked"
    or "gmem"))
end

function M.settings(lowered, kernel, block, options)
  return base(options).settings(lowered, kernel, block)
end

function M.applies(lowered, kernel, block, options)
  return base(options).applies(lowered, kernel, block)
end

function M.plan(lowered, kernel, block, options, values)
  return base(options).plan(lowered, kernel, block, options, values, "inlined")
end

return M
